# typed: true

# Generated from sig/sparpack/mapping.rbs by `rake rbi`: do not edit.

module Sparpack
  # How objects of a plain class are encoded and decoded.
  class Mapping
    BUILDS = T.let(T.unsafe(nil), T::Array[::Symbol])

    sig { returns(T::Class[T.anything]) }
    attr_reader :mapped_class

    sig { returns(T::Hash[T.any(::Integer, ::String), ::Symbol]) }
    attr_reader :members

    sig { returns(::Symbol) }
    attr_reader :build

    sig do
      params(
        mapped_class: T::Class[T.anything],
        members: T.any(T::Hash[T.any(::Integer, ::String, ::Symbol), ::Symbol], T::Array[::Symbol]),
        types: T::Hash[::Symbol, T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)],
        required: T::Array[::Symbol],
        build: T.nilable(::Symbol)
      ).void
    end
    def initialize(mapped_class, members, types: T.unsafe(nil), required: T.unsafe(nil), build: nil); end

    sig { returns(T::Boolean) }
    def by_name?; end

    sig { returns(T.nilable(::String)) }
    def name; end

    sig { returns(::String) }
    def to_s; end

    sig { returns(::String) }
    def inspect; end

    sig { params(object: T.untyped).returns(T::Boolean) }
    def ===(object); end
  end
end
