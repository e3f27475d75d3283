# typed: true

module Sparpack
  # Ruby's own values to MessagePack's bytes and back.
  module MessagePack
    class UnpackError < ::StandardError
    end

    class MalformedFormatError < UnpackError
    end

    class UnexpectedTypeError < UnpackError
    end

    class UnknownExtTypeError < UnpackError
    end

    class StackError < UnpackError
    end

    # A value of an extension type: its number and its bytes.
    class ExtensionValue < ::Struct
      sig { returns(::Integer) }
      attr_accessor :type

      sig { returns(::String) }
      attr_accessor :payload

      sig { params(type: ::Integer, payload: ::String).returns(T.attached_class) }
      def self.new(type = T.unsafe(nil), payload = T.unsafe(nil)); end
    end

    DefaultFactory = T.let(T.unsafe(nil), Factory)

    sig { params(bytes: ::String, steps: T.untyped).returns(T.untyped) }
    def self.dig(bytes, *steps); end

    sig do
      params(
        io: T.untyped,
        options: T.nilable(T::Hash[::Symbol, T.untyped]),
        block: T.nilable(T.proc.params(value: T.untyped).void)
      ).returns(T.untyped)
    end
    def self.each(io, options = T.unsafe(nil), &block); end

    sig { params(value: T.untyped, io: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.nilable(::String)) }
    def self.pack(value, io = T.unsafe(nil), options = T.unsafe(nil)); end

    sig { params(source: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.untyped) }
    def self.unpack(source, options = T.unsafe(nil)); end

    sig { params(value: T.untyped, io: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.nilable(::String)) }
    def self.dump(value, io = T.unsafe(nil), options = T.unsafe(nil)); end

    sig { params(source: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.untyped) }
    def self.load(source, options = T.unsafe(nil)); end

    class Timestamp
      TYPE = T.let(T.unsafe(nil), ::Integer)

      sig { returns(::Integer) }
      attr_reader :sec

      sig { returns(::Integer) }
      attr_reader :nsec

      sig { params(data: ::String).returns(Timestamp) }
      def self.from_msgpack_ext(data); end

      sig { params(sec: ::Integer, nsec: ::Integer).returns(::String) }
      def self.to_msgpack_ext(sec, nsec); end

      sig { params(sec: ::Integer, nsec: ::Integer).void }
      def initialize(sec, nsec); end

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
      Packer = T.let(T.unsafe(nil), T.untyped)

      Unpacker = T.let(T.unsafe(nil), T.untyped)
    end

    module Bigint
      sig { params(integer: ::Integer).returns(::String) }
      def self.to_msgpack_ext(integer); end

      sig { params(data: ::String).returns(::Integer) }
      def self.from_msgpack_ext(data); end
    end
  end
end
