# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/reading"
require "stringio"

using WireForms

# Invalid bytes: each case raises the right error, which says where and why.
class BadInputTest < Minitest::Test
  include Reading
  extend Reading::Types
  extend Reading::Wires

  # Only these say how many bytes or elements follow, and of which types, in bytes that can be changed alone.
  BYTES = %i[compact binary].freeze

  # These have the types of JSON or MessagePack, each of which fits several types of ours.
  FAMILIES = (WireForms::ALL - THRIFT).freeze

  Error = Sparpack::DecodeError

  module Level
    extend Sparpack::Enum

    LOW = 1
  end

  class Leaf < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
  end

  class Answer < Sparpack::Union
    field 1, :flag, :bool
    field 2, :leaf, Leaf
  end

  class Holder < Sparpack::Struct
    field 1, :answer, Answer
    field 2, :leaves, list(Leaf)
    field 3, :by_name, map(:string, list(Leaf))
    field 4, :level, Level
    field 5, :keyed, map(Leaf, :bool)
    field 6, :bag, set(Leaf)
  end

  class Nest < Sparpack::Struct
    field 1, :nest, "Nest"
    field 2, :nests, list("Nest")
    field 3, :by_key, map(:bool, "Nest")
    field 4, :number, :i32
  end

  # A value of each type on the wire, and the types of the DSL that it fits.
  ON_WIRE = {
    bool: [true, [:bool]], i8: [1, [:i8]], i16: [1, [:i16]], i32: [1, [:i32, Level]], i64: [1, [:i64]],
    double: [1.0, [:double]], string: ["x", %i[string binary]], uuid: ["00" * 16, [:uuid]],
    struct: [[[1, :i32, 1]], [Leaf]], [:list, :i32] => [[1], [list(:i32)]], [:set, :i32] => [[1], [set(:i32)]],
    [:map, :i8, :i8] => [{ 1 => 1 }, [map(:i8, :i8)]]
  }.freeze
  TYPES = ON_WIRE.values.flat_map(&:last).freeze

  NEGATIVE = { compact: [1 << 31, (1 << 32) - 1], binary: [-1, -(1 << 31)] }.freeze

  def self.said(type) = type.respond_to?(:kind) ? type.kind.to_s : type.to_s

  each_wire "a field of another type", THRIFT do |wire|
    TYPES.product(ON_WIRE.to_a) do |type, (other, (value, fitting))|
      next if fitting.include?(type)

      bytes = writer(wire).message([1, other, value])
      expected = self.class.said(type)
      assert_refuses(Error::TypeMismatch, one(type), bytes, wire, path: ".v", expected:, found: Array(other).first.to_s,
                                                                  offset: BYTES.include?(wire) ? 0 : 1)
      assert_equal one(type).new, one(type).decode(bytes, wire, mismatch: :skip)
    end
  end

  # Not as if the first one, or the one before, had it.
  each_wire "a later field of another type", THRIFT do |wire|
    w = writer(wire, Leaf)

    assert_refuses(Error::TypeMismatch, Leaf, w.message([1, :i32, 1], [2, :i8, 1]), wire, path: ".name", expected: "string")
    assert_refuses(Error::TypeMismatch, Leaf, w.message([2, :i8, 1]), wire, path: ".name", expected: "string")
  end

  each_wire "elements of another type", THRIFT do |wire|
    TYPES.product(ON_WIRE.to_a) do |type, (other, (value, fitting))|
      next if fitting.include?(type)

      { list(type) => [[:list, other], [value]], set(type) => [[:set, other], [value]],
        map(type, :i8) => [[:map, other, :i8], { value => 1 }],
        map(:i8, type) => [[:map, :i8, other], { 1 => value }] }.each do |container, field|
        next if wire == :thrift_json && field[0][1].is_a?(Array) && field[0][0] == :map
        next if wire == :thrift_json && field[0][1] == :struct && field[0][0] == :map

        bytes = writer(wire).message([1, *field])
        assert_refuses(Error::TypeMismatch, one(container), bytes, wire, path: ".v", found: Array(other).first.to_s)
        assert_equal one(container).new, one(container).decode(bytes, wire, mismatch: :skip)
      end
    end
  end

  # Values of each family, their types on the wire, and the types of the DSL that they fit or may fit.
  FAMILY = {
    [:bool, true] => [:bool], [:i32, 300] => [:i8, :i16, :i32, :i64, :double, Level],
    [:double, 0.5] => [:double], [:string, "x"] => %i[string binary uuid],
    [%i[list i32], [1]] => [list(:i32), set(:i32)],
    [%i[map string i8], { "a" => 1 }] => [Leaf, map(:i8, :i8), map(:string, :i8)]
  }.freeze

  each_wire "a value of another family", FAMILIES do |wire|
    (TYPES + [map(:string, :i8)]).product(FAMILY.to_a) do |type, ((other, value), fitting)|
      next if fitting.include?(type) || (type == Leaf && other[0] == :list)
      next if type == Level && other == :string # enums may go by name

      bytes = writer(wire, one(type)).message([1, other, value])
      expected = self.class.said(type)
      assert_refuses(Error::TypeMismatch, one(type), bytes, wire, path: ".v", expected:)
      assert_equal one(type).new, one(type).decode(bytes, wire, mismatch: :skip)
      inner = writer(wire, one(list(type))).message([1, [:list, other], [value]])
      assert_refuses(Error::TypeMismatch, one(list(type)), inner, wire, path: ".v[0]", expected:)
      assert_equal one(list(type)).new, one(list(type)).decode(inner, wire, mismatch: :skip)
    end
  end

  each_wire "what follows a skipped field is read" do |wire|
    bytes = writer(wire, Nest).message([1, :bool, true], [2, :string, "x"], [3, [:list, :i32], [1]], [4, :i32, 7])

    assert_reads(Nest.new(number: 7), bytes, wire, mismatch: :skip)
    assert_refuses(Error::TypeMismatch, Nest, bytes, wire, path: ".nest", expected: Nest.name,
                                                          found: wire == :json ? "true" : "bool")
  end

  each_wire "a required field of another type is missing" do |wire|
    bytes = writer(wire, Leaf).message([1, :string, "1"])
    found = { json: "a string" }.fetch(wire, FAMILIES.include?(wire) ? "str" : "string")

    assert_refuses(Error::MissingField, Leaf, bytes, wire, mismatch: :skip, path: ".id")
    assert_refuses(Error::TypeMismatch, Leaf, bytes, wire, path: ".id", expected: "i32", found:)
  end

  each_wire "a variant of another type leaves a union empty" do |wire|
    read = Answer.decode(writer(wire, Answer).message([1, :i32, 1]), wire, mismatch: :skip)

    assert_equal [nil, true], [read.field, read.unknown?]
  end

  class Skipping < Sparpack::Struct
    field 1, :text, :string
    field 2, :leaf, Leaf
    field 3, :answer, "Saying"
  end

  class Saying < Sparpack::Union
    field 1, :text, :string
    field 2, :leaf, Leaf
    field 3, :numbers, list(:i32)
  end

  # Only fields of another type are skipped. Their bytes must be valid, too.
  each_wire "other faults are refused though mismatches are skipped" do |wire|
    { [1, :string, "\xff"] => [Error::Malformed, ".text"],
      [2, :struct, [[2, :string, "x"]]] => [Error::MissingField, ".leaf.id"] }.each do |field, (error, path)|
      inner = writer(wire, Skipping).message([3, :struct, [field]])

      [Skipping, Saying].each do |type|
        assert_refuses(error, type, writer(wire, type).message(field), wire, path:, mismatch: :skip)
      end
      assert_refuses(error, Skipping, inner, wire, path: ".answer#{path}", mismatch: :skip)
    end
    none = writer(wire, Skipping).message([3, :struct, []])

    assert_refuses(Error::Malformed, Skipping, none, wire, path: ".answer", mismatch: :skip)
    [Skipping, Saying].each do |type|
      bytes = writer(wire, type).message([1, :string, "x" * 100])
      limits = Sparpack::Limits.new(string: 99)

      assert_refuses(Error::LimitExceeded, type, bytes, wire, path: ".text", mismatch: :skip, limits:)
      [[1, [:list, :string], %w[x]], [2, :string, "x"]].each do |field|
        assert_cut(type, writer(wire, type).message(field), wire, mismatch: :skip)
      end
    end
  end

  # The type is named only where a number is out of its range.
  each_wire "what was expected where bytes are missing", BYTES do |wire|
    %i[i8 i16 i32 i64 double].each do |type|
      bytes = writer(wire).message([1, type, 1]).byteslice(0, { compact: 1, binary: 3 }.fetch(wire))

      assert_refuses(Error::Truncated, one(type), bytes, wire, path: ".v", expected: "more bytes")
      list = writer(wire).message([1, [:list, type], [WireWriter.raw("")]]).chop

      assert_refuses(Error::Truncated, one(list(type)), list, wire, expected: "more bytes")
    end
  end

  each_wire "elements of another type in a union" do |wire|
    bytes = writer(wire, Saying).message([3, [:list, :string], %w[x]])
    path = FAMILIES.include?(wire) ? ".numbers[0]" : ".numbers"

    assert_refuses(Error::TypeMismatch, Saying, bytes, wire, path:, expected: "i32")
    assert_predicate Saying.decode(bytes, wire, mismatch: :skip), :unknown?
    assert_cut(Saying, bytes, wire, mismatch: :skip)
  end

  each_wire "claims beyond the input cost nothing", BYTES do |wire|
    w = writer(wire)
    fields = { string: [:string, ->(n) { w.string(n) }], binary: [:string, ->(n) { w.string(n) }],
               list(:i8) => [:list, ->(n) { w.list(:i8, n) }], list(Leaf) => [:list, ->(n) { w.list(:struct, n) }],
               list(:double) => [:list, ->(n) { w.list(:double, n) }], set(:i8) => [:set, ->(n) { w.list(:i8, n) }],
               map(:i8, :bool) => [:map, ->(n) { w.map(:i8, :bool, n) }] }
    fields.each do |type, (on_wire, claim)|
      [1, 14, 15, 127, 1000, 70_000, (1 << 31) - 1].each do |count|
        bytes = w.message([1, on_wire, WireWriter.raw(claim[count])]).chop
        cost = Cost.of { one(type).decode(bytes, wire) }

        assert_instance_of Error::Truncated, cost.result
        assert_operator cost.bytes, :<, 50_000
        assert_refuses(Error::Truncated, one(type), bytes, wire, path: ".v", expected: "more bytes",
                                                                 found: "the end of the input")
        assert_refuses(Error::Truncated, one(:bool), w.message([7, on_wire, WireWriter.raw(claim[count])]).chop, wire)
      end
    end
  end

  each_wire "a claim that is one too large", BYTES do |wire|
    w = writer(wire)
    { string: [:string, 5, w.string(6)], list(:i8) => [:list, 20, w.list(:i8, 21)],
      list(:uuid) => [:list, 31, w.list(:uuid, 2)], list(:double) => [:list, 15, w.list(:double, 2)],
      map(:i8, :uuid) => [:map, 33, w.map(:i8, :uuid, 2)] }.each do |type, (on_wire, left, claim)|
      bytes = w.fields([[1, on_wire, WireWriter.raw(claim)]])
      assert_refuses(Error::Truncated, one(type), bytes + ("1" * left), wire, path: ".v", offset: bytes.bytesize)
    end
  end

  each_wire "negative sizes", BYTES do |wire|
    w = writer(wire)
    NEGATIVE.fetch(wire).each do |count|
      { string: [:string, w.string(count)], list(:i32) => [:list, w.list(:i32, count)],
        set(Leaf) => [:set, w.list(:struct, count)],
        map(:i32, :i32) => [:map, w.map(:i32, :i32, count)] }.each do |type, (on_wire, value)|
        bytes = w.message([1, on_wire, WireWriter.raw(value)])
        assert_refuses(Error::Malformed, one(type), bytes, wire, path: ".v", expected: "a size",
                                                                 found: "a negative size")
        assert_refuses(Error::Malformed, one(:bool), w.message([9, on_wire, WireWriter.raw(value)]), wire, path: "",
                                                                                                 expected: "a size")
      end
    end
  end

  each_wire "trailing bytes" do |wire|
    bytes = writer(wire, Leaf).message([1, :i32, 5])

    ["\0", "\xff", bytes, "\0" * 100].each do |more|
      assert_refuses(Error::Malformed, Leaf, bytes + more.b, wire, path: "", offset: bytes.bytesize,
                                                                   expected: "the end of the input",
                                                                   found: "trailing bytes")
    end
  end

  each_wire "no bytes at all" do |wire|
    assert_refuses(Error::Truncated, Leaf, "", wire, path: "", offset: 0, expected: "more bytes",
                                                     found: "the end of the input")
  end

  each_wire "a union of no field" do |wire|
    assert_no_field(Answer, writer(wire, Answer).message, wire, "")
    assert_no_field(Holder, writer(wire, Holder).message([1, :struct, []]), wire, ".answer")
  end

  # The bytes may read as those of another wire, which the message then says.
  def assert_no_field(struct_class, bytes, wire, path)
    error = assert_raises(Error::Malformed) { struct_class.decode(bytes, wire) }

    assert_equal ["#{struct_class}#{path}", "one field in a union", "none"], [error.path, error.expected, error.found]
  end

  # An array of MessagePack with two of them is another fault: see test/contract/message_pack_test.rb.
  each_wire "a union of two fields", WireForms::ALL - [:message_pack] do |wire|
    flag = [1, :bool, true]
    [[2, :struct, [[1, :i32, 1]]], [1, :bool, true], [9, :i32, 1]].each do |second|
      [[flag, second], [second, flag]].each do |fields|
        assert_refuses(Error::Malformed, Answer, writer(wire, Answer).message(*fields), wire,
                       path: "", expected: "one field in a union", found: "two")
        assert_refuses(Error::Malformed, Holder, writer(wire, Holder).message([1, :struct, fields]), wire,
                       path: ".answer", found: "two", unknown: :keep)
      end
    end
  end

  each_wire "paths lead to where it went wrong" do |wire|
    leaf = [[1, :i32, 1]]
    none = [[2, :string, "x"]]
    list = [:list, :struct]
    { ".answer.leaf.id" => [1, :struct, [[2, :struct, none]]],
      ".leaves[2].id" => [2, list, [leaf, leaf, none]],
      ".leaves[299].id" => [2, list, ([leaf] * 299) + [none]],
      ".by_name.values[1][1].id" => [3, [:map, :string, list], { "a" => [leaf], "b" => [leaf, none] }],
      ".keyed.keys[1].id" => [5, [:map, :struct, :bool], [[leaf, true], [none, true]]],
      ".keyed.keys[200].id" => [5, [:map, :struct, :bool], ([[leaf, true]] * 200) + [[none, true]]],
      ".bag[1].id" => [6, [:set, :struct], [leaf, none]] }.each do |path, field|
      next if wire == :thrift_json && path.start_with?(".keyed")

      assert_refuses(Error::MissingField, Holder, writer(wire, Holder).message(field), wire,
                     path:, expected: "a required field", found: "none")
    end
  end

  each_wire "a number that an enum does not name, where it is asked for" do |wire|
    bytes = writer(wire, Holder).message([4, :i32, 9])

    assert_equal 9, Holder.decode(bytes, wire).level
    %i[strict recursive].each do |validate|
      assert_refuses(Error::TypeMismatch, Holder, bytes, wire, path: ".level", expected: Level.name, found: "9", validate:)
    end
  end

  # How deeper and deeper values of each field begin.
  DEEPER = {
    json: ['{"nest":', '{"nests":[', '{"by_key":{"true":'],
    thrift_json: ['{"1":{"rec":', '{"2":{"lst":["rec",1,', '{"3":{"map":["tf","rec",1,{"1":'],
    message_pack: ["\x92\xc0", "\x93\xc0\xc0\x91", "\x94\xc0\xc0\xc0\x81\xc3"],
    message_pack_names: ["\x81\xa4nest", "\x81\xa5nests\x91", "\x81\xa6by_key\x81\xc3"],
    message_pack_ids: ["\x81\x01", "\x81\x02\x91", "\x81\x03\x81\xc3"]
  }.freeze

  def deeper(wire)
    return DEEPER[wire].map(&:b) if DEEPER.key?(wire)

    w = writer(wire)
    [w.fields([[1, :struct, WireWriter.raw]]), w.fields([[2, :list, WireWriter.raw(w.list(:struct, 1))]]),
     w.fields([[3, :map, WireWriter.raw(w.map(:bool, :struct, 1, w.value(:bool, true)))]])]
  end

  each_wire "depth bombs of known fields" do |wire|
    [".nest", ".nests[0]", ".by_key.values[0]"].zip(deeper(wire)) do |piece, step|
      bytes = step * 100_000
      cost = Cost.of { Nest.decode(bytes, wire) }
      levels = piece == ".nest" ? 1 : 2

      assert_instance_of Error::LimitExceeded, cost.result
      assert_operator cost.bytes, :<, 100_000
      assert_refuses(Error::LimitExceeded, Nest, bytes, wire, offset: step.bytesize * 64 / levels,
                                                              expected: "at most 64 levels", found: "more levels")
      assert_refuses(Error::LimitExceeded, Nest, bytes, wire, limits: Sparpack::Limits.new(depth: 1 + (4 * levels)),
                                                              path: (piece * 4) + piece[/\.\w+/])
    end
  end

  each_wire "depth bombs of unknown fields", BYTES do |wire|
    w = writer(wire)
    steps = { struct: w.fields([[9, :struct, WireWriter.raw]]), list: w.list([:list], 1), set: w.list([:set], 1),
              map: w.map(:bool, [:map], 1, w.value(:bool, true)) }
    steps.each do |kind, step|
      bytes = w.fields([[9, kind, WireWriter.raw(step * 100_000)]])
      %i[skip keep].each do |unknown|
        cost = Cost.of { Nest.decode(bytes, wire, unknown:) }

        assert_instance_of Error::LimitExceeded, cost.result
        assert_operator cost.bytes, :<, 200_000
        assert_refuses(Error::LimitExceeded, Nest, bytes, wire, unknown:, path: "", expected: "at most 64 levels",
                                                                found: "more levels")
      end
    end
  end

  # How an unknown value begins, and how deeper and deeper ones begin.
  UNKNOWN = {
    json: ['{"x":', "[", '{"a":'], thrift_json: ['{"9":{"lst":', '["lst",1,', nil],
    message_pack: ["\x96\xc0\xc0\xc0\xc0\xc0", "\x91", "\x81\xa1a"], message_pack_names: ["\x81\xa1x", "\x91", "\x81\xa1a"],
    message_pack_ids: ["\x81\x09", "\x91", "\x81\xa1a"]
  }.freeze

  each_wire "depth bombs of unknown values", UNKNOWN.keys do |wire|
    first, *steps = UNKNOWN[wire].compact.map(&:b)
    steps.each do |step|
      bytes = first + (step * 100_000)
      %i[skip keep].each do |unknown|
        cost = Cost.of { Nest.decode(bytes, wire, unknown:) }

        assert_operator cost.bytes, :<, 200_000
        assert_refuses(Error::LimitExceeded, Nest, bytes, wire, unknown:, path: "", expected: "at most 64 levels",
                                                                found: "more levels")
        assert_raises(Error::LimitExceeded) { Nest.decode_from(StringIO.new(bytes), wire, unknown:) }
      end
    end
  end
end
