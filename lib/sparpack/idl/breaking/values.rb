# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Compares the constants and defaults of two versions by meaning: fields by id, enum values by number. A field that a
      # struct leaves out has its default. Each distinct value gets a number, and each object is visited once, because
      # constants share parts and would be very long if they were written out.
      #
      # @api private
      class Values
        def initialize
          @numbers = {}
          @known = {}.compare_by_identity
        end

        # @param old [Object, nil]
        # @param new [Object, nil]
        # @return [Boolean] whether the two mean the same
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

        # The defaults of a union's fields are ignored.
        def fields(struct)
          return struct.fields if struct.record.kind == :union

          defaults = struct.record.fields.to_h { |field| [field, field.default] }
          defaults.merge(struct.fields).compact
        end

        # Strings with the same bytes are the same, whatever their encoding. So are Floats with the same bytes, which 0.0 and
        # -0.0 do not have.
        def scalar(value)
          case value
          when Model::EnumValue then value.number
          when String then value.b
          when Float then [:double, [value].pack("G")]
          else value
          end
        end
      end
    end
  end
end
