# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test and contract/test_wires_test run the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

using WireForms

module Contract
  # Lists, sets and maps of every type and size, nested in one another.
  class ContainersTest < Minitest::Test
    include Reading
    extend Reading::Types
    extend Reading::Wires

    module Level
      extend Sparpack::Enum

      LOW = -1
      HIGH = 1
    end

    class Point < Sparpack::Struct
      field 1, :x, :i32
      field 17, :flag, :bool
    end

    class Choice < Sparpack::Union
      field 1, :number, :i64
      field 2, :point, Point
    end

    class Fault < Sparpack::Exception
      field 1, :message, :string
    end

    # Two values of each type that a container can hold.
    VALUES = {
      bool: [true, false], i8: [-1, 2], i16: [300, -300], i32: [70_000, -1], i64: [1 << 40, -2], double: [0.5, -2.0],
      string: ["", "ü"], binary: ["\xff".b, "b".b], Level => [1, -1],
      uuid: %w[00112233-4455-6677-8899-aabbccddeeff ffffffff-0000-0000-0000-000000000000],
      Point => [Point.new(x: 1), Point.new(flag: true)],
      Choice => [Choice.number(5), Choice.point(Point.new(x: -1, flag: false))],
      Fault => [Fault.new(message: "m"), Fault.new],
      list(:bool) => [[true, false], []],
      set(:string) => [Set["a", "b"], Set[]],
      map(:i8, :double) => [{ 1 => 1.0 }, {}],
      list(Point) => [[Point.new(x: 3)], [Point.new, Point.new(x: 4)]],
      set(list(:i16)) => [Set[[1], [2, 3]], Set[[]]],
      map(set(:i32), list(map(:string, :bool))) => [{ Set[1] => [{ "k" => true }] }, { Set[] => [{}] }]
    }.freeze

    # Sizes around each boundary: short headers, one-byte varints, runs of a decode, and two-byte varints.
    SIZES = [0, 1, 2, 7, 8, 9, 14, 15, 16, 17, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1000].freeze

    def self.name_of(type) = type.is_a?(Module) ? type.name.split("::").last : type.to_s

    VALUES.each do |type, (one, two)|
      each_wire "list, set and map of #{name_of(type)}" do |wire|
        assert_both_ways(one(list(type)).new(v: [one, two, one]), wire)
        assert_both_ways(one(set(type)).new(v: Set[two, one]), wire)
        assert_both_ways(one(map(:i32, type)).new(v: { 1 => one, -2 => two }), wire)
        assert_both_ways(one(map(type, :i32)).new(v: { one => 1, two => -2 }), wire)
      end

      each_wire "containers in containers of #{name_of(type)}" do |wire|
        assert_both_ways(one(list(list(type))).new(v: [[one], [], [two, one]]), wire)
        assert_both_ways(one(list(set(type))).new(v: [Set[one, two], Set[]]), wire)
        assert_both_ways(one(set(list(type))).new(v: Set[[two], [], [one, one]]), wire)
        assert_both_ways(one(set(set(type))).new(v: Set[Set[one], Set[one, two]]), wire)
        assert_both_ways(one(map(list(type), set(type))).new(v: { [one, two] => Set[two], [] => Set[] }), wire)
        assert_both_ways(one(map(set(type), list(type))).new(v: { Set[two] => [one] }), wire)
        assert_both_ways(one(map(map(type, type), map(type, type))).new(v: { { one => two } => { two => one } }), wire)
      end
    end

    each_wire "containers of every size" do |wire|
      SIZES.each do |size|
        assert_both_ways(one(list(:i32)).new(v: Array.new(size) { |i| i * 37 }), wire)
        assert_both_ways(one(list(:bool)).new(v: Array.new(size, &:even?)), wire)
        assert_both_ways(one(list(:string)).new(v: Array.new(size, &:to_s)), wire)
        assert_both_ways(one(set(:i64)).new(v: Set.new(0...size)), wire)
        assert_both_ways(one(map(:string, :i16)).new(v: (0...size).to_h { |i| ["k#{i}", i] }), wire)
      end
    end

    each_wire "containers of structs of every size" do |wire|
      SIZES.reject { |size| size > 300 }.each do |size|
        points = Array.new(size) { |i| Point.new(x: i) }

        assert_both_ways(one(list(Point)).new(v: points), wire)
        assert_both_ways(one(set(Point)).new(v: points.to_set), wire)
        assert_both_ways(one(map(Point, Choice)).new(v: points.to_h { |point| [point, Choice.point(point)] }), wire)
      end
    end

    each_wire "the element type of an empty container is not looked at" do |wire|
      [:bool, :i8, :i16, :i32, :i64, :double, :string, :uuid, :struct, [:list], [:set], [:map], 0, 14].each do |code|
        [[list(:i32), [:list, code], []], [list(Point), [:list, code], []], [set(:string), [:set, code], Set[]],
         [map(:i32, Point), [:map, code, :i8], {}], [map(:i32, Point), [:map, :i32, code], {}]].each do |type, empty, value|
          assert_reads(one(type).new(v: value), writer(wire, one(type)).message([1, empty, value]), wire)
        end
      end
    end

    each_wire "the last of duplicate keys wins and the first keeps its place" do |wire|
      [1, 3, 4, 8, 9, 20, 127, 128, 129, 300].each do |size|
        pairs = Array.new(size) { |i| ["k#{i}", i] }
        struct = one(map(:string, :i32))
        twice = pairs + pairs.map { |key, i| [key, -i] }
        bytes = writer(wire, struct).message([1, [:map, :string, :i32], twice])
        actual = assert_reads(struct.new(v: pairs.to_h { |key, i| [key, -i] }), bytes, wire)

        assert_equal pairs.map(&:first), actual.v.keys
      end
    end

    each_wire "duplicate elements of a set are one" do |wire|
      bytes = writer(wire, one(set(:string))).message([1, [:set, :string], (%w[a b] * 200) + %w[c]])

      assert_reads(one(set(:string)).new(v: Set["a", "b", "c"]), bytes, wire)
    end

    each_wire "duplicate structs are one key", Sparpack::WIRES - [:thrift_json] do |wire|
      struct = one(map(Point, :i8))
      pairs = [[[[1, :i32, 5]], 1], [[[1, :i32, 5]], 2], [[], 3]]
      bytes = writer(wire, struct).message([1, [:map, :struct, :i8], pairs])

      assert_reads(struct.new(v: { Point.new(x: 5) => 2, Point.new => 3 }), bytes, wire)
    end

    each_wire "0.0 and -0.0 are one key and NaN never is" do |wire|
      zeros = writer(wire, one(set(:double))).message([1, [:set, :double], [0.0, -0.0, 0.0]])

      assert_equal 1, one(set(:double)).decode(zeros, wire).v.size

      nans = writer(wire, one(map(:double, :i8))).message([1, [:map, :double, :i8], [[Float::NAN, 1], [Float::NAN, 2]]])

      assert_equal [1, 2], one(map(:double, :i8)).decode(nans, wire).v.values
    end

    # Only keys and elements of sets are counted if they are NaN, and other numbers are not counted.
    each_wire "any number of NaN as values and of other numbers as keys" do |wire|
      nans = writer(wire, one(list(:double))).message([1, [:list, :double], [Float::NAN] * 1000])
      pairs = (1..1000).to_h { |i| [i, Float::NAN] }
      values = writer(wire, one(map(:i32, :double))).message([1, [:map, :i32, :double], pairs])
      reals = (1..1000).map(&:to_f)

      [{}, { freeze: true }].each do |options|
        assert_equal 1000, one(list(:double)).decode(nans, wire, **options).v.count(&:nan?)
        assert_equal 1000, one(map(:i32, :double)).decode(values, wire, **options).v.each_value.count(&:nan?)
      end
      assert_both_ways(one(set(:double)).new(v: reals.to_set), wire)
      assert_both_ways(one(map(:double, :bool)).new(v: reals.to_h { |real| [real, true] }), wire)
    end

    each_wire "an Array is written for a set, as it stands" do |wire|
      struct = one(set(:i32))

      assert_equal writer(wire, struct).message([1, [:set, :i32], [2, 1, 2]]), struct.new(v: [2, 1, 2]).encode(wire)
    end

    each_wire "keys and elements of sets are frozen deep, and nothing else" do |wire|
      VALUES.each do |type, (one, two)|
        struct = one(map(type, list(type)))
        object = struct.new(v: { one => [one], two => [two] })
        next unless writes?(object, wire)

        read = struct.decode(object.encode(wire), wire).v

        read.each_key { |key| assert_frozen_deep(key) }

        refute_predicate read, :frozen?
        read.each_value { |value| refute_predicate value, :frozen? }
        one(set(type)).decode(one(set(type)).new(v: Set[one, two]).encode(wire), wire).v
                      .each { |element| assert_frozen_deep(element) }
      end
    end

    each_wire "values beside keys can be changed" do |wire|
      struct = one(map(:string, Point))
      read = struct.decode(struct.new(v: { "k" => Point.new(x: 1) }).encode(wire), wire)
      read.v["k"].x = 2
      read.v["l"] = Point.new

      assert_equal struct.new(v: { "k" => Point.new(x: 2), "l" => Point.new }), read
    end

    each_wire "with freeze everything is frozen deep" do |wire|
      VALUES.each do |type, (one, two)|
        struct = one(map(type, list(type)))
        object = struct.new(v: { one => [one, two], two => [] })
        next unless writes?(object, wire)

        read = assert_reads(object, object.encode(wire), wire, freeze: true)

        assert_frozen_deep(read)
      end
    end

    each_wire "decoded containers are Ruby's own" do |wire|
      set = one(set(:i32)).decode(one(set(:i32)).new(v: Set[1, 2]).encode(wire), wire).v

      assert_instance_of Set, set
      assert_equal [true, false], [set.include?(1), set.include?(3)]
      assert_equal Set[1, 2, 3], set.dup.add(3)
      assert_nil one(map(:i32, :i32)).decode(one(map(:i32, :i32)).new(v: {}).encode(wire), wire).v.default
    end
  end
end
