# frozen_string_literal: true

module Sparpack
  module Karafka
    # Keys and headers: integers, text, UUIDs and structs, in the form that other clients of Kafka write.
    #
    # @api private
    class Scalar
      # The range of a type, and how `String#unpack1` calls it.
      INTEGERS = { i32: [(-1 << 31)...(1 << 31), "l>"], i64: [(-1 << 63)...(1 << 63), "q>"] }.freeze
      TYPES = [*INTEGERS.keys, :string, :uuid].freeze

      DECIMAL = /\A-?(?:0|[1-9][0-9]{0,18})\z/
      UUID = /\A\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\z/
      private_constant :INTEGERS, :DECIMAL, :UUID

      # @param type [Symbol, Class, String]
      # @param bytes [Boolean]
      # @param wire [Symbol] of a struct
      # @param options [Hash] of a struct
      # @return [#call] takes bytes and returns the value
      # @raise [ArgumentError] for another type, or for options that it does not have
      def self.reader(type, bytes: false, wire: :compact, **options)
        unless type.is_a?(Symbol)
          target = Target.new(type, options)
          target.codec(wire) unless type.is_a?(String)
          return ->(found) { target.codec(wire).decode(found) }
        end
        return new(type, bytes) if TYPES.include?(type) && options.empty?
        if TYPES.include?(type)
          raise ArgumentError, "unknown option #{Quote.value(options.keys.first)} (only structs have options, not " \
                               "#{Quote.value(type)})"
        end

        known = TYPES.map { |each| Quote.value(each) }.join(", ")
        raise ArgumentError, "expected a class or one of #{known}, got #{Quote.value(type)}#{Advice.choice(type, TYPES)}"
      end

      # @param type [Symbol]
      # @param bytes [Boolean]
      def initialize(type, bytes)
        @type = type
        @bytes = bytes
      end

      # @param found [String]
      # @return [Integer, String]
      # @raise [DecodeError] if it is no value of the type. Its message does not show the bytes
      def call(found)
        case @type
        when :string then text(found)
        when :uuid then uuid(found)
        else integer(found)
        end
      end

      private

      def integer(found)
        range, directive = INTEGERS[@type]
        if @bytes
          size = range.end.bit_length / 8
          return found.unpack1(directive) if found.bytesize == size

          raise wrong("#{size} bytes", found)
        end
        number = found.to_i if found.b.match?(DECIMAL)
        range.cover?(number) ? number : raise(wrong("a decimal number", found))
      end

      def text(found)
        text = found.encoding == Encoding::UTF_8 ? found : String.new(found, encoding: Encoding::UTF_8)
        raise DecodeError::Malformed, "expected UTF-8 text" unless text.valid_encoding?

        text
      end

      def uuid(found)
        if @bytes
          return found.unpack("H8H4H4H4H12").join("-") if found.bytesize == 16

          raise wrong("16 bytes", found)
        end
        return found.downcase.force_encoding(Encoding::UTF_8) if found.b.match?(UUID)

        raise wrong("the text of a UUID", found)
      end

      def wrong(expected, found)
        expected = "#{@type} as #{expected}"
        found = "#{found.bytesize} bytes"
        DecodeError::Malformed.new("expected #{expected}, found #{found}", expected:, found:)
      end
    end
  end
end
