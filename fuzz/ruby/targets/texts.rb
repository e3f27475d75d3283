# frozen_string_literal: true

require_relative "../target"
require_relative "../../idl"
require_relative "../../names"

module Fuzzing
  # A .thrift text is read, or refused with its place, in bounded time.
  class IDLText < Target
    def run(choices)
      IDLFuzzer.new(choices).tap(&:step).counts.keys.first
    end
  end

  # Hostile names, namespaces, strings and comments become declarations, or are refused with their place.
  class Names < Target
    def run(choices)
      NamesFuzzer.new(choices).tap(&:step).counts.keys.first
    end
  end

  # `from_json` reads what `decode` reads.
  class FromJSON < Target
    def run(choices)
      struct_class = Schemas.pick(choices)
      many = choices.chance(0.2)
      each_payload(choices, struct_class, :json) do |bytes|
        text = bytes.dup.force_encoding(Encoding::UTF_8)
        many ? several(struct_class, "[#{text}]") : one(struct_class, text)
      end
    end

    private

    def several(struct_class, text)
      ours = outcome { struct_class.from_json(text) }
      ours.first.is_a?(Class) ? :refused : :read
    end

    def one(struct_class, text)
      ours = outcome { [struct_class.from_json(text)].flatten(1) }
      decoded = outcome { [struct_class.decode(text, :json)] }
      return :read if decoded.first.is_a?(struct_class) && shown(ours) == shown(decoded)

      refused = ours.first.is_a?(Class) || ours.empty? || text.lstrip.start_with?("[")
      find("from_json differs", text, ours, decoded) unless refused
      :refused
    end

    def shown(objects) = objects.map(&:inspect)
  end
end
