# typed: true

# Generated from sig/sparpack/value.rbs by `rake rbi`: do not edit.

module Sparpack
  # The methods that structs, unions and exceptions share.
  module Value
    sig { params(fields: T.untyped, block: T.nilable(T.proc.params(object: T.untyped).void)).void }
    def initialize(**fields, &block); end

    sig { params(name: T.any(::Symbol, ::String)).returns(T.untyped) }
    def [](name); end

    sig { params(name: T.any(::Symbol, ::String), value: T.untyped).returns(T.untyped) }
    def []=(name, value); end

    sig { params(name: T.any(::Symbol, ::String)).returns(T::Boolean) }
    def set?(name); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def ==(other); end

    sig { params(other: T.untyped).returns(T::Boolean) }
    def eql?(other); end

    sig { returns(::Integer) }
    def hash; end

    sig { returns(::String) }
    def inspect; end

    sig { params(names: T.nilable(T::Array[::Symbol])).returns(T::Hash[::Symbol, T.untyped]) }
    def deconstruct_keys(names); end

    sig do
      params(
        wire: ::Symbol,
        validate: ::Symbol,
        unknown: ::Symbol,
        freeze: T::Boolean,
        lazy: T::Boolean,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        keys: ::Symbol,
        enums: ::Symbol,
        i64: ::Symbol,
        compression: T.nilable(::Symbol),
        limits: T.nilable(::Sparpack::Limits)
      ).returns(::String)
    end
    def encode(
      wire = T.unsafe(nil),
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      freeze: T.unsafe(nil),
      lazy: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      keys: T.unsafe(nil),
      enums: T.unsafe(nil),
      i64: T.unsafe(nil),
      compression: nil,
      limits: nil
    ); end

    sig do
      params(
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
        i64: ::Symbol,
        compression: T.nilable(::Symbol),
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol)
      ).returns(::Integer)
    end
    def encode_to(
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
      i64: T.unsafe(nil),
      compression: nil,
      limits: nil,
      frame: nil
    ); end

    sig { params(deep: T::Boolean).returns(T::Hash[::Symbol, T.untyped]) }
    sig do
      type_parameters(:K, :V)
        .params(
          deep: T::Boolean,
          block: T.proc.params(name: ::Symbol, value: T.untyped).returns([T.type_parameter(:K), T.type_parameter(:V)])
        ).returns(T::Hash[T.type_parameter(:K), T.type_parameter(:V)])
    end
    def to_h(deep: T.unsafe(nil), &block); end

    sig { params(changes: T.untyped).returns(T.self_type) }
    sig do
      type_parameters(:R)
        .params(
          changes: T.untyped,
          block: T.proc.params(object: T.untyped).returns(T.type_parameter(:R))
        ).returns(T.type_parameter(:R))
    end
    def with(**changes, &block); end

    sig { params(other: ::Sparpack::Value).returns(T.self_type) }
    def merge(other); end

    sig { returns(T::Array[::Symbol]) }
    def members; end

    sig { params(name: T.any(::Symbol, ::String), others: T.untyped).returns(T.untyped) }
    def dig(name, *others); end

    sig { params(deep: T::Boolean).returns(T.self_type) }
    def dup(deep: T.unsafe(nil)); end

    sig { returns(::Sparpack::Schema) }
    def schema; end

    sig { returns(T::Boolean) }
    def unknown?; end

    sig { params(mode: ::Symbol).returns(T.self_type) }
    def validate(mode = T.unsafe(nil)); end

    sig { params(mode: ::Symbol).returns(T::Boolean) }
    def valid?(mode = T.unsafe(nil)); end

    sig { params(mode: ::Symbol).returns(T::Array[::Sparpack::ValidationError]) }
    def errors(mode = T.unsafe(nil)); end

    sig { params(deep: T::Boolean).returns(T.self_type) }
    def freeze(deep: T.unsafe(nil)); end

    sig { params(options: T.untyped).returns(T::Hash[::String, T.untyped]) }
    def as_json(options = T.unsafe(nil)); end

    sig { params(options: T.untyped).returns(::String) }
    def to_json(options = T.unsafe(nil)); end

    sig { returns(T::Array[T.untyped]) }
    def marshal_dump; end

    sig { params(dump: T::Array[T.untyped]).void }
    def marshal_load(dump); end

    sig { returns(::String) }
    def to_msgpack_ext; end

    sig { params(printer: T.untyped).void }
    def pretty_print(printer); end

    sig { params(printer: T.untyped).void }
    def pretty_print_cycle(printer); end

    sig { params(coder: T.untyped).void }
    def encode_with(coder); end

    sig { params(coder: T.untyped).void }
    def init_with(coder); end
  end

  class Struct
    include ::Sparpack::Value
    extend ::Sparpack::Declaration

    sig { returns(::String) }
    def to_s; end
  end

  class Union
    include ::Sparpack::Value
    extend ::Sparpack::Declaration

    sig { returns(::String) }
    def to_s; end

    sig { returns(T.nilable(::Symbol)) }
    def field; end

    sig { returns(T.untyped) }
    def value; end
  end

  class Exception < ::StandardError
    include ::Sparpack::Value
    extend ::Sparpack::Declaration

    # The text is untyped, because Sorbet takes the keywords of `raise Gone, message: "…"` for it.
    sig { params(text: T.untyped, fields: T.untyped).void }
    def initialize(text = T.unsafe(nil), **fields); end

    sig { params(text: T.untyped).returns(T.self_type) }
    def exception(*text); end

    sig { returns(::String) }
    def to_s; end
  end

  # Modules of Integers extend it to become enums.
  module Enum
    sig { returns(T::Array[::Integer]) }
    def values; end

    sig { returns(T::Array[::Symbol]) }
    def names; end

    sig { params(value: ::Integer).returns(T.nilable(::Symbol)) }
    def name_of(value); end

    sig { params(name: T.any(::Symbol, ::String)).returns(T.nilable(::Integer)) }
    def value_of(name); end

    sig { params(value: T.any(::Integer, ::Symbol, ::String)).returns(T::Boolean) }
    def known?(value); end

    sig { returns(T::Hash[::Symbol, ::Integer]) }
    def to_h; end

    sig { returns(T.nilable(::String)) }
    def idl_name; end

    sig { params(value: T.any(::Integer, ::Symbol)).returns(T.nilable(::String)) }
    def idl_name_of(value); end

    sig { params(name: T.nilable(::Symbol)).returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
    def annotations(name = nil); end

    sig { params(names: ::Symbol).returns(::String) }
    def to_idl(names: T.unsafe(nil)); end

    private

    sig do
      params(
        name: T.nilable(::String),
        values: T::Hash[::Symbol, ::String],
        annotations: T::Hash[::String, T.any(::String, T::Array[::String])],
        value_annotations: T::Hash[::Symbol, T::Hash[::String, T.any(::String, T::Array[::String])]]
      ).void
    end
    def idl(name = nil, values: T.unsafe(nil), annotations: T.unsafe(nil), value_annotations: T.unsafe(nil)); end
  end
end
