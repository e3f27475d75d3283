# typed: true

# Generated from sig/sparpack/guess.rbs by `rake rbi`: do not edit.

module Sparpack
  class Guess
    sig { returns(T.nilable(::Symbol)) }
    attr_reader :format

    sig { returns(::String) }
    attr_reader :reason

    sig { returns(T.nilable(::String)) }
    attr_reader :advice

    sig { returns(T.nilable(::Symbol)) }
    attr_reader :wire

    sig { returns(T.nilable(::Symbol)) }
    attr_reader :frame

    sig { returns(T.nilable(::Integer)) }
    attr_reader :count

    sig { returns(::String) }
    def to_s; end

    sig { returns(::String) }
    def inspect; end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def ==(other); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def eql?(other); end

    sig { returns(::Integer) }
    def hash; end
  end
end
