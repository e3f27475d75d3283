# frozen_string_literal: true

module Sparpack
  module CLI
    # An input whose frames are taken off, for `sparpack convert` without a schema. Each frame must hold whole values.
    class Unframed
      # What is wrong with a frame.
      Fault = Class.new(Error)

      # Where a payload begins: without the frames, in the input, and its frame.
      Place = ::Struct.new(:at, :payload, :frame)
      private_constant :Place

      # The payloads as a source that knows their places in the input.
      class Source < Sparpack::Convert::Source
        # @param frames [Unframed]
        # @param name [String]
        # @yieldparam read [Integer] how many bytes have been read so far
        def initialize(frames, name, &)
          @frames = frames
          super
        end

        # @return [Integer] where a byte is in the input
        def offset(index = at) = @frames.offset(super)

        # @return [String] the file and, if each frame is a line, the line and the column
        def place(index) = @frames.lines? ? super : name

        # @return [Integer] where the frame of a byte begins in the input
        def frame(index = at) = @frames.frame(@dropped + index)

        private

        def drop
          super
          @frames.forget(@dropped)
        end
      end

      # @param io [IO]
      # @param frame [Symbol] as the option `frame:` names it
      # @param wire [Symbol]
      # @param name [String] of the input, for messages
      # @param limits [Limits, nil]
      def initialize(io, frame, wire, name, limits)
        @frame = Frame.find(frame, wire)
        @codec = Codec.new(Class.new(Struct), wire, limits:)
        @limit = Native.codec_payload_limit(@codec)
        @buffer = ReadBuffer.new(Input.new(io))
        @name = Quote.path(name)
        @between = wire == :json && frame != :lines ? "\n" : "" # between numbers
        @line = 0 if frame == :lines
        @places = []
        @size = 0
      end

      # @return [Boolean] whether each frame is a line. Nothing is taken off then, so that all lines keep their numbers
      def lines? = !@line.nil?

      # @return [String, nil] the next payload
      # @raise [Fault] if there is no whole frame
      def readpartial(_size)
        start = @buffer.position
        payload = next_payload or return
        at = @buffer.taken_at
        raise fault(at, "whole values in each frame", "one that ends too early", start) unless whole?(payload)

        payload << @between
        @places << Place.new(@size, at, start)
        @size += payload.bytesize
        payload
      rescue DecodeError => e
        hint = ": do these bytes have this frame? --message-limit allows more" if e.is_a?(DecodeError::LimitExceeded)
        raise fault(e.offset, e.expected, e.found, start, hint)
      end

      # @param at [Integer] a place in the payloads without their frames
      # @return [Integer] the same in the input
      def offset(at) = place(at).then { |place| place ? place.payload + at - place.at : at }

      # @param at [Integer] likewise
      # @return [Integer] where its frame begins in the input
      def frame(at) = place(at)&.frame || 0

      # Forgets the places of payloads that end earlier.
      #
      # @param at [Integer] likewise
      # @return [void]
      def forget(at) = @places.shift(index(at))

      private

      def next_payload
        return @frame.payload(@buffer, @codec, @limit) unless lines?

        @line += 1
        @frame.line(@buffer, @codec, @limit)
      end

      def place(at) = @places[index(at)]

      # The last payload that begins no later.
      def index(at) = ((@places.bsearch_index { |place| place.at > at } || @places.size) - 1).clamp(0..)

      def fault(offset, expected, found, start, hint = nil)
        place = lines? ? "#{@name}:#{@line}:1" : @name
        Fault.new("#{place}: expected #{expected}, found #{found} (byte #{offset}#{hint}), in the frame at byte #{start}")
      end

      # What is broken in another way is found when it is converted.
      def whole?(payload)
        at = 0
        while at < payload.bytesize
          search = Native.payload_end(@codec)
          found = Native.payload_end_find(search, payload.byteslice(at..))
          return Native.payload_end_blank?(search) || payload.match?(/\A[\s\d.eE+-]*\z/n) if found.nil?
          return true unless found

          at += found
        end
        true
      end
    end
  end
end
