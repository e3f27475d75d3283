# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Compares everything that has an id: the fields of a struct, the arguments of a function and the exceptions that it
      # throws.
      #
      # @api private
      class Fields
        # The fields of one struct or function, and its place.
        List = ::Struct.new(:place, :fields) do
          # @return [Hash{String => Model::Field}]
          def by_name = @by_name ||= fields.to_h { |field| [field.name, field] }

          # @return [Hash{Integer => Model::Field}]
          def by_id = @by_id ||= fields.to_h { |field| [field.id, field] }
        end

        NO_DEFAULTS = %i[variant exception].freeze
        REMOVED = {
          field: [:field_removed, "new readers ignore what old writers send in it, and old readers no longer receive it"],
          variant: [:field_removed, "new readers cannot tell what a message from an old writer holds"],
          argument: [:field_removed, "new servers ignore what old clients send in it, and old servers no longer receive it"],
          exception: [:throws_removed, "new clients do not recognize it in a reply from an old server"]
        }.freeze
        TYPES = {
          changed: [:type_changed, "readers of one version reject or skip what writers of the other version send"],
          reinterpreted: [:type_reinterpreted, "the bytes look the same, but some values suit only one of the two types"],
          json: [:json_type_changed, "JSON and MessagePack with names write the two types differently"],
          renamed: [:type_renamed, "the bytes stay the same, but generated code uses a different class"]
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

        # Adds a finding if the type changed.
        #
        # @param place [Place] the place of the new type
        # @param old_place [Place] the place of the old type
        # @param old [Model::Type, nil] nil for void
        # @param new [Model::Type, nil] nil for void
        # @param verbs [Array(String, String)] the verbs of the message, for the old and the new type
        # @return [void]
        def types(place, old_place, old, new, verbs = ["was", "is now"])
          rule, why = TYPES[@changes.outcome(@changes.types.compare(old, new))]
          return unless rule

          @changes.add(rule, place, old: old_place) do
            "#{verbs.zip(Types.words(old, new)).map { |pair| pair.join(" ") }.join(" and ")}: #{why}"
          end
        end

        private

        # Compares a field of the old list with its counterpart in the new one.
        #
        # @return [Model::Field, nil] the counterpart
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
            "had the id #{old.id} and now has #{new.id}: readers of compact and binary find fields by id" \
              "#{", and id #{old.id} now belongs to #{Quote.plain(taken.name)}" if taken}"
          end
        end

        def removed(old, there)
          rule, why = REMOVED.fetch(@role)
          why = "old readers reject messages without it" if demanded?(old)
          why = "its id now belongs to #{Quote.plain(there.name)}, and #{why}" if there
          @changes.add(rule, @new.place, at: (@old.place + old).name, old: @old.place + old) { "was removed: #{why}" }
          nil
        end

        # The two have the same id and different names.
        def replaced(old, new)
          verdict = @changes.types.compare(old.type, new.type)
          if @changes.outcome(verdict) == :changed
            was, is = Types.words(old.type, new.type)
            return add(:field_id_reused, old, new) do
              "(#{is}) has the id #{new.id}, which belonged to #{Quote.plain(old.name)} (#{was}): " \
                "each version mistakes one for the other"
            end
          end
          add(:field_renamed, old, new) do
            "was renamed from #{Quote.plain(old.name)}: " \
              "JSON and MessagePack with names carry the name, and the other version does not know it"
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
              "is now required: new readers reject messages from old writers that leave it out"
            end
          elsif new.requiredness != :required && demanded?(old)
            add(:field_made_optional, old, new) do
              "is no longer required: old readers reject messages from new writers that leave it out"
            end
          end
        end

        def default(old, new)
          was = default_text(@old.place, old)
          is = default_text(@new.place, new)
          is = "a different one" if was == is
          add(:default_changed, old, new) do
            "had #{was} and now has #{is}: without the field, a message means different things to old and new readers"
          end
        end

        def default_text(place, field)
          return "no default" if field.node.default.nil?

          text = place.text(field.node.default)
          text ? "the default #{text}" : "a long default"
        end

        def added(field)
          case @role
          when :variant
            add(:union_field_added, nil, field) { "is new: old readers cannot tell what a message with it holds" }
          when :exception then thrown(field)
          else
            return unless demanded?(field)

            add(:required_field_added, nil, field) { "is new and required: new readers reject messages from old writers" }
          end
        end

        def thrown(field)
          if @new.place.parts.last.type
            add(:throws_added, nil, field) do
              "is a new exception: old clients find no result in a reply with it, and cannot say why"
            end
          else
            add(:throws_added_to_void, nil, field) do
              "is a new exception of a function without a result: old clients mistake a reply with it for success"
            end
          end
        end

        # A reader fills in the default if the field is missing.
        def demanded?(field) = !NO_DEFAULTS.include?(@role) && field.requiredness == :required && field.default.nil?

        def add(rule, old, new, &) = @changes.add(rule, @new.place + new, old: old && (@old.place + old), &)
      end
    end
  end
end
