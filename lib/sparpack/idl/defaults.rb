# frozen_string_literal: true

module Sparpack
  module IDL
    # Finds the structs that defaults contain. A class must be complete before a default that contains it can be created.
    #
    # @api private
    module Defaults
      module_function

      # @param records [Array<Model::Record>]
      # @return [Array(Array<Model::Record>, Array<Model::Record>)] the order in which to complete them, and those in cycles,
      #   as {Order.of} returns them
      def order(records) = Order.of(records) { |record| structs(record) }

      # @param record [Model::Record]
      # @return [Array<Model::Record>] the structs in the defaults of its fields
      def structs(record) = needs(record.fields.map(&:default)).grep(Model::Record)

      # @param values [Array<Object>] values of {Model::Const}s
      # @return [Array<Model::Record, Model::Enum>] the structs and enums in them
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
