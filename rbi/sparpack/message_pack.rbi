# typed: true

# Generated from sig/sparpack/message_pack.rbs by `rake rbi`: do not edit.

module Sparpack
  # Converts Ruby's own values to MessagePack and back.
  module MessagePack
    class UnpackError < ::StandardError
      sig { returns(T.nilable(::String)) }
      attr_reader :path

      sig { returns(T.nilable(::Integer)) }
      attr_reader :offset

      sig { returns(T.nilable(::Integer)) }
      attr_reader :message_offset

      sig do
        params(
          message: T.nilable(::String),
          path: T.nilable(::String),
          offset: T.nilable(::Integer),
          message_offset: T.nilable(::Integer)
        ).void
      end
      def initialize(message = nil, path: nil, offset: nil, message_offset: nil); end
    end

    class MalformedFormatError < ::Sparpack::MessagePack::UnpackError; end
    module TypeError; end

    class UnexpectedTypeError < ::Sparpack::MessagePack::UnpackError
      include ::Sparpack::MessagePack::TypeError
    end

    class UnknownExtTypeError < ::Sparpack::MessagePack::UnpackError; end
    class StackError < ::Sparpack::MessagePack::UnpackError; end
    class LimitExceeded < ::Sparpack::MessagePack::UnpackError; end
    VERSION = T.let(T.unsafe(nil), ::String)
    UNTRUSTED = T.let(T.unsafe(nil), ::Sparpack::Limits)

    # Gives a class with a private method `to_msgpack_with_packer(packer)` a `to_msgpack` for packers and ios.
    module CoreExt
      sig { params(packer_or_io: T.untyped).returns(T.untyped) }
      def to_msgpack(packer_or_io = T.unsafe(nil)); end
    end

    # A value of an extension type: its number and its bytes.
    class ExtensionValue < ::Struct
      include ::Sparpack::MessagePack::CoreExt

      sig { returns(::Integer) }
      attr_accessor :type

      sig { returns(::String) }
      attr_accessor :payload

      sig { params(type: ::Integer, payload: ::String).returns(T.attached_class) }
      def self.new(type = T.unsafe(nil), payload = T.unsafe(nil)); end
    end

    DefaultFactory = T.let(T.unsafe(nil), ::Sparpack::MessagePack::Factory)

    sig { params(bytes: ::String, steps: T.untyped, options: T.untyped).returns(T.untyped) }
    def self.dig(bytes, *steps, **options); end

    sig { params(io: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T::Enumerator[T.untyped]) }
    sig do
      params(
        io: T.untyped,
        options: T.nilable(T::Hash[::Symbol, T.untyped]),
        block: T.proc.params(value: T.untyped).void
      ).returns(NilClass)
    end
    def self.each(io, options = nil, &block); end

    sig { params(bytes: ::String, offset: ::Integer).returns(::Integer) }
    def self.skip(bytes, offset = T.unsafe(nil)); end

    sig { params(source: T.untyped).returns(::Integer) }
    def self.count(source); end

    sig { params(source: T.untyped, block: T.proc.params(range: T::Range[::Integer]).void).returns(T.self_type) }
    sig { params(source: T.untyped).returns(T::Enumerator[T::Range[::Integer]]) }
    def self.each_range(source, &block); end

    sig do
      params(
        value: T.untyped,
        io: T.untyped,
        options: T.nilable(T::Hash[::Symbol, T.untyped])
      ).returns(T.nilable(::String))
    end
    def self.pack(value, io = T.unsafe(nil), options = nil); end

    sig { params(source: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.untyped) }
    def self.unpack(source, options = nil); end

    sig do
      params(
        value: T.untyped,
        io: T.untyped,
        options: T.nilable(T::Hash[::Symbol, T.untyped])
      ).returns(T.nilable(::String))
    end
    def self.dump(value, io = T.unsafe(nil), options = nil); end

    sig { params(source: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.untyped) }
    def self.load(source, options = nil); end

    class Timestamp
      TYPE = T.let(T.unsafe(nil), ::Integer)
      TIMESTAMP32_MAX_SEC = T.let(T.unsafe(nil), ::Integer)
      TIMESTAMP64_MAX_SEC = T.let(T.unsafe(nil), ::Integer)

      sig { returns(::Integer) }
      attr_reader :sec

      sig { returns(::Integer) }
      attr_reader :nsec

      sig { params(data: ::String).returns(::Sparpack::MessagePack::Timestamp) }
      def self.from_msgpack_ext(data); end

      sig { params(sec: ::Integer, nsec: ::Integer).returns(::String) }
      def self.to_msgpack_ext(sec, nsec); end

      sig { params(sec: ::Integer, nsec: ::Integer).void }
      def initialize(sec, nsec); end

      sig { returns(::Time) }
      def to_time; end

      sig { returns(::String) }
      def to_msgpack_ext; end

      sig { params(other: T.untyped).returns(T::Boolean) }
      def ==(other); end

      sig { params(other: T.untyped).returns(T::Boolean) }
      def eql?(other); end

      sig { returns(::Integer) }
      def hash; end
    end

    module Time
      TIME_AT_3_AVAILABLE = T.let(T.unsafe(nil), T::Boolean)
      Packer = T.let(T.unsafe(nil), T.proc.params(arg0: ::Time).returns(::String))
      Unpacker = T.let(T.unsafe(nil), T.proc.params(arg0: ::String).returns(::Time))
    end

    # Symbols as payloads, for `register_type(0, Symbol)`.
    module Symbols
      sig { params(symbol: ::Symbol).returns(::String) }
      def self.to_msgpack_ext(symbol); end

      sig { params(data: ::String).returns(::Symbol) }
      def self.from_msgpack_ext(data); end
    end

    module Bigint
      CHUNK_BITLENGTH = T.let(T.unsafe(nil), ::Integer)
      CHUNK_FORMAT = T.let(T.unsafe(nil), ::String)
      FORMAT = T.let(T.unsafe(nil), ::String)

      sig { params(integer: ::Integer).returns(::String) }
      def self.to_msgpack_ext(integer); end

      sig { params(data: ::String).returns(::Integer) }
      def self.from_msgpack_ext(data); end
    end
  end
end
