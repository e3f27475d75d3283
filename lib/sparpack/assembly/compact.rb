# frozen_string_literal: true

require_relative "thrift"

module Sparpack
  class Assembly
    # Thrift's compact protocol.
    #
    # @api private
    module Compact
      # Writes it.
      class Writer < Thrift
        CODES = { stop: 0, bool: 1, i8: 3, i16: 4, i32: 5, i64: 6, double: 7, string: 8, list: 9, set: 10, map: 11,
                  struct: 12, uuid: 13 }.freeze
        private_constant :CODES

        # What stands before the value. That of a bool includes the value.
        def head(level, place, type, value = nil)
          return "".b unless place.is_a?(Integer)

          code = type == :bool && value == false ? 2 : CODES.fetch(type)
          delta = place - level.last_id
          return [(delta << 4) | code].pack("C") if delta.between?(1, 15)

          [code].pack("C") << varint(zigzag(place))
        end

        def open(kind, first, second, count)
          case kind
          when :struct then "".b
          when :map then count.zero? ? "\0".b : varint(count) << ((CODES.fetch(first) << 4) | CODES.fetch(second))
          else list(CODES.fetch(first), count)
          end
        end

        def close(level) = level.kind == :struct ? "\0".b : "".b

        private

        def size(size) = varint(size)

        def bytes_of(type, value, _level, place)
          case type
          when :bool then bool(value, place)
          when :i8 then [value].pack("c")
          when :double then value.nan? ? "\0\0\0\0\0\0\xf8\x7f".b : [value].pack("E")
          when :uuid then value
          else varint(zigzag(value))
          end
        end

        def list(code, count)
          count < 15 ? [(count << 4) | code].pack("C") : [0xf0 | code].pack("C") << varint(count)
        end

        # The value of a field is in its header.
        def bool(value, place)
          return "".b if place.is_a?(Integer)

          value ? "\1".b : "\2".b
        end

        def zigzag(number) = number.negative? ? (-number * 2) - 1 : number * 2

        def varint(number)
          bytes = "".b
          while number >= 0x80
            bytes << ((number & 0x7f) | 0x80)
            number >>= 7
          end
          bytes << number
        end
      end
    end
  end
end
