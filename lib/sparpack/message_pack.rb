# frozen_string_literal: true

require "sparpack"
require_relative "message_pack/core_ext"
require_relative "message_pack/errors"

module Sparpack
  # Packs Ruby's own values as MessagePack and unpacks them, without a schema. It has the API of the msgpack gem.
  #
  # @example
  #   bytes = Sparpack::MessagePack.pack({ "a" => [1, nil, 2.5] })
  #   Sparpack::MessagePack.unpack(bytes) # => { "a" => [1, nil, 2.5] }
  module MessagePack
    # The version of the msgpack gem whose behaviour this matches.
    VERSION = "1.8.7"

    # The limits for bytes from strangers, which `untrusted: true` sets.
    UNTRUSTED = Limits.new(memory: 256 << 20, message: 16 << 20, string: 8 << 20, extension: 1 << 20, container: 1_000_000,
                           depth: 64)

    # A value of an extension type that is not registered: the number of its type and the bytes of its payload.
    ExtensionValue = ::Struct.new(:type, :payload) do
      include CoreExt

      private

      def to_msgpack_with_packer(packer) = packer.write_extension(self)
    end

    # @!method self.pack(value, io = nil, options = nil)
    #   Packs a value, and returns the bytes or writes them to an io.
    #
    #   @param value [Object] nil, true, false, an Integer, Float, String, Symbol, Array or Hash, or an object whose class is
    #     registered with {DefaultFactory} or has `to_msgpack`
    #   @param io [IO, Hash, nil] the io to write to; or the options
    #   @param options [Hash, nil] as {Packer#initialize} takes them; and `compression:`, which is `:lz4` or `:lz4_block`, as
    #     for {Codec#initialize}
    #   @return [String, nil] the bytes, unfrozen and in ASCII-8BIT; nil if there is an io
    #   @raise [RangeError] for an Integer of more than 64 bits
    #   @raise [NoMethodError] for a value of another class
    #   @raise [StackError] for more than 128 levels
    #   @raise [ArgumentError] for an unknown option
    #   @raise [LoadError] for `compression:`, if the library for LZ4 is not there
    #   @example
    #     Sparpack::MessagePack.pack([1, nil]) # => "\x92\x01\xC0".b

    # @!method self.dump(value, io = nil, options = nil)
    #   Does the same as {pack}.
    #
    #   @param value [Object]
    #   @param io [IO, Hash, nil]
    #   @param options [Hash, nil]
    #   @return [String, nil]

    # @!method self.unpack(source, options = nil)
    #   Unpacks one value. Strings become UTF-8, or ASCII-8BIT if they were packed as bin. Strings that are keys are frozen.
    #
    #   @param source [String, IO, Pathname] the bytes, an io, or the path of a file
    #   @param options [Hash, nil] as {Unpacker#initialize} takes them
    #   @return [Object]
    #   @raise [EOFError] if the bytes end too early
    #   @raise [MalformedFormatError] if the bytes are not MessagePack, or hold more than one value
    #   @raise [UnknownExtTypeError] for an extension type that is not registered with {DefaultFactory}
    #   @raise [StackError] for more than 128 levels
    #   @raise [EncodingError] for a key that is not valid UTF-8 and should become a Symbol
    #   @raise [LimitExceeded] if the bytes need more than the limits allow
    #   @raise [ArgumentError] for an unknown option
    #   @example
    #     Sparpack::MessagePack.unpack("\x92\x01\xC0") # => [1, nil]

    # @!method self.load(source, options = nil)
    #   Does the same as {unpack}.
    #
    #   @param source [String, IO, Pathname]
    #   @param options [Hash, nil]
    #   @return [Object]

    class << self
      # Unpacks a part of a value, and skips the rest. A Symbol in the steps also finds a String key.
      #
      # @param bytes [String] one packed value
      # @param steps [Array<Object>] keys of Hashes and indexes of Arrays; a negative index counts from the end
      # @param options [Hash] as {Unpacker#initialize} takes them, without those of {Buffer}; limits apply to the part that
      #   is unpacked
      # @return [Object, nil] nil if there is no such part
      # @raise [EOFError] if the bytes end too early
      # @raise [MalformedFormatError] if the bytes are not MessagePack
      # @raise [UnpackError] if the part cannot be unpacked, as {unpack}
      # @raise [ArgumentError] for an unknown option
      # @example
      #   Sparpack::MessagePack.dig(bytes, "users", 3, "name")
      #   Sparpack::MessagePack.dig(bytes, "users", 3, symbolize_keys: true)
      def dig(bytes, *steps, **options) = default.dig(bytes, *steps, **options)

      # Unpacks one value after another, without loading the whole input.
      #
      # @param source [String, IO, Pathname] the bytes, or an io with `readpartial` or `read`, or the path of a file, which
      #   stays open while its values are yielded
      # @param options [Hash, nil] as {Unpacker#initialize} takes them
      # @yieldparam value [Object] each value
      # @return [Enumerator, nil] an Enumerator if there is no block
      # @raise [UnpackError] as {unpack}
      # @raise [EOFError] if the io returns `""` 100 times in a row; at its end it must return nil or raise EOFError
      # @raise [TypeError] if `source` is something else, or if the io returns anything but Strings
      # @raise [ArgumentError] for an unknown option
      # @example
      #   Sparpack::MessagePack.each(Pathname("log.msgpack")) { |entry| puts entry["text"] }
      def each(source, options = nil, &block)
        Options.check(options, Arguments::EACH) if options
        Input.check(source)
        return enum_for(:each, source, options) unless block
        return default.unpacker(nil, options).feed(source).each(&block) if source.is_a?(String)

        Input.open(source) { |io| default.unpacker(Input.new(io, again: true), options).each(&block) }
      end

      # Returns where a value ends, without unpacking it.
      #
      # @param bytes [String]
      # @param offset [Integer] where the value begins, in bytes
      # @return [Integer] the offset of the first byte behind it
      # @raise [EOFError] if the bytes end too early
      # @raise [MalformedFormatError, StackError] as {unpack}. Strings and extension types are not looked at
      # @raise [ArgumentError] if the offset is negative or beyond the end
      # @raise [TypeError] if `bytes` is not a String
      # @example
      #   Sparpack::MessagePack.skip("\x92\x01\xC0\x02") # => 3
      def skip(bytes, offset = 0)
        end_of_value = Native.message_pack_end(bytes, offset)
        return end_of_value if end_of_value
        unless offset.is_a?(Integer) && offset.between?(0, bytes.bytesize)
          raise ::ArgumentError, "offset: expected 0..#{bytes.bytesize}, got #{Quote.value(offset)}"
        end

        default.unpacker.feed(bytes).tap { |unpacker| unpacker.buffer.skip(offset) }.skip # it says what is wrong
      rescue EOFError
        end_too_early(bytes)
      end

      # Counts values without unpacking them. Strings and extension types are not looked at.
      #
      # @param source [String, IO, Pathname] as {each} takes it
      # @return [Integer]
      # @raise [EOFError] if the bytes end in a value
      # @raise [MalformedFormatError, StackError, TypeError] as {each}
      # @example
      #   Sparpack::MessagePack.count(Pathname("log.msgpack"))
      def count(source)
        Input.check(source)
        (count_string(source) if source.is_a?(String)) || pass(source) { |unpacker| unpacker.send(:pass_all) }
      rescue EOFError
        source.is_a?(String) ? end_too_early(source) : raise
      end

      # Yields where each value begins and ends, without unpacking it. Strings and extension types are not looked at.
      #
      # @param source [String, IO, Pathname] as {each} takes it
      # @yieldparam range [Range<Integer>] the bytes of each value, counted from the first one that was read
      # @return [self, Enumerator] an Enumerator if there is no block
      # @raise [EOFError] if the bytes end in a value
      # @raise [MalformedFormatError, StackError, TypeError] as {each}
      # @example
      #   Sparpack::MessagePack.each_range("\x01\xA1a").to_a # => [0...1, 1...3]
      def each_range(source)
        Input.check(source)
        return enum_for(:each_range, source) unless block_given?

        pass(source) { |unpacker| unpacker.send(:pass_each) { |first, last| yield first...last } }
        self
      end

      # @api private
      def pack_failed(status, path, found, limit)
        place = " at #{path}" unless path.empty?
        case status
        when :too_deep then raise StackError, "more than #{limit || Native::UNTYPED_DEPTH_MAX} levels of Arrays and Hashes"
        when :value_out_of_range then raise RangeError, "an Integer of more than 64 bits#{place}"
        when :container_too_large then raise ArgumentError, "a #{found.class} of 2**32 bytes or elements or more#{place}"
        when :value_changed then raise "a value changed while it was being packed#{place}"
        else
          klass = ::Kernel.instance_method(:class).bind_call(found) # it may be a BasicObject
          remedy = "call its encode(:message_pack), pack its to_h(deep: true), or " if klass < Value
          text = "undefined method `to_msgpack' for an instance of #{klass}#{place}: " \
                 "#{remedy}register an extension type for it#{Builtins.hint(klass)}"
          raise_no_method(text, :to_msgpack, found)
        end
      end

      # @api private
      def unpack_failed(status, path, offset, number, message_offset, bytes = nil)
        place = " (byte #{offset}#{", at #{path}" unless path.empty?})"
        place += Guess.not_message_pack(bytes) if bytes && !bytes.empty?
        place += " (to read several values, use each)" if status == :trailing_bytes && place.end_with?("#{offset})")
        error, text = UNPACK_FAULTS.fetch(status) { [MalformedFormatError, "no value begins with this byte"] }
        message = text.sub("%d") { number.to_i.to_s } + place # format warns of a text without a place
        message += Compression.hint if status == :lz4_missing
        raise error, message unless error <= UnpackError

        raise error.new(message, path:, offset:, message_offset:)
      end

      # @api private
      def header_failed(expected, byte)
        raise UnexpectedTypeError,
              format("unexpected type: expected %s, found a value that begins with 0x%02x", expected, byte)
      end

      # Raises a NoMethodError with a backtrace of its own, because Ruby would show the line of this library that raises it.
      #
      # @api private
      def raise_no_method(text, name, receiver)
        error = NoMethodError.new(text, name, receiver:)
        error.set_backtrace(caller(2))
        raise error
      end

      private

      def end_too_early(bytes)
        raise EOFError, "the bytes end too early (byte #{bytes.bytesize})", cause: nil
      end

      # Counts in steps, between which other threads can run and interrupts are handled.
      #
      # @return [Integer, nil] nil if only an unpacker can tell
      def count_string(bytes)
        count = at = 0
        while at < bytes.bytesize
          some, at = Native.message_pack_count(bytes, at)
          return if some.zero?

          count += some
        end
        count if at == bytes.bytesize
      end

      def default = Native.main_ractor? ? DefaultFactory : (Ractor.current[:sparpack_message_pack] ||= Factory.new)

      def pass(source)
        return yield(default.unpacker.feed(source)) if source.is_a?(String)

        Input.open(source) { |io| yield default.unpacker(Input.new(io, again: true)) }
      end

      def pack_with(value, io, options)
        options.nil? ? default.dump(value, io) : default.dump(value, io, options)
      end

      def unpack_with(source, options) = default.load(source, options)
    end

    # The error and the message for each fault.
    UNPACK_FAULTS = {
      truncated: [EOFError, "the bytes end too early"],
      too_deep: [StackError, "more than %d levels of Arrays and Hashes"],
      unknown_ext: [UnknownExtTypeError,
                    "extension type %d is not registered (register it, or pass allow_unknown_ext: true)"],
      too_many_nan_keys: [MalformedFormatError, "more than %d keys that are NaN"],
      trailing_bytes: [MalformedFormatError, "bytes are left after the value"],
      invalid_utf8: [MalformedFormatError, "a str is not valid UTF-8"],
      bad_symbol: [EncodingError, "a key that is not valid UTF-8 cannot become a Symbol"],
      bad_timestamp: [MalformedFormatError, "a timestamp must have 4, 8 or 12 bytes and less than a second of nanoseconds"],
      bad_ext_data: [MalformedFormatError, "a payload does not fit its extension type"],
      value_changed: [MalformedFormatError, "the bytes changed while they were being read"],
      bad_lz4_header: [MalformedFormatError, "a compressed value must begin with the sizes of its LZ4 blocks"],
      bad_lz4_block: [MalformedFormatError, "an LZ4 block does not become as long as its header says"],
      lz4_missing: [UnknownExtTypeError, "the value is compressed with LZ4, and the library for that is not there"],
      decompressed_too_long: [LimitExceeded, "more than %d bytes of one value when it is decompressed"],
      payload_too_long: [LimitExceeded, "more than %d bytes of one value"],
      string_too_long: [LimitExceeded, "a str or bin of more than %d bytes"],
      ext_too_long: [LimitExceeded, "an extension type's payload of more than %d bytes"],
      container_too_large: [LimitExceeded, "an Array or Hash of more than %d elements"],
      too_much_memory: [LimitExceeded, "objects that take more than %d bytes"]
    }.each_value(&:freeze).freeze # because other Ractors use it, too
    private_constant :UNPACK_FAULTS
  end
end

require_relative "message_pack/arguments"
require_relative "message_pack/types"
require_relative "message_pack/extensions"
require_relative "message_pack/buffer"
require_relative "message_pack/packer"
require_relative "message_pack/unpacker"
require_relative "message_pack/builtins"
require_relative "message_pack/factory"
require_relative "message_pack/naming"
# Before any Ractor needs them:
Sparpack::Native.load_parts(%i[Advice Compression Guess Input Output])
Sparpack::Native.message_pack_classes
require_relative "message_pack/pool"
require_relative "message_pack/timestamp"
require_relative "message_pack/time"
require_relative "message_pack/bigint"

module Sparpack
  module MessagePack
    # The factory of {pack} and {unpack} in the main Ractor. Any other Ractor has a factory of its own, in which nothing is
    # registered.
    DefaultFactory = Factory.new.send(:become_default)
  end
end
