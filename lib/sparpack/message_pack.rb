# frozen_string_literal: true

require "sparpack"

module Sparpack
  # MessagePack without a schema: Ruby's own values to bytes and back.
  #
  # @example
  #   bytes = Sparpack::MessagePack.pack({ "a" => [1, nil, 2.5] })
  #   Sparpack::MessagePack.unpack(bytes) # => { "a" => [1, nil, 2.5] }
  module MessagePack
    autoload :Bigint, "sparpack/message_pack/timestamp"
    autoload :Buffer, "sparpack/message_pack/buffer"
    autoload :Time, "sparpack/message_pack/timestamp"
    autoload :Timestamp, "sparpack/message_pack/timestamp"
    autoload :Unpacker, "sparpack/message_pack/unpacker"

    # A value of an extension type: its number and its bytes.
    ExtensionValue = ::Struct.new(:type, :payload)

    # Bytes that cannot be read.
    class UnpackError < StandardError; end

    # Bytes that are not MessagePack, or more of them than one value has.
    class MalformedFormatError < UnpackError; end

    # A value of another type than was asked for.
    class UnexpectedTypeError < UnpackError; end

    # A value of an extension type that is not registered.
    class UnknownExtTypeError < UnpackError; end

    # More levels of Arrays and Hashes than 128.
    class StackError < UnpackError; end

    class << self
      # @param value [Object] nil, true, false, an Integer, Float, String, Symbol, Array or Hash, what is registered with
      #   {DefaultFactory}, or has `to_msgpack`
      # @param io [IO, Hash, nil] to write to; or the options
      # @param options [Hash, nil] as {Packer#initialize}
      # @return [String, nil] unfrozen, ASCII-8BIT; nil where an io was given
      # @raise [RangeError] for an Integer of more than 64 bits
      # @raise [NoMethodError] for a value of another class
      # @raise [StackError] for more than 128 levels
      def pack(value, io = nil, options = nil)
        return Native.message_pack(value, default.types) if io.nil? && options.nil?

        default.packer(io, options).write(value).full_pack
      end
      alias dump pack

      # @param source [String, IO] one value
      # @param options [Hash, nil] as {Unpacker#initialize}
      # @return [Object] Strings are UTF-8, or ASCII-8BIT where they were packed as bin; keys that are Strings are frozen
      # @raise [EOFError] if the bytes end too early
      # @raise [MalformedFormatError] if they are not MessagePack, or more than one value
      # @raise [UnknownExtTypeError] for a value of an extension type that is not registered with {DefaultFactory}
      # @raise [StackError] for more than 128 levels
      def unpack(source, options = nil)
        return Native.message_unpack(source) if options.nil? && source.is_a?(String) && default.readers.empty?

        default.load(source, options)
      end
      alias load unpack

      # Reads a part of a value, and skips the rest without making anything of it.
      #
      # @param bytes [String] one value
      # @param steps [Array<String, Symbol, Integer, nil, Boolean>] keys of Hashes and indexes of Arrays
      # @return [Object, nil] nil where there is none
      # @raise [EOFError] if the bytes end too early
      # @raise [MalformedFormatError] if they are not MessagePack
      # @example
      #   Sparpack::MessagePack.dig(bytes, "users", 3, "name")
      def dig(bytes, *steps) = Native.message_dig(bytes, steps.map { |step| step.is_a?(Symbol) ? step.name : step })

      # Reads the values that follow one another in an io.
      #
      # @param io [IO, String]
      # @param options [Hash] as {Unpacker#initialize}
      # @yieldparam value [Object]
      # @return [Enumerator, nil]
      # @raise [UnpackError] as {unpack}
      def each(io, options = nil, &block)
        return enum_for(:each, io, options) unless block

        unpacker = io.is_a?(String) ? default.unpacker(nil, options).feed(io) : default.unpacker(io, options)
        unpacker.each(&block)
      end

      # @api private
      def default = Native.main_ractor? ? DefaultFactory : (Ractor.current[:sparpack_message_pack] ||= Factory.new)
      private :default

      # @api private
      def pack_failed(status, path, found)
        place = " at #{path}" unless path.empty?
        case status
        when :too_deep then raise StackError, "more than 128 levels of Arrays and Hashes"
        when :value_out_of_range then raise RangeError, "an Integer of more than 64 bits#{place}"
        when :container_too_large then raise ArgumentError, "a #{found.class} of 2**32 bytes or elements or more#{place}"
        when :value_changed then raise "a value changed while it was packed#{place}"
        else raise NoMethodError.new("undefined method `to_msgpack' for an instance of #{found.class}#{place}", :to_msgpack,
                                     receiver: found)
        end
      end

      # @api private
      def unpack_failed(status, path, offset)
        place = " (byte #{offset}#{", at #{path}" unless path.empty?})"
        case status
        when :truncated then raise EOFError, "the bytes end too early#{place}"
        when :too_deep then raise StackError, "more than 128 levels of Arrays and Hashes#{place}"
        when :unknown_ext then raise UnknownExtTypeError, "an extension type that is not registered#{place}"
        when :too_many_nan_keys then raise MalformedFormatError, "more than 16 keys that are NaN#{place}"
        when :trailing_bytes then raise MalformedFormatError, "bytes are left after the value#{place}"
        else raise MalformedFormatError, "no value begins like this#{place}"
        end
      end
    end
  end
end

require_relative "message_pack/extensions"
require_relative "message_pack/packer" # the native part knows it: before any Ractor does
require_relative "message_pack/factory"

module Sparpack
  module MessagePack
    # What {pack} and {unpack} go by, in the main Ractor; each other has one of its own, in which nothing is registered.
    DefaultFactory = Factory.new
  end
end
