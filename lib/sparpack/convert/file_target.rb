# frozen_string_literal: true

require "securerandom"

module Sparpack
  module Convert
    # Writes a file under a temporary name until it is complete.
    class FileTarget
      # How many bytes are moved at a time.
      PIECE = 1 << 20
      private_constant :PIECE

      # @param path [String]
      # @param piece [Integer] how many bytes are moved at a time
      # @yieldparam moved [Integer] how many of the spilled bytes have been moved
      # @yieldparam size [Integer] how many spilled bytes there are
      def initialize(path, piece: PIECE, &progress)
        @path = File.realdirpath(path)
        @mode = File.stat(@path).mode & 0o7777 if File.exist?(@path)
        @temporary = File.join(File.dirname(@path), ".sparpack-#{SecureRandom.hex(8)}")
        @piece = piece
        @progress = progress
        @io = File.open(@temporary, File::RDWR | File::CREAT | File::EXCL, binmode: true)
      end

      # @param bytes [String]
      # @return [void]
      def write(bytes) = Native.write_own(@io, bytes)

      # @param bytes [String]
      # @return [void]
      def spill(bytes)
        @base ||= @io.pos
        Native.write_own(@io, bytes)
      end

      # Fills the holes in the spilled bytes with headers, and moves up the bytes after a hole that was too large.
      #
      # @param size [Integer] how many bytes were spilled
      # @param headers [Enumerator<Array(Integer, String)>]
      # @return [void]
      def backpatch(size, headers)
        from = to = @base
        @end = @base + size
        report_progress(from)
        headers.each do |place, header|
          to = move(from, to, @base + place - from)
          from = @base + place + Spool::HOLE
          @io.seek(to)
          @io.write(header)
          to += header.bytesize
        end
        to = move(from, to, @end - from)
        report_progress(@end)
        @io.flush
        @io.truncate(to)
        @io.seek(to)
        @base = nil
      end

      # @return [void]
      def commit
        @io.chmod(@mode) if @mode
        @io.close
        File.rename(@temporary, @path)
        @temporary = nil
      end

      # Deletes the temporary file unless it was committed.
      #
      # @return [void]
      def abort
        @io.close
      rescue SystemCallError # a full disk raises here once more
        nil
      ensure
        File.unlink(@temporary) if @temporary && File.exist?(@temporary)
      end

      private

      def report_progress(from) = @progress&.call(from - @base, @end - @base)

      # @return [Integer] the end of the moved bytes
      def move(from, to, count)
        return to + count if from == to

        while count.positive?
          @io.seek(from)
          bytes = @io.read([count, @piece].min, @buffer ||= +"".b)
          @io.seek(to)
          Native.write_own(@io, bytes)
          from += bytes.bytesize
          to += bytes.bytesize
          count -= bytes.bytesize
          report_progress(from)
        end
        to
      end
    end
  end
end
