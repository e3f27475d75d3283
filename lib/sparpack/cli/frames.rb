# frozen_string_literal: true

module Sparpack
  module CLI
    # Finds the payloads in frames, if nobody knows of which struct they are.
    #
    # @api private
    class Frames
      # What one of each is called, and what several are.
      WORDS = { varint: ["frame with its size as a varint", "frames with their size as a varint"],
                framed: ["frame with its size in 4 bytes", "frames with their size in 4 bytes"],
                lines: %w[line lines] }.freeze

      # Frames ask for a codec. Only its errors name the class.
      LIMITS = Limits.new(depth: Limits::DEPTH_MAX)
      CODECS = WIRES.to_h { |wire| [wire, Codec.new(Class.new(Struct), wire, limits: LIMITS)] }.freeze
      private_constant :WORDS, :LIMITS, :CODECS

      # The input has other bytes than frames.
      None = Class.new(Error)

      # @param why [String] what is wrong with the first frame
      # @param guess [Sparpack::Guess] of all bytes
      # @return [String] that there are no such frames, and what there is
      def self.missing(why, guess)
        there = Hints.told(guess, "FILE").sub(/\Athese bytes/, ", but they") if guess.wire
        "these bytes have no such frames#{why}#{there}"
      end

      # @param wire [Symbol]
      # @return [Codec] of a struct without fields
      def self.codec(wire) = CODECS.fetch(wire)

      # @param bytes [String]
      # @param frame [Symbol] as the option `frame:` names it
      # @param whole [Boolean] whether these are all bytes
      def initialize(bytes, frame, whole: true)
        @bytes = bytes.b
        @frame = frame
        @whole = whole
      end

      # @yieldparam start [Integer] where a payload begins
      # @yieldparam stop [Integer] where it ends
      # @return [void]
      # @raise [DecodeError] if there is no whole frame
      def each
        frame = Frame.find(@frame, :json)
        @buffer = ReadBuffer.new(nil, @bytes)
        while (payload = frame.payload(@buffer, Frames.codec(:json), nil))
          yield @buffer.taken_at, @buffer.taken_at + payload.bytesize
        end
      end

      # @return [String] the payload of the first frame, or its beginning if the bytes end in it
      # @raise [DecodeError] if there is none
      def first
        @count = 0
        @first = nil
        each { |start, stop| (@count += 1) == 1 && @first = @bytes.byteslice(start...stop) }
        @first || raise(DecodeError.new("", expected: "a frame", found: "the end of the input", offset: 0))
      rescue DecodeError::Truncated
        raise if @whole && @count.zero?

        @cut = true
        @first || @bytes.byteslice(@buffer.position..)
      end

      # @return [Boolean] whether the bytes end in a frame, after {first}
      def cut? = @cut || false

      # @return [Boolean] whether {first} was the whole payload
      def whole? = @count.positive?

      # @return [String] how many there are
      def to_s
        one, several = WORDS.fetch(@frame)
        return "in a #{one}" unless whole?

        "in #{"at least " if @cut && !@whole}#{@count} #{@count == 1 ? one : several}" \
          "#{", and the beginning of another" if @cut && @whole}"
      end
    end
  end
end
