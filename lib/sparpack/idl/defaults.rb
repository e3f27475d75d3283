# frozen_string_literal: true

module Sparpack
  module IDL
    # Structs that others' defaults hold: a class must be complete before such a default can be made.
    #
    # @api private
    module Defaults
      module_function

      # @param records [Array<Model::Record>]
      # @return [Array(Array<Model::Record>, Array<Model::Record>)] as {Order.of}
      def order(records) = Order.of(records) { |record| structs(record) }

      # @param record [Model::Record]
      # @return [Array<Model::Record>] those in its fields' defaults
      def structs(record) = needs(record.fields.map(&:default)).grep(Model::Record)

      # @param values [Array<Object>] as {Model::Const} has them
      # @return [Array<Model::Record, Model::Enum>] what they are made of
      def needs(values)
        found = {}.compare_by_identity
        seen = {}.compare_by_identity
        pending = values.dup
        until pending.empty?
          value = pending.pop
          next if seen[value]

          seen[value] = true
          found[value.record] = true if value.is_a?(Model::StructValue)
          found[value.enum] = true if value.is_a?(Model::EnumValue)
          pending.concat(parts(value))
        end
        found.keys
      end

      def parts(value)
        case value
        when Array, Set then value.to_a
        when Hash then value.to_a.flatten(1)
        when Model::StructValue then value.fields.values
        else []
        end
      end
      private_class_method :parts
    end
  end
end
