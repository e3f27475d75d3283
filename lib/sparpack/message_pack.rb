# frozen_string_literal: true

require "sparpack"
require_relative "message_pack/core_ext"

module Sparpack
  # MessagePack without a schema: Ruby's own values to bytes and back.
  #
  # @example
  #   bytes = Sparpack::MessagePack.pack({ "a" => [1, nil, 2.5] })
  #   Sparpack::MessagePack.unpack(bytes) # => { "a" => [1, nil, 2.5] }
  module MessagePack
    # The version of the msgpack gem whose behaviour this matches.
    VERSION = "1.8.7"

    # What strangers' bytes may cost, with `untrusted: true`.
    UNTRUSTED = Limits.new(memory: 256 << 20, message: 16 << 20, string: 8 << 20, extension: 1 << 20, container: 1_000_000,
                           depth: 64)

    # A value of an extension type: its number and its bytes.
    ExtensionValue = ::Struct.new(:type, :payload) do
      include CoreExt

      private

      def to_msgpack_with_packer(packer) = packer.write_extension(self)
    end

    # Bytes that cannot be read.
    class UnpackError < StandardError
      # @return [String, nil] where in the value, as one would write it in Ruby; empty for the value itself, nil if not known
      attr_reader :path

      # @return [Integer, nil] how many bytes come before the fault, nil if that is not known
      attr_reader :offset

      # @param message [String, nil]
      # @param path [String, nil]
      # @param offset [Integer, nil]
      def initialize(message = nil, path: nil, offset: nil)
        super(message)
        @path = path
        @offset = offset
      end
    end

    # What is of another type than was asked for.
    module TypeError; end

    # Bytes that are not MessagePack, or more of them than one value has.
    class MalformedFormatError < UnpackError; end

    # A value of another type than was asked for.
    class UnexpectedTypeError < UnpackError
      include TypeError
    end

    # A value of an extension type that is not registered.
    class UnknownExtTypeError < UnpackError; end

    # More levels of Arrays and Hashes than 128, or than {Limits#depth} allows.
    class StackError < UnpackError; end

    # More than {Limits} allow.
    class LimitExceeded < UnpackError; end

    # @!method self.pack(value, io = nil, options = nil)
    #   @param value [Object] nil, true, false, an Integer, Float, String, Symbol, Array or Hash, what is registered with
    #     {DefaultFactory}, or has `to_msgpack`
    #   @param io [IO, Hash, nil] to write to; or the options
    #   @param options [Hash, nil] as {Packer#initialize}
    #   @return [String, nil] unfrozen, ASCII-8BIT; nil where an io was given
    #   @raise [RangeError] for an Integer of more than 64 bits
    #   @raise [NoMethodError] for a value of another class
    #   @raise [StackError] for more than 128 levels

    # @!method self.dump(value, io = nil, options = nil)
    #   @param value [Object]
    #   @param io [IO, Hash, nil]
    #   @param options [Hash, nil]
    #   @return [String, nil] as {pack}

    # @!method self.unpack(source, options = nil)
    #   @param source [String, IO, Pathname] one value
    #   @param options [Hash, nil] as {Unpacker#initialize}
    #   @return [Object] Strings are UTF-8, or ASCII-8BIT where they were packed as bin; keys that are Strings are frozen
    #   @raise [EOFError] if the bytes end too early
    #   @raise [MalformedFormatError] if they are not MessagePack, or more than one value
    #   @raise [UnknownExtTypeError] for a value of an extension type that is not registered with {DefaultFactory}
    #   @raise [StackError] for more than 128 levels
    #   @raise [EncodingError] for a key that is not UTF-8 and is to be a Symbol
    #   @raise [LimitExceeded] for more than the options allow

    # @!method self.load(source, options = nil)
    #   @param source [String, IO, Pathname]
    #   @param options [Hash, nil]
    #   @return [Object] as {unpack}

    class << self
      # Reads a part of a value, and skips the rest without making anything of it. A Symbol stands for its name, too.
      #
      # @param bytes [String] one value
      # @param steps [Array<Object>] keys of Hashes and indexes of Arrays; negative ones count from the end
      # @param options [Hash] as {Unpacker#initialize}, without those of {Buffer}; limits count for what is read
      # @return [Object, nil] nil where there is none
      # @raise [EOFError] if the bytes end too early
      # @raise [MalformedFormatError] if they are not MessagePack
      # @raise [UnpackError] for what is read, as {unpack}
      # @raise [ArgumentError] for an option that there is not
      # @example
      #   Sparpack::MessagePack.dig(bytes, "users", 3, "name")
      #   Sparpack::MessagePack.dig(bytes, "users", 3, symbolize_keys: true)
      def dig(bytes, *steps, **options) = default.dig(bytes, *steps, **options)

      # Reads the values that follow one another in an io.
      #
      # @param source [String, IO, Pathname] bytes; an io, which answers `readpartial` or `read`; or a file, which is open
      #   while its values are yielded
      # @param options [Hash] as {Unpacker#initialize}
      # @yieldparam value [Object]
      # @return [Enumerator, nil]
      # @raise [UnpackError] as {unpack}
      # @raise [EOFError] if the io answers `""` 100 times in a row, instead of nil at its end
      # @raise [TypeError] if the source is none of these, or the io answers anything but Strings
      # @example
      #   Sparpack::MessagePack.each(Pathname("log.msgpack")) { |entry| puts entry["text"] }
      def each(source, options = nil, &block)
        Options.check(options, Arguments::EACH) if options
        Input.check(source)
        return enum_for(:each, source, options) unless block
        return default.unpacker(nil, options).feed(source).each(&block) if source.is_a?(String)

        Input.open(source) { |io| default.unpacker(Input.new(io, again: true), options).each(&block) }
      end

      # @api private
      def pack_failed(status, path, found, limit)
        place = " at #{path}" unless path.empty?
        case status
        when :too_deep then raise StackError, "more than #{limit || 128} levels of Arrays and Hashes"
        when :value_out_of_range then raise RangeError, "an Integer of more than 64 bits#{place}"
        when :container_too_large then raise ArgumentError, "a #{found.class} of 2**32 bytes or elements or more#{place}"
        when :value_changed then raise "a value changed while it was packed#{place}"
        else
          klass = ::Kernel.instance_method(:class).bind_call(found) # it may be a BasicObject
          text = "undefined method `to_msgpack' for an instance of #{klass}#{place}: register an extension type for it"
          raise_no_method(text, :to_msgpack, found)
        end
      end

      # @api private
      def unpack_failed(status, path, offset, number)
        place = " (byte #{offset}#{", at #{path}" unless path.empty?})"
        error, text = UNPACK_FAULTS.fetch(status) { [MalformedFormatError, "no value begins like this"] }
        message = format(text, number || 128) + place
        raise error, message unless error <= UnpackError

        raise error.new(message, path:, offset:)
      end

      # @api private
      def header_failed(expected, byte)
        raise UnexpectedTypeError,
              format("unexpected type: expected %s, found a value that begins with 0x%02x", expected, byte)
      end

      # Ruby shows the line that raises such an error, here one of this library: what was set goes without.
      #
      # @api private
      def raise_no_method(text, name, receiver)
        error = NoMethodError.new(text, name, receiver:)
        error.set_backtrace(caller(2))
        raise error
      end

      private

      def default = Native.main_ractor? ? DefaultFactory : (Ractor.current[:sparpack_message_pack] ||= Factory.new)

      def pack_with(value, io, options)
        options.nil? ? default.dump(value, io) : default.dump(value, io, options)
      end

      def unpack_with(source, options) = default.load(source, options)
    end

    # What may be wrong with bytes: the error, and what it says of a limit.
    UNPACK_FAULTS = {
      truncated: [EOFError, "the bytes end too early"],
      too_deep: [StackError, "more than %d levels of Arrays and Hashes"],
      unknown_ext: [UnknownExtTypeError, "extension type %d is not registered, nor is allow_unknown_ext: true given"],
      too_many_nan_keys: [MalformedFormatError, "more than 16 keys that are NaN"],
      trailing_bytes: [MalformedFormatError, "bytes are left after the value"],
      invalid_utf8: [MalformedFormatError, "a str that is not UTF-8"],
      bad_symbol: [EncodingError, "a key that is not UTF-8 makes no Symbol"],
      bad_timestamp: [MalformedFormatError, "a timestamp has 4, 8 or 12 bytes and less than a second of nanoseconds"],
      bad_payload: [MalformedFormatError, "not the payload of its extension type"],
      value_changed: [MalformedFormatError, "the bytes changed while they were read"],
      message_too_long: [LimitExceeded, "more than %d bytes of one value"],
      string_too_long: [LimitExceeded, "a str or bin of more than %d bytes"],
      ext_too_long: [LimitExceeded, "an extension type's payload of more than %d bytes"],
      container_too_large: [LimitExceeded, "an Array or Hash of more than %d elements"],
      too_much_memory: [LimitExceeded, "objects that take more than %d bytes"]
    }.each_value(&:freeze).freeze # other Ractors raise, too
    private_constant :UNPACK_FAULTS
  end
end

require_relative "message_pack/arguments"
require_relative "message_pack/extensions"
require_relative "message_pack/buffer"
require_relative "message_pack/packer"
require_relative "message_pack/unpacker"
require_relative "message_pack/builtins"
require_relative "message_pack/factory"
require_relative "message_pack/naming"
Sparpack::Native.message_classes # before any Ractor needs them
require_relative "message_pack/pool"
require_relative "message_pack/timestamp"

module Sparpack
  module MessagePack
    # What {pack} and {unpack} go by, in the main Ractor; each other has one of its own, in which nothing is registered.
    DefaultFactory = Factory.new.send(:become_default)
  end
end
