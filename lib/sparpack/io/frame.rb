# frozen_string_literal: true

module Sparpack
  # The option `frame:`: what an io has beside each payload, so that a reader knows its end before it reads it.
  # A frame puts bytes around a payload, and it finds a payload in a {ReadBuffer}. Each is a row of a list below.
  #
  # @api private
  class Frame
    # What native code calls them (ext/sparpack/wire/frames.hpp).
    CODES = { nil => 0, varint: 1, framed: 2, lines: 3 }.freeze

    # @return [Array<Symbol>] the values of the option
    def self.names = WIRES_OF.keys

    class << self
      # @param name [Object] the value of the option `frame:`
      # @param wire [Symbol]
      # @param option [String] what the option is called
      # @return [Frame, nil] nil for nil
      # @raise [ArgumentError] as {check}
      def find(name, wire, option = "frame")
        return if name.nil?

        check(name, wire, option)
        ROWS[name]
      end

      # @param name [Object] the value of the option `frame:`
      # @param wire [Symbol]
      # @param option [String] what the option is called
      # @return [void]
      # @raise [ArgumentError] if there is no such frame, or not on this wire
      def check(name, wire, option = "frame")
        return if name.nil?

        wires = WIRES_OF.fetch(name) do
          known = WIRES_OF.keys
          raise ArgumentError, "#{option}: expected one of #{known.map { |each| Quote.value(each) }.join(", ")}, " \
                               "got #{Quote.value(name)}#{Advice.choice(name, known)}"
        end
        return if wires.nil? || wires.include?(wire)

        others = WIRES_OF.filter_map { |other, only| Quote.value(other) if only.nil? }
        wires = wires.map { |each| Quote.value(each) }
        raise ArgumentError, "#{option}: #{Quote.value(name)} is for the wire #{wires.join(", ")}, not for " \
                             "#{Quote.value(wire)} (use #{others.join(" or ")})"
      end

      # @param handler [#call] the option `on_error:`
      # @param frame [Frame, nil]
      # @return [void]
      # @raise [ArgumentError] if the handler cannot be called, or if there is no frame
      def check_handler(handler, frame)
        unless handler.respond_to?(:call)
          raise ArgumentError, "on_error: expected a Proc or another object with call, got #{Quote.value(handler)}"
        end
        return if frame

        raise ArgumentError, "on_error: it needs a frame, because only that tells where the next payload begins " \
                             "(pass frame: #{WIRES_OF.keys.map { |each| Quote.value(each) }.join(" or ")})"
      end

      # Makes an error of a decode say in which frame the fault is.
      #
      # @param error [DecodeError]
      # @param start [Integer] where the frame begins
      # @return [DecodeError]
      def inside(error, start)
        message, expected, found = [error.message, error.expected, error.found].map do |text|
          text&.sub("the end of the input", "the end of the frame")
        end
        error.class.new("#{message}, in the frame at byte #{start}", path: error.path, expected:, found:,
                                                                     offset: error.offset, message_offset: start,
                                                                     line: error.line, column: error.column)
      end
    end

    # @param payload [String]
    # @param codec [Codec] the codec that wrote it
    # @return [String] a new String: the payload in its frame
    # @raise [EncodeError::LimitExceeded] if the frame cannot hold so many bytes
    def wrap(payload, codec) = [head(payload.bytesize, codec), payload].pack("a*a*")

    # Reads the next payload.
    #
    # @param buffer [ReadBuffer]
    # @param codec [Codec]
    # @param limit [Integer, nil] the most bytes that a payload may have
    # @return [String, nil] nil at the end; the String may be empty
    # @raise [DecodeError] if there is no whole frame
    def payload(buffer, codec, limit)
      start = buffer.position
      size = length(buffer, codec, start)
      return if size.nil?

      refuse_long(codec, size, limit, start) if limit && size > limit
      return buffer.take(size) if buffer.fill(size)

      refuse(DecodeError::Truncated, codec, start, offset: buffer.end_position, expected: "a payload of #{size} bytes",
                                                   found: "the end of the input after #{buffer.size}")
    end

    # @param start [Integer] where the payload was looked for
    # @param _buffer [ReadBuffer] from which it was taken
    # @return [Integer] where its frame begins
    def beginning(start, _buffer) = start

    # Refuses an empty frame, because no wire has payloads without a byte.
    #
    # @param codec [Codec]
    # @param start [Integer] where the frame begins
    # @param offset [Integer] where it ends
    # @return [void]
    # @raise [DecodeError::Truncated] always
    def refuse_empty(codec, start, offset)
      refuse(DecodeError::Truncated, codec, start, offset:, expected: "more bytes", found: "the end of the frame")
    end

    private

    # Bytes with another frame, or with none, often read as such a length.
    def refuse_long(codec, size, limit, start)
      hint = " (its length reads as #{size}: do these bytes have this frame?)"
      refuse(DecodeError::LimitExceeded, codec, start, offset: start, expected: "at most #{limit} bytes",
                                                       found: "a longer message", hint:)
    end

    # The input ended in the length, unless it ended before the frame.
    def cut(buffer, codec, start)
      return if buffer.end_position == start

      refuse(DecodeError::Truncated, codec, start, offset: buffer.end_position, expected: "the length of a frame",
                                                   found: "the end of the input")
    end

    def refuse(error, codec, start, offset:, expected:, found:, hint: "")
      path = Quote.plain(codec.struct_class)
      place = "#{codec.wire}, byte #{offset}), in the frame at byte #{start}#{hint}"
      raise error.new("#{path}: expected #{expected}, found #{found} (#{place}", path:, expected:, found:, offset:,
                                                                                 message_offset: start)
    end

    # A varint before each payload, as delimited messages of Protocol Buffers have it.
    class Varint < Frame
      # A length of 64 bits.
      MOST_BYTES = 10
      MOST = (1 << 63) - 1
      private_constant :MOST_BYTES, :MOST

      private

      def head(size, _codec)
        bytes = "".b
        while size > 0x7f
          bytes << ((size & 0x7f) | 0x80)
          size >>= 7
        end
        bytes << size
      end

      def length(buffer, codec, start)
        size = 0
        MOST_BYTES.times do |index|
          return cut(buffer, codec, start) unless buffer.fill(index + 1)

          byte = buffer.getbyte(index)
          size |= (byte & 0x7f) << (7 * index)
          next if byte > 0x7f
          break if size > MOST

          buffer.take(index + 1)
          return size
        end
        refuse(DecodeError::Malformed, codec, start, offset: start, expected: "the length of a frame",
                                                     found: "a varint that is too long or too large")
      end
    end

    # Four bytes before each payload, big-endian, as Thrift's framed transport has it.
    class Fixed < Frame
      BYTES = 4
      # Other readers take larger numbers for negative ones.
      MOST = (1 << 31) - 1
      private_constant :BYTES, :MOST

      private

      def head(size, codec)
        return [size].pack("N") unless size > MOST

        path = Quote.plain(codec.struct_class)
        expected = "at most #{MOST} bytes"
        found = "a longer payload"
        message = "#{path}: expected #{expected}, found #{found} (#{codec.wire})"
        raise EncodeError::LimitExceeded.new(message, path:, expected:, found:)
      end

      def length(buffer, codec, start)
        buffer.fill(BYTES) ? buffer.take(BYTES).unpack1("N") : cut(buffer, codec, start)
      end
    end

    # A line for each payload. Blank lines are passed over. Before one payload they may have as many bytes as a payload.
    class Lines < Frame
      LINE = "\n"
      BLANK = /\A[ \t\r\n]*\z/n
      private_constant :LINE, :BLANK

      def wrap(payload, _codec) = payload + LINE

      # (see Frame#payload)
      def payload(buffer, codec, limit)
        start = buffer.position
        loop do
          buffer.skip_blank_lines
          Native.codec_check_payload(codec, buffer.position - start, start) if limit
          line = line(buffer, codec, limit)
          return line if line.nil? || !line.match?(BLANK)
        end
      end

      # Blank lines before a payload are none of its frame.
      def beginning(_start, buffer) = buffer.taken_at

      # Reads the next line, which may be empty.
      #
      # @param (see Frame#payload)
      # @return [String, nil] nil at the end
      def line(buffer, codec, limit)
        start = buffer.position
        line = buffer.line { |size| Native.codec_check_payload(codec, size, start) if limit }
        Native.codec_check_payload(codec, line.delete_suffix(LINE).bytesize, start) if limit && line
        line
      end
    end

    # The wires that a frame is for; nil means all.
    WIRES_OF = Ractor.make_shareable({ varint: nil, framed: nil, lines: %i[json] })
    ROWS = Ractor.make_shareable({ varint: Varint.new, framed: Fixed.new, lines: Lines.new })
    private_constant :WIRES_OF, :ROWS
  end
end
