# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # An input whose first bytes may be read ahead.
      class Reading
        # How many bytes are read at a time.
        PIECE = 1 << 16
        private_constant :PIECE

        # @param io [IO]
        # @yieldparam read [Integer] how many bytes have been read so far
        def initialize(io, &progress)
          @io = io
          @progress = progress
          @read = 0
          @lines = Lines.new
        end

        # @param patient [Boolean] whether to wait for as many as a guess needs; otherwise these are what is there
        # @return [String] the first bytes
        def first(patient: true)
          @first ||= patient ? @io.read(PIECE).to_s : @io.readpartial(PIECE)
          @beginning ||= @first
        rescue EOFError
          @beginning = @first = ""
        end

        # @return [String] the first bytes, if they were read ahead
        attr_reader :beginning

        # @return [Lines, nil] of what was read
        attr_reader :lines

        # Counts no lines, because the input is not text.
        #
        # @return [void]
        def forget_lines = @lines = nil

        # @return [Boolean] whether the first bytes are all
        def whole? = first.bytesize < PIECE

        # @yield before reading, which may take long
        # @return [void]
        def before(&block) = @before = block

        # @param size [Integer] how many bytes are wanted
        # @return [String, nil] the next piece
        def read(size)
          @before&.call
          piece = @first || @io.readpartial([size, PIECE].max)
          @first = nil
          @beginning ||= piece
          @progress&.call(@read += piece.bytesize)
          @lines&.add(piece)
          piece
        rescue EOFError
          nil
        end
      end
    end
  end
end
