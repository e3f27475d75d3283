# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Makes {Definition}s for everything that {Reach} found and connects each with those that it refers to.
      #
      # @api private
      class Graph
        # The order of kinds. Definitions depart from it only if they refer to later ones.
        KINDS = [:enum, :typedef, nil, :service].freeze
        private_constant :KINDS

        # @param reach [Reach]
        # @param names [RubyNames]
        # @raise [SchemaError] if a name is not valid in IDL
        def initialize(reach, names)
          @places = Places.new(reach.objects)
          @by_object = reach.objects.to_h { |object| [object, definition(object)] }.compare_by_identity
          @by_path = @by_object.values.to_h { |found| [found.path, found] }
          @typedefs = Typedefs.new(@places, @by_object.values.map(&:path), reach.modules, names)
          @by_object.each_value { |definition| types(definition) { |type, _| @typedefs.use(type, definition.path) } }
          [*@by_object.values, *@typedefs.definitions].each { |definition| connect(definition) }
        end

        # @return [Array<Definition>] all definitions. Each comes after those that it refers to, unless they refer to one
        #   another.
        def definitions
          all = [*@by_object.values, *@typedefs.definitions]
          sorted = all.sort_by { |found| [KINDS.index(found.kind) || 2, found.path] }
          Order.of(Order.of(sorted, &:needs).first, &:made_of).first
        end

        # @param object [Module] an object that {Reach} found
        # @return [Definition] its definition
        def of(object) = @by_object.fetch(object)

        # @param type [Type]
        # @param user [Definition] the definition that uses the type
        # @return [Definition, nil] the typedef, struct, union or enum that the type names; nil for other types
        def named(type, user)
          return @typedefs.of(type, user.path) if type.typedef

          of(Reach.owner(type.target)) if type.target
        end

        private

        def definition(object)
          place = @places.split(@places.path(object))
          said = object.is_a?(Class) && !(object < Service) ? Declared.schema(object) : object
          name = said.idl_name
          name = place[1].gsub("::", "_") if name == place[1].split("::").last # a class inside a class
          Definition.new(object, place, name, said.annotations)
        end

        # Yields all types that a definition uses, each with its default or nil.
        def types(definition)
          case definition.kind
          when :enum then nil
          when :typedef then yield definition.object, nil
          when :service
            definition.object.own_functions.each do |function|
              yield function.type, nil if function.type
              [*function.arguments.schema.fields, *function.throws].each { |field| yield field.type, field.default }
            end
          else Declared.schema(definition.object).fields.each { |field| yield field.type, field.default }
          end
        end

        def connect(definition)
          parent = definition.object.superclass if definition.kind == :service
          definition.needs << @by_object.fetch(parent) unless parent.nil? || parent.equal?(Service)
          definition.needs.concat(around(definition))
          types(definition) do |type, default|
            definition.needs.concat(all_named(type, definition))
            definition.made_of.concat(made_of(type, default, definition)) unless default.nil?
          end
          definition.needs.concat(definition.made_of)
          [definition.needs, definition.made_of].each(&:uniq!)
          definition.needs.delete(definition)
        end

        # The definitions of the classes around a definition. They have to come before it or be in the same file.
        def around(definition)
          parts = definition.path.split("::")
          (1...parts.size).filter_map { |size| @by_path[parts.first(size).join("::")] }
        end

        def all_named(type, user)
          found = named(type, user)
          found ? [found] : [type.key, type.element].compact.flat_map { |part| all_named(part, user) }
        end

        # The definitions that a value of the type uses.
        def made_of(type, value, user)
          found = [named(type, user), *(of(Reach.owner(type.target)) if type.target)].compact
          inside = found.last || user # where the names in the value are resolved
          found + parts(type, value).flat_map { |part, inner| made_of(part, inner, inside) }
        end

        def parts(type, value)
          case type.kind
          when :list, :set then value.map { |element| [type.element, element] }
          when :map then value.flat_map { |key, element| [[type.key, key], [type.element, element]] }
          when :struct, :union
            fields = Native.fields(value)
            schema = Declared.schema(type.target)
            schema.fields.filter_map { |field| [field.type, fields[field.name]] unless fields[field.name].nil? }
          else []
          end
        end
      end
    end
  end
end
