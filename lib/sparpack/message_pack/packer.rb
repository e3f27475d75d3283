# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Writes values one after the other, into memory or to an io.
    #
    # @example
    #   packer = Sparpack::MessagePack::Packer.new
    #   packer.write_map_header(1).write("a").write([1, 2]).to_s
    class Packer
      Native.packer_init

      # @param io [IO, nil] where {#flush} writes to
      # @param options [Hash] `compatibility_mode:` writes the older format, without str8 and bin; and those of {Buffer}
      def initialize(io = nil, options = nil)
        if io.is_a?(Hash) && options.nil?
          options = io
          io = nil
        end
        setup(Buffer.new(io, options), nil, options && options[:compatibility_mode])
      end

      undef_method :dup, :clone

      # @!method write(value)
      #   @param value [Object] of MessagePack's own classes, of a registered one, or one that has `to_msgpack`
      #   @return [self]
      alias pack write

      # Registers an extension type with this packer.
      #
      # @param type [Integer] -128 to 127
      # @param klass [Module]
      # @param method_name [Symbol, nil] answers the payload of a value
      # @yieldparam value [Object]
      # @yieldreturn [String] its payload
      # @return [nil]
      # @raise [ArgumentError] if klass is none
      def register_type(type, klass, method_name = nil, &block)
        raise ::ArgumentError, "expected Module/Class got: #{klass.inspect}" unless klass.is_a?(Module)

        own = types || Types.new
        own.register(klass, type, block || method_name.to_proc, false, true)
        use(own)
        nil
      end

      # @return [Array<Hash>] with `type:`, `class:` and `packer:`, in order of types
      def registered_types
        entries = types ? types.entries : {}
        found = entries.map { |klass, entry| { type: entry.type, class: klass, packer: entry.proc } }
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

      # @return [self]
      def write_nil = write(nil)

      # @return [self]
      def write_true = write(true)

      # @return [self]
      def write_false = write(false)

      # @param number [Numeric]
      # @return [self]
      def write_float(number)
        raise ArgumentError, "Expected numeric" unless number.is_a?(Numeric)

        write(Float(number))
      end

      # @param number [Numeric]
      # @return [self]
      def write_float32(number)
        raise ArgumentError, "Expected numeric" unless number.is_a?(Numeric)

        write_single(number)
      end

      # @param string [String]
      # @return [self]
      def write_string(string) = write(expect(string, String))

      # @param string [String]
      # @return [self]
      def write_bin(string)
        expect(string, String)
        write_bin_header(string.bytesize).send(:write_bytes, string)
      end

      # @param array [Array]
      # @return [self]
      def write_array(array) = write(expect(array, Array))

      # @param hash [Hash]
      # @return [self]
      def write_hash(hash) = write(expect(hash, Hash))

      # @param symbol [Symbol]
      # @return [self]
      def write_symbol(symbol) = write(expect(symbol, Symbol))

      # @param integer [Integer]
      # @return [self]
      def write_int(integer) = write(expect(integer, Integer))

      # @param value [ExtensionValue]
      # @return [self]
      def write_extension(value)
        expect(value, ExtensionValue)
        write_ext(value.type, value.payload)
      end

      # @param type [Integer] -128 to 127
      # @param payload [String]
      # @return [self]
      def write_ext(type, payload)
        Extensions.check_number(type)

        expect(payload, String)
        write_ext_header(type, payload.bytesize)
        write_bytes(payload)
      end

      # @return [self]
      def flush
        buffer.flush
        self
      end

      # @return [nil]
      def reset = buffer.clear
      alias clear reset

      # @return [Integer] bytes
      def size = buffer.size

      # @return [Boolean]
      def empty? = size == 0 # rubocop:disable Style/NumericPredicate -- not that of the buffer, which may read

      # @return [String]
      def to_s = buffer.to_s
      alias to_str to_s

      # @return [Array<String>]
      def to_a = buffer.to_a

      # @param io [#write, #<<]
      # @return [Integer] bytes
      def write_to(io) = buffer.write_to(io)

      # @return [String, nil] what was written, which goes; nil where an io has it
      def full_pack
        if buffer.io
          flush
          return nil
        end
        to_s.tap { buffer.clear }
      end

      private

      def use(types) = setup(buffer, types.entries.empty? ? nil : types, compatibility_mode?)

      def expect(value, klass)
        return value if value.is_a?(klass)

        raise ::TypeError, "wrong argument type #{value.class} (expected #{klass})"
      end
    end
  end
end
