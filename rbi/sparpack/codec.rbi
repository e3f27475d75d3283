# typed: true

# Generated from sig/sparpack/codec.rbs by `rake rbi`: do not edit.

module Sparpack
  # Combines a class, a wire and options. `Listing.codec` is typed by what it decodes, `Codec.new(Listing)` is not.
  class Codec
    sig { returns(T::Hash[::Symbol, T.untyped]) }
    attr_reader :options

    sig do
      params(
        struct_class: T.any(T::Class[T.anything], ::Sparpack::Mapping),
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
        observe: T.untyped
      ).void
    end
    def initialize(
      struct_class,
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
      observe: T.unsafe(nil)
    ); end

    sig { params(object: ::Sparpack::Value).returns(::String) }
    def encode(object); end

    sig { params(bytes: ::String).returns(T.untyped) }
    def decode(bytes); end

    sig { returns(::Symbol) }
    def wire; end

    sig { returns(T.any(T::Class[T.anything], ::Sparpack::Mapping)) }
    def struct_class; end

    sig { params(object: T.nilable(::Sparpack::Value)).returns(T.nilable(::String)) }
    def dump(object); end

    sig { params(bytes: T.nilable(::String)).returns(T.untyped) }
    def load(bytes); end

    sig { params(io: T.untyped, object: ::Sparpack::Value, frame: T.nilable(::Symbol)).returns(::Integer) }
    def encode_to(io, object, frame: nil); end

    sig { params(io: T.untyped, frame: T.nilable(::Symbol)).returns(T.untyped) }
    def decode_from(io, frame: nil); end

    sig { params(bytes: ::String, offset: ::Integer).returns([T.untyped, ::Integer]) }
    def decode_prefix(bytes, offset = T.unsafe(nil)); end

    # With `processes:`, an Array of what the block returned.
    sig do
      params(
        source: T.untyped,
        frame: T.nilable(::Symbol),
        on_error: T.untyped,
        processes: T.nilable(::Integer),
        block: T.proc.params(object: T.untyped).returns(T.untyped)
      ).returns(T.untyped)
    end
    sig do
      params(
        source: T.untyped,
        frame: T.nilable(::Symbol),
        on_error: T.untyped,
        processes: T.nilable(::Integer)
      ).returns(T::Enumerator[T.untyped])
    end
    def decode_each(source, frame: nil, on_error: T.unsafe(nil), processes: nil, &block); end

    sig { params(bytes: ::String).returns(T::Boolean) }
    def check(bytes); end

    sig { params(bytes: ::String, path: T.untyped).returns(T.untyped) }
    def dig(bytes, *path); end

    sig { params(bytes: ::String, changes: T::Hash[T::Array[T.untyped], T.untyped]).returns(::String) }
    def patch(bytes, changes); end

    sig do
      params(
        source: T.untyped,
        paths: T.any(::String, T::Array[T.untyped]),
        as: ::Symbol,
        share: T::Boolean,
        frame: T.nilable(::Symbol),
        threads: ::Integer
      ).returns(T::Hash[T.any(::String, T::Array[T.untyped]), T.untyped])
    end
    def columns(source, *paths, as: T.unsafe(nil), share: T.unsafe(nil), frame: nil, threads: T.unsafe(nil)); end

    sig { params(bytes: ::String, offset: ::Integer).returns(::Integer) }
    def skip(bytes, offset = T.unsafe(nil)); end

    sig { params(source: T.untyped, frame: T.nilable(::Symbol), threads: ::Integer).returns(::Integer) }
    def count(source, frame: nil, threads: T.unsafe(nil)); end

    sig do
      params(
        source: T.untyped,
        frame: T.nilable(::Symbol),
        block: T.proc.params(range: T::Range[::Integer]).void
      ).returns(T.self_type)
    end
    sig { params(source: T.untyped, frame: T.nilable(::Symbol)).returns(T::Enumerator[T::Range[::Integer]]) }
    def each_range(source, frame: nil, &block); end

    sig { returns(::String) }
    def inspect; end

    sig { returns(::String) }
    def to_s; end
  end

  # The numbers of a column, in the layout of Apache Arrow.
  class Column
    sig { returns(::Symbol) }
    attr_reader :type

    sig { returns(::Integer) }
    attr_reader :size

    sig { returns(::String) }
    attr_reader :values

    sig { returns(T.nilable(::String)) }
    attr_reader :validity

    sig { returns(::Integer) }
    attr_reader :null_count

    sig { returns(T::Array[T.nilable(T.any(::Integer, ::Float, T::Boolean))]) }
    def to_a; end

    sig { returns(::String) }
    def inspect; end

    sig { returns(::String) }
    def to_s; end
  end

  # Turns payloads of one wire into payloads of another, without making objects.
  class Converter
    sig do
      params(
        struct_class: T.any(T::Class[T.anything], ::Sparpack::Mapping),
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
        compression: T.nilable(::Symbol),
        frame: T.nilable(::Symbol),
        to_frame: T.nilable(::Symbol)
      ).void
    end
    def initialize(
      struct_class,
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
      compression: nil,
      frame: nil,
      to_frame: nil
    ); end

    sig { params(bytes: ::String).returns(::String) }
    def convert(bytes); end

    sig do
      params(
        source: T.untyped,
        target: T.untyped,
        frame: T.nilable(::Symbol),
        to_frame: T.nilable(::Symbol),
        threads: ::Integer
      ).returns(::Integer)
    end
    def copy_stream(source, target, frame: nil, to_frame: nil, threads: T.unsafe(nil)); end

    sig { returns(::Sparpack::Codec) }
    def from; end

    sig { returns(::Sparpack::Codec) }
    def to; end

    sig { returns(::String) }
    def inspect; end

    sig { returns(::String) }
    def to_s; end
  end

  # Limits for a message.
  class Limits
    NAMES = T.let(T.unsafe(nil), T::Array[::Symbol])
    DEPTH_MAX = T.let(T.unsafe(nil), ::Integer)

    sig { returns(T.nilable(::Integer)) }
    attr_reader :memory

    sig { returns(T.nilable(::Integer)) }
    attr_reader :message

    sig { returns(T.nilable(::Integer)) }
    attr_reader :string

    sig { returns(T.nilable(::Integer)) }
    attr_reader :container

    sig { returns(::Integer) }
    attr_reader :depth

    sig { returns(T.nilable(::Integer)) }
    attr_reader :extension

    sig { returns(T.nilable(::Integer)) }
    attr_reader :decompressed

    sig do
      params(
        memory: T.nilable(::Integer),
        message: T.nilable(::Integer),
        string: T.nilable(::Integer),
        container: T.nilable(::Integer),
        depth: ::Integer,
        extension: T.nilable(::Integer),
        decompressed: T.nilable(::Integer)
      ).void
    end
    def initialize(
      memory: nil,
      message: nil,
      string: nil,
      container: nil,
      depth: T.unsafe(nil),
      extension: nil,
      decompressed: nil
    ); end

    sig { returns(T::Hash[::Symbol, T.nilable(::Integer)]) }
    def to_h; end

    sig do
      params(
        memory: T.nilable(::Integer),
        message: T.nilable(::Integer),
        string: T.nilable(::Integer),
        container: T.nilable(::Integer),
        depth: ::Integer,
        extension: T.nilable(::Integer),
        decompressed: T.nilable(::Integer)
      ).returns(::Sparpack::Limits)
    end
    def with(
      memory: nil,
      message: nil,
      string: nil,
      container: nil,
      depth: T.unsafe(nil),
      extension: nil,
      decompressed: nil
    ); end

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
