# typed: true

# Generated from sig/sparpack/type.rbs by `rake rbi`: do not edit.

module Sparpack
  # A type of values.
  class Type
    # Types without parts.
    SCALARS = T.let(T.unsafe(nil), T::Array[::Symbol])

    # The range of each type of Integers.
    RANGES = T.let(T.unsafe(nil), T::Hash[::Symbol, T::Range[::Integer]])

    sig do
      params(
        name: ::String,
        spec: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        annotations: T::Hash[::String, T.any(::String, T::Array[::String])],
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(T.any(::Sparpack::Type, ::Sparpack::Type::Name))
    end
    def self.typedef(name, spec = nil, annotations: T.unsafe(nil), &block); end

    sig do
      params(
        spec: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(T.any(::Sparpack::Type, ::Sparpack::Type::Name))
    end
    def self.of(spec, &block); end

    sig do
      params(
        element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Sparpack::Type)
    end
    def self.list(element = nil, &block); end

    sig do
      params(
        element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Sparpack::Type)
    end
    def self.set(element = nil, &block); end

    sig do
      params(
        key: T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name),
        value: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Sparpack::Type)
    end
    def self.map(key, value = nil, &block); end

    sig { returns(::Symbol) }
    attr_reader :kind

    sig { returns(T.nilable(T.any(::Sparpack::Type, ::Sparpack::Type::Name))) }
    attr_reader :element

    sig { returns(T.nilable(T.any(::Sparpack::Type, ::Sparpack::Type::Name))) }
    attr_reader :key

    sig { returns(T.nilable(T.any(::Module, ::Sparpack::Mapping))) }
    attr_reader :target

    sig { returns(T.nilable(::String)) }
    attr_reader :typedef

    sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
    attr_reader :annotations

    sig do
      params(
        kind: ::Symbol,
        element: T.nilable(T.any(::Sparpack::Type, ::Sparpack::Type::Name)),
        key: T.nilable(T.any(::Sparpack::Type, ::Sparpack::Type::Name)),
        target: T.nilable(::Module),
        typedef: T.nilable(::String),
        annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
      ).void
    end
    def initialize(kind, element: nil, key: nil, target: nil, typedef: nil, annotations: T.unsafe(nil)); end

    sig { params(annotations: T::Hash[::String, T.any(::String, T::Array[::String])]).returns(::Sparpack::Type) }
    def annotate(annotations); end

    sig { params(scope: ::Module).returns(::Sparpack::Type) }
    def resolve(scope); end

    sig { returns(T::Boolean) }
    def resolved?; end

    sig { returns(T::Array[::Module]) }
    def structs; end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def ==(other); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def eql?(other); end

    sig { returns(::Integer) }
    def hash; end

    sig { returns(::String) }
    def to_s; end

    sig { returns(::String) }
    def inspect; end

    # The name of a type that need not exist yet.
    class Name
      sig { returns(T.nilable(::String)) }
      attr_reader :typedef

      sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
      attr_reader :annotations

      sig do
        params(
          source: T.any(::String, ::Proc),
          typedef: T.nilable(::String),
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
        ).void
      end
      def initialize(source, typedef: nil, annotations: T.unsafe(nil)); end

      sig do
        params(
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
        ).returns(::Sparpack::Type::Name)
      end
      def annotate(annotations); end

      sig { returns(T::Boolean) }
      def resolved?; end

      sig { returns(T::Array[::Module]) }
      def structs; end

      sig { params(scope: ::Module).returns(::Sparpack::Type) }
      def resolve(scope); end

      sig { returns(::String) }
      def to_s; end

      sig { returns(::String) }
      def inspect; end
    end
  end
end
