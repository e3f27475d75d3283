# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Reads values one after the other, from what it is fed or from an io. A value whose end is not there yet stays; reading
    # goes on when more has come, and each byte is looked at once until then.
    #
    # @example
    #   unpacker = Sparpack::MessagePack::Unpacker.new
    #   unpacker.feed_each("\x01\x92\x02".b).to_a # => [1]
    #   unpacker.feed_each("\x03".b).to_a         # => [[2, 3]]
    class Unpacker
      FLAGS = { symbolize_keys: 1, freeze: 2, allow_unknown_ext: 4, strict_utf8: 8 }.freeze
      DEPTH = 128
      private_constant :FLAGS, :DEPTH

      # @param io [IO, nil] to read from
      # @param options [Hash] `symbolize_keys:`, `freeze:` (all that is read), `allow_unknown_ext:` (as {ExtensionValue}),
      #   `strict_utf8:` (a str that is not UTF-8 is refused), `limits:` (a {Limits}), `untrusted:` ({UNTRUSTED} and
      #   `strict_utf8:`); and those of {Buffer}
      # @raise [ArgumentError] if the options are no Hash, or the limits no {Limits}; for an unknown option
      # @raise [TypeError] for a Pathname, which has to be opened, or what cannot be read
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

      # The options as the native part has them.
      #
      # @api private
      def self.row(options)
        return [0, nil, nil, nil, nil, nil, DEPTH] if options.nil? || options.empty?

        flags = FLAGS.sum { |name, bit| options[name] ? bit : 0 }
        flags |= FLAGS[:strict_utf8] if options[:untrusted]
        limits = Extensions.limits_in(options) || (UNTRUSTED if options[:untrusted])
        return [flags, nil, nil, nil, nil, nil, DEPTH] if limits.nil?

        [flags, limits.message, limits.string, limits.extension || limits.string, limits.container, limits.memory,
         [limits.depth, DEPTH].min]
      end

      # @!method symbolize_keys?
      #   @return [Boolean]

      # @!method freeze?
      #   @return [Boolean]

      # @!method allow_unknown_ext?
      #   @return [Boolean]

      # @!method buffer
      #   @return [Buffer]

      # Registers an extension type with this unpacker.
      #
      # @param type [Integer] -128 to 127
      # @param klass [Module, nil]
      # @param method_name [Symbol, nil] of the class, which makes a value of a payload
      # @yieldparam payload [String]
      # @yieldreturn [Object]
      # @return [nil]
      # @raise [ArgumentError] if neither a class with a method nor a block is given
      # @raise [RangeError, TypeError] if the type is none
      # @raise [FrozenError] if the unpacker is a pool's
      def register_type(type, klass = nil, method_name = nil, &block)
        block = Extensions.unpacker_named(klass, method_name) if klass && method_name
        raise ::ArgumentError, "register_type takes either 3 arguments or a block" unless block
        raise FrozenError.new("can't modify frozen #{self.class}", receiver: self) if frozen?

        Extensions.check_number(type)
        use((types || Types.new).with_reader(type, klass, proc: block))
        nil
      end

      # @return [Array<Hash>] with `type:`, `class:` and `unpacker:`, in order of types
      def registered_types
        (types ? types.readers : []).map { |entry| { type: entry.type, class: entry.klass, unpacker: entry.proc } }
      end

      # @param klass_or_type [Module, Integer]
      # @return [Boolean]
      # @raise [ArgumentError] for anything else
      def type_registered?(klass_or_type)
        case klass_or_type
        when Module then registered_types.any? { |entry| klass_or_type == entry[:class] }
        when Integer then registered_types.any? { |entry| entry[:type] == klass_or_type }
        else raise ::ArgumentError, "class or type id"
        end
      end

      # @!method feed(bytes)
      #   @param bytes [String] what comes next; later changes of it are not seen
      #   @return [self]

      # @!method feed_reference(bytes)
      #   @param bytes [String]
      #   @return [self] as {#feed}

      # @!method read
      #   @return [Object] the next value
      #   @raise [EOFError] if its end is not there yet: it may be read when more has come
      #   @raise [UnpackError] as {MessagePack.unpack}; the value stays: {#skip} leaves out one of an unknown extension type,
      #     {#reset} all

      # @!method unpack
      #   @return [Object] as {#read}

      # @!method full_unpack
      #   @return [Object] the only value
      #   @raise [MalformedFormatError] if bytes are left after it
      #   @raise [EOFError] as {#read}

      # @!method each
      #   @yieldparam value [Object] each that is complete
      #   @return [Enumerator, nil]

      # @!method feed_each(bytes)
      #   @param bytes [String]
      #   @yieldparam value [Object] each that is complete
      #   @return [Enumerator, nil]

      # @!method skip
      #   Skips a value, without making anything of it.
      #   @return [nil]
      #   @raise [EOFError] if its end is not there yet

      # @!method skip_nil
      #   @return [Boolean] whether a nil came next, which is skipped then
      #   @raise [EOFError] if nothing is there

      # @!method read_array_header
      #   @return [Integer] how many elements an Array has, which come next
      #   @raise [UnexpectedTypeError] if none comes
      #   @raise [EOFError] if nothing is there

      # @!method read_map_header
      #   @return [Integer] how many pairs a Hash has, which come next
      #   @raise [UnexpectedTypeError] if none comes
      #   @raise [EOFError] if nothing is there

      # @!method reset
      #   Forgets what was fed.
      #   @return [nil]
    end
  end
end
