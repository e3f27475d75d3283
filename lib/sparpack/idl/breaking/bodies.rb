# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Compares the bodies of two structs or two enums. Their names do not matter here.
      #
      # @api private
      module Bodies
        module_function

        # @param old [Model::Record, Model::Enum]
        # @param new [Model::Record, Model::Enum]
        # @param changes [Changes, Kinship::Trial]
        # @return [void]
        def compare(old, new, changes)
          places = [Place.of(old), Place.of(new)]
          old.is_a?(Model::Enum) ? enums(old, new, *places, changes) : records(old, new, *places, changes)
        end

        # @param record [Model::Record]
        # @return [String] its kind with an article
        def kind(record) = record.kind == :exception ? "an exception" : "a #{record.kind}"

        def records(old, new, old_place, place, changes)
          if (old.kind == :union) != (new.kind == :union)
            return changes.add(:struct_union_changed, place, old: old_place) do
              "was #{kind(old)} and is now #{kind(new)}: a union holds exactly one field, " \
                "and its readers reject a message that has none or several"
            end
          end
          if old.kind != new.kind
            changes.add(:kind_changed, place, old: old_place) do
              "was #{kind(old)} and is now #{kind(new)}: only exceptions can be raised"
            end
          end
          role = new.kind == :union ? :variant : :field
          Fields.new(changes, role).compare(Fields::List.new(old_place, old.fields), Fields::List.new(place, new.fields))
        end

        def enums(old, new, old_place, place, changes)
          names = [old, new].map { |enum| enum.enum_values.to_h { |value| [value.name, value] } }
          numbers = new.enum_values.group_by(&:number)
          old.enum_values.each do |value|
            named = names[1][value.name]
            changes.name_in_ruby(value, named, place + named, old_place + value) if named
            if named.nil?
              there = numbers.fetch(value.number, [])
              removed(value, old_place, place, changes, there, there.find { |other| !names[0].key?(other.name) })
            elsif named.number != value.number
              changes.add(:enum_number_changed, place + named, old: old_place + value) do
                "had the number #{value.number} and now has #{named.number}: " \
                  "each version reads the other's number as a different value"
              end
            end
          end
        end

        # A value was renamed if its number has a name that the old enum did not have.
        def removed(value, old_place, place, changes, there, renamed)
          old = old_place + value
          if renamed
            return changes.add(:enum_value_renamed, place + renamed, old:) do
              "was renamed from #{Quote.plain(value.name)}: " \
                "JSON and MessagePack with names carry the name, and the other version does not know it"
            end
          end
          if there.empty?
            changes.add(:enum_number_removed, place, at: old.name, old:) do
              "was removed: its number #{value.number} no longer has a name, and readers that require one reject it"
            end
          end
          changes.add(:enum_value_removed, place, at: old.name, old:) do
            "was removed: new readers do not know its name#{" or its number #{value.number}" if there.empty?}"
          end
        end
        private_class_method :records, :enums, :removed
      end
    end
  end
end
