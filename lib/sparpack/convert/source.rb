# frozen_string_literal: true

module Sparpack
  module Convert
    # Reads the input in pieces. It holds the bytes that are not converted yet and knows their place.
    class Source
      # How many bytes are read at a time.
      PIECE = 1 << 18

      # How many of the first bytes are kept for a guess.
      FIRST = 1 << 12
      private_constant :FIRST

      # @return [String] the file's name for messages
      attr_reader :name

      # @return [String] the bytes in memory; {#more} changes them
      attr_reader :bytes

      # @return [Integer] the index in {#bytes} of the first byte that is not converted yet
      attr_accessor :at

      # @return [Boolean] whether the input has ended
      attr_reader :ended

      # @param io [IO]
      # @param name [String]
      # @param piece [Integer] how many bytes to read at a time
      # @yieldparam read [Integer] how many bytes have been read so far
      def initialize(io, name, piece: PIECE, &progress)
        @input = Input.new(io, again: true)
        @name = Quote.path(name)
        @piece = piece
        @progress = progress
        @bytes = +"".b
        @first = "".b
        @at = @dropped = @lines = @line_start = 0
        @ended = false
      end

      # @return [Integer] how many bytes are not converted yet
      def left = @bytes.bytesize - @at

      # Reads more. While a value is incomplete, each call doubles its bytes, so that a long value is not scanned again for
      # every piece.
      #
      # @return [Boolean] whether there were more bytes
      # @raise [EOFError] if the io returns nothing but ""
      def more
        return false if @ended

        drop
        missing = left < @piece ? 1 : left
        before = left
        missing -= read([@piece, missing].max) while missing.positive? && !@ended
        @progress&.call(@dropped + @bytes.bytesize)
        left > before
      end

      # @return [Guess] what the input looks like
      def guess = Guess.beginning(@first, whole: @first.bytesize < FIRST)

      # @param index [Integer] an index in {#bytes}
      # @return [Integer] its offset in the input, in bytes
      def offset(index = @at) = @dropped + index

      # @param index [Integer] an index in {#bytes}
      # @return [String] file, line and column (in bytes)
      def place(index)
        before = @bytes.byteslice(0, index)
        last = before.rindex("\n")
        start = last ? @dropped + last + 1 : @line_start
        "#{@name}:#{@lines + before.count("\n") + 1}:#{offset(index) - start + 1}"
      end

      # @param _index [Integer] an index in {#bytes}
      # @return [Integer, nil] where its frame begins in the input, if there are frames
      def frame(_index = @at) = nil

      private

      # Frees converted bytes at once, because garbage would pile up quickly. (A slice would share the memory and keep it.)
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
        @first << piece.byteslice(0, FIRST - @first.bytesize) if piece && @first.bytesize < FIRST
        piece ? piece.bytesize : 0
      end
    end
  end
end
