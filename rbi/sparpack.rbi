# typed: true

# Generated from sig/sparpack.rbs by `rake rbi`: do not edit.

# Structs with a schema, over Thrift's compact and binary protocols. The YARD docs explain the methods.
module Sparpack
  VERSION = T.let(T.unsafe(nil), ::String)

  # All wires.
  WIRES = T.let(T.unsafe(nil), T::Array[::Symbol])

  # A field with one of these names gets the reader `name_`.
  RESERVED = T.let(T.unsafe(nil), T::Array[::Symbol])

  RESERVED_BY_EXCEPTIONS = T.let(T.unsafe(nil), T::Array[::Symbol])

  # A union's field with one of these names gets the constructor `name_`.
  RESERVED_BY_CLASSES = T.let(T.unsafe(nil), T::Array[::Symbol])

  sig do
    params(
      bytes: ::String,
      struct_class: T.nilable(T.any(T::Class[T.anything], ::Sparpack::Mapping))
    ).returns(::Sparpack::Guess)
  end
  def self.guess(bytes, struct_class = nil); end

  sig { params(text: ::String).returns(::String) }
  def self.assemble(text); end

  sig { params(definition: ::Module, names: ::Symbol).returns(::String) }
  def self.to_idl(definition, names: T.unsafe(nil)); end

  sig do
    params(
      object: ::Sparpack::Value,
      io: T.untyped,
      wire: ::Symbol,
      validate: ::Symbol,
      unknown: ::Symbol,
      freeze: T::Boolean,
      lazy: T::Boolean,
      utf8: ::Symbol,
      mismatch: ::Symbol,
      keys: ::Symbol,
      enums: ::Symbol,
      compression: T.nilable(::Symbol),
      limits: T.nilable(::Sparpack::Limits),
      frame: T.nilable(::Symbol)
    ).returns(::Integer)
  end
  def self.encode_to(
    object,
    io,
    wire = T.unsafe(nil),
    validate: T.unsafe(nil),
    unknown: T.unsafe(nil),
    freeze: T.unsafe(nil),
    lazy: T.unsafe(nil),
    utf8: T.unsafe(nil),
    mismatch: T.unsafe(nil),
    keys: T.unsafe(nil),
    enums: T.unsafe(nil),
    compression: nil,
    limits: nil,
    frame: nil
  ); end

  # With a block, it returns the block's result. Sorbet cannot express this here.
  sig do
    type_parameters(:T)
      .params(
        object: T.type_parameter(:T),
        changes: T.untyped,
        block: T.nilable(T.proc.params(object: T.type_parameter(:T)).returns(T.untyped))
      ).returns(T.type_parameter(:T))
  end
  def self.with(object, **changes, &block); end

  sig do
    type_parameters(:T)
      .params(
        object: T.type_parameter(:T),
        other: ::Sparpack::Value
      ).returns(T.type_parameter(:T))
  end
  def self.merge(object, other); end

  sig { params(object: T.any(::Sparpack::Value, T::Class[T.anything])).returns(T::Array[::Symbol]) }
  def self.members(object); end

  sig { params(object: ::Sparpack::Value, name: T.any(::Symbol, ::String), others: T.untyped).returns(T.untyped) }
  def self.dig(object, name, *others); end

  sig { params(object: T.any(::Sparpack::Value, T::Class[T.anything])).returns(::Sparpack::Schema) }
  def self.schema(object); end

  sig do
    params(
      struct_class: T::Class[T.anything],
      hash: T::Hash[T.untyped, T.untyped],
      options: T.untyped
    ).returns(T.untyped)
  end
  def self.from_h(struct_class, hash = T.unsafe(nil), **options); end

  sig { params(object: ::Sparpack::Value, name: T.any(::Symbol, ::String)).returns(T::Boolean) }
  def self.set?(object, name); end

  sig { type_parameters(:T).params(object: T.type_parameter(:T), mode: ::Symbol).returns(T.type_parameter(:T)) }
  def self.validate(object, mode = T.unsafe(nil)); end

  sig { params(object: ::Sparpack::Value, mode: ::Symbol).returns(T::Boolean) }
  def self.valid?(object, mode = T.unsafe(nil)); end

  sig { params(object: ::Sparpack::Value, mode: ::Symbol).returns(T::Array[::Sparpack::ValidationError]) }
  def self.errors(object, mode = T.unsafe(nil)); end

  sig { params(union: ::Sparpack::Union).returns(T.nilable(::Symbol)) }
  def self.field(union); end

  sig { params(union: ::Sparpack::Union).returns(T.untyped) }
  def self.value(union); end

  sig { params(object: ::Sparpack::Value).returns(T::Boolean) }
  def self.unknown?(object); end
end
