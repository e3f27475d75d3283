# frozen_string_literal: true

module Sparpack
  # Bytes of an io, or of a String, that are looked at before they are taken. It reads ahead.
  #
  # @api private
  class ReadBuffer
    # The number of bytes to read from an io at a time.
    CHUNK = Input::CHUNK
    BLANK_LINES = /\G[ \t\r\n]*\n/n
    private_constant :BLANK_LINES

    # @return [Integer] where the part that was taken last began, in bytes from the start of the input
    attr_reader :taken_at

    # @param input [Input, nil] where more bytes come from
    # @param bytes [String] what is there already
    def initialize(input, bytes = "".b)
      @input = input
      @bytes = bytes
      @base = @offset = @taken_at = 0
    end

    # @return [Integer] the place of the next byte, in bytes from the start of the input
    def position = @base + @offset

    # @return [Integer] the place behind the last byte that is there
    def end_position = @base + @bytes.bytesize

    # @return [Integer] how many bytes are there
    def size = @bytes.bytesize - @offset

    # @param index [Integer]
    # @return [Integer] one of the bytes that are there
    def getbyte(index) = @bytes.getbyte(@offset + index)

    # Reads until a number of bytes are there. Memory grows only as they come.
    #
    # @param count [Integer]
    # @return [Boolean] false if the input ends before
    def fill(count)
      while size < count
        return false unless more(count - size)
      end
      true
    end

    # Reads once, if fewer bytes are there. So the caller can look at the first of them before the others come.
    #
    # @param count [Integer] how many bytes are wanted
    # @return [Boolean] false at the end of the input
    def approach(count) = size >= count || more(count - size)

    # @yieldparam bytes [String] what is there
    # @yieldparam offset [Integer] where the next byte is in it
    # @yieldparam base [Integer] how many bytes of the input came before
    # @return [Object] the block's result
    def look = yield(@bytes, @offset, @base)

    # Passes over bytes that are there.
    #
    # @param position [Integer] the place of the byte behind them, in bytes from the start of the input
    # @return [void]
    def pass(position) = @offset = position - @base

    # @param count [Integer] at most {size}
    # @return [String] the next bytes
    def take(count)
      bytes = @bytes.byteslice(@offset, count)
      @taken_at = position
      @offset += count
      bytes
    end

    # Takes bytes up to the end of a line, or to the end of the input.
    #
    # @yieldparam size [Integer] how many bytes the line has so far, whenever more are read
    # @return [String, nil] the line with its end; nil at the end of the input
    def line
      from = 0
      loop do
        found = @bytes.index("\n", @offset + from) if size > from
        return take(found + 1 - @offset) if found

        from = size
        yield from
        return (take(from) if from.positive?) unless fill_line(from)
      end
    end

    # Takes the blank lines that come next and are there.
    #
    # @return [void]
    def skip_blank_lines
      return unless size.positive? && getbyte(0) <= 0x20

      lines = @bytes.match(BLANK_LINES, @offset)
      @offset = lines.end(0) if lines
    end

    private

    # Reads on in a line, of which so many bytes are there.
    def fill_line(from) = fill(from + 1)

    def more(_missing)
      return false unless @input

      drop if @offset.positive?
      piece = @input.read(@input.chunk)
      @bytes << piece if piece
      !piece.nil?
    end

    # Forgets the bytes that were taken.
    def drop
      @base += @offset
      size.zero? ? @bytes.clear : @bytes = @bytes.byteslice(@offset, size)
      @offset = 0
    end
  end
end
