# frozen_string_literal: true

require "securerandom"
require "tempfile"

module Sparpack
  module Convert
    # Writes to an output that can only be appended to.
    class StreamTarget
      # @param io [IO]
      def initialize(io)
        @io = io
        @io.sync = true # otherwise Ruby would retry a failed write later
      end

      # @param bytes [String]
      # @return [void]
      def write(bytes) = Native.write_own(@io, bytes)

      # Keeps bytes in a temporary file until {#settle}.
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
      def settle(size, headers)
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
      def settle(size, headers)
        from = to = @base
        @end = @base + size
        tell(from)
        headers.each do |place, header|
          to = move(from, to, @base + place - from)
          from = @base + place + Spool::HOLE
          @io.seek(to)
          @io.write(header)
          to += header.bytesize
        end
        to = move(from, to, @end - from)
        tell(@end)
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

      def tell(from) = @progress&.call(from - @base, @end - @base)

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
          tell(from)
        end
        to
      end
    end
  end
end
