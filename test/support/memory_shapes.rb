# frozen_string_literal: true

require "bigdecimal"
require "set"

# The shape of a payload, for a search that changes it step by step.
#
# A shape has a kind, some numbers (how many elements, how many bytes) and inner shapes.
Shape = Struct.new(:kind, :numbers, :parts) do
  # Numbers at which Ruby changes how it stores things, or used to.
  self::EDGES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 18, 19, 22, 23, 24, 31, 32, 33, 38, 39, 40, 55, 56, 63, 64, 65, 78,
                 79, 127, 128, 129, 135, 136, 255, 256, 257, 295, 296, 511, 512, 513, 615, 616, 640].freeze

  # @example a list of 100 sets of 9 large Integers
  #   Shape.of(:list, 100, Shape.of(:set, 9, :big))
  def self.of(kind, *rest)
    numbers, parts = rest.partition { |item| item.is_a?(Integer) }
    new(kind, numbers, parts.map { |part| part.is_a?(Shape) ? part : Shape.of(part) })
  end

  def to_s = [kind, *numbers, *parts].join(" ").then { |text| parts.empty? && numbers.empty? ? text : "(#{text})" }

  # Returns about how many values there are in one.
  def size
    inside = [1, parts.sum(&:size)].max
    repeated = kind == :chain ? numbers : numbers.first(1) # each level of a chain has elements, too
    kind == :struct ? inside : repeated.reduce(inside) { |size, number| size * [number, 1].max }
  end

  # @return [Array<Shape>] this shape and all inner ones
  def nodes = [self, *parts.flat_map(&:nodes)]

  # @return [Shape] the same with another shape in the place of a node
  def replace(node, other) = equal?(node) ? other : Shape.new(kind, numbers, parts.map { |part| part.replace(node, other) })
end

# The possible shapes of an engine's payloads, and changes to them.
class Shapes
  # kind => [numbers, parts]
  def initialize(kinds, random)
    @kinds = kinds
    @random = random
    @leaves = kinds.select { |_, (_, parts)| parts.zero? }.keys
  end

  def any(levels = 3)
    kind = (levels.zero? ? @leaves : @kinds.keys).sample(random: @random)
    numbers, parts = @kinds.fetch(kind)
    Shape.new(kind, Array.new(numbers) { edge }, Array.new(parts) { any(levels - 1) })
  end

  # One shape for each kind and number of elements, with the plainest and the largest scalars inside.
  def corners(plain)
    @kinds.flat_map do |kind, (numbers, parts)|
      edges = numbers.zero? ? [0] : Shape::EDGES
      edges.flat_map { |edge| plain.map { |part| Shape.new(kind, [edge] * numbers, [part] * parts) } }
    end.uniq
  end

  def mutate(shape)
    node = shape.nodes.sample(random: @random)
    return shape.replace(node, any(2)) if node.numbers.empty? || @random.rand < 0.3
    return shape.replace(node, node.parts.sample(random: @random)) if node.parts.any? && @random.rand < 0.1

    place = @random.rand(node.numbers.size)
    numbers = node.numbers.each_with_index.map { |number, i| i == place ? change(number) : number }
    shape.replace(node, Shape.new(node.kind, numbers, node.parts))
  end

  private

  def edge = Shape::EDGES.sample(random: @random)

  def change(number)
    [edge, number + 1, number + 1, [number - 1, 0].max, [number - 1, 0].max, (number * 2).clamp(1, 5000), number / 2]
      .sample(random: @random)
  end
end

# Values of the kinds that both engines have.
module Scalars
  module_function

  # @param number [Integer] different numbers give different values, if the kind has so many
  def value(kind, size, number)
    case kind
    when :bool  then number.odd?
    when :small then number
    when :big   then (2**62) + number
    when :huge  then -(2**63) + number
    when :real  then (number + 1) * 0.5
    when :heap_real then (number + 1) * 1e300
    when :text  then text(size, number)
    when :bytes then text(size, number).b
    else raise "no scalar: #{kind}"
    end
  end

  def text(size, number) = size < 2 ? "x" * size : number.to_s(36).rjust(size, "x")[-size, size]
end
