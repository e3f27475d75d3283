# frozen_string_literal: true

# The columns of paths by decoded objects, and random paths. Whatever chooses has a method `rand`.
module ColumnsByHand
  ANY = :[]

  module_function

  # @param objects [Array<Sparpack::Value>]
  # @param paths [Array<Array<Object>>] steps
  # @return [Array<Array<Object>>] the rows of each path
  def of(objects, paths)
    first = paths.first.index(ANY)
    prefix = paths.first.first(first + 1) if first
    return paths.map { |path| objects.map { |object| value(object, path) } } unless prefix && below?(paths, prefix)

    rows = objects.flat_map { |object| elements(value(object, paths.first.first(first))) || [] }
    paths.map { |path| rows.map { |row| value(row, path.drop(prefix.size)) } }
  end

  # @return [Array<Array<Object>>] the steps of some paths. Often they begin with the same list
  def paths(object, choices)
    prefix = path(object, choices)
    prefix = prefix[..prefix.index(ANY)] if prefix.include?(ANY)
    return Array.new(1 + choices.rand(4)) { path(object, choices) } if choices.rand(3).zero? || !prefix.include?(ANY)

    type, value = follow(object, prefix)
    Array.new(1 + choices.rand(3)) { prefix + (stops?(choices) ? [] : below(type, value, choices)) }
  end

  def path(object, choices) = below(Sparpack::Type.new(:struct, target: object.class), object, choices)

  # @return [Sparpack::Type] of what a path leads to
  def type(struct_class, path)
    path.reduce(Sparpack::Type.new(:struct, target: struct_class)) { |type, step| inner(type, step) }
  end

  # @return [String, nil] a path as text; nil if it has a key that is no text
  def text(path)
    path.each_with_index.reduce(+"") do |text, (step, index)|
      text << case step
              when ANY then "[]"
              when Symbol then "#{"." if index.positive?}#{step}"
              when Integer then "[#{step}]"
              else return nil
              end
    end
  end

  def value(object, path)
    step, *rest = path
    return object if step.nil? || object.nil?
    return elements(object).map { |element| value(element, rest) } if step == ANY
    return value(object[step], rest) unless object.is_a?(Sparpack::Value)

    value(Sparpack::Native.get(object, step), rest)
  end

  def below?(paths, prefix) = paths.all? { |path| path.first(prefix.size) == prefix }
  private_class_method :below?

  def elements(value) = value.is_a?(Hash) ? value.values : value&.to_a
  private_class_method :elements

  def stops?(choices) = choices.rand(3).zero?
  private_class_method :stops?

  def below(type, value, choices)
    step, inner, found = step(type, value, choices)
    return [] unless inner

    [step] + (stops?(choices) ? [] : below(inner, found, choices))
  end
  private_class_method :below

  # A step, the type that it leads to, and one of the values there.
  def step(type, value, choices)
    case type.kind
    when :struct, :union
      field = pick(type.target.schema.fields, choices)
      [field.name, field.type, value && Sparpack::Native.get(value, field.name)]
    when :list
      return [ANY, type.element, value&.first] unless choices.rand(3).zero?

      index = choices.rand(6) - 3
      [index, type.element, value && value[index]]
    when :set then [ANY, type.element, value&.first]
    when :map then step_in_map(type, value, choices)
    end
  end
  private_class_method :step

  def step_in_map(type, value, choices)
    key = pick(value.keys, choices) if value
    return [ANY, type.element, value&.values&.first] if key.nil? || choices.rand(2).zero? || key != key # rubocop:disable Lint/BinaryOperatorWithIdenticalOperands -- NaN

    [key, type.element, value[key]]
  end
  private_class_method :step_in_map

  def follow(object, path)
    path.reduce([Sparpack::Type.new(:struct, target: object.class), object]) do |(type, value), step|
      [inner(type, step), step == ANY ? elements(value)&.first : value(value, [step])]
    end
  end
  private_class_method :follow

  def inner(type, step) = type.element || type.target.schema.fields.find { |field| field.name == step }.type
  private_class_method :inner

  def pick(list, choices) = list.empty? ? nil : list[choices.rand(list.size)]
  private_class_method :pick
end
