# frozen_string_literal: true

module Sparpack
  # Says why a path of {Codec#dig} or {Codec#patch} leads nowhere.
  #
  # @api private
  module Steps
    module_function

    # @param struct_class [Class, Mapping]
    # @param steps [Array<Object>] a whole path
    # @param at [Integer] the index of the first step that the schema does not have
    # @return [ArgumentError]
    def error(struct_class, steps, at)
      type = steps.first(at).reduce(Type.new(:struct, target: struct_class)) { |above, step| below(above, step) }
      ArgumentError.new(message(type, steps[at], text(struct_class, steps.first(at))))
    end

    # @param path [Array<Object>]
    # @return [ArgumentError]
    def overlap(path) = ArgumentError.new("two paths overlap: #{list(path)} is one of them, or is inside another one")

    # @param path [Array<Object>]
    # @return [ArgumentError]
    def untyped(path) = ArgumentError.new("nothing in a member without a type can be changed, got #{list(path)}")

    # @param path [Object] something that is not an Array
    # @return [ArgumentError]
    def wrong_path(path)
      hint = path.is_a?(Symbol) || path.is_a?(String) ? " (use [#{Quote.value(path)}])" : ""
      ArgumentError.new("expected an Array as the path to a value, got #{Quote.value(path)}#{hint}")
    end

    # @param changes [Object] something that is not a Hash
    # @return [TypeError]
    def wrong_changes(changes)
      TypeError.new("changes must be a Hash from paths to values, got #{Quote.plain(changes.class)}")
    end

    def below(type, step)
      return type.element unless %i[struct union].include?(type.kind)

      fields(type).find { |field| field.name.name == step.to_s }.type
    end
    private_class_method :below

    def message(type, step, path)
      case type.kind
      when :struct, :union then of_struct(type, step, path)
      when :list then "#{path}: expected the index of an element, got #{Quote.value(step)}"
      when :map then "#{path}: expected a key of the type #{type.key}, got #{Quote.value(step)}#{key_hint(type.key, step)}"
      else "#{path}: no step leads into #{type}, got #{Quote.value(step)}"
      end
    end
    private_class_method :message

    def of_struct(type, step, path)
      names = fields(type).map(&:name)
      unless step.is_a?(Symbol) || step.is_a?(String)
        return "#{path}: expected the name of a field, got #{Quote.value(step)}#{Names.hint(step, names)}"
      end

      "unknown field #{Quote.value(step)} for #{Quote.plain(type.target)}#{Names.hint(step, names)}"
    end
    private_class_method :of_struct

    def key_hint(type, step)
      named = type.kind == :enum && (step.is_a?(Symbol) || step.is_a?(String))
      named ? Enum.hint(type.target, step, similar: true) : ""
    end
    private_class_method :key_hint

    def fields(type) = Declared.schema(type.target).fields
    private_class_method :fields

    def text(struct_class, steps)
      steps.reduce(Quote.plain(struct_class)) do |path, step|
        path + (step.is_a?(Symbol) ? ".#{Quote.plain(step)}" : "[#{Quote.value(step)}]")
      end
    end
    private_class_method :text

    def list(path) = "[#{path.map { |step| Quote.value(step) }.join(", ")}]"
    private_class_method :list
  end
end
