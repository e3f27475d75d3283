# frozen_string_literal: true

require "tempfile"

module Sparpack
  module Convert
    # Writes to an output, such as a pipe, in which nothing can be changed afterwards.
    class StreamTarget
      # @param io [IO]
      def initialize(io)
        @io = io
        @io.sync = true # otherwise Ruby would retry a failed write later
      end

      # @param bytes [String]
      # @return [void]
      def write(bytes) = Native.write_own(@io, bytes)

      # Keeps bytes in a temporary file until {#backpatch}.
      #
      # @param bytes [String]
      # @return [void]
      def spill(bytes)
        @store ||= Tempfile.new("sparpack", binmode: true)
        Native.write_own(@store.to_io, bytes)
      end

      # Writes the spilled bytes.
      #
      # @param size [Integer] how many bytes were spilled
      # @param headers [Enumerator<Array(Integer, String)>] the place of each hole and its header
      # @return [void]
      def backpatch(size, headers)
        @store.rewind
        at = 0
        headers.each do |place, header|
          copy(place - at)
          @io.write(header)
          @store.seek(Spool::HOLE, IO::SEEK_CUR)
          at = place + Spool::HOLE
        end
        copy(size - at)
        @store.truncate(0)
        @store.rewind
      end

      # @return [void]
      def commit = close

      # @return [void]
      def abort = close

      private

      def close
        @store&.close!
        @store = nil
      end

      def copy(count) = IO.copy_stream(@store.to_io, @io, count)
    end
  end
end
