# frozen_string_literal: true

module Sparpack
  # Steps of paths: what a piece of {Path} leads to, and why a path of {Codec#dig}, {Codec#patch} or {Codec#columns} leads
  # nowhere.
  #
  # @api private
  module Steps
    # The step to every element, which only columns take.
    ANY = :[]

    UUID = /\A\h{8}-?(?:\h{4}-?){3}\h{12}\z/

    # No list has this index, so any larger one means the same.
    FAR = (1 << 61) - 1

    STRUCTS = %i[struct union].freeze

    # What people write for every element.
    EVERY = ["[]", "*", :*, :"[*]", "[*]"].freeze
    private_constant :UUID, :FAR, :STRUCTS, :EVERY

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
      hint = " (a codec has its wire already)" if path == :wire
      ArgumentError.new("expected an Array as the path to a value, got #{Quote.value(path)}#{hint}")
    end

    # @param changes [Object] something that is not a Hash
    # @return [TypeError]
    def wrong_changes(changes)
      TypeError.new("changes must be a Hash from paths to values, got #{Quote.plain(changes.class)}")
    end

    # Takes one step by a piece of a path.
    #
    # @param type [Type] of the value above
    # @return [Array(Object, Type)] the step, and the type of what it leads to
    # @raise [ArgumentError] if the type does not have it
    def next(type, kind, text, number)
      case type.kind
      when :struct, :union then field(type, kind, text, number)
      when :list, :set, :map then [element(type, kind, text, number), type.element]
      when :any then [kind == :any ? ANY : number || utf8(text), type]
      else raise ArgumentError, "no step leads into #{type}"
      end
    end

    # @param path [Object] something that is not the path of a column
    # @return [ArgumentError]
    def wrong_column(path)
      hint = path.is_a?(Symbol) ? " (use #{Quote.value(path.name)})" : ""
      ArgumentError.new("expected a String or an Array as the path of a column, got #{Quote.value(path)}#{hint}")
    end

    # @param nested [Boolean] whether rows of the column are lists
    # @return [ArgumentError]
    def not_packed(struct_class, steps, nested)
      why = nested ? "its rows are lists" : "it leads to no number"
      ArgumentError.new("#{text(struct_class, steps)}: the column cannot be packed, because #{why}")
    end

    def field(type, kind, text, number)
      raise ArgumentError, "expected the name of a field of #{Quote.plain(type.target)}" unless kind == :word

      name = utf8(text)
      found = fields(type).find { |known| known.name.name == name } ||
              fields(type).find { |known| known.idl_name == name } ||
              fields(type).find { |known| known.id == number }
      raise ArgumentError, of_struct(type, name, nil) unless found

      [found.name, found.type]
    end
    private_class_method :field

    def element(type, kind, text, number)
      return ANY if kind == :any
      return key(type.key, kind, text, number) if type.kind == :map
      return number || FAR if type.kind == :list && kind == :index

      raise ArgumentError, type.kind == :list ? "expected [] or the [index] of an element" : "expected []"
    end
    private_class_method :element

    def key(type, kind, text, number)
      range = Type::RANGES[type.kind]
      return number if kind == :index && range&.cover?(number)

      name = utf8(text) unless kind == :index
      found = case type.kind
              when :string then name if name&.valid_encoding?
              when :binary then text unless kind == :index
              when :uuid then name if name&.match?(UUID)
              when :enum then name if name && type.target.value_of(name)
              end
      hint = %i[bool double].include?(type.kind) ? " (a path of text has none: use an Array of steps)" : key_hint(type, name)
      found || raise(ArgumentError, "expected [] or a key of the type #{type}#{hint}")
    end
    private_class_method :key

    def utf8(text) = text.dup.force_encoding(Encoding::UTF_8)
    private_class_method :utf8

    def below(type, step)
      return type if type.kind == :any
      return type.element unless STRUCTS.include?(type.kind)

      fields(type).find { |field| field.name.name == step.to_s }.type
    end
    private_class_method :below

    def message(type, step, path)
      case type.kind
      when :struct, :union then of_struct(type, step, path)
      when :list
        hint = " (columns take :[] for every element)" if EVERY.include?(step)
        "#{path}: expected the index of an element, got #{Quote.value(step)}#{hint}"
      when :map then "#{path}: expected a key of the type #{type.key}, got #{Quote.value(step)}#{key_hint(type.key, step)}"
      else
        hint = " (a codec has its wire and options already)" if is?(step, Hash)
        "#{path}: no step leads into #{type}, got #{Quote.value(step)}#{hint}"
      end
    end
    private_class_method :message

    def of_struct(type, step, path)
      names = fields(type).map(&:name)
      unless is?(step, Symbol, String)
        hint = is?(step, Array) ? " (an Array is one path: pass several as separate arguments)" : Names.hint(nil, names)
        return "#{path}: expected the name of a field, got #{Quote.value(step)}#{hint}"
      end

      textual = path && step.to_s.b.match?(/[.\[]/n)
      hint = textual ? " (a path of text is for columns only, and not in an Array)" : Names.hint(step, names)
      "unknown field #{Quote.value(step)} for #{Quote.plain(type.target)}#{hint}"
    end
    private_class_method :of_struct

    def key_hint(type, step)
      named = type.kind == :enum && is?(step, Symbol, String)
      named ? Enum.hint(type.target, step, similar: true) : ""
    end
    private_class_method :key_hint

    # A step may be a BasicObject.
    def is?(step, *classes)
      case step
      when *classes then true
      else false
      end
    end
    private_class_method :is?

    def fields(type) = Declared.schema(type.target).fields
    private_class_method :fields

    def text(struct_class, steps)
      type = Type.new(:struct, target: struct_class)
      steps.reduce(Quote.plain(struct_class)) do |path, step|
        named = STRUCTS.include?(type.kind)
        type = below(type, step)
        next "#{path}[]" if step == ANY

        path + (named ? ".#{Quote.plain(step)}" : "[#{Quote.value(step)}]")
      end
    end
    private_class_method :text

    def list(path) = "[#{path.map { |step| Quote.value(step) }.join(", ")}]"
    private_class_method :list
  end
end
