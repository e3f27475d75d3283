# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Writes values one after the other, into memory or to an io. A value that cannot be written leaves nothing behind. To an
    # io parts of long values go as they come: where one of these fails, the packer refuses others until it is {#reset}.
    #
    # @example
    #   packer = Sparpack::MessagePack::Packer.new
    #   packer.write_map_header(1).write("a").write([1, 2]).to_s
    class Packer
      DEPTH = 128
      private_constant :DEPTH

      # @param io [IO, nil] where {#flush} writes to
      # @param options [Hash] `compatibility_mode:` writes the older format, without str8 and bin; `sort_keys:` writes Hashes
      #   in the order of their keys, so that equal ones have equal bytes; `limits:` a {Limits}, of which `depth` counts;
      #   and those of {Buffer}
      # @raise [ArgumentError, TypeError] if the options are no Hash, or the limits no {Limits}; for an unknown option
      # @raise [TypeError] for a Pathname, which has to be opened, or what nothing can be written to
      def initialize(io = nil, options = nil)
        if io.is_a?(Hash) && options.nil?
          options = io
          io = nil
        end
        raise ::TypeError, "wrong argument type #{options.class} (expected Hash)" unless options.nil? || options.is_a?(Hash)

        Arguments.check_options(:packer, options)
        Arguments.check_output(io)
        setup(Buffer.new(io, Arguments.only(:buffer, options)), nil, Packer.row(options || {}))
      end

      undef_method :dup, :clone

      # The options as the native part has them.
      #
      # @api private
      def self.row(options)
        limits = Extensions.limits_in(options)
        [options[:compatibility_mode], options[:sort_keys], limits ? [limits.depth, DEPTH].min : DEPTH]
      end

      # @!method write(value)
      #   @param value [Object] of MessagePack's own classes, of a registered one, or one that has `to_msgpack`
      #   @return [self]
      #   @raise [RangeError, NoMethodError, StackError] as {MessagePack.pack}

      # @!method pack(value)
      #   @param value [Object]
      #   @return [self] as {#write}

      # Registers an extension type with this packer.
      #
      # @param type [Integer] -128 to 127
      # @param klass [Module]
      # @param method_name [Symbol, nil] answers the payload of a value
      # @yieldparam value [Object]
      # @yieldreturn [String] its payload
      # @return [nil]
      # @raise [ArgumentError] if klass is none
      # @raise [RangeError, TypeError] if the type is none
      # @raise [FrozenError] if the packer is a pool's
      def register_type(type, klass, method_name = nil, &block)
        raise ::ArgumentError, "expected Module/Class got: #{Quote.value(klass)}" unless klass.is_a?(Module)
        raise FrozenError.new("can't modify frozen #{self.class}", receiver: self) if frozen?

        Extensions.check_number(type)
        use((types || Types.new).with_entry(klass, type, proc: block || Extensions.packer_named(klass, method_name),
                                                              oversized: true))
        nil
      end

      # @return [Array<Hash>] with `type:`, `class:` and `packer:`, in order of types
      def registered_types
        found = (types ? types.entries : []).map { |entry| { type: entry.type, class: entry.klass, packer: entry.proc } }
        found.sort_by { |entry| entry[:type] }
      end

      # @param klass_or_type [Module, Integer]
      # @return [Boolean]
      # @raise [ArgumentError] for anything else
      def type_registered?(klass_or_type)
        case klass_or_type
        when Module then registered_types.any? { |entry| klass_or_type <= entry[:class] }
        when Integer then registered_types.any? { |entry| entry[:type] == klass_or_type }
        else raise ::ArgumentError, "class or type id"
        end
      end

      # @!method compatibility_mode?
      #   @return [Boolean]

      # @!method buffer
      #   @return [Buffer]

      # @!method write_nil
      #   @return [self]

      # @!method write_true
      #   @return [self]

      # @!method write_false
      #   @return [self]

      # @!method write_float(number)
      #   @param number [Numeric]
      #   @return [self]

      # @!method write_float32(number)
      #   @param number [Numeric]
      #   @return [self]

      # @!method write_string(string)
      #   @param string [String]
      #   @return [self]

      # @!method write_bin(string)
      #   @param string [String] whose bytes are written, in whatever encoding
      #   @return [self]

      # @!method write_array(array)
      #   @param array [Array]
      #   @return [self]

      # @!method write_hash(hash)
      #   @param hash [Hash]
      #   @return [self]

      # @!method write_symbol(symbol)
      #   @param symbol [Symbol]
      #   @return [self]

      # @!method write_int(integer)
      #   @param integer [Integer]
      #   @return [self]

      # @!method write_extension(value)
      #   @param value [ExtensionValue]
      #   @return [self]

      # @!method write_ext(type, payload)
      #   @param type [Integer] -128 to 127
      #   @param payload [String]
      #   @return [self]

      # @!method write_array_header(count)
      #   @param count [Integer] elements, which are written next
      #   @return [self]

      # @!method write_map_header(count)
      #   @param count [Integer] pairs, which are written next
      #   @return [self]

      # @!method write_bin_header(size)
      #   @param size [Integer] bytes, which are written next, through {#buffer}
      #   @return [self]

      # @!method flush
      #   Writes what is in memory to the io.
      #   @return [self]
      #   @raise [IOError] as {#write}, where the io has a part of a value that could not be written

      # @!method reset
      #   Forgets what was written; in the packer of a recursive extension type, its payload.
      #   @return [nil]

      # @!method clear
      #   @return [nil] as {#reset}

      # @!method size
      #   @return [Integer] bytes

      # @return [Boolean]
      def empty? = size.zero?

      # @!method to_s
      #   @return [String]

      # @!method to_str
      #   @return [String] as {#to_s}

      # @return [Array<String>]
      def to_a = buffer.to_a

      # @param io [#write, #<<]
      # @return [Integer] bytes
      def write_to(io) = buffer.write_to(io)

      # @!method full_pack
      #   @return [String, nil] what was written, which goes; nil where an io has it
    end
  end
end
