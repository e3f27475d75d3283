# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # Tells the line and the column of a byte in a stream of text, of which only the end is kept.
      class Lines
        # The most bytes that are kept, so that one long struct does not need its memory twice.
        MOST = 1 << 24
        private_constant :MOST

        def initialize
          @pieces = []
          @at = @size = @lines = @line_start = 0
        end

        # @param piece [String] the next bytes of the stream
        # @return [void]
        def add(piece)
          @pieces << piece
          @size += piece.bytesize
          pass while @size > MOST
        end

        # Forgets all but the last piece, because the structs before are converted.
        #
        # @return [void]
        def converted
          pass while @pieces.size > 1
        end

        # @param offset [Integer] a place in the stream
        # @return [Array(Integer, Integer), nil] the line, and the column in bytes; nil if the place is forgotten
        def place(offset)
          return if offset < @at

          before = @pieces.join.byteslice(0, offset - @at)
          last = before.rindex("\n")
          [@lines + before.count("\n") + 1, offset - (last ? @at + last + 1 : @line_start) + 1]
        end

        private

        def pass
          piece = @pieces.shift
          last = piece.rindex("\n")
          @line_start = @at + last + 1 if last
          @lines += piece.count("\n")
          @at += piece.bytesize
          @size -= piece.bytesize
        end
      end
    end
  end
end
