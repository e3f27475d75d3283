# frozen_string_literal: true

require_relative "thrift"

module Sparpack
  class Assembly
    # Thrift's binary protocol.
    #
    # @api private
    module Binary
      # Writes it.
      class Writer < Thrift
        FORMATS = { i8: "c", i16: "s>", i32: "l>", i64: "q>", double: "G" }.freeze
        private_constant :FORMATS

        # What stands before the value.
        def head(_level, place, type, _value = nil)
          place.is_a?(Integer) ? [TYPES.fetch(type.name), place].pack("Cs>") : "".b
        end

        def open(kind, first, second, count)
          case kind
          when :struct then "".b
          when :map then [TYPES.fetch(first.name), TYPES.fetch(second.name), count].pack("CCl>")
          else [TYPES.fetch(first.name), count].pack("Cl>")
          end
        end

        def close(level) = level.kind == :struct ? "\0".b : "".b

        private

        def size(size) = [size].pack("l>")

        def bytes_of(type, value, _level, _place)
          case type
          when :bool then value ? "\1".b : "\0".b
          when :uuid then value
          when :double then value.nan? ? "\x7f\xf8\0\0\0\0\0\0".b : [value].pack("G")
          else [value].pack(FORMATS.fetch(type))
          end
        end
      end
    end
  end
end
