# typed: true

# Generated from sig/sparpack/media.rbs by `rake rbi`: do not edit.

module Sparpack
  # Content types and wires.
  module Media
    TYPES = T.let(T.unsafe(nil), T::Hash[::Symbol, T::Array[::String]])
    LONGEST = T.let(T.unsafe(nil), ::Integer)
    class Unsupported < ::Sparpack::Error; end

    sig { params(wire: ::Symbol).returns(::String) }
    def self.type(wire); end

    sig { params(content_type: T.nilable(::String)).returns(T.nilable(::Symbol)) }
    def self.wire(content_type); end

    sig { params(first: T.nilable(::Symbol)).returns(::String) }
    def self.accept(first = nil); end

    sig { params(accept_header: T.nilable(::String)).returns(T.nilable(::Symbol)) }
    def self.choose(accept_header); end
  end
end
