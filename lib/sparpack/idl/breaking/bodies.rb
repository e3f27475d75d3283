# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Structs and enums, whatever their names are.
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

        def records(old, new, old_place, place, changes)
          if (old.kind == :union) != (new.kind == :union)
            return changes.add(:struct_union_changed, place, old: old_place) do
              "was a #{old.kind} and is a #{new.kind}: a union holds exactly one field, and its readers refuse none or two"
            end
          end
          if old.kind != new.kind
            changes.add(:kind_changed, place, old: old_place) do
              "was a #{old.kind} and is a #{new.kind}: only exceptions can be raised"
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
              gone(value, old_place, place, changes, there, there.find { |other| !names[0].key?(other.name) })
            elsif named.number != value.number
              changes.add(:enum_number_changed, place + named, old: old_place + value) do
                "was #{value.number} and is #{named.number}: each version takes the other one's number for something else"
              end
            end
          end
        end

        # A number of another name was renamed, unless the other name was there before.
        def gone(value, old_place, place, changes, there, renamed)
          old = old_place + value
          if renamed
            return changes.add(:enum_value_renamed, place + renamed, old:) do
              "was #{Quote.plain(value.name)}: " \
                "JSON and named MessagePack carry the name, which the other version does not know"
            end
          end
          if there.empty?
            changes.add(:enum_number_removed, place, at: old.name, old:) do
              "is gone: its number #{value.number} has no name any more, and readers that demand one refuse it"
            end
          end
          changes.add(:enum_value_removed, place, at: old.name, old:) do
            "is gone: new readers do not know its name#{" nor its number #{value.number}" if there.empty?}"
          end
        end
        private_class_method :records, :enums, :gone
      end
    end
  end
end
