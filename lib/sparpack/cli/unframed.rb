# frozen_string_literal: true

module Sparpack
  module CLI
    # An input whose frames are taken off, for `sparpack convert` without a schema. Each frame must hold whole values.
    class Unframed
      # What is wrong with a frame.
      Fault = Class.new(Error)

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
        @name = name
        @line = "\n" if wire == :json # between numbers
      end

      # @return [String, nil] the next payload
      # @raise [Fault] if there is no whole frame
      def readpartial(_size)
        payload = @frame.payload(@buffer, @codec, @limit) or return
        raise fault(@buffer.taken_at, "whole values in each frame", "one that ends too early") unless whole?(payload)

        "#{payload}#{@line}"
      rescue DecodeError => e
        hint = ": do these bytes have this frame? --message-limit allows more" if e.is_a?(DecodeError::LimitExceeded)
        raise fault(e.offset, e.expected, e.found, hint)
      end

      private

      def fault(offset, expected, found, hint = nil)
        Fault.new("#{Quote.path(@name)}: expected #{expected}, found #{found} (byte #{offset}#{hint})")
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
