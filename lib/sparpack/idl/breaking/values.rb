# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Constants and defaults of two versions, compared by what they mean: fields by id, enums' values by number, fields
      # that a struct leaves out by their own defaults. Each distinct value gets a number, each object is looked at once:
      # constants share parts, and would be long when written out.
      #
      # @api private
      class Values
        def initialize
          @numbers = {}
          @known = {}.compare_by_identity
        end

        # @param old [Object, nil]
        # @param new [Object, nil]
        # @return [Boolean]
        def same?(old, new) = number(old) == number(new)

        private

        def number(value)
          case value
          when Array, Set, Hash, Model::StructValue then @known[value] ||= @numbers[parts(value)] ||= @numbers.size + 1
          else @numbers[scalar(value)] ||= @numbers.size + 1
          end
        end

        def parts(value)
          case value
          when Array then [:list, *value.map { |element| number(element) }]
          when Set then [:set, *value.map { |element| number(element) }.sort]
          when Hash then [:map, *value.map { |key, element| [number(key), number(element)] }.sort]
          else [:struct, *fields(value).map { |field, element| [field.id, number(element)] }.sort]
          end
        end

        # A union's defaults are ignored.
        def fields(struct)
          return struct.fields if struct.record.kind == :union

          defaults = struct.record.fields.to_h { |field| [field, field.default] }
          defaults.merge(struct.fields).compact
        end

        # A String is one whatever its encoding.
        def scalar(value)
          case value
          when Model::EnumValue then value.number
          when String then value.b
          else value
          end
        end
      end
    end
  end
end
