# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # What was asked for, and all that it names: classes, enums and services.
      #
      # @api private
      class Reach
        # What was asked for, one by one.
        #
        # @return [Array<Module>]
        attr_reader :roots

        # @return [Array<Module>] modules that were asked for as a whole, and those in them
        attr_reader :modules

        # @return [Array<Module>]
        attr_reader :objects

        # @param roots [Array<Module>]
        # @raise [SchemaError] if they name what does not exist
        # @raise [ArgumentError] if there are none, or something else is given
        def initialize(roots)
          raise ArgumentError, "which classes? (structs, unions, exceptions, enums, services, or modules)" if roots.empty?

          @modules = []
          @roots = roots.flat_map { |root| expand(root) }
          @objects = all
        end

        # @param object [Object]
        # @return [Boolean] whether it is a definition of its own
        def self.definition?(object)
          case object
          when Enum then true
          when Class
            object < Service || (object.is_a?(Declaration) && !Declared.shape(object).nil? && !of_service?(object))
          else false
          end
        end

        # @param object [Class]
        # @return [Boolean] whether it is a struct that a service has for a function's arguments or result
        def self.of_service?(object)
          outer = Places.around(object)
          outer.is_a?(Class) && outer < Service && part?(outer, object)
        end

        # @param service [Class]
        # @param object [Object]
        # @return [Boolean] whether it is a struct of one of the service's functions
        def self.part?(service, object)
          service.own_functions.any? { |function| [function.arguments, function.result].any? { |part| part.equal?(object) } }
        end

        # @param type [Type]
        # @return [Array<Module>] what it names
        def self.targets(type)
          return [owner(type.target)] if type.target

          [type.key, type.element].compact.flat_map { |part| targets(part) }
        end

        # @param object [Module]
        # @return [Module] the class that declared its fields; a subclass that adds behaviour is none of its own
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

        # --- what was asked for ------------------------------------------------------------------------------------------

        def expand(root)
          return [Reach.owner(root)] if Reach.definition?(root)

          found = root.is_a?(Module) && !root.equal?(Object) && !root.is_a?(Declaration) ? inside(root) : []
          return found if found.any?

          raise ArgumentError, "#{Quote.value(root)} #{why(root)}"
        end

        def why(root)
          return "is no struct, union, exception, enum or service, and no module with such" unless root.is_a?(Declaration)

          Declared.shape(root) ? "is a part of #{Places.around(root)}: ask for that" : "is a base: ask for its subclasses"
        end

        # All that is in a module, or is autoloaded there.
        def inside(outer)
          @modules << outer
          prefix = Places.name_of(outer) || outer.inspect # of a nameless module
          found = outer.constants(false).map { |name| [name, outer.const_get(name, false)] }
          found.select! { |name, value| value.is_a?(Module) && Places.name_of(value) == "#{prefix}::#{name}" }
          found.reject! { |_, value| outer.is_a?(Class) && outer < Service && Reach.part?(outer, value) }
          found.flat_map { |_, value| [*(Reach.owner(value) if Reach.definition?(value)), *inside(value)] }
        end
      end
    end
  end
end
