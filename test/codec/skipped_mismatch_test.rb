# frozen_string_literal: true

# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/child"
require "support/reading"

using WireForms

# With `mismatch: :skip`, a decode goes on after a value that could not be read. How many values of it were already waiting
# must not matter: neither to the values that follow, nor to the memory that they may take.
class SkippedMismatchTest < Minitest::Test
  include Child
  include Reading
  extend Reading::Types
  extend Reading::Wires

  # Fields that cannot be read, and what they hold instead. All begin well, so some values wait when the wrong one comes.
  BAD = { list(list(:i32)) => [list(list(:string)), [[], ["x"]]],
          list(set(:i32)) => [list(set(:string)), [Set["x"]]],
          list(map(:i32, :i32)) => [list(map(:i32, :string)), [{ 1 => "x" }]],
          map(:i32, list(:i32)) => [map(:i32, list(:string)), { 1 => [], 2 => ["x"] }],
          map(:i32, map(:i32, :i32)) => [map(:i32, map(:i32, :string)), { 1 => { 2 => "x" } }],
          set(list(:i32)) => [set(list(:string)), Set[[], ["x"]]],
          list(:i32) => [list(:string), %w[x]],
          set(:i32) => [set(:string), Set["x"]],
          map(:i32, :i32) => [map(:i32, :string), { 1 => "x" }] }.freeze

  # The items hold either `a`, which cannot be read, or `b`.
  def self.classes(base, type)
    item = Class.new(base) { field 1, :a, type and field 2, :b, :i64 }
    [item, Class.new(Sparpack::Struct) { field 1, :v, list(list(list(list(list(item))))) and field 2, :m, map(:i64, item) }]
  end

  CASES = BAD.flat_map do |type, (other, value)|
    [Sparpack::Struct, Sparpack::Union].map { |base| [classes(base, type), classes(base, other), value] }
  end.freeze

  each_wire "values after skipped ones are read" do |wire|
    assert_empty(in_child { CASES.flat_map { |readers, writers, value| differing(wire, readers, writers, value) } })
  end

  # A list in a list in a list, with so many elements in front that the values come to wait on the stack, across its end,
  # and in a segment behind it.
  FRONTS = [0, 200, 251, 255].freeze

  def differing(wire, (item, reader), (wrong, writer), value)
    FRONTS.product([1, 44, 300]).reject do |front, count|
      items = Array.new(count) { |i| i % 3 == 2 ? wrong.new(b: i << 40) : wrong.new(a: value) }
      bytes = writer.new(v: deep(items, front), m: items.each_with_index.to_h { |object, i| [i, object] }).encode(wire)
      read = reader.decode(bytes, wire, mismatch: :skip)
      expected = Array.new(count) { |i| i % 3 == 2 ? item.new(b: i << 40) : nil }
      same?(expected, read.v.flatten) && same?(expected, read.m.values) && read.m.keys == [*0...count]
    end
  end

  def deep(items, front) = 4.times.reduce(items) { |list, _| Array.new(front) { [] } << list }

  def same?(expected, items)
    expected.size == items.size && expected.zip(items).all? do |one, item|
      next one == item if one

      item.is_a?(Sparpack::Union) ? item.unknown? : item == item.class.new
    end
  end

  class Numbers < Sparpack::Struct
    field 1, :lists, list(list(:i32))
    field 2, :last, :i32
  end

  # What a skipped value was charged stays charged, because it was made. But its elements no longer wait.
  each_wire "elements of skipped values do not wait for ever" do |wire|
    lists = [1, [:list, [:list, :string]], [["x"], *([[]] * 129)]]
    bytes = writer(wire, Numbers).message(*([lists] * 1000), [2, :i32, 7])
    limits = Sparpack::Limits.new(memory: 2_000_000)

    assert_equal(Numbers.new(last: 7), in_child { Numbers.decode(bytes, wire, mismatch: :skip, limits:) })
  end
end
