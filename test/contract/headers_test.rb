# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test and contract/test_wires_test run the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

using WireForms

module Contract
  # Field headers: gaps between ids, the order of ids, duplicates, and unknown fields.
  class HeadersTest < Minitest::Test
    include Reading
    extend Reading::Wires

    IDS = [0, 1, 2, 15, 16, 17, 31, 32, 47, 48, 127, 128, 255, 256, 8191, 8192, 16_383, 16_384, 32_766, 32_767].freeze

    # An array has no places for these ids.
    FAR = WireForms::ALL - %i[message_pack]

    UNKNOWN = [-32_768, -1, 3, 30_000].freeze

    # Declared in another order. Fields are written by ids.
    class Scattered < Sparpack::Struct
      IDS.rotate(7).reverse_each { |id| field id, :"f#{id}", :i32 }
    end

    class Flags < Sparpack::Struct
      IDS.each { |id| field id, :"f#{id}", :bool }
    end

    TWICE = {
      bool: [true, false], i8: [1, -1], i16: [2, -2], i32: [3, -3], i64: [4, -4], double: [5.0, -5.0], string: %w[a b],
      uuid: %w[00112233-4455-6677-8899-aabbccddeeff 10112233-4455-6677-8899-aabbccddeeff],
      [:list, :i32] => [[1, 2], [3]], [:set, :i32] => [Set[1, 2], Set[3]],
      [:map, :i32, :bool] => [{ 1 => true }, { 2 => false }]
    }.freeze

    each_wire "every gap between ids", FAR do |wire|
      IDS.combination(2) do |ids|
        assert_both_ways(Scattered.new(**ids.to_h { |id| [:"f#{id}", id] }), wire)
        assert_both_ways(Flags.new(**ids.to_h { |id| [:"f#{id}", id.even?] }), wire)
      end
    end

    each_wire "all ids at once", FAR do |wire|
      assert_both_ways(Scattered.new(**IDS.to_h { |id| [:"f#{id}", -id] }), wire)
      assert_both_ways(Flags.new(**IDS.to_h { |id| [:"f#{id}", id.odd?] }), wire)
    end

    # Returns a class that has every possible id. Only IDL declares negative ones. The fields are set directly, because
    # defining 65,536 readers takes seconds.
    def self.every_id(base)
      @every_id ||= {}
      type = Sparpack::Type.of(:i8)
      @every_id[base] ||= Reading.with_fields(base, (-32_768..32_767).map do |id|
        Sparpack::Field.new(id:, name: :"f#{id + 32_768}", type:)
      end)
    end

    each_wire "every id is declared", FAR do |wire|
      struct = self.class.every_id(Sparpack::Struct)
      [[65_535], [0], [32_767], [32_768], [65_534, 65_535], [0, 32_768, 65_535]].each do |names|
        object = struct.new(**names.to_h { |name| [:"f#{name}", 7] })

        assert_equal object, struct.decode(object.encode(wire), wire, unknown: :reject)
      end
      union = self.class.every_id(Sparpack::Union)
      [0, 32_768, 65_535].each do |name|
        object = union.new("f#{name}": 7)

        assert_equal object, union.decode(object.encode(wire), wire, unknown: :reject)
      end
    end

    each_wire "ids in any order", FAR do |wire|
      random = Random.new(4)
      expected = Scattered.new(**IDS.to_h { |id| [:"f#{id}", id] })
      orders = Array.new(20) { IDS.shuffle(random:) } << IDS.reverse

      orders.each do |ids|
        assert_reads(expected, writer(wire, Scattered).message(*ids.map { |id| [id, :i32, id] }), wire)
      end
    end

    # Ids that are close together are looked up in a table, others by a search.
    class Close < Sparpack::Struct
      (0..12).each { |id| field id, :"f#{id}", :i32 }
    end

    each_wire "ids that lie close together in any order" do |wire|
      random = Random.new(5)
      ids = (0..12).to_a
      expected = Close.new(**ids.to_h { |id| [:"f#{id}", id] })
      [*Array.new(20) { ids.shuffle(random:) }, ids.reverse, ids.rotate].each do |order|
        bytes = writer(wire, Close).message(*order.map { |id| [id, :i32, id] }, [13, :i32, 1], [-1, :i32, 1])

        assert_equal expected, Close.decode(bytes, wire)
      end
    end

    each_wire "bools in any order", FAR do |wire|
      bytes = writer(wire, Flags).message(*IDS.reverse.map { |id| [id, :bool, id.even?] })

      assert_reads(Flags.new(**IDS.to_h { |id| [:"f#{id}", id.even?] }), bytes, wire)
    end

    TWICE.each do |type, (first, last)|
      each_wire "the last of a duplicate #{Array(type).first} wins" do |wire|
        struct = one(dsl(type))
        bytes = writer(wire, struct).message([1, type, first], [1, type, last], [1, type, first], [1, type, last])

        assert_reads(struct.new(v: last), bytes, wire)
      end
    end

    each_wire "the last of a duplicate struct wins as a whole", FAR do |wire|
      bytes = writer(wire, one(Scattered)).message([1, :struct, [[1, :i32, 7], [16, :i32, 8]]], [1, :struct, [[2, :i32, 9]]])

      assert_reads(one(Scattered).new(v: Scattered.new(f2: 9)), bytes, wire)
    end

    each_wire "fields that nobody knows are skipped", FAR do |wire|
      unknown = [[:bool, true], [:bool, false], [:i8, -1], [:i16, 300], [:i32, -70_000], [:i64, 1 << 60], [:double, 1.5],
                 [:string, JSONS.include?(wire) ? "ü" : "ü\xff"], [:uuid, "ff" * 16], [[:list, :bool], [true, false]],
                 [[:list, :i8], []],
                 [[:set, :string], %w[a b]], [[:list, :struct], [[], [[1, :bool, true], [300, :bool, false]]]],
                 [[:map, :string, [:list, :double]], { "k" => [1.0, 2.0] }], [[:map, :i8, :i8], {}],
                 [[:list, [:map, :uuid, [:set, :bool]]], [{ "00" * 16 => [true] }]],
                 [:struct, [[5, :struct, [[6, [:list, :i64], [1] * 20]]], [40, :bool, true]]]]
      unknown.each do |type, value|
        UNKNOWN.each do |id|
          bytes = writer(wire, Scattered).message([id, type, value], [2, :i32, 5], [id, type, value], [17, :i32, 6])

          assert_reads(Scattered.new(f2: 5, f17: 6), bytes, wire)
        end
      end
    end

    each_wire "a struct of unknown fields alone is empty", FAR do |wire|
      assert_reads(Scattered.new, writer(wire, Scattered).message([3, :i32, 1], [4, :bool, true]), wire)
    end

    each_wire "an empty struct is its end", FAR do |wire|
      assert_both_ways(Scattered.new, wire, writer(wire, Scattered).stop)
    end

    def dsl(type)
      kind, *parts = type
      return type if type.is_a?(Symbol)

      kind == :map ? map(*parts) : Sparpack::Struct.public_send(kind, *parts)
    end
  end
end
