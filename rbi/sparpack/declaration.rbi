# typed: true

# Generated from sig/sparpack/declaration.rbs by `rake rbi`: do not edit.

module Sparpack
  # The class methods of structs, unions and exceptions.
  module Declaration
    extend T::Generic
    has_attached_class! :out

    sig do
      params(
        id: ::Integer,
        name: ::Symbol,
        type: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        required: T::Boolean,
        optional: T::Boolean,
        default: T.untyped,
        idl_name: T.nilable(::String),
        annotations: T::Hash[::String, T.any(::String, T::Array[::String])],
        implicit: T::Boolean,
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Symbol)
    end
    def field(
      id,
      name,
      type = nil,
      required: T.unsafe(nil),
      optional: T.unsafe(nil),
      default: T.unsafe(nil),
      idl_name: nil,
      annotations: T.unsafe(nil),
      implicit: T.unsafe(nil),
      &block
    ); end

    sig do
      params(
        element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Sparpack::Type)
    end
    def list(element = nil, &block); end

    sig do
      params(
        element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Sparpack::Type)
    end
    def set(element = nil, &block); end

    sig do
      params(
        key: T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name),
        value: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
        block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
      ).returns(::Sparpack::Type)
    end
    def map(key, value = nil, &block); end

    sig { returns(::Sparpack::Schema) }
    def schema; end

    sig { returns(T::Array[::Symbol]) }
    def members; end

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
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol)
      ).returns(::Sparpack::Codec)
    end
    def codec(
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

    sig do
      params(
        bytes: ::String,
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
      ).returns(T.attached_class)
    end
    def decode(
      bytes,
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
      ).returns(T.nilable(T.attached_class))
    end
    def decode_from(
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

    # With `processes:`, an Array of what the block returned.
    sig do
      params(
        source: T.untyped,
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
        frame: T.nilable(::Symbol),
        on_error: T.untyped,
        processes: T.nilable(::Integer),
        block: T.proc.params(object: T.attached_class).returns(T.untyped)
      ).returns(T.untyped)
    end
    sig do
      params(
        source: T.untyped,
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
        frame: T.nilable(::Symbol),
        on_error: T.untyped,
        processes: T.nilable(::Integer)
      ).returns(T::Enumerator[T.attached_class])
    end
    def decode_each(
      source,
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
      frame: nil,
      on_error: T.unsafe(nil),
      processes: nil,
      &block
    ); end

    # The options are `unknown:` and `coerce:`, or the fields if there is no Hash in braces.
    sig { params(hash: T::Hash[T.any(::Symbol, ::String), T.untyped], options: T.untyped).returns(T.attached_class) }
    def from_h(hash = T.unsafe(nil), **options); end

    sig do
      params(
        bytes: ::String,
        from: T.any(::Symbol, ::Sparpack::Codec),
        to: T.any(::Symbol, ::Sparpack::Codec),
        unknown: T.nilable(::Symbol),
        mismatch: ::Symbol,
        validate: ::Symbol,
        utf8: ::Symbol,
        limits: T.nilable(::Sparpack::Limits),
        keys: ::Symbol,
        enums: ::Symbol,
        i64: ::Symbol,
        compression: T.nilable(::Symbol)
      ).returns(::String)
    end
    def convert(
      bytes,
      from:,
      to:,
      unknown: nil,
      mismatch: T.unsafe(nil),
      validate: T.unsafe(nil),
      utf8: T.unsafe(nil),
      limits: nil,
      keys: T.unsafe(nil),
      enums: T.unsafe(nil),
      i64: T.unsafe(nil),
      compression: nil
    ); end

    sig do
      params(
        bytes: ::String,
        wire: T.nilable(::Symbol),
        validate: ::Symbol,
        unknown: ::Symbol,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        limits: T.nilable(::Sparpack::Limits)
      ).returns(T::Boolean)
    end
    def check(
      bytes,
      wire: nil,
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      limits: nil
    ); end

    sig do
      params(
        bytes: ::String,
        path: T.untyped,
        wire: T.nilable(::Symbol),
        validate: ::Symbol,
        unknown: ::Symbol,
        freeze: T::Boolean,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        limits: T.nilable(::Sparpack::Limits)
      ).returns(T.untyped)
    end
    def dig(
      bytes,
      *path,
      wire: nil,
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      freeze: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      limits: nil
    ); end

    sig do
      params(
        bytes: ::String,
        changes: T.nilable(T::Hash[T::Array[T.untyped], T.untyped]),
        wire: T.nilable(::Symbol),
        validate: ::Symbol,
        unknown: ::Symbol,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        keys: ::Symbol,
        enums: ::Symbol,
        i64: ::Symbol,
        compression: T.nilable(::Symbol),
        limits: T.nilable(::Sparpack::Limits)
      ).returns(::String)
    end
    def patch(
      bytes,
      changes = nil,
      wire: nil,
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
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
        source: T.untyped,
        paths: T.any(::String, T::Array[T.untyped]),
        wire: T.nilable(::Symbol),
        as: ::Symbol,
        share: T::Boolean,
        validate: ::Symbol,
        unknown: ::Symbol,
        freeze: T::Boolean,
        lazy: T::Boolean,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol),
        threads: ::Integer
      ).returns(T::Hash[T.any(::String, T::Array[T.untyped]), T.untyped])
    end
    def columns(
      source,
      *paths,
      wire: nil,
      as: T.unsafe(nil),
      share: T.unsafe(nil),
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      freeze: T.unsafe(nil),
      lazy: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      limits: nil,
      frame: nil,
      threads: T.unsafe(nil)
    ); end

    sig do
      params(
        source: T.untyped,
        wire: T.nilable(::Symbol),
        validate: ::Symbol,
        unknown: ::Symbol,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol),
        threads: ::Integer
      ).returns(::Integer)
    end
    def count(
      source,
      wire: nil,
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      limits: nil,
      frame: nil,
      threads: T.unsafe(nil)
    ); end

    sig do
      params(
        source: T.untyped,
        wire: T.nilable(::Symbol),
        validate: ::Symbol,
        unknown: ::Symbol,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol),
        block: T.proc.params(range: T::Range[::Integer]).void
      ).returns(T.self_type)
    end
    sig do
      params(
        source: T.untyped,
        wire: T.nilable(::Symbol),
        validate: ::Symbol,
        unknown: ::Symbol,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol)
      ).returns(T::Enumerator[T::Range[::Integer]])
    end
    def each_range(
      source,
      wire: nil,
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      limits: nil,
      frame: nil,
      &block
    ); end

    # An object, or an Array of objects if the text is an array.
    sig do
      params(
        text: ::String,
        validate: ::Symbol,
        unknown: ::Symbol,
        freeze: T::Boolean,
        lazy: T::Boolean,
        utf8: ::Symbol,
        mismatch: ::Symbol,
        enums: ::Symbol,
        i64: ::Symbol,
        limits: T.nilable(::Sparpack::Limits)
      ).returns(T.untyped)
    end
    def from_json(
      text,
      validate: T.unsafe(nil),
      unknown: T.unsafe(nil),
      freeze: T.unsafe(nil),
      lazy: T.unsafe(nil),
      utf8: T.unsafe(nil),
      mismatch: T.unsafe(nil),
      enums: T.unsafe(nil),
      i64: T.unsafe(nil),
      limits: nil
    ); end

    sig { params(bytes: ::String).returns(T.attached_class) }
    def from_msgpack_ext(bytes); end

    sig { params(subclass: T::Class[T.anything]).void }
    def inherited(subclass); end

    sig { returns(T.self_type) }
    def freeze; end

    private

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
        limits: T.nilable(::Sparpack::Limits),
        frame: T.nilable(::Symbol)
      ).void
    end
    def default_codec(
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

    sig { params(name: T.nilable(::String), annotations: T::Hash[::String, T.any(::String, T::Array[::String])]).void }
    def idl(name = nil, annotations: T.unsafe(nil)); end
  end
end
