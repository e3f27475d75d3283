# frozen_string_literal: true

module Sparpack
  module Convert
    # The native core writes everything that JSON can express. It stops at the rest, for which this class packs a
    # replacement. The replacement then takes the same path as the input.
    class MessagePackToJson
      # The reasons to stop that are not faults.
      PAUSES = %i[more full].freeze

      EXPRESSIBLE = "a value that JSON can express"
      private_constant :PAUSES, :EXPRESSIBLE

      # @param source [Source]
      # @param target [#write]
      # @param pretty [Boolean] whether to write lines and indentation
      # @param binary [Symbol] how bytes are written: `:base64`, `:hex`, or `:fail`
      # @param ext [Symbol] extension types other than timestamps: `:object` or `:fail`
      # @param nan [Symbol] NaN and infinity: `:fail`, `:null` or `:string`
      # @param invalid_utf8 [Symbol] `:fail` or `:replace`
      def initialize(source, target, pretty: false, binary: :base64, ext: :object, nan: :fail, invalid_utf8: :fail)
        @source = source
        @target = target
        @pretty = pretty
        @binary = binary
        @ext = ext
        @nan = nan
        @invalid_utf8 = invalid_utf8
        @state = Native::MessagePackToJson.new
      end

      # @return [void]
      # @raise [Fault]
      def run
        loop do
          why, finish = feed(@source)
          next instead(why, finish) unless PAUSES.include?(why)
          next if why == :full || @source.more
          break if @state.idle? && @source.left.zero?

          cut_short
        end
      end

      private

      def feed(source)
        why, source.at, json, finish = @state.feed(source.bytes, source.at, @pretty)
        too_large if why == :large
        @target.write(json)
        json.clear # garbage collection may come much later
        [why, finish]
      end

      def instead(why, finish)
        item = @source.bytes.byteslice(@source.at, finish - @source.at)
        why, _, json, = @state.feed(MessagePack.pack(substitute(why, item)), 0, @pretty)
        too_deep if why == :deep
        too_large if why == :large
        @target.write(json)
        @source.at = finish
      end

      def substitute(why, item)
        case why
        when :binary then binary(payload(item))
        when :ext then ext(item.getbyte(head(item).last - 1), payload(item))
        when :nan then not_a_number(MessagePack.unpack(item))
        when :utf8 then text(payload(item))
        when :key then compound_key
        when :deep then too_deep
        else fault("a format byte", "0xc1, which no value begins with")
        end
      end

      # It may also be too deep, and then no item was read.
      def compound_key
        kind, = Native.message_pack_head(@source.bytes, @source.at)
        fault("a key that can be written as text", kind == :map ? "a map" : "an array")
      end

      # @return [Array(Symbol, Integer, Integer)] the kind of value, its size, and where its data begins
      def head(item) = Native.message_pack_head(item, 0)

      def payload(item) = item.byteslice(head(item).last..)

      # @return [String]
      def binary(bytes)
        fault(EXPRESSIBLE, "bytes", "--binary base64 or hex writes them as text") if @binary == :fail
        encoded(bytes)
      end

      def encoded(bytes) = @binary == :hex ? bytes.unpack1("H*") : [bytes].pack("m0")

      def ext(type, payload)
        type -= 256 if type > 127
        time = time(payload) if type == -1
        return time if time

        found = "a value of extension type #{type}"
        fault("a key that can be written as text", found) if @state.key?
        fault(EXPRESSIBLE, found, "--ext object writes it as an object") if @ext == :fail
        { "$ext" => type, "data" => encoded(payload) }
      end

      # @return [String, nil] in ISO 8601 format; nil if the payload is not a timestamp
      def time(payload)
        return unless [4, 8, 12].include?(payload.bytesize)

        stamp = MessagePack::Timestamp.from_msgpack_ext(payload)
        return unless stamp.nsec.between?(0, 999_999_999)

        digits = stamp.nsec.zero? ? 0 : [3, 6, 9].find { |count| (stamp.nsec % (10**(9 - count))).zero? }
        fraction = format(".%09d", stamp.nsec)[0, digits + 1] if digits.positive?
        "#{::Time.at(stamp.sec).utc.strftime("%Y-%m-%dT%H:%M:%S")}#{fraction}Z"
      end

      def not_a_number(float)
        fault(EXPRESSIBLE, float.to_s, "--nan null or string writes something else") if @nan == :fail
        return float.to_s if @nan == :string

        @state.key? ? "null" : nil
      end

      def text(string)
        if @invalid_utf8 == :fail
          fault("text that is valid UTF-8", "other bytes", "--invalid-utf8 replace writes U+FFFD for them")
        end
        string.force_encoding(Encoding::UTF_8).scrub("\uFFFD")
      end

      def too_deep = fault(LEVELS, "more")

      # The message does not say how many bytes that are, because nobody could use the number.
      def too_large
        fault("at most 16 MiB of JSON and 64 bytes for each that was read", "more", "without --pretty, it is shorter")
      end

      def cut_short
        return fault(@state.key? ? "a key" : "a value", "the end of the input") if @source.left.zero?

        _, size, data = Native.message_pack_head(@source.bytes, @source.at)
        return fault("the rest of a value", "the end of the input") unless data

        fault("#{size} bytes", "#{@source.bytes.bytesize - data} and the end of the input")
      end

      def fault(expected, found, hint = nil)
        raise Fault.new(@source.name, @state.path, @source.offset, expected, found, hint:, frame: @source.frame)
      end
    end
  end
end
