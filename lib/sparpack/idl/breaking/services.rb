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

        # The most inherited functions, arguments and exceptions that are compared. Each service has what the services above
        # it declare, which may be many times as much as the IDL.
        INHERITED = 100_000
        private_constant :ANCESTORS, :INHERITED

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
          @own = {}.compare_by_identity
          @inherited = 0
        end

        # @param old [Model::Service]
        # @param new [Model::Service]
        # @return [void]
        def compare(old, new)
          parent(old, new)
          chain = ancestors(new)
          missing = functions(old, new, chain).reject do |owned|
            there = find(chain, owned.function.name)
            function(owned, there) if there
            there
          end
          missing_functions(missing, old, new) unless missing.empty?
        end

        private

        def ancestors(service)
          chain = [service]
          chain << chain.last.parent while chain.last.parent && chain.size < ANCESTORS
          chain
        end

        # @return [Hash{String => Owned}] the functions that the service declares itself
        def own(service)
          @own[service] ||= service.functions.to_h { |function| [function.name, Owned.new(service, function)] }
        end

        def size(service)
          service.functions.sum { |function| 1 + function.arguments.size + function.throws.size }
        end

        # A function hides those with the same name in the services that its own service extends.
        #
        # @return [Owned, nil]
        def find(chain, name)
          owner = chain.find { |service| own(service).key?(name) }
          owner && own(owner)[name]
        end

        # The functions of the old service that are to be compared. If the new service inherits some from the same service,
        # they are compared there.
        def functions(old, new, chain)
          kept = chain.to_h { |service| [service, true] }.compare_by_identity
          above = ancestors(old).drop(1).take_while { |service| !kept.key?(@changes.matching.new_of(service)) }
          @inherited += above.sum { |service| size(service) }
          if @inherited > INHERITED && above.any?
            too_many(old, new)
            above = []
          end
          [old, *above].flat_map { |service| own(service).values }.uniq { |owned| owned.function.name }
        end

        def too_many(old, new)
          @changes.add(:function_removed, Place.of(new), old: Place.of(old)) do
            "no longer extends #{Quote.plain(old.parent.name)}, and its functions were not compared: " \
              "the services of the old version inherit too many functions"
          end
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
          chain = ancestors(old)
          types = @changes.types
          added = own(new).values.reject { |owned| find(chain, owned.function.name) }
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
