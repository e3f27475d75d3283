# typed: true

# Generated from sig/sparpack/schema.rbs by `rake rbi`: do not edit.

module Sparpack
  # The schema of a struct, union or exception.
  class Schema
    sig { returns(T::Class[T.anything]) }
    attr_reader :struct_class

    sig { returns(::Symbol) }
    attr_reader :shape

    sig { returns(T::Array[::Sparpack::Field]) }
    attr_reader :fields

    sig { returns(T.nilable(::String)) }
    attr_reader :idl_name

    sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
    attr_reader :annotations

    sig do
      params(
        struct_class: T::Class[T.anything],
        shape: ::Symbol,
        fields: T::Array[::Sparpack::Field],
        idl_name: T.nilable(::String),
        annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
      ).void
    end
    def initialize(struct_class, shape, fields, idl_name: nil, annotations: T.unsafe(nil)); end

    sig { returns(T.nilable(::String)) }
    def name; end

    sig { params(name_or_id: T.any(::Integer, ::Symbol, ::String)).returns(T.nilable(::Sparpack::Field)) }
    def [](name_or_id); end

    sig { params(names: ::Symbol).returns(::String) }
    def to_idl(names: T.unsafe(nil)); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def ==(other); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def eql?(other); end

    sig { returns(::Integer) }
    def hash; end

    sig { returns(::String) }
    def inspect; end

    sig { returns(::String) }
    def to_s; end
  end

  # A field.
  class Field
    sig { returns(::Integer) }
    attr_reader :id

    sig { returns(::Symbol) }
    attr_reader :name

    sig { returns(T.any(::Sparpack::Type, ::Sparpack::Type::Name)) }
    attr_reader :type

    sig { returns(::Symbol) }
    attr_reader :requiredness

    sig { returns(T.untyped) }
    attr_reader :default

    sig { returns(::Symbol) }
    attr_reader :reader

    sig { returns(::String) }
    attr_reader :idl_name

    sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
    attr_reader :annotations

    sig do
      params(
        id: ::Integer,
        name: ::Symbol,
        type: T.any(::Sparpack::Type, ::Sparpack::Type::Name),
        requiredness: ::Symbol,
        default: T.untyped,
        reader: ::Symbol,
        idl_name: ::String,
        annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
      ).void
    end
    def initialize(
      id:,
      name:,
      type:,
      requiredness: T.unsafe(nil),
      default: T.unsafe(nil),
      reader: T.unsafe(nil),
      idl_name: T.unsafe(nil),
      annotations: T.unsafe(nil)
    ); end

    sig { returns(T::Boolean) }
    def required?; end

    sig { returns(T::Boolean) }
    def optional?; end

    sig { params(scope: ::Module).returns(::Sparpack::Field) }
    def resolve(scope); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def ==(other); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def eql?(other); end

    sig { returns(::Integer) }
    def hash; end

    sig { returns(::String) }
    def inspect; end

    sig { returns(::String) }
    def to_s; end
  end
end
