# typed: true

# Structs with a schema, over Thrift's compact and binary protocols. What the methods do stands in their YARD docs.
module Sparpack
  VERSION = T.let(T.unsafe(nil), ::String)

  # The wires there are.
  WIRES = T.let(T.unsafe(nil), T::Array[::Symbol])

  # Names that a field's reader does not take: it is called `name_` then.
  RESERVED = T.let(T.unsafe(nil), T::Array[::Symbol])
  RESERVED_BY_EXCEPTIONS = T.let(T.unsafe(nil), T::Array[::Symbol])

  # Names that a union's constructors do not take.
  RESERVED_BY_CLASSES = T.let(T.unsafe(nil), T::Array[::Symbol])

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
      utf8: ::Symbol,
      mismatch: ::Symbol,
      limits: T.nilable(::Sparpack::Limits)
    ).returns(::Integer)
  end
  def self.encode_to(
    object,
    io,
    wire = T.unsafe(nil),
    validate: T.unsafe(nil),
    unknown: T.unsafe(nil),
    freeze: T.unsafe(nil),
    utf8: T.unsafe(nil),
    mismatch: T.unsafe(nil),
    limits: nil
  ); end

  # With a block it returns what that returns; Sorbet has no overloads with keywords.
  sig do
    type_parameters(:T).params(
      object: T.type_parameter(:T),
      changes: T.untyped,
      block: T.nilable(T.proc.params(object: T.type_parameter(:T)).returns(T.untyped))
    ).returns(T.type_parameter(:T))
  end
  def self.with(object, **changes, &block); end

  sig { params(object: T.any(::Sparpack::Value, T::Class[T.anything])).returns(T::Array[::Symbol]) }
  def self.members(object); end

  sig { params(object: ::Sparpack::Value, name: T.any(::Symbol, ::String), others: T.untyped).returns(T.untyped) }
  def self.dig(object, name, *others); end

  sig { params(object: T.any(::Sparpack::Value, T::Class[T.anything])).returns(::Sparpack::Schema) }
  def self.schema(object); end

  sig { params(struct_class: T::Class[T.anything], hash: T::Hash[T.untyped, T.untyped]).returns(T.untyped) }
  def self.from_h(struct_class, hash); end

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

  sig { params(union: ::Sparpack::Union).returns(T::Boolean) }
  def self.unknown?(union); end
end
