# frozen_string_literal: true

# bin/test: alone, for it measures time

require "test_helper"
require "support/cost"
require "support/patience"
require "support/reading"

using WireForms

# Small messages that claim to be large objects. Memory and time stay in proportion to the bytes, whatever they claim.
class BombsTest < Minitest::Test
  include Reading
  extend Reading::Types
  extend Reading::Wires

  # The forms of MessagePack are read alike.
  def self.each_wire(name, wires = Sparpack::WIRES, &) = super

  class Empty < Sparpack::Struct
  end

  class Small < Sparpack::Struct
    field 1, :flag, :bool
  end

  class Wide < Sparpack::Struct
    (1..300).each { |id| field id, :"f#{id}", :i32 }
  end

  class Answer < Sparpack::Union
    field 1, :flag, :bool
    field 2, :text, :string
  end

  class Fault < Sparpack::Exception
    field 1, :message, :string
  end

  class Rich < Sparpack::Struct
    field 1, :numbers, list(:i32), default: (1..100).to_a
    field 2, :table, map(:string, :string), default: (1..10).to_h { |i| ["key #{i}", "x" * 100] }
  end

  class Reals < Sparpack::Struct
    field 1, :real, :double
  end

  COUNT = 60_000

  # [type of the field, type on the wire, one element]. The elements take few or no bytes.
  BOMBS = {
    "empty structs" => [list(Empty), %i[list struct], []],
    "small structs" => [list(Small), %i[list struct], [[1, :bool, true]]],
    "wide structs" => [list(Wide), %i[list struct], []],
    "exceptions" => [list(Fault), %i[list struct], []],
    "unions" => [list(Answer), %i[list struct], [[1, :bool, true]]],
    "structs with large defaults" => [list(Rich), %i[list struct], []],
    "empty lists" => [list(list(:i8)), [:list, [:list, :i8]], []],
    "empty sets" => [list(set(:i8)), [:list, [:set, :i8]], []],
    "empty maps" => [list(map(:i8, :i8)), [:list, [:map, :i8, :i8]], {}],
    "empty strings" => [list(:string), %i[list string], ""],
    "empty binaries" => [list(:binary), %i[list string], ""],
    "strings of one byte" => [list(:string), %i[list string], "x"],
    "uuids" => [list(:uuid), %i[list uuid], "00000000-0000-0000-0000-000000000000"],
    "sets of one struct" => [set(Small), %i[set struct], [[1, :bool, true]]],
    "sets of one list" => [set(list(:i8)), [:set, [:list, :i8]], [1]],
    "sets of one byte" => [set(:i8), %i[set i8], 1]
  }.freeze

  MEMORY = 1 << 20

  BOMBS.each do |name, (type, on_wire, element)|
    each_wire "#{name} are charged before they are made" do |wire|
      bytes = bomb(wire, type, on_wire, element)
      limits = Sparpack::Limits.new(memory: MEMORY)
      one(type).decode(writer(wire, one(type)).message, wire)
      cost = Cost.of { one(type).decode(bytes, wire, limits:) }

      assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result
      assert_equal ["at most #{MEMORY} bytes", "objects that take more"], [cost.result.expected, cost.result.found]
      assert_operator cost.bytes, :<, 2 * MEMORY
    end

    each_wire "#{name} take as much as their bytes allow" do |wire|
      bytes = bomb(wire, type, on_wire, element)
      cost = Cost.of { one(type).decode(bytes, wire) }

      assert_kind_of Sparpack::DecodeError::LimitExceeded, cost.result unless cost.result.is_a?(one(type))
      assert_operator cost.bytes, :<, 1.5 * ((16 << 20) + (64 * bytes.bytesize))
      assert_operator cost.seconds, :<, Patience.of(1)
    end
  end

  each_wire "maps of one key" do |wire|
    bytes = writer(wire, one(map(:i8, Wide))).message([1, %i[map i8 struct], [[1, empty(wire)]] * COUNT])
    cost = Cost.of { one(map(:i8, Wide)).decode(bytes, wire, limits: Sparpack::Limits.new(memory: MEMORY)) }

    assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result
    assert_operator cost.bytes, :<, 2 * MEMORY
  end

  each_wire "unknown fields that are skipped take nothing" do |wire|
    limits = Sparpack::Limits.new(memory: 1000)
    Small.decode(writer(wire, Small).message, wire, limits:)
    BOMBS.each_value do |_, on_wire, element|
      bytes = bomb(wire, nil, on_wire, element, id: 9, count: 10_000)
      cost = Cost.of { Small.decode(bytes, wire, limits:) }

      assert_equal Small.new, cost.result
      assert_operator cost.bytes, :<, 10_000
    end
  end

  each_wire "unknown fields that are kept are charged" do |wire|
    bytes = writer(wire, Small).message(*((2..200).map { |id| [id, :bool, true] } * (COUNT / 200)))
    [MEMORY, nil].each do |memory|
      cost = Cost.of { Small.decode(bytes, wire, unknown: :keep, limits: Sparpack::Limits.new(memory:)) }

      assert_kind_of Sparpack::DecodeError::LimitExceeded, cost.result unless cost.result.is_a?(Small)
      assert_operator cost.bytes, :<, 2 * (memory || ((16 << 20) + (64 * bytes.bytesize)))
    end
  end

  each_wire "a large unknown field that is kept is charged" do |wire|
    bytes = bomb(wire, nil, [:list, [:map, :i8, :i8]], {}, id: 9)
    cost = Cost.of { Small.decode(bytes, wire, unknown: :keep, limits: Sparpack::Limits.new(memory: 1 << 16)) }

    assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result
    assert_operator cost.bytes, :<, 2 * (1 << 20)
  end

  # A NaN never equals another, so each is a key of its own, but all of them have the same hash.
  each_wire "keys that are never equal take no more time than others" do |wire|
    nan = Float::NAN
    { set(:double) => [%i[set double], nan], set(list(:double)) => [[:set, [:list, :double]], [nan]],
      set(Reals) => [%i[set struct], [[1, :double, nan]]] }.each do |type, (on_wire, element)|
      cost = Cost.of { one(type).decode(bomb(wire, type, on_wire, element, count: 3000), wire) }

      assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result
      assert_operator cost.seconds, :<, Patience.of(0.3), "3000 elements of #{type}"
    end
  end

  class Absent < Sparpack::Struct
    field 1, :real, :double, default: Float::NAN
    field 2, :flag, :bool
  end

  class Around < Sparpack::Struct
    field 1, :absent, Absent
    field 2, :list, list(Absent)
  end

  class Either < Sparpack::Union
    field 1, :absent, Absent
    field 2, :list, list(Absent)
  end

  # Types with an Absent as a key or inside one, their types on the wire, and an element whose default becomes a NaN.
  ABSENT = {
    set(Absent) => [%i[set struct], []],
    set(list(Absent)) => [[:set, %i[list struct]], [[]]],
    set(set(Absent)) => [[:set, %i[set struct]], [[]]],
    set(map(:i8, Absent)) => [[:set, %i[map i8 struct]], { 1 => [] }],
    set(map(Absent, :i8)) => [[:set, %i[map struct i8]], { [] => 1 }],
    set(Around) => [%i[set struct], [[1, :struct, []]]],
    set(list(Around)) => [[:set, %i[list struct]], [[[2, %i[list struct], [[]]]]]],
    set(Either) => [%i[set struct], [[2, %i[list struct], [[]]]]]
  }.freeze

  # A NaN that a default puts into a key counts like one that was read.
  each_wire "keys that a default makes never equal take no more time than others" do |wire|
    ABSENT.each do |type, (on_wire, element)|
      next if type.element.key && wire == :thrift_json && type.element.key.kind == :struct

      assert_equal 256, one(type).decode(bomb(wire, type, on_wire, element, count: 256), wire).v.size
      [{}, { freeze: true }].each do |options|
        error = assert_raises(Sparpack::DecodeError::LimitExceeded, type.to_s) do
          one(type).decode(bomb(wire, type, on_wire, element, count: 257), wire, **options)
        end

        assert_equal ["at most 256 keys that are NaN", "more"], [error.expected, error.found]
        assert_match(/\.real\z/, error.path)
      end
    end
  end

  each_wire "keys of maps that a default makes never equal take no more time than others",
            Sparpack::WIRES - [:thrift_json] do |wire|
    refused = writer(wire, one(map(Absent, :i8))).message([1, %i[map struct i8], [[[], 1]] * 257])

    assert_raises(Sparpack::DecodeError::LimitExceeded) { one(map(Absent, :i8)).decode(refused, wire) }
  end

  # Values that are not keys may be NaN any number of times, and so may defaults that the message overrides.
  each_wire "defaults that are NaN and in no key are not counted" do |wire|
    absent = bomb(wire, list(Absent), %i[list struct], [], count: 5000)
    [{}, { freeze: true }].each do |options|
      assert_equal 5000, one(list(Absent)).decode(absent, wire, **options).v.size
    end
    present = bomb(wire, set(Absent), %i[set struct], [[1, :double, 0.5]], count: 5000)

    assert_equal 1, one(set(Absent)).decode(present, wire).v.size
  end

  class Shared < Sparpack::Struct
    field 1, :list, list(:double), default: [Float::NAN]
    field 2, :map, map(:string, list(:double)), default: { "a" => [Float::NAN] }
    field 3, :absent, Absent, default: Absent.new
  end

  # The containers and structs of a default are the same object in all keys, and equal to themselves.
  each_wire "keys that share a default that holds a NaN are one" do |wire|
    cost = Cost.of { one(set(Shared)).decode(bomb(wire, set(Shared), %i[set struct], [], count: 50_000), wire) }

    assert_equal 1, cost.result.v.size
    assert_operator cost.seconds, :<, Patience.of(1)
  end

  Loose = Struct.new(:value)
  LOOSE = Sparpack::Mapping.new(Loose, { 0 => :value })

  # How often a key that is an object with a member without a type may have each value.
  LOOSE_NANS = { "\xcb\x7f\xf8\0\0\0\0\0\0" => 256, "\xca\x7f\xc0\0\0" => 256, "\x91\xca\x7f\xc0\0\0" => 256,
                 "\x92#{"\xca\x7f\xc0\0\0" * 2}" => 128, "\x81\x01\x91\xca\x7f\xc0\0\0" => 256,
                 "\x82#{"\xca\x7f\xc0\0\0\x01" * 2}" => 128 }.transform_keys(&:b).freeze

  def test_keys_whose_members_without_a_type_are_never_equal_take_no_more_time_than_others
    LOOSE_NANS.each do |value, most|
      { set(LOOSE) => "\x91", set(list(LOOSE)) => "\x91\x91", map(LOOSE, :i8) => "\x91" }.each do |type, head|
        element = head.b + value + (type.key ? "\x01" : "")

        assert_equal most, loose(type, element, most).size
        error = assert_raises(Sparpack::DecodeError::LimitExceeded) { loose(type, element, most + 1) }

        assert_equal ["at most 256 keys that are NaN", "more"], [error.expected, error.found]
        assert_match(/\.v(\.keys)?\[#{most}\]/, error.path)
      end
      assert_equal 5000, loose(list(LOOSE), "\x91".b + value, 5000).size
      assert_equal 5000, loose(list(LOOSE), "\x91".b + value, 5000, freeze: true).size
    end
  end

  def test_a_hash_without_a_type_has_its_own_limit_of_keys_that_are_never_equal
    value = "\x91\xde\0\x11".b + ("\xca\x7f\xc0\0\0\x01".b * 17)
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { loose(list(LOOSE), value, 1) }

    assert_equal "at most 16 keys that are NaN", error.expected
  end

  # These keys differ only in fields that this version of the class does not know.
  each_wire "keys that differ in unknown fields take no more time than others" do |wire|
    [Small, Answer].each do |key|
      keys = Array.new(1500) { |number| [[9, :i32, number]] }
      bytes = writer(wire, one(set(key))).message([1, %i[set struct], keys])
      cost = Cost.of { one(set(key)).decode(bytes, wire, unknown: :keep) }

      assert_equal 1500, cost.result.v.size
      assert_operator cost.seconds, :<, Patience.of(0.3)
    end
  end

  each_wire "keys that are all one take no more time than others" do |wire|
    nested = (1..12).reduce(:i8) { |type, _| [:list, type] }
    types = (1..12).reduce(:i8) { |type, _| list(type) }
    element = (1..12).reduce(1) { |value, _| [value] }
    cost = Cost.of { one(set(types)).decode(bomb(wire, set(types), [:set, nested], element, count: 5000), wire) }

    assert_equal 1, cost.result.v.size
    assert_operator cost.seconds, :<, Patience.of(1)
  end

  class Large < Sparpack::Struct
    field 1, :numbers, map(:i32, :i32)
    field 2, :texts, map(:string, :i32)
    field 3, :set, set(:i32)
  end

  # Time grows with the number of pairs. If it grew with the square, 32 times as many pairs would take 1,000 times as long.
  def test_large_maps_and_sets_take_time_in_proportion
    few, many = [4_000, 128_000].map do |count|
      bytes = Large.new(numbers: (0...count).to_h { |i| [i, i] }, texts: (0...count).to_h { |i| [i.to_s, i] },
                        set: (0...count).to_set).encode
      Array.new(3) { Cost.of { Large.decode(bytes) } }.map(&:seconds).min
    end

    assert_operator many / few, :<, 300
  end

  private

  def bomb(wire, type, on_wire, element, id: 1, count: COUNT)
    element = empty(wire) if element == []
    w = writer(wire, type ? one(type) : Small)
    bytes = w.value(on_wire[1], element, *(type&.element unless %i[compact binary].include?(wire)))
    elements = ([bytes] * count).join(text?(wire) ? "," : "")
    w.message([id, on_wire, WireWriter.raw(wire == :json ? "[#{elements}]" : w.list(on_wire[1], count, elements))])
  end

  # Reads elements or pairs of objects with a member without a type.
  def loose(type, element, count, **options)
    head = type.kind == :map ? "\x92\xc0\xdf" : "\x92\xc0\xdd"
    one(type).decode(head.b + [count].pack("N") + (element * count), :message_pack, **options).v
  end

  # An empty list or struct. Arrays of MessagePack may be shorter than their structs.
  def empty(wire) = wire == :message_pack ? WireWriter.raw("\x90") : []
end
