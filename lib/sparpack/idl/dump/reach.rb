# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Finds the requested classes, enums and services, and everything that they refer to.
      #
      # @api private
      class Reach
        # @return [Array<Module>] the requested classes, enums and services, including those in requested modules
        attr_reader :roots

        # @return [Array<Module>] the modules that were requested as a whole, and the modules in them
        attr_reader :modules

        # @return [Array<Module>] the roots and everything that they refer to
        attr_reader :objects

        # @param roots [Array<Module>] structs, unions, exceptions, enums, services, or modules that contain them
        # @raise [SchemaError] if a class refers to one that does not exist
        # @raise [ArgumentError] if there are no roots, or if one is something else
        def initialize(roots)
          if roots.empty?
            raise ArgumentError, "no classes were given: pass structs, unions, exceptions, enums, services or modules"
          end

          @modules = []
          @roots = roots.flat_map { |root| expand(root) }
          @objects = all
        end

        # @param object [Object]
        # @return [Boolean] whether it has its own definition in the IDL
        def self.definition?(object)
          case object
          when Enum then true
          when Class
            object < Service || (object.is_a?(Declaration) && !Declared.shape(object).nil? && !of_service?(object))
          else false
          end
        end

        # @param object [Class]
        # @return [Boolean] whether it is the struct of a function's arguments or result in a service
        def self.of_service?(object)
          outer = Places.around(object)
          outer.is_a?(Class) && outer < Service && part?(outer, object)
        end

        # @param service [Class]
        # @param object [Object]
        # @return [Boolean] whether it is the struct of the arguments or the result of one of the service's functions
        def self.part?(service, object)
          service.own_functions.any? { |function| [function.arguments, function.result].any? { |part| part.equal?(object) } }
        end

        # @param type [Type]
        # @return [Array<Module>] the structs, unions and enums that it refers to
        # @raise [SchemaError] if it refers to a plain class
        def self.targets(type)
          if type.target.is_a?(Mapping)
            raise SchemaError, "IDL cannot express a field of the plain class #{Quote.plain(type.target)}"
          end
          return [owner(type.target)] if type.target

          [type.key, type.element].compact.flat_map { |part| targets(part) }
        end

        # @param object [Module]
        # @return [Module] the class that declared its fields. A subclass without fields of its own shares that definition.
        def self.owner(object) = object.is_a?(Declaration) ? Declared.owner(object) : object

        private

        def all
          found = {}.compare_by_identity
          pending = roots.dup
          until pending.empty?
            object = pending.pop
            next if found[object]

            found[object] = true
            pending.concat(named(object))
          end
          found.keys
        end

        def named(object)
          case object
          when Enum then []
          when Declaration then Declared.schema(object).fields.flat_map { |field| Reach.targets(field.type) }
          else
            parent = object.superclass
            [*(parent unless parent.equal?(Service)), *types(object).flat_map { |type| Reach.targets(type) }]
          end
        end

        def types(service)
          service.own_functions.flat_map do |function|
            [*function.type, *[*function.arguments.schema.fields, *function.throws].map(&:type)]
          end
        end

        # --- roots -------------------------------------------------------------------------------------------------------

        def expand(root)
          return [Reach.owner(root)] if Reach.definition?(root)

          found = root.is_a?(Module) && !root.equal?(Object) && !root.is_a?(Declaration) ? inside(root) : []
          return found if found.any?

          raise ArgumentError, "#{Quote.value(root)} #{why(root)}"
        end

        def why(root)
          return "is a name: pass the class itself" if root.is_a?(String) || root.is_a?(Symbol)
          unless root.is_a?(Declaration)
            return "is not a struct, union, exception, enum or service, and not a module that contains any of these"
          end
          return "is a base class: pass its subclasses" unless Declared.shape(root)

          "belongs to #{Places.around(root)}: pass #{Places.around(root)} instead"
        end

        # Everything in a module. Constants with an autoload are loaded.
        def inside(outer)
          @modules << outer
          prefix = Places.name_of(outer) || outer.inspect # an anonymous module
          found = outer.constants(false).map { |name| [name, outer.const_get(name, false)] }
          found.select! { |name, value| value.is_a?(Module) && Places.name_of(value) == "#{prefix}::#{name}" }
          found.reject! { |_, value| outer.is_a?(Class) && outer < Service && Reach.part?(outer, value) }
          found.flat_map { |_, value| [*(Reach.owner(value) if Reach.definition?(value)), *inside(value)] }
        end
      end
    end
  end
end
