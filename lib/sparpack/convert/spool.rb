# frozen_string_literal: true

module Sparpack
  module Convert
    # Passes MessagePack on to the target. A container's header holds its count in one, three or five bytes. If the count is
    # not known yet, five bytes are left free, and everything from there on waits until it is: in memory, or where the
    # target spills it.
    #
    # This way headers are always as short as possible, and the input is read only once and may be a pipe.
    class Spool
      # The most bytes that wait in memory.
      ROOM = 1 << 20

      # The bytes that are left free for a header.
      HOLE = 5

      # How many bits of a mark hold the count.
      COUNT = 32
      private_constant :COUNT

      # @param target [#write, #spill, #backpatch]
      # @param room [Integer] bytes
      def initialize(target, room: ROOM)
        @target = target
        @packer = MessagePack::Packer.new
        @room = room
        @written = 0 # bytes that came, up to the last that waits
        start
      end

      # @param bytes [String]
      # @param marks [Array<Integer, Boolean>, nil] each container's place, whether it is a map, and its count
      # @param settled [Boolean] whether all holes are filled
      # @return [void]
      def write(bytes, marks, settled)
        @written += bytes.bytesize
        marks&.each_slice(3) { |place, map, count| @marks << mark(place, map, count) }
        return backpatch(bytes) if settled

        @pending << bytes
        spill if @pending.bytesize > @room
      end

      private

      def start
        @pending = +"".b
        @marks = []
        @spilled = false
        @base = @written
      end

      # A mark is one Integer, because there may be many of them.
      def mark(place, map, count) = ((((place - @base) << 1) | (map ? 1 : 0)) << COUNT) | count

      def spill
        @target.spill(@pending)
        @spilled = true
        @pending.clear
      end

      def backpatch(bytes)
        return pass(bytes) if @pending.empty? && !@spilled

        @pending << bytes
        if @spilled
          spill
          @target.backpatch(@written - @base, headers)
        else
          splice
        end
        start
      end

      def pass(bytes)
        @target.write(bytes)
        @base = @written
      end

      # Yields each header with its place, in order.
      def headers
        return enum_for(:headers) unless block_given?

        @marks.sort!
        @marks.each do |mark|
          place = mark >> COUNT
          yield place >> 1, header(place.odd?, mark & ((1 << COUNT) - 1))
        end
      end

      # Returns the shortest header.
      def header(map, count)
        (map ? @packer.write_map_header(count) : @packer.write_array_header(count)).full_pack
      end

      def splice
        at = 0
        headers do |place, header|
          @target.write(@pending.byteslice(at, place - at))
          @target.write(header)
          at = place + HOLE
        end
        rest = @pending.unpack1("a*", offset: at)
        @target.write(rest)
        rest.clear
        @pending.clear
      end
    end
  end
end
