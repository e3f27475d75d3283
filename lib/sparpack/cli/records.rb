# frozen_string_literal: true

module Sparpack
  module CLI
    # The payloads of a stream, for `sparpack inspect`. No objects are made to find where they end.
    class Records
      # Few bytes mean something in every wire.
      TELLING = 3
      SEPARATORS = [",", "]"].freeze
      private_constant :TELLING, :SEPARATORS

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

      # Tells whether there are arrays of JSON, whose elements are the payloads.
      #
      # @return [Boolean]
      def array? = @wire == :json && !@class.nil? && @frame.nil? && @bytes.match?(/\A[ \t\r\n]*\[/n)

      private

      def extents(&block)
        return enum_for(:extents) unless block
        return behind_one_another(&block) unless @frame

        Frames.new(@bytes, @frame).each { |start, stop| yield [start, stop, false] }
      rescue DecodeError => e
        @fault = e
      end

      # What is broken goes on to the end.
      def behind_one_another(&)
        at = inside(0)
        return elements(at + 1, &) if array?

        while at && at < @bytes.bytesize
          at = payload(at, &)
          at &&= inside(at)
        end
      end

      # Yields one payload.
      #
      # @return [Integer, nil] where it ends; nil if it is broken
      def payload(at)
        search = Native.payload_end(Frames.codec(@wire))
        found = Native.payload_end_find(search, @bytes.byteslice(at..))
        yield [at, found ? at + found : @bytes.bytesize, true]
        at + found if found
      end

      # Yields the elements of an array, behind which there must be nothing.
      def elements(at, &)
        at = inside(at)
        sign = "]" if @bytes[at] == "]"
        until sign == "]"
          at = payload(inside(at), &) or return
          at = inside(at)
          sign = @bytes[at]
          raise DecodeError.new("", expected: ", or ]", found: found_at(sign), offset: at) unless SEPARATORS.include?(sign)

          at += 1 if sign == ","
        end
        at = inside(at + 1)
        raise DecodeError.new("", expected: "the end of the input", found: "trailing bytes", offset: at) if @bytes[at]
      end

      def found_at(sign) = sign ? "something else" : "the end of the input"

      # @return [Integer] the same place, or behind the white space of JSON
      def inside(at) = Native::TEXT_WIRES.include?(@wire) ? @bytes.index(/[^ \t\r\n]/n, at) || @bytes.bytesize : at
    end
  end
end
