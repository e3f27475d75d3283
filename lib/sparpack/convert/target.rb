# frozen_string_literal: true

require "securerandom"
require "tempfile"

module Sparpack
  module Convert
    # An output that can only be appended to.
    class StreamTarget
      # @param io [IO]
      def initialize(io)
        @io = io
        @io.sync = true # else what could not be written is tried again later
      end

      # @param bytes [String]
      # @return [void]
      def write(bytes) = Native.write(@io, bytes)

      # Keeps bytes elsewhere, until {#settle}.
      #
      # @param bytes [String]
      # @return [void]
      def spill(bytes)
        @store ||= Tempfile.new("sparpack", binmode: true)
        Native.write(@store.to_io, bytes)
      end

      # Writes what was spilled.
      #
      # @param size [Integer] bytes of it
      # @param headers [Enumerator<Array(Integer, String)>] what belongs into which hole
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

    # A file, which is under another name until it is complete.
    class FileTarget
      # Bytes that are moved at a time.
      PIECE = 1 << 20
      private_constant :PIECE

      # @param path [String]
      # @param piece [Integer] bytes that are moved at a time
      # @yieldparam moved [Integer] bytes of what was spilled
      # @yieldparam size [Integer] all of it
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
      def write(bytes) = Native.write(@io, bytes)

      # @param bytes [String]
      # @return [void]
      def spill(bytes)
        @base ||= @io.pos
        Native.write(@io, bytes)
      end

      # Puts headers into the holes of what was spilled; what follows a hole that was too large moves up.
      #
      # @param size [Integer] bytes of it
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

      # Unless it was committed, nothing stays.
      #
      # @return [void]
      def abort
        @io.close
      rescue SystemCallError # a full disk is told of once more
        nil
      ensure
        File.unlink(@temporary) if @temporary && File.exist?(@temporary)
      end

      private

      def tell(from) = @progress&.call(from - @base, @end - @base)

      # @return [Integer] where it ends then
      def move(from, to, count)
        return to + count if from == to

        while count.positive?
          @io.seek(from)
          bytes = @io.read([count, @piece].min, @buffer ||= +"".b)
          @io.seek(to)
          Native.write(@io, bytes)
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
