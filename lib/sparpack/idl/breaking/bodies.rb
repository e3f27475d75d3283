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
          numbers = new.enum_values.to_h { |value| [value.number, true] }
          unknown = new.enum_values.reject { |value| names[0].key?(value.name) }
          heirs = unknown.reverse.to_h { |value| [value.number, value] } # the first one with each number
          renamed = {}
          old.enum_values.each do |value|
            named = names[1][value.name]
            if named
              same_name(value, named, old_place + value, place + named, changes)
            elsif (heir = heirs[value.number])
              renamed[heir] = true
              renamed(value, old_place + value, place + heir, changes)
            else
              removed(value, old_place + value, place, changes, numbers.key?(value.number))
            end
          end
          unknown.each { |value| added(old_place, place + value, changes) unless renamed[value] }
        end

        def same_name(old, new, old_place, place, changes)
          changes.name_in_ruby(old, new, place, old_place)
          return if old.number == new.number

          changes.add(:enum_number_changed, place, old: old_place) do
            "had the number #{old.number} and now has #{new.number}: " \
              "each version reads the other's number as a different value"
          end
        end

        # A value was renamed if its number has a name that the old enum did not have.
        def renamed(old, old_place, place, changes)
          changes.add(:enum_value_renamed, place, old: old_place) do
            "was renamed from #{Quote.plain(old.name)}: " \
              "JSON and MessagePack with names carry the name, and the other version does not know it"
          end
        end

        def removed(old, old_place, place, changes, named)
          unless named
            changes.add(:enum_number_removed, place, at: old_place.name, old: old_place) do
              "was removed: its number #{old.number} no longer has a name, and readers that require one reject it"
            end
          end
          changes.add(:enum_value_removed, place, at: old_place.name, old: old_place) do
            "was removed: new readers do not know its name#{" or its number #{old.number}" unless named}"
          end
        end

        def added(old_place, place, changes)
          changes.add(:enum_value_added, place, old: old_place) do
            "is new: JSON and MessagePack with names carry its name, and old readers do not know it"
          end
        end
        private_class_method :records, :enums, :same_name, :renamed, :removed, :added
      end
    end
  end
end
