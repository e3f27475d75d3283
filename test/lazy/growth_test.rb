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

  class Shelf < Sparpack::Struct
    field 1, :books, list(Node)
    field 2, :prices, map(:string, :i64)
    field 3, :sizes, list(:double)
  end

  # Eight times as much may take somewhat more than eight times as long. If the time were quadratic, it would be 64 times.
  LONGER = 8
  MOST = 28

  # How many times as long many levels take as a few, around the same numbers.
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

  ANY_ORDER = ->(all) { all.shuffle(random: Random.new(1)) }
  ORDERS = { "in order" => :itself, "backwards" => :reverse, "in any order" => ANY_ORDER }.freeze

  # Paths to each of n values.
  PATHS = { "elements" => ->(n) { Array.new(n) { |i| [:sizes, i] } },
            "elements from the end" => ->(n) { Array.new(n) { |i| [:sizes, i - n] } },
            "fields of elements" => ->(n) { Array.new(n) { |i| [:books, i, :numbers] } },
            "keys" => ->(n) { Array.new(n) { |i| [:prices, "key #{i}"] } } }.freeze

  ORDERS.to_a.product(PATHS.to_a).each do |(order, sort), (what, paths)|
    define_method("test_patch_of_many_#{what.tr(" ", "_")}_#{order.tr(" ", "_")}") do
      values = { sizes: 1.5, books: [7], prices: 7 }
      assert_grows_with_size do |count|
        bytes = shelf(count).encode
        changes = sort.to_proc.call(paths.call(count)).to_h { |path| [path, values.fetch(path.first)] }
        -> { Shelf.patch(bytes, changes) }
      end
    end
  end

  ORDERS.each do |order, sort|
    define_method("test_columns_of_many_elements_#{order.tr(" ", "_")}") do
      assert_grows_with_size do |count|
        bytes = Shelf.new(sizes: Array.new(count, &:to_f)).encode * 30
        paths = sort.to_proc.call(Array.new(count) { |i| "sizes[#{i}]" })
        -> { Shelf.columns(bytes, *paths) }
      end
    end
  end

  private

  def shelf(count)
    Shelf.new(books: Array.new(count) { |i| Node.new(numbers: [i]) }, sizes: Array.new(count, &:to_f),
              prices: (0...count).to_h { |i| ["key #{i}", i] })
  end

  # @yieldparam count [Integer]
  # @yieldreturn [Proc] what is measured
  def assert_grows_with_size(&)
    few, many = [500, 500 * LONGER].map(&).map { |work| seconds(&work) }

    assert_operator many, :<, few * MOST
  end

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
