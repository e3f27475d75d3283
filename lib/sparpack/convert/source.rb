# frozen_string_literal: true

module Sparpack
  module Convert
    # The input, piece by piece: its bytes that were not converted yet, and where they are.
    class Source
      # Bytes that are read at a time.
      PIECE = 1 << 18

      # @return [String] of the file, as messages have it
      attr_reader :name

      # @return [String] what was read; it changes when more is
      attr_reader :bytes

      # @return [Integer] the index of the first of these bytes that was not converted
      attr_accessor :at

      # @return [Boolean] whether nothing follows them
      attr_reader :ended

      # @param io [IO]
      # @param name [String]
      # @param piece [Integer] bytes
      # @yieldparam read [Integer] bytes so far
      def initialize(io, name, piece: PIECE, &progress)
        @input = Input.new(io, again: true)
        @name = name
        @piece = piece
        @progress = progress
        @bytes = +"".b
        @at = @dropped = @lines = @line_start = 0
        @ended = false
      end

      # @return [Integer] bytes that were not converted
      def left = @bytes.bytesize - @at

      # Reads on. Of something long the same again is read, so that it is not looked at for each piece.
      #
      # @return [Boolean] whether there was more
      # @raise [EOFError] if the io answers nothing but ""
      def more
        return false if @ended

        drop
        missing = left < @piece ? 1 : left
        before = left
        missing -= read([@piece, missing].max) while missing.positive? && !@ended
        @progress&.call(@dropped + @bytes.bytesize)
        left > before
      end

      # @param index [Integer] of {#bytes}
      # @return [Integer] bytes from the start
      def offset(index = @at) = @dropped + index

      # @param index [Integer] of {#bytes}
      # @return [String] file, line and column (in bytes)
      def place(index)
        before = @bytes.byteslice(0, index)
        last = before.rindex("\n")
        start = last ? @dropped + last + 1 : @line_start
        "#{@name}:#{@lines + before.count("\n") + 1}:#{offset(index) - start + 1}"
      end

      private

      # What was converted goes at once, for there would soon be much that waits to be collected. (A slice would share its
      # memory and keep it.)
      def drop
        return if @at.zero?

        rest = @bytes.unpack1("a*", offset: @at)
        last = @bytes.rindex("\n", @at - 1)
        @lines += @bytes.count("\n") - rest.count("\n")
        @line_start = @dropped + last + 1 if last
        @dropped += @at
        @bytes.clear
        @bytes = rest
        @at = 0
      end

      # @return [Integer] bytes that came
      def read(count)
        piece = @input.read(count)
        @ended = piece.nil?
        @bytes << piece if piece
        piece ? piece.bytesize : 0
      end
    end
  end
end
