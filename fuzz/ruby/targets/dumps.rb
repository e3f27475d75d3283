# frozen_string_literal: true

require_relative "../target"
require_relative "../../../test/support/random_forms"

module Fuzzing
  # An object is loaded from a hostile dump of Marshal or YAML, or an error is raised. What is loaded can be used.
  class Dumps < Target
    USES = [:inspect, :hash, :to_h, :encode, :to_json, :dup, ->(object) { object == object.dup },
            ->(object) { Sparpack.errors(object, :recursive) }, ->(object) { Marshal.dump(object) }].freeze

    def run(choices)
      struct_class = Schemas.pick(choices)
      made = RandomSchema.new(choices).object(struct_class, 2)
      object = choices.chance(0.5) ? from_marshal(choices, struct_class, made) : from_yaml(choices, struct_class, made)
      USES.each { |use| attempt { use.to_proc.call(object) } }
      :loaded
    rescue StandardError
      :refused
    end

    private

    def from_marshal(choices, struct_class, made)
      fields, unknown, exception = Sparpack::Dumps.marshal_dump(made)
      fields = fields.transform_values { |value| spoiled(choices, value) }
      struct_class.allocate.tap { |object| object.send(:marshal_load, [fields, spoiled(choices, unknown), exception]) }
    end

    def from_yaml(choices, struct_class, made)
      map = {}
      Sparpack::Dumps.yaml_dump(made, map)
      map = map.transform_values { |value| spoiled(choices, value) }
      map["(unknown)"] = spoiled(choices, nil) if choices.chance(0.3)
      struct_class.allocate.tap { |object| Sparpack::Dumps.yaml_load(object, map) }
    end

    def spoiled(choices, value) = choices.chance(0.3) ? choices.pick(RandomForms::JUNK) : value

    def attempt
      yield
    rescue StandardError
      nil
    end
  end
end
