# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Fields of a struct, arguments of a function, exceptions that it throws: what stands under ids.
      #
      # @api private
      class Fields
        # Fields and what they belong to.
        List = ::Struct.new(:place, :fields) do
          # @return [Hash{String => Model::Field}]
          def by_name = @by_name ||= fields.to_h { |field| [field.name, field] }

          # @return [Hash{Integer => Model::Field}]
          def by_id = @by_id ||= fields.to_h { |field| [field.id, field] }
        end

        NO_DEFAULTS = %i[variant exception].freeze
        REMOVED = {
          field: [:field_removed, "new readers drop what old writers send in it, and old readers get it no more"],
          variant: [:field_removed, "new readers cannot tell what a message of an old writer holds"],
          argument: [:field_removed, "new servers drop what old clients send in it, and old servers get it no more"],
          exception: [:throws_removed, "new clients find nothing that they know in the reply of an old server"]
        }.freeze
        TYPES = {
          changed: [:type_changed, "readers of one version refuse or skip what writers of the other one send"],
          reinterpreted: [:type_reinterpreted, "the bytes are the same, but not all are fine for both"],
          json: [:json_type_changed, "JSON and named MessagePack write it in another way"],
          renamed: [:type_renamed, "it is written the same, but generated code has another class for it"]
        }.freeze
        private_constant :NO_DEFAULTS, :REMOVED, :TYPES

        # @param changes [Changes, Kinship::Trial]
        # @param role [Symbol] `:field`, `:variant` (of a union), `:argument` or `:exception`
        def initialize(changes, role)
          @changes = changes
          @role = role
        end

        # @param old [List]
        # @param new [List]
        # @return [void]
        def compare(old, new)
          @old = old
          @new = new
          known = old.fields.to_h { |field| [counterpart(field), true] }
          new.fields.each { |field| added(field) unless known[field] }
        end

        # @param place [Place]
        # @param old_place [Place]
        # @param old [Model::Type, nil] nil for void
        # @param new [Model::Type, nil]
        # @param verbs [Array(String, String)] of old and new
        # @return [void]
        def types(place, old_place, old, new, verbs = %w[was is])
          rule, why = TYPES[@changes.outcome(@changes.types.compare(old, new))]
          return unless rule

          @changes.add(rule, place, old: old_place) do
            "#{verbs.zip(words(old, new)).map { |pair| pair.join(" ") }.join(" and ")}: #{why}"
          end
        end

        private

        # @return [Model::Field, nil] what became of it
        def counterpart(field)
          named = @new.by_name[field.name]
          if named
            moved(field, named) if named.id != field.id
            both(field, named)
            return named
          end
          there = @new.by_id[field.id]
          return removed(field, there) if there.nil? || @old.by_name.key?(there.name)

          replaced(field, there)
          there
        end

        def moved(old, new)
          taken = @new.by_id[old.id]
          add(:field_id_changed, old, new) do
            "has the id #{new.id} and had #{old.id}#{", which is that of #{Quote.plain(taken.name)} now" if taken}: " \
              "binary readers know fields by their ids"
          end
        end

        def removed(old, there)
          rule, why = REMOVED.fetch(@role)
          why = "old readers refuse messages without it" if demanded?(old)
          why = "its id is that of #{Quote.plain(there.name)} now, and #{why}" if there
          @changes.add(rule, @new.place, at: (@old.place + old).name, old: @old.place + old) { "is gone: #{why}" }
          nil
        end

        # The same id, another name.
        def replaced(old, new)
          verdict = @changes.types.compare(old.type, new.type)
          if @changes.outcome(verdict) == :changed
            was, is = words(old.type, new.type)
            return add(:field_id_reused, old, new) do
              "(#{is}) has the id #{new.id} of #{Quote.plain(old.name)} (#{was}), which is gone: " \
                "each version takes one for the other"
            end
          end
          add(:field_renamed, old, new) do
            "was #{Quote.plain(old.name)}: JSON and named MessagePack carry the name, which the other version does not know"
          end
          both(old, new)
        end

        def both(old, new)
          types(@new.place + new, @old.place + old, old.type, new.type)
          @changes.name_in_ruby(old, new, @new.place + new, @old.place + old)
          return if NO_DEFAULTS.include?(@role)

          requiredness(old, new)
          default(old, new) unless @changes.values.same?(old.default, new.default)
        end

        def requiredness(old, new)
          if old.requiredness != :required && demanded?(new)
            add(:field_made_required, old, new) do
              "is required now: new readers refuse messages of old writers that left it out"
            end
          elsif new.requiredness != :required && demanded?(old)
            add(:field_made_optional, old, new) do
              "is not required any more: old readers refuse messages of new writers that leave it out"
            end
          end
        end

        def default(old, new)
          was = @old.place.text(old.node.default)
          is = @new.place.text(new.node.default)
          is = "another one" if was == is
          add(:default_changed, old, new) do
            "had the default #{was} and has #{is}: a message without it means one or the other, depending on who reads it"
          end
        end

        def added(field)
          case @role
          when :variant
            add(:union_field_added, nil, field) { "is new: old readers cannot tell what such a message holds" }
          when :exception then thrown(field)
          else
            return unless demanded?(field)

            add(:required_field_added, nil, field) { "is new and required: new readers refuse messages of old writers" }
          end
        end

        def thrown(field)
          if @new.place.parts.last.type
            add(:throws_added, nil, field) { "is a new exception: old clients find no result in such a reply, nor why" }
          else
            add(:throws_added_to_void, nil, field) do
              "is a new exception of a function without a result: old clients take such a reply for success"
            end
          end
        end

        # A default satisfies a reader.
        def demanded?(field) = !NO_DEFAULTS.include?(@role) && field.requiredness == :required && field.default.nil?

        # Files are named where that tells two types apart.
        def words(old, new)
          short = [old, new].map { |type| Types.text(type) }
          words = short.uniq.size == 1 ? [old, new].map { |type| Types.text(type, qualified: true) } : short
          words.map { |word| Quote.plain(word) }
        end

        def add(rule, old, new, &) = @changes.add(rule, @new.place + new, old: old && (@old.place + old), &)
      end
    end
  end
end
