# frozen_string_literal: true

module Sparpack
  module Convert
    # The native core writes everything that MessagePack can express. It stops at the rest, for which this class passes
    # other JSON.
    class JsonToMessagePack
      EXPECTED = {
        value: "a value", first_element: 'a value or "]"', first_key: 'a key in quotes or "}"', map_key: "a key in quotes",
        colon: '":"', next_element: '"," or "]"', next_pair: '"," or "}"', digit: "a digit", number_end: "the number's end",
        escape: "one of JSON's escapes", character: "a character that is allowed in a string",
        deep: LEVELS, large: "less than 2**32 elements or bytes"
      }.freeze

      # Matches escapes and captures half of a surrogate pair. A whole pair is one match without a capture.
      ESCAPES = /\\u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|(\\u[dD][89a-fA-F]\h\h)|\\./mn

      # The reasons why a valid token cannot be written as it is.
      SPECIAL = %i[number utf8].freeze

      MARK = "\xEF\xBB\xBF".b
      private_constant :EXPECTED, :ESCAPES, :SPECIAL, :MARK

      # @param source [Source]
      # @param target [#write, #spill, #backpatch]
      # @param big_numbers [Symbol] `:fail`, `:float` or `:string`
      # @param invalid_utf8 [Symbol] `:fail` or `:replace`
      # @param room [Integer] the most bytes of a container that wait in memory
      def initialize(source, target, big_numbers: :fail, invalid_utf8: :fail, room: Spool::ROOM)
        @source = source
        @spool = Spool.new(target, room:)
        @big_numbers = big_numbers
        @invalid_utf8 = invalid_utf8
        @state = Native::JsonToMessagePack.new
      end

      # @return [void]
      # @raise [Fault]
      def run
        skip_byte_order_mark
        loop do
          last = @source.ended
          why, @source.at, finish = feed(@source.bytes, @source.at, last)
          next instead(why, finish) if SPECIAL.include?(why)

          fault(why, finish) unless why == :more
          next if @source.more || !last
          break if @state.idle? && @source.left.zero?

          cut_short
        end
      end

      private

      def feed(json, at, last)
        why, at, packed, marks, finish = @state.feed(json, at, last)
        @spool.write(packed, marks, @state.idle?)
        packed.clear # garbage collection may come much later
        [why, at, finish]
      end

      def instead(why, finish)
        token = @source.bytes.byteslice(@source.at, finish - @source.at)
        why, = feed(why == :number ? number(token) : text(token), 0, true)
        fault(why, @source.at) unless why == :more
        @source.at = finish
      end

      # Some editors write one at the start of a file.
      def skip_byte_order_mark
        nil while @source.bytes.bytesize < MARK.bytesize && MARK.start_with?(@source.bytes) && @source.more
        @source.at = MARK.bytesize if @source.bytes.start_with?(MARK)
      end

      # @return [String] the JSON to write instead
      def number(token)
        return "\"#{token}\"" if @big_numbers == :string

        integer = token.match?(/\A-?\d+\z/)
        float = integer ? token.to_f : Float::INFINITY # anything else comes here only if it is too large for a Float
        return float.to_s unless float.infinite? || @big_numbers == :fail

        expected = integer && @big_numbers == :fail ? "an integer of at most 64 bits" : "a number that a Float can be"
        # A long number may look like hexadecimal digits, but it is one of JSON.
        raise_fault(@source.at, expected, "a larger one",
                    "--big-numbers #{"float or " unless float.infinite?}string writes something else", certain: true)
      end

      def text(token)
        if @invalid_utf8 == :fail
          raise_fault(@source.at, "text that is valid UTF-8", "something else",
                      "--invalid-utf8 replace writes U+FFFD for it")
        end
        text = token.b.gsub(ESCAPES) { ::Regexp.last_match(1) ? '\ufffd' : ::Regexp.last_match(0) }
        text.force_encoding(Encoding::UTF_8).scrub("\uFFFD")
      end

      def fault(why, at)
        return raise_fault(at, "a number without a leading zero", "another digit") if why == :number_end && leading_zero?(at)

        raise_fault(at, EXPECTED.fetch(why), too_much?(why) ? "more" : found(at))
      end

      # JSON allows 0 and 0.5, but not 01.
      def leading_zero?(at) = @source.bytes.byteslice(at, 1).match?(/\d/)

      def too_much?(why) = %i[deep large].include?(why)

      # Never shows the contents of a string.
      def found(at)
        byte = @source.bytes.getbyte(at)
        case byte&.chr
        when nil then "the end of the input"
        when '"' then "a string"
        when /[0-9-]/ then "a number"
        when /[!-~]/ then byte.chr.inspect
        else format("byte 0x%02x", byte)
        end
      end

      def cut_short
        at = @source.bytes.bytesize
        expected = @source.left.zero? ? EXPECTED.fetch(@state.expected) : 'the end of a string (")'
        raise_fault(at, expected, "the end of the input")
      end

      def raise_fault(at, expected, found, hint = nil, certain: false)
        raise Fault.new(@source.place(at), @state.path, @source.offset(at), expected, found,
                        hint:, certain:, frame: @source.frame(at))
      end
    end
  end
end
