# frozen_string_literal: true

module Sparpack
  module CLI
    # The payloads of a stream, for `sparpack inspect`. No objects are made to find where they end.
    class Records
      # Few bytes mean something in every wire.
      TELLING = 3
      TEXTS = %i[json thrift_json].freeze
      private_constant :TELLING, :TEXTS

      # @return [Symbol, nil]
      attr_reader :frame

      # @return [DecodeError, nil] what is wrong with a frame, after {#each}
      attr_reader :fault

      # @param bytes [String]
      # @param struct_class [Class, nil]
      # @param wire [Symbol]
      # @param frame [Symbol, nil] as the option `frame:` names it
      def initialize(bytes, struct_class, wire, frame)
        @bytes = bytes.b.freeze
        @class = struct_class
        @wire = wire
        @frame = frame
      end

      # @yieldparam record [Inspector::Record]
      # @return [void]
      def each
        number = 0
        extents { |extent| yield Inspector::Record.new(@bytes, @class, @wire, number += 1, extent) }
      end

      # @param number [Integer] from 1 on
      # @return [Inspector::Record]
      # @raise [Misuse] if there are not so many
      def find(number)
        last = 0
        each { |record| (last = record.number) == number && (return record) }
        reason = ", and then a frame that is wrong: #{fault_message}" if fault
        raise Misuse, "there is no record #{number}: the input has #{last == 1 ? "1 record" : "#{last} records"}#{reason}"
      end

      # @return [String] what is wrong with a frame, and where
      def fault_message
        place = ", in the frame at byte #{fault.message_offset}" if fault.message_offset
        "byte #{fault.offset}: expected #{fault.expected}, found #{fault.found}#{place}"
      end

      # Tells whether another payload follows the first one, rather than some bytes that happen to mean something.
      #
      # @return [Boolean]
      def several?
        extents.lazy.drop(1).first(1).any? do |start, stop, _|
          rest = Inspector.new(@bytes.byteslice(start..), @class, from: @wire)
          found = rest.fault
          stop - start >= TELLING && (found.nil? || (found.found == "trailing bytes" && found.offset >= TELLING))
        end
      end

      private

      def extents(&block)
        return enum_for(:extents) unless block
        return behind_one_another(&block) unless @frame

        Frames.new(@bytes, @frame).each { |start, stop| yield [start, stop, false] }
      rescue DecodeError => e
        @fault = e
      end

      # What is broken goes on to the end.
      def behind_one_another
        at = 0
        while at < @bytes.bytesize
          search = Native.payload_end(Frames.codec(@wire))
          found = Native.payload_end_find(search, @bytes.byteslice(at..))
          return if found.nil? && Native.payload_end_blank?(search)
          return yield [at, @bytes.bytesize, true] unless found

          yield [at + spaces(at), at + found, true]
          at += found
        end
      end

      # White space between payloads of JSON.
      def spaces(at) = TEXTS.include?(@wire) ? @bytes.index(/[^ \t\r\n]/n, at) - at : 0
    end
  end
end
