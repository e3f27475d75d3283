# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Packs one value after another, into memory or to an io. If a value cannot be packed, nothing of it stays in memory. A
    # long value is sent to the io in parts. If it fails after that, the packer refuses other values until it is {#reset}.
    #
    # @example
    #   packer = Sparpack::MessagePack::Packer.new
    #   packer.write_map_header(1).write("a").write([1, 2]).to_s
    class Packer
      DEPTH = 128
      private_constant :DEPTH

      # Makes a packer.
      #
      # @param io [IO, Hash, nil] the io that {#flush} writes to; or the options
      # @param options [Hash, nil] these, and the options of {Buffer#initialize}
      # @option options [Boolean] :compatibility_mode (false) whether to write the older format, without str8 and bin
      # @option options [Boolean] :sort_keys (false) whether to sort the keys of Hashes, so that equal ones have equal bytes
      # @option options [Limits] :limits limits, of which only `depth` applies
      # @raise [ArgumentError] for an unknown option, or if the limits are not a {Limits}
      # @raise [TypeError] if the options are not a Hash, or if `io` is not an io; a Pathname has to be opened first
      # @example
      #   Sparpack::MessagePack::Packer.new(io, sort_keys: true)
      def initialize(io = nil, options = nil)
        if io.is_a?(Hash) && options.nil?
          options = io
          io = nil
        end
        raise ::TypeError, "wrong argument type #{options.class} (expected Hash)" unless options.nil? || options.is_a?(Hash)

        Arguments.check_options(:packer, options)
        if options && options[:compression]
          raise ::ArgumentError, "compression: is an option of pack and dump, because a whole value is compressed"
        end

        Arguments.check_output(io)
        setup(Buffer.new(io, Arguments.only(:buffer, options)), nil, Packer.row(options || {}))
      end

      undef_method :dup, :clone

      # Returns the options in the form of the native core.
      #
      # @api private
      def self.row(options)
        limits = Extensions.limits_in(options)
        [options[:compatibility_mode], options[:sort_keys], limits ? [limits.depth, DEPTH].min : DEPTH]
      end

      # @!method write(value)
      #   Packs a value.
      #
      #   @param value [Object] as {MessagePack.pack} takes it
      #   @return [self]
      #   @raise [RangeError, NoMethodError, StackError] as {MessagePack.pack}
      #   @example
      #     packer.write([1, 2]).write(nil).to_s # => "\x92\x01\x02\xC0".b

      # @!method pack(value)
      #   Does the same as {#write}.
      #
      #   @param value [Object]
      #   @return [self]

      # Registers an extension type with this packer.
      #
      # @param type [Integer] the number of the type, -128 to 127
      # @param klass [Module] the class of the values
      # @param method_name [Symbol, nil] the name of a method that returns the payload of a value
      # @yieldparam value [Object]
      # @yieldreturn [String] the payload of the value
      # @return [nil]
      # @raise [ArgumentError] if `klass` is not a Module
      # @raise [RangeError, TypeError] if `type` is not the number of an extension type
      # @raise [FrozenError] if the packer belongs to a pool
      # @example
      #   packer.register_type(1, Rational) { |number| number.to_s }
      def register_type(type, klass, method_name = nil, &block)
        raise ::ArgumentError, "expected Module/Class got: #{Quote.value(klass)}" unless klass.is_a?(Module)
        raise FrozenError.new("can't modify frozen #{self.class}", receiver: self) if frozen?

        Extensions.check_number(type)
        use((types || Types.new).with_entry(klass, type, proc: block || Extensions.packer_named(klass, method_name),
                                                              oversized: true))
        nil
      end

      # Returns the registered extension types.
      #
      # @return [Array<Hash>] Hashes with `type:`, `class:` and `packer:`, sorted by type
      # @example
      #   packer.registered_types # => []
      def registered_types
        found = (types ? types.entries : []).map { |entry| { type: entry.type, class: entry.klass, packer: entry.callable } }
        found.sort_by { |entry| entry[:type] }
      end

      # Tells whether an extension type is registered.
      #
      # @param klass_or_type [Module, Integer] the class of the values, or the number of the type
      # @return [Boolean]
      # @raise [ArgumentError] for anything else
      # @example
      #   packer.type_registered?(Rational) # => false
      def type_registered?(klass_or_type)
        case klass_or_type
        when Module then registered_types.any? { |entry| klass_or_type <= entry[:class] }
        when Integer then registered_types.any? { |entry| entry[:type] == klass_or_type }
        else raise ::ArgumentError, "class or type id"
        end
      end

      # @!method compatibility_mode?
      #   @return [Boolean] whether the packer writes the older format

      # @!method buffer
      #   @return [Buffer] the bytes that were packed

      # @!method write_nil
      #   Packs nil.
      #
      #   @return [self]

      # @!method write_true
      #   Packs true.
      #
      #   @return [self]

      # @!method write_false
      #   Packs false.
      #
      #   @return [self]

      # @!method write_float(number)
      #   Packs a number as a 64-bit float.
      #
      #   @param number [Numeric]
      #   @return [self]
      #   @example
      #     packer.write_float(1).size # => 9

      # @!method write_float32(number)
      #   Packs a number as a 32-bit float.
      #
      #   @param number [Numeric]
      #   @return [self]
      #   @example
      #     packer.write_float32(1.5).size # => 5

      # @!method write_string(string)
      #   Packs a String, as bin if it is in ASCII-8BIT, otherwise as str.
      #
      #   @param string [String]
      #   @return [self]
      #   @example
      #     packer.write_string("a").to_s # => "\xA1a".b

      # @!method write_bin(string)
      #   Packs the bytes of a String as bin, whatever its encoding.
      #
      #   @param string [String]
      #   @return [self]
      #   @example
      #     packer.write_bin("a").to_s # => "\xC4\x01a".b

      # @!method write_array(array)
      #   Packs an Array.
      #
      #   @param array [Array]
      #   @return [self]
      #   @example
      #     packer.write_array([1, 2]).to_s # => "\x92\x01\x02".b

      # @!method write_hash(hash)
      #   Packs a Hash.
      #
      #   @param hash [Hash]
      #   @return [self]
      #   @example
      #     packer.write_hash({ "a" => 1 }).to_s # => "\x81\xA1a\x01".b

      # @!method write_symbol(symbol)
      #   Packs a Symbol as its name, or as its extension type if one is registered.
      #
      #   @param symbol [Symbol]
      #   @return [self]
      #   @example
      #     packer.write_symbol(:a).to_s # => "\xA1a".b

      # @!method write_int(integer)
      #   Packs an Integer in as few bytes as possible.
      #
      #   @param integer [Integer]
      #   @return [self]
      #   @example
      #     packer.write_int(1000).to_s # => "\xCD\x03\xE8".b

      # @!method write_extension(value)
      #   Packs a value of an extension type.
      #
      #   @param value [ExtensionValue]
      #   @return [self]
      #   @example
      #     packer.write_extension(Sparpack::MessagePack::ExtensionValue.new(5, "a")).to_s # => "\xD4\x05a".b

      # @!method write_ext(type, payload)
      #   Packs the payload of an extension type.
      #
      #   @param type [Integer] the number of the type, -128 to 127
      #   @param payload [String]
      #   @return [self]
      #   @example
      #     packer.write_ext(5, "a").to_s # => "\xD4\x05a".b

      # @!method write_array_header(count)
      #   Begins an Array. Its elements have to be written next.
      #
      #   @param count [Integer] the number of elements
      #   @return [self]
      #   @example
      #     packer.write_array_header(2).write(1).write(2).to_s # => "\x92\x01\x02".b

      # @!method write_map_header(count)
      #   Begins a Hash. Its keys and values have to be written next.
      #
      #   @param count [Integer] the number of pairs
      #   @return [self]
      #   @example
      #     packer.write_map_header(1).write("a").write(1).to_s # => "\x81\xA1a\x01".b

      # @!method write_bin_header(size)
      #   Begins a bin. Its bytes have to be written to {#buffer} next.
      #
      #   @param size [Integer] the number of bytes
      #   @return [self]
      #   @example
      #     packer.write_bin_header(3).buffer << "abc"
      #     packer.to_s # => "\xC4\x03abc".b

      # @!method flush
      #   Writes the bytes in memory to the io.
      #
      #   @return [self]
      #   @raise [IOError] if the io has received a part of a value that could not be packed; {#reset} the packer then

      # @!method reset
      #   Removes everything that is in memory. In the packer of a recursive extension type it removes only the payload.
      #
      #   @return [nil]

      # @!method clear
      #   Does the same as {#reset}.
      #
      #   @return [nil]

      # @!method size
      #   @return [Integer] the number of bytes in memory

      # @return [Boolean] whether there are no bytes in memory
      def empty? = size.zero?

      # @!method to_s
      #   Returns the bytes in memory, and keeps them.
      #
      #   @return [String]

      # @!method to_str
      #   Returns the same as {#to_s}.
      #
      #   @return [String]

      # Returns the bytes in memory in pieces, and keeps them.
      #
      # @return [Array<String>]
      def to_a = buffer.to_a

      # Writes the bytes in memory to another io, and removes them.
      #
      # @param io [#write, #<<]
      # @return [Integer] how many bytes were written
      # @raise [TypeError] if `io` is not an io
      # @example
      #   packer.write(1).write_to(io) # => 1
      def write_to(io) = buffer.write_to(io)

      # @!method full_pack
      #   Returns the bytes in memory and removes them, or writes them to the io if there is one.
      #
      #   @return [String, nil] nil if there is an io
    end
  end
end
