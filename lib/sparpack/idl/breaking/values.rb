# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Constants and defaults of two versions, compared by what they mean: fields by id, enums' values by number. Each
      # distinct value gets a number, each object is looked at once: constants share parts, and would be long when written
      # out.
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
          else [:struct, *value.fields.map { |field, element| [field.id, number(element)] }.sort]
          end
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
