# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Bytes, with an io behind them or without: what a packer has written, or an unpacker not yet read.
    class Buffer
      # So many bytes that were read stay in front, before the rest is moved.
      SPENT = 4096
      private_constant :SPENT

      # @return [IO, nil]
      attr_reader :io

      # @param io [IO, nil] answers `readpartial` or `read`, `write` or `<<`
      # @param options [Hash] `io_buffer_size:` bytes that are read at a time, at least 1024
      def initialize(io = nil, options = nil)
        @io = io
        @io_buffer_size = [(options && options[:io_buffer_size]) || 32_768, 1024].max
        clear
      end

      # @return [nil]
      def clear
        @bytes = +"".b
        @offset = 0 # of what was not read yet
        nil
      end

      # @return [Integer] bytes that are there
      def size = @bytes.bytesize - @offset

      # @return [Boolean]
      def empty? = !ready?(1)

      # @param string [String]
      # @return [self]
      def <<(string)
        bytes = string.b
        if @offset == @bytes.bytesize
          @bytes = bytes # a copy that shares its memory with the other's until one of them changes
          @offset = 0
        else
          @bytes << bytes
        end
        self
      end

      # @param string [String]
      # @return [Integer] bytes that were written
      def write(string)
        self << string
        string.bytesize
      end

      # @param count [Integer, nil] bytes; all if nil
      # @param into [String, nil] to put them into
      # @return [String, nil] nil where none are left and some were asked for
      def read(count = nil, into = nil)
        ready?(count)
        bytes = take([count || size, size].min)
        into&.replace(bytes)
        return if bytes.empty? && count&.positive?

        into || bytes
      end

      # @param count [Integer, nil] bytes; all if nil
      # @param into [String, nil] to put them into
      # @return [String]
      # @raise [EOFError] if there are fewer
      def read_all(count = nil, into = nil)
        raise EOFError, "end of buffer reached" if count && !ready?(count)

        read(count, into)
      end

      # @param count [Integer] bytes
      # @return [Integer] how many were skipped
      def skip(count)
        ready?(count)
        count = [count, size].min
        advance(count)
        count
      end

      # @param count [Integer] bytes
      # @return [self]
      # @raise [EOFError] if there are fewer
      def skip_all(count)
        raise EOFError, "end of buffer reached" unless ready?(count)

        advance(count)
        self
      end

      # @return [String] all bytes, which stay
      def to_s = @bytes.byteslice(@offset..)
      alias to_str to_s

      # @return [Array<String>] all bytes, which stay
      def to_a = size.zero? ? [] : [to_s]

      # Writes all to the io.
      #
      # @return [self]
      def flush
        write_to(@io) if @io
        self
      end

      # @return [nil]
      def close = @io&.close

      # @param io [#write, #<<]
      # @return [Integer] bytes that were written
      def write_to(io)
        bytes = to_s
        clear
        unless bytes.empty?
          io.respond_to?(:write) ? io.write(bytes) : io << bytes
        end
        bytes.bytesize
      end

      # Reads from the io until so many bytes are there: all of it if nil.
      #
      # @return [Boolean] whether they are
      # @api private
      def ready?(count)
        while @io && (count.nil? || size < count)
          piece = read_piece or break
          self << piece
        end
        count.nil? || size >= count
      end

      # @return [Array(String, Integer)] where the bytes lie that were not read yet
      # @api private
      def place = [@bytes, @offset]

      # @api private
      def advance(count)
        @offset += count
        return if @offset < SPENT || @offset * 2 < @bytes.bytesize

        @bytes = @bytes.byteslice(@offset..) # which shares the memory
        @offset = 0
      end

      private

      def read_piece
        piece = @io.respond_to?(:readpartial) ? @io.readpartial(@io_buffer_size) : @io.read(@io_buffer_size)
        piece unless piece.nil? || piece.empty?
      rescue EOFError
        nil
      end

      def take(count)
        bytes = @bytes.byteslice(@offset, count)
        advance(count)
        bytes
      end
    end
  end
end
