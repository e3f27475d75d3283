# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Compares services from the point of view of clients of the old version. A service has its own functions and those of
      # the services that it extends.
      #
      # @api private
      class Services
        # The most services in a chain of `extends` that are compared.
        ANCESTORS = 64
        private_constant :ANCESTORS

        # A function and the service that declares it.
        Owned = ::Struct.new(:service, :function) do
          # @return [Place]
          def place = Place.of(service) + function

          # @yieldparam type [Model::Type, nil]
          # @yieldreturn [Object] what identifies the type in both versions
          # @return [Array] everything that a call and its reply contain, except the name of the function
          def signature
            parts = [function.arguments, function.throws].map do |fields|
              fields.map { |field| [field.id, field.name, yield(field.type)] }
            end
            [function.oneway ? true : false, yield(function.type), *parts]
          end
        end
        private_constant :Owned

        # @param changes [Changes]
        def initialize(changes)
          @changes = changes
        end

        # @param old [Model::Service]
        # @param new [Model::Service]
        # @return [void]
        def compare(old, new)
          parent(old, new)
          there = functions(new)
          kept, missing = to_compare(old, new).partition { |owned| there.key?(owned.function.name) }
          kept.each { |owned| function(owned, there[owned.function.name]) }
          missing_functions(missing, old, new) unless missing.empty?
        end

        private

        def ancestors(service)
          chain = [service]
          chain << chain.last.parent while chain.last.parent && chain.size < ANCESTORS
          chain
        end

        # By name. A function hides those with the same name in the services that it extends.
        def functions(service)
          ancestors(service).reverse.each_with_object({}) do |owner, found|
            owner.functions.each { |function| found[function.name] = Owned.new(owner, function) }
          end
        end

        # Leaves out inherited functions if the new service inherits them from the same service: they are compared there.
        def to_compare(old, new)
          kept = ancestors(new).to_h { |service| [service, true] }.compare_by_identity
          own, *above = ancestors(old)
          above = above.take_while { |service| !kept.key?(@changes.matching.new_of(service)) }
          [own, *above].flat_map { |owner| owner.functions.map { |function| Owned.new(owner, function) } }
                       .uniq { |owned| owned.function.name }
        end

        def parent(old, new)
          return if old.parent.nil? && new.parent.nil?
          return if old.parent && @changes.matching.new_of(old.parent).equal?(new.parent)

          was, is = [old.parent, new.parent].map { |service| service ? Quote.plain(service.name) : "no service" }
          @changes.add(:parent_changed, Place.of(new), old: Place.of(old)) do
            "extended #{was} and now extends #{is}: its generated classes have different ancestors"
          end
        end

        # A missing function was renamed if exactly one new function has the same signature.
        def missing_functions(missing, old, new)
          known = functions(old)
          added = new.functions.reject { |function| known.key?(function.name) }
          types = @changes.types
          added = added.map { |function| Owned.new(new, function) }
          added = added.group_by { |owned| owned.signature { |type| types.in_new(type) } }
          missing.group_by { |owned| owned.signature { |type| types.in_old(type) } }.each do |signature, owned|
            renamed = added[signature]
            next owned.each { |one| removed(one, new) } unless owned.size == 1 && renamed&.size == 1

            @changes.add(:function_renamed, renamed[0].place, old: owned[0].place) do
              "was renamed from #{Quote.plain(owned[0].function.name)}: " \
                "calls carry the name, and servers of the other version do not know it"
            end
          end
        end

        def removed(owned, new)
          at = "#{new.name}.#{owned.function.name}"
          @changes.add(:function_removed, Place.of(new), at:, old: owned.place) do
            "was removed: new servers reject calls from old clients with an unknown-method error"
          end
        end

        def function(old, new)
          places = [new.place, old.place]
          oneway(old.function, new.function, *places)
          @changes.name_in_ruby(old.function, new.function, *places)
          Fields.new(@changes, :argument).types(*places, old.function.type, new.function.type, ["returned", "now returns"])
          compare_lists(:argument, old, new, &:arguments)
          compare_lists(:exception, old, new, &:throws)
          arguments(old, new)
        end

        def compare_lists(role, old, new)
          lists = [old, new].map { |owned| Fields::List.new(owned.place, yield(owned.function)) }
          Fields.new(@changes, role).compare(*lists)
        end

        def oneway(old, new, place, old_place)
          return if !old.oneway == !new.oneway

          @changes.add(:oneway_changed, place, old: old_place) do
            if new.oneway
              "is now oneway: old clients wait for a reply that new servers do not send"
            else
              "is no longer oneway: new clients wait for a reply that old servers do not send"
            end
          end
        end

        # Ruby methods take these arguments by position.
        def arguments(old, new)
          before = old.function.arguments
          names = before.map(&:name)
          ids = before.map(&:id)
          new.function.arguments.each do |argument|
            next if names.include?(argument.name) || ids.include?(argument.id)

            @changes.add(:argument_added, new.place + argument, old: old.place) do
              "is new: calls and handlers written for the old version have one argument too few"
            end
          end
          kept = new.function.arguments.map(&:name) & names
          return if kept == names & kept

          @changes.add(:arguments_reordered, new.place, old: old.place) do
            "takes its arguments in a different order: calls that pass them by position mix them up"
          end
        end
      end
    end
  end
end
