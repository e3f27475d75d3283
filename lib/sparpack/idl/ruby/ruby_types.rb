# frozen_string_literal: true

module Sparpack
  module IDL
    # Turns the types and values of an IDL into Ruby objects.
    #
    # @api private
    class RubyTypes
      # @param classes [Hash{Object => Module}] the classes and modules of {Model::Enum}s and {Model::Record}s
      # @param names [RubyNames]
      def initialize(classes, names)
        @classes = classes
        @names = names
        @typedef_names = {}.compare_by_identity
        @types = {}.compare_by_identity
      end

      # @param type [Model::Type]
      # @return [Type]
      def type(type)
        @types[type] ||= Type.new(type.kind, element: type.element && type(type.element), key: type.key && type(type.key),
                                             target: type.target && @classes.fetch(type.target),
                                             typedef: type.typedef && name(type.typedef),
                                             annotations: RubyTypes.annotations(type))
      end

      # @param typedef [Model::Typedef]
      # @return [Type] a type that has the name of the typedef
      def typedef(typedef)
        type(typedef.type).named(name(typedef), RubyTypes.annotations(typedef.type).merge(typedef.annotations))
      end

      # @param value [Object] a value of a {Model::Const}
      # @return [Object] the Ruby value
      def value(value)
        case value
        when Array then value.map { |element| value(element) }
        when Set then value.to_set { |element| value(element) }
        when Hash then value.to_h { |key, element| [value(key), value(element)] }
        when Model::EnumValue then value.number
        when Model::StructValue
          @classes.fetch(value.record).new(**value.fields.to_h { |field, part| [@names.member(field), value(part)] })
        else value
        end
      end

      # Returns the annotations of a type. A type that is named by a typedef also has the typedef's annotations.
      #
      # @param type [Model::Type]
      # @return [Hash{String => String, Array<String>}] deeply frozen
      def self.annotations(type)
        typedef = type.typedef or return Ractor.make_shareable(type.annotations)
        Ractor.make_shareable(annotations(typedef.type).merge(typedef.annotations, type.annotations))
      end

      private

      # Returns the same String for all uses of a typedef, also if its constant was defined by an earlier call of IDL.load.
      # {Dump} finds the constant by the identity of this String.
      def name(typedef)
        @typedef_names[typedef] ||= @classes[typedef]&.typedef || typedef.name.dup.freeze
      end
    end
  end
end
