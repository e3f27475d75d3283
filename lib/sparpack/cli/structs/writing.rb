# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # An output that is written to in large pieces, or whenever the command waits for more input.
      class Writing
        # How many bytes are written at a time.
        PIECE = 1 << 16
        private_constant :PIECE

        # Writes everything when the block ends, also with an exception.
        #
        # @param target [#write]
        # @param reading [Reading]
        # @yieldparam writing [Writing]
        # @return [void]
        def self.open(target, reading)
          writing = new(target, reading.lines)
          reading.before { writing.flush }
          yield writing
        ensure
          writing&.flush
        end

        # @param target [#write]
        # @param lines [Lines, nil] of the input
        def initialize(target, lines)
          @target = target
          @lines = lines
          @bytes = "".b
        end

        # @return [Integer] how many bytes were taken
        def write(bytes)
          @lines&.converted
          @bytes << bytes.b
          flush if @bytes.bytesize >= PIECE
          bytes.bytesize
        end

        # Writes what waits, and frees its memory at once: left to the garbage collector, it would pile up.
        #
        # @return [void]
        def flush
          return if @bytes.empty?

          @target.write(@bytes)
          @bytes.clear
        end
      end
    end
  end
end
