# frozen_string_literal: true

require_relative "json"
require_relative "thrift"

module Sparpack
  class Assembly
    # Thrift's JSON protocol. Values stand in the text as the tokens of JSON that they are.
    #
    # @api private
    module ThriftJSON
      # Puts tokens together.
      class Writer < Thrift
        NAMES = { bool: "tf", i8: "i8", i16: "i16", i32: "i32", i64: "i64", double: "dbl", string: "str", struct: "rec",
                  map: "map", list: "lst", set: "set", uuid: "uid", stop: "tf" }.freeze
        private_constant :NAMES

        def head(level, place, type, _value = nil)
          return field_head(level, place, type) if place.is_a?(Integer)
          return ":".b if level.at_value?
          return level.index.positive? ? ",".b : "".b if place == :key

          %i[list set].include?(level.kind) ? ",".b : "".b
        end

        def open(kind, first, second, count)
          case kind
          when :struct then "{".b
          when :map then "[\"#{NAMES.fetch(first)}\",\"#{NAMES.fetch(second)}\",#{count},{".b
          else "[\"#{NAMES.fetch(first)}\",#{count}".b
          end
        end

        def close(level)
          case level.kind
          when :struct then level.index.positive? ? "}}".b : "}".b
          when :map then "}]".b
          else "]".b
          end
        end

        def written(_type, value, head, exact, _level, _place) = [exact || (head + value)]

        private

        def field_head(level, id, type)
          "#{"}," if level.index.positive?}\"#{id}\":{\"#{NAMES.fetch(type)}\":".b
        end

        def value(_type) = @scanner.take(JSON::TOKEN, "a value of JSON").b
      end
    end
  end
end
