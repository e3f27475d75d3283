# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Services: what clients of the old version call. Functions may be a service's own or those of one that it extends.
      #
      # @api private
      class Services
        # So many services one above the other are looked at.
        ANCESTORS = 64
        private_constant :ANCESTORS

        # A function, and the service that has it.
        Owned = ::Struct.new(:service, :function) do
          # @return [Place]
          def place = Place.of(service) + function

          # @return [Array] what a call and its reply hold
          def signature
            parts = [function.arguments, function.throws].map do |fields|
              fields.map { |field| [field.id, field.name, Types.text(field.type)] }
            end
            [function.oneway ? true : false, Types.text(function.type), *parts]
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
          kept, missing = unspoken(old, new).partition { |owned| there.key?(owned.function.name) }
          kept.each { |owned| function(owned, there[owned.function.name]) }
          gone(missing, old, new) unless missing.empty?
        end

        private

        def ancestors(service)
          chain = [service]
          chain << chain.last.parent while chain.last.parent && chain.size < ANCESTORS
          chain
        end

        # The nearest of a name hides others.
        def functions(service)
          ancestors(service).reverse.each_with_object({}) do |owner, found|
            owner.functions.each { |function| found[function.name] = Owned.new(owner, function) }
          end
        end

        # What a service inherits is compared where it is declared, if the new one inherits that, too.
        def unspoken(old, new)
          kept = ancestors(new).to_h { |service| [service, true] }.compare_by_identity
          own, *above = ancestors(old)
          above = above.take_while { |service| !kept.key?(@changes.matching.new_of(service)) }
          [own, *above].flat_map { |owner| owner.functions.map { |function| Owned.new(owner, function) } }
                       .uniq { |owned| owned.function.name }
        end

        def parent(old, new)
          return if old.parent.nil? && new.parent.nil?
          return if old.parent && @changes.matching.new_of(old.parent).equal?(new.parent)

          names = [old.parent, new.parent].map { |service| "extended #{service ? Quote.plain(service.name) : "none"}" }
          @changes.add(:parent_changed, Place.of(new), old: Place.of(old)) do
            "#{names[0]} and now #{names[1].sub("extended", "extends")}: its generated classes have other ancestors"
          end
        end

        # Where exactly one new function says the same as one that is gone, it has another name.
        def gone(missing, old, new)
          known = functions(old)
          added = new.functions.reject { |function| known.key?(function.name) }
          added = added.map { |function| Owned.new(new, function) }.group_by(&:signature)
          missing.group_by(&:signature).each do |signature, owned|
            renamed = added[signature]
            next owned.each { |one| removed(one, new) } unless owned.size == 1 && renamed&.size == 1

            @changes.add(:function_renamed, renamed[0].place, old: owned[0].place) do
              "was #{Quote.plain(owned[0].function.name)}: " \
                "calls carry the name, which servers of the other version do not know"
            end
          end
        end

        def removed(owned, new)
          at = "#{new.name}.#{owned.function.name}"
          @changes.add(:function_removed, Place.of(new), at:, old: owned.place) do
            "is gone: new servers answer calls of old clients with an error, that they do not know it"
          end
        end

        def function(old, new)
          places = [new.place, old.place]
          oneway(old.function, new.function, *places)
          @changes.name_in_ruby(old.function, new.function, *places)
          Fields.new(@changes, :argument).types(*places, old.function.type, new.function.type, %w[returned returns])
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
              "is oneway now: old clients wait for a reply that new servers do not send"
            else
              "is not oneway any more: new clients wait for a reply that old servers do not send"
            end
          end
        end

        # Methods take arguments by position.
        def arguments(old, new)
          before = old.function.arguments
          names = before.map(&:name)
          ids = before.map(&:id)
          new.function.arguments.each do |argument|
            next if names.include?(argument.name) || ids.include?(argument.id)

            @changes.add(:argument_added, new.place + argument, old: old.place) do
              "is new: calls and handlers that were written for the old version have one argument less"
            end
          end
          kept = new.function.arguments.map(&:name) & names
          return if kept == names & kept

          @changes.add(:arguments_reordered, new.place, old: old.place) do
            "takes its arguments in another order: calls by position mix them up"
          end
        end
      end
    end
  end
end
