# typed: true

# Generated from sig/sparpack/drop_in.rbs by `rake rbi`: do not edit.

module Sparpack
  # Sparpack behind the interfaces of other libraries. Each drop-in has to be required by its name.
  module DropIn
    sig do
      params(
        rate: ::Numeric,
        block: T.nilable(T.proc.params(difference: ::Sparpack::DropIn::Verify::Difference).void)
      ).returns(::Sparpack::DropIn::Verify::Summary)
    end
    def self.verify(rate: T.unsafe(nil), &block); end

    sig { returns(::Sparpack::DropIn::Verify::Summary) }
    def self.verification; end

    # Runs two engines on the same call and compares what they do.
    module Verify
      # A difference between native code and the gem.
      class Difference
        KINDS = T.let(T.unsafe(nil), T::Hash[::Symbol, ::String])

        sig { returns(::String) }
        attr_reader :class_name

        sig { returns(::Symbol) }
        attr_reader :operation

        sig { returns(::Symbol) }
        attr_reader :protocol

        sig { returns(::String) }
        attr_reader :path

        sig { returns(::Symbol) }
        attr_reader :kind

        sig { returns(T.nilable(::Integer)) }
        attr_reader :offset

        sig { returns(T::Hash[::Symbol, T.untyped]) }
        def to_h; end

        sig { returns(::String) }
        def to_s; end

        sig { params(other: T.untyped).returns(T::Boolean) }
        def ==(other); end

        sig { params(other: T.untyped).returns(T::Boolean) }
        def eql?(other); end

        sig { returns(::Integer) }
        def hash; end
      end

      # What was verified in this process, and what was found.
      class Summary
        sig { returns(T::Hash[::Symbol, T.untyped]) }
        def to_h; end

        sig { returns(::String) }
        def to_s; end
      end
    end
  end
end
