# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Unpacks one value after another, from bytes that it is fed or from an io. If the end of a value is not there yet, the
    # unpacker keeps the beginning and continues when more bytes come. It scans each byte only once until then.
    #
    # @example
    #   unpacker = Sparpack::MessagePack::Unpacker.new
    #   unpacker.feed_each("\x01\x92\x02".b).to_a # => [1]
    #   unpacker.feed_each("\x03".b).to_a         # => [[2, 3]]
    class Unpacker
      FLAGS = { symbolize_keys: 1, freeze: 2, allow_unknown_ext: 4, strict_utf8: 8 }.freeze
      DEPTH = 128

      # The options in the form of the native core: flags, limits, and how compressed values are read.
      ROW = [0, nil, nil, nil, nil, nil, DEPTH, 64 << 20, 0].freeze
      private_constant :FLAGS, :DEPTH, :ROW

      # Makes an unpacker.
      #
      # @param io [IO, Hash, nil] the io to read from; or the options
      # @param options [Hash, nil] these, and the options of {Buffer#initialize}
      # @option options [Boolean] :symbolize_keys (false) whether Strings that are keys become Symbols
      # @option options [Boolean] :freeze (false) whether to freeze everything that is unpacked
      # @option options [Boolean] :allow_unknown_ext (false) whether an extension type that is not registered becomes an
      #   {ExtensionValue}, instead of raising an error
      # @option options [Boolean] :strict_utf8 (false) whether to refuse a str that is not valid UTF-8
      # @option options [Symbol, nil] :compression (nil) `:lz4` or `:lz4_block` if values may be compressed with LZ4, in
      #   either form. Without this option, compressed values are read, too, unless `allow_unknown_ext: true` asks for
      #   extension types as they are. An extension type that is registered with the number 98 or 99 is always read as what
      #   it is
      # @option options [Limits] :limits limits on memory, sizes and depth
      # @option options [Boolean] :untrusted (false) whether to use the limits {UNTRUSTED} and `strict_utf8: true`, as for
      #   bytes from strangers
      # @raise [ArgumentError] for an unknown option, or if the options are not a Hash or the limits not a {Limits}
      # @raise [LoadError] for `compression:`, if the library for LZ4 is not there
      # @raise [TypeError] if `io` is not an io; a Pathname has to be opened first
      # @example
      #   Sparpack::MessagePack::Unpacker.new(io, untrusted: true)
      def initialize(io = nil, options = nil)
        if io.is_a?(Hash) && options.nil?
          options = io
          io = nil
        end
        Arguments.check_options(:unpacker, options)
        Arguments.check_input(io)
        setup(Buffer.new(io, Arguments.only(:buffer, options)), nil, Unpacker.row(options))
      end

      undef_method :dup, :clone

      # Returns the options in the form of the native core.
      #
      # @api private
      def self.row(options)
        return ROW if options.nil? || options.empty?

        Compression.check(options[:compression])
        flags = FLAGS.sum { |name, bit| options[name] ? bit : 0 }
        flags |= FLAGS[:strict_utf8] if options[:untrusted]
        limits = Extensions.limits_in(options) || (UNTRUSTED if options[:untrusted])
        compressed = options[:compression] ? 1 : 0
        return [flags, *ROW[1..7], compressed] if limits.nil?

        [flags, limits.message, limits.string, limits.extension || limits.string, limits.container, limits.memory,
         [limits.depth, DEPTH].min, limits.decompressed, compressed]
      end

      # @!method symbolize_keys?
      #   @return [Boolean] whether Strings that are keys become Symbols

      # @!method freeze?
      #   @return [Boolean] whether everything that is unpacked is frozen

      # @!method allow_unknown_ext?
      #   @return [Boolean] whether an extension type that is not registered becomes an {ExtensionValue}

      # @!method buffer
      #   @return [Buffer] the bytes that are not unpacked yet

      # Registers an extension type with this unpacker.
      #
      # @param type [Integer] the number of the type, -128 to 127
      # @param klass [Module, nil] the class of the values
      # @param method_name [Symbol, nil] the name of a class method that returns the value of a payload
      # @yieldparam payload [String]
      # @yieldreturn [Object] the value of the payload
      # @return [nil]
      # @raise [ArgumentError] without a class and a method name, and without a block
      # @raise [RangeError, TypeError] if `type` is not the number of an extension type
      # @raise [FrozenError] if the unpacker belongs to a pool
      # @example
      #   unpacker.register_type(1) { |text| Rational(text) }
      def register_type(type, klass = nil, method_name = nil, &block)
        block = Extensions.unpacker_named(klass, method_name) if klass && method_name
        raise ::ArgumentError, "register_type takes either 3 arguments or a block" unless block
        raise FrozenError.new("can't modify frozen #{self.class}", receiver: self) if frozen?

        Extensions.check_number(type)
        use((types || Types.new).with_reader(type, klass, proc: block))
        nil
      end

      # Returns the registered extension types.
      #
      # @return [Array<Hash>] Hashes with `type:`, `class:` and `unpacker:`, sorted by type
      # @example
      #   unpacker.registered_types # => []
      def registered_types
        (types ? types.readers : []).map { |entry| { type: entry.type, class: entry.klass, unpacker: entry.callable } }
      end

      # Tells whether an extension type is registered.
      #
      # @param klass_or_type [Module, Integer] the class of the values, or the number of the type
      # @return [Boolean]
      # @raise [ArgumentError] for anything else
      # @example
      #   unpacker.type_registered?(1) # => false
      def type_registered?(klass_or_type)
        case klass_or_type
        when Module then registered_types.any? { |entry| klass_or_type == entry[:class] }
        when Integer then registered_types.any? { |entry| entry[:type] == klass_or_type }
        else raise ::ArgumentError, "class or type id"
        end
      end

      # @!method feed(bytes)
      #   Adds bytes to unpack. The String may be changed afterwards.
      #
      #   @param bytes [String]
      #   @return [self]
      #   @example
      #     unpacker.feed("\x92\x01").feed("\x02").read # => [1, 2]

      # @!method feed_reference(bytes)
      #   Does the same as {#feed}.
      #
      #   @param bytes [String]
      #   @return [self]

      # @!method read
      #   Unpacks the next value.
      #
      #   @return [Object]
      #   @raise [EOFError] if the end of the value is not there yet; call again when more bytes have come
      #   @raise [UnpackError] as {MessagePack.unpack}. The value stays: {#skip} skips one of an unknown extension type, and
      #     {#reset} removes all bytes

      # @!method unpack
      #   Does the same as {#read}.
      #
      #   @return [Object]

      # @!method full_unpack
      #   Unpacks the only value.
      #
      #   @return [Object]
      #   @raise [MalformedFormatError] if bytes are left after the value
      #   @raise [EOFError, UnpackError] as {#read}

      # @!method each
      #   Unpacks all complete values.
      #
      #   @yieldparam value [Object] each value
      #   @return [Enumerator, nil] an Enumerator if there is no block
      #   @raise [UnpackError] as {#read}

      # @!method feed_each(bytes)
      #   Adds bytes, and unpacks all complete values.
      #
      #   @param bytes [String]
      #   @yieldparam value [Object] each value
      #   @return [Enumerator, nil] an Enumerator if there is no block
      #   @raise [UnpackError] as {#read}
      #   @example
      #     unpacker.feed_each("\x01\x02") { |value| p value }

      # @!method skip
      #   Skips the next value.
      #
      #   @return [nil]
      #   @raise [EOFError] if the end of the value is not there yet

      # @!method skip_nil
      #   Skips the next value if it is nil.
      #
      #   @return [Boolean] whether it was nil
      #   @example
      #     unpacker.feed("\xC0\x01").skip_nil # => true
      #     unpacker.read                       # => 1
      #   @raise [EOFError] if there are no more bytes

      # @!method read_array_header
      #   Reads the beginning of an Array. Its elements can be read next.
      #
      #   @return [Integer] the number of elements
      #   @example
      #     unpacker.feed("\x92\x01\x02").read_array_header # => 2
      #     unpacker.read # => 1
      #   @raise [UnexpectedTypeError] if the next value is not an Array
      #   @raise [EOFError] if there are no more bytes

      # @!method read_map_header
      #   Reads the beginning of a Hash. Its keys and values can be read next.
      #
      #   @return [Integer] the number of pairs
      #   @example
      #     unpacker.feed("\x81\xA1a\x01").read_map_header # => 1
      #     unpacker.read # => "a"
      #   @raise [UnexpectedTypeError] if the next value is not a Hash
      #   @raise [EOFError] if there are no more bytes

      # @!method reset
      #   Removes all bytes.
      #
      #   @return [nil]
    end
  end
end
