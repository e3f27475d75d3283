# frozen_string_literal: true

# bin/test: not sanitized, for times under the sanitizers say nothing

require "test_helper"
require "support/cost"

# The time that a message takes grows with its size, not with the square of its size.
class LazyGrowthTest < Minitest::Test
  class Node < Sparpack::Struct
    field 1, :child, -> { Node }
    field 2, :children, -> { list(Node) }
    field 3, :numbers, list(:i64)
  end

  # So much takes as long as what a few levels have in them.
  FEW = 4

  DEEP = Sparpack::Limits.new(depth: 1000)

  # Opening each level would scan all that is below it again.
  def test_levels_of_a_lazy_object
    few, many = [10, 400].map { |levels| walk(nested(levels) { |child| Node.new(child:) }, &:child) }

    assert_operator many, :<, few * FEW
  end

  def test_levels_of_lists_of_a_lazy_object
    few, many = [10, 400].map do |levels|
      walk(nested(levels) { |child| Node.new(children: [child]) }) { |object| object.children&.first }
    end

    assert_operator many, :<, few * FEW
  end

  private

  # @return [Node] with many numbers in the innermost one
  def nested(levels, &) = levels.times.inject(Node.new(numbers: [1] * 50_000)) { |inner, _| yield inner }

  # @return [Float] seconds that reading all levels takes
  def walk(object)
    codec = Sparpack::Codec.new(Node, limits: DEEP, lazy: true)
    bytes = codec.encode(object)
    seconds do
      found = codec.decode(bytes)
      while (inner = yield(found))
        found = inner
      end
      found.numbers
    end
  end

  # @return [Float] the least of some measurements, because others are disturbed
  def seconds(&) = Array.new(5) { Cost.of(&).seconds }.min
end
