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

      # @return [Buffer]
      attr_reader :buffer

      # @param io [IO, nil] to read from
      # @param options [Hash] `symbolize_keys:`, `freeze:`, `allow_unknown_ext:`, `strict_utf8:`; and those of {Buffer}
      def initialize(io = nil, options = nil)
        if io.is_a?(Hash) && options.nil?
          options = io
          io = nil
        end
        setup(Buffer.new(io, options), FLAGS.sum { |name, bit| options && options[name] ? bit : 0 }, nil, DEPTH)
      end

      undef_method :dup, :clone

      # One for the payload of a recursive extension type.
      #
      # @api private
      def self.nested(payload, flags, readers, depth)
        allocate.tap { |unpacker| unpacker.send(:setup, Buffer.new << payload, flags, readers, depth) }
      end

      # @return [Boolean]
      def symbolize_keys? = @flags.anybits?(1)

      # @return [Boolean]
      def freeze? = @flags.anybits?(2)

      # @return [Boolean]
      def allow_unknown_ext? = @flags.anybits?(4)

      # Registers an extension type with this unpacker.
      #
      # @param type [Integer] -128 to 127
      # @param klass [Module, nil]
      # @param method_name [Symbol, nil] of the class, which makes a value of a payload
      # @yieldparam payload [String]
      # @yieldreturn [Object]
      # @return [nil]
      # @raise [ArgumentError] if neither a class with a method nor a block is given
      def register_type(type, klass = nil, method_name = nil, &block)
        block = klass.method(method_name).to_proc if klass && method_name
        raise ::ArgumentError, "register_type takes either 3 arguments or a block" unless block

        Extensions.check_number(type)

        @readers ||= Array.new(256)
        @readers[type + 128] = Factory::Reader.new(klass, block, false)
        nil
      end

      # @return [Array<Hash>] with `type:`, `class:` and `unpacker:`, in order of types
      def registered_types
        (@readers || []).each_with_index.filter_map do |entry, index|
          { type: index - 128, class: entry.klass, unpacker: entry.proc } if entry
        end
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

      # @param bytes [String]
      # @return [self]
      def feed(bytes)
        @buffer << bytes
        self
      end
      alias feed_reference feed

      # @return [Object] the next value
      # @raise [EOFError] if its end is not there yet: it may be read when more has come
      # @raise [UnpackError] as {MessagePack.unpack}
      def read
        ready
        bytes, offset = @buffer.place
        value, finish = Native.message_unpack_at(bytes, offset, @flags, @readers, @depth)
        advance(finish - offset)
        value
      rescue EOFError
        @tried = true
        raise
      end
      alias unpack read

      # @return [Object] the only value
      # @raise [MalformedFormatError] if bytes are left after it
      # @raise [EOFError] as {#read}
      def full_unpack
        value = read
        left = @buffer.size
        raise MalformedFormatError, "#{left} extra bytes after the deserialized object" if left.positive?

        reset
        value
      end

      # @yieldparam value [Object] each that is complete
      # @return [Enumerator, nil]
      def each
        return enum_for(:each) unless block_given?

        done = Object.new
        until (value = read_or(done)).equal?(done)
          yield value
        end
      end

      # @param bytes [String]
      # @yieldparam value [Object] each that is complete
      # @return [Enumerator, nil]
      def feed_each(bytes, &block)
        return enum_for(:feed_each, bytes) unless block

        feed(bytes).each(&block)
      end

      # Skips a value.
      #
      # @return [nil]
      # @raise [EOFError] if its end is not there yet
      def skip
        @tried = true
        raise MalformedFormatError, "no value begins like this" unless ready

        advance(@scanned)
        nil
      end

      # @return [Boolean] whether a nil came next, which is skipped then
      # @raise [EOFError] if nothing is there
      def skip_nil
        kind, _, size = head
        advance(size) if kind == :nil
        kind == :nil
      end

      # @return [Integer] how many elements an Array has, which come next
      # @raise [UnexpectedTypeError] if none comes
      # @raise [EOFError] if nothing is there
      def read_array_header = header(:array)

      # @return [Integer] how many pairs a Hash has, which come next
      # @raise [UnexpectedTypeError] if none comes
      # @raise [EOFError] if nothing is there
      def read_map_header = header(:map)

      # @return [nil]
      def reset
        forget
        @buffer.clear
      end

      private

      def setup(buffer, flags, readers, depth)
        @buffer = buffer
        @flags = flags
        @readers = readers
        @depth = depth
        forget
      end

      # @param readers [Hash{Integer => Object}] by type
      def use(readers)
        @readers = readers.empty? ? nil : Array.new(256) { |index| readers[index - 128] if readers[index - 128]&.proc }
      end

      # What the caller's block raises is no end of the bytes.
      def read_or(other)
        read
      rescue EOFError
        other
      end

      # A value is read at once if that is possible. If it was not, or if Ruby code of extension types would run twice, its
      # end is looked for first.
      def ready
        return search if @tried || @readers
        raise EOFError, "end of buffer reached" unless @buffer.ready?(1)

        @tried = true if @buffer.io
        search if @tried
      end

      # Where the value ends that comes next: answers whether it may be one. Where it is none, reading it tells why.
      def search
        @scan ||= Native::MessageScan.new
        loop do
          bytes, offset = @buffer.place
          result, at = @scan.feed(bytes, offset + @scanned)
          @scanned = at - offset
          return result unless result.nil?
          raise EOFError, "end of buffer reached" unless @buffer.ready?(@buffer.size + 1)
        end
      end

      def advance(size)
        @buffer.advance(size)
        forget
      end

      def forget
        @scan = nil
        @scanned = 0
        @tried = false
      end

      def head
        @buffer.ready?(9) || @buffer.ready?(1)
        bytes, offset = @buffer.place
        kind, number, at = Native.message_head(bytes, offset)
        kind ? [kind, number, at - offset] : raise(EOFError, "end of buffer reached")
      end

      def header(expected)
        kind, number, size = head
        raise UnexpectedTypeError, "unexpected type: #{kind}, not #{expected}" unless kind == expected

        advance(size)
        number
      end
    end
  end
end
