# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test and contract/test_wires_test run the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

using WireForms

module Contract
  # Structs in structs, unions, exceptions, recursion, defaults and required fields.
  class StructsTest < Minitest::Test
    include Reading
    extend Reading::Wires

    class Point < Sparpack::Struct
      field 1, :x, :i32, required: true
      field 2, :y, :i32, optional: true
      field 3, :z, :i32
    end

    class Answer < Sparpack::Union
      field 1, :flag, :bool
      field 2, :text, :string
      field 3, :point, Point
      field 9, :answers, list("Answer")
      field 30, :by_name, map(:string, "Answer")
      field 31, :other, :bool
    end

    class Gone < Sparpack::Exception
      field 1, :message, :string
      field 2, :id, :i64, required: true
      field 3, :answer, Answer
    end

    class Frame < Sparpack::Struct
      field 1, :point, Point
      field 2, :answer, Answer
      field 3, :gone, Gone
      field 4, :after, :bool
    end

    class Tree < Sparpack::Struct
      field 1, :name, :string
      field 2, :left, "Tree"
      field 3, :right, "Tree"
      field 4, :children, list("Tree")
      field 5, :marked, map("Tree", set("Tree"))
    end

    class Ping < Sparpack::Struct
      field 1, :pong, "Pong"
      field 2, :number, :i8
    end

    class Pong < Sparpack::Struct
      field(1, :pings, list { Ping })
    end

    class Defaults < Sparpack::Struct
      field 1, :flag, :bool, default: true
      field 2, :number, :i32, default: 7
      field 3, :text, :string, required: true, default: "grün"
      field 4, :numbers, list(:i32), default: [1, 2]
      field 5, :names, set(:string), default: Set["a"]
      field 6, :table, map(:string, list(:i32)), default: { "k" => [3] }
      field 7, :point, Point, default: Point.new(x: 1)
      field 8, :id, :uuid, default: "00112233-4455-6677-8899-aabbccddeeff"
    end

    class Empty < Sparpack::Struct
    end

    class Nothing < Sparpack::Struct
      field 1, :empty, Empty
      field 2, :all, list(Empty)
      field 3, :marks, map(Empty, Empty)
      field 4, :last, :bool
    end

    WIDE = { i32: 5, string: "s", bool: true, double: 0.5 }.freeze

    class Wide < Sparpack::Struct
      (1..300).each { |id| field id, :"f#{id}", WIDE.keys[id % 4] }
    end

    ANSWERS = [Answer.flag(true), Answer.flag(false), Answer.text("ü"), Answer.point(Point.new(x: 1, y: 2)),
               Answer.answers([]), Answer.answers([Answer.text("a"), Answer.other(true)]),
               Answer.by_name({ "k" => Answer.answers([Answer.flag(false)]) }), Answer.other(false)].freeze

    each_wire "structs within structs" do |wire|
      assert_both_ways(Frame.new(point: Point.new(x: 1), answer: Answer.text("t"), gone: Gone.new(id: 2)), wire)
      assert_both_ways(Frame.new(point: Point.new(x: 1, y: 2, z: 3), after: true), wire)
      assert_both_ways(Frame.new(gone: Gone.new("m", id: 1, answer: Answer.flag(true)), after: false), wire)
    end

    each_wire "unions hold each of their fields" do |wire|
      ANSWERS.each do |answer|
        assert_both_ways(answer, wire)
        read = assert_reads(answer, answer.encode(wire), wire)

        assert_equal [answer.field, answer.value, false], [read.field, read.value, read.unknown?]
      end
    end

    each_wire "an unknown variant leaves a union empty, and what follows in its place" do |wire|
      [[:bool, true], [:i8, 1], [:string, "x"], [[:list, :i32], [1]], [:struct, [[1, :i32, 1]]]].each do |type, value|
        bytes = writer(wire, Frame).message([2, :struct, [[8, type, value]]], [4, :bool, true])
        frame = Frame.decode(bytes, wire)

        assert_equal [nil, nil, true], [frame.answer.field, frame.answer.value, frame.answer.unknown?]
        assert_equal [true, frame], [frame.after, Frame.decode(bytes, wire)]
        assert_cut(Frame, bytes, wire)
        error = assert_raises(Sparpack::EncodeError::MissingField) { frame.encode(wire) }
        assert_equal "an unknown field that was not kept", error.found
      end
    end

    each_wire "an empty union cannot be encoded" do |wire|
      error = assert_raises(Sparpack::EncodeError::MissingField) { Frame.new(answer: Answer.new).encode(wire) }

      assert_match(/\.answer: expected one field in a union, found none \(#{WireForms.wire(wire)}\)\z/, error.message)
    end

    each_wire "exceptions are structs" do |wire|
      gone = Gone.new("no such listing", id: 7, answer: Answer.text("t"))
      read = assert_both_ways(gone, wire)

      assert_equal ["no such listing", 7], [read.message, read.id]
      assert_equal "no such listing", assert_raises(Gone) { raise read }.message
    end

    each_wire "a class may have no fields" do |wire|
      empty = Empty.new

      assert_both_ways(empty, wire)
      assert_both_ways(Nothing.new(empty:, all: [empty] * 3, marks: { empty => empty }, last: true), wire)
    end

    each_wire "structs may hold themselves" do |wire|
      leaf = Tree.new(name: "leaf")

      assert_both_ways(Tree.new(left: leaf, right: Tree.new(left: leaf), children: [leaf, Tree.new]), wire)
      assert_both_ways(Tree.new(marked: { leaf => Set[leaf, Tree.new(left: leaf)], Tree.new => Set[] }), wire)
    end

    each_wire "structs may hold one another" do |wire|
      assert_both_ways(Ping.new(pong: Pong.new(pings: [Ping.new(number: 1), Ping.new(pong: Pong.new)])), wire)
    end

    each_wire "depth is bounded both ways, with and without a container between" do |wire|
      deep = ->(levels) { (2..levels).reduce(Tree.new) { |tree, _| Tree.new(left: tree) } }

      assert_both_ways(deep[64], wire)
      assert_raises(Sparpack::EncodeError::LimitExceeded) { deep[65].encode(wire) }
      deeper = (2..65).reduce([]) { |fields, _| [[2, :struct, fields]] }
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Tree.decode(writer(wire, Tree).message(*deeper), wire) }

      pings = ->(levels) { (2..levels).reduce(Ping.new) { |ping, _| Ping.new(pong: Pong.new(pings: [ping])) } }

      assert_both_ways(pings[22], wire)
      assert_raises(Sparpack::EncodeError::LimitExceeded) { pings[23].encode(wire) }
    end

    each_wire "a cycle is refused" do |wire|
      tree = Tree.new(name: "a")
      tree.children = [tree]

      assert_raises(Sparpack::EncodeError::LimitExceeded) { tree.encode(wire) }
    end

    each_wire "absent fields get their defaults" do |wire|
      read = Defaults.decode(writer(wire, Defaults).message, wire)

      assert_equal Defaults.new, read
      assert_equal [true, 7, "grün", [1, 2], Set["a"], { "k" => [3] }, Point.new(x: 1),
                    "00112233-4455-6677-8899-aabbccddeeff"], read.to_h.values
    end

    each_wire "defaults are written even where they are equal to what is set" do |wire|
      assert_both_ways(Defaults.new, wire)
      refute_equal writer(wire, Defaults).stop, Defaults.new.encode(wire)
    end

    each_wire "every object has its own copy of a default" do |wire|
      first, second = Array.new(2) { Defaults.decode(writer(wire, Defaults).stop, wire) }
      first.numbers << 3
      first.text << "!"
      first.names << "b"
      first.table["k"] << 4
      first.point.y = 5

      assert_equal Defaults.new, second
      refute_equal first, second
    end

    each_wire "a field that is set to nil in spite of its default is left out, and comes back as the default" do |wire|
      assert_equal 7, Defaults.decode(Defaults.new(number: nil).encode(wire), wire).number
      assert_raises(Sparpack::EncodeError::MissingField) { Defaults.new(text: nil).encode(wire) }
    end

    each_wire "required fields are demanded both ways, at any depth" do |wire|
      error = assert_raises(Sparpack::EncodeError::MissingField) { Frame.new(point: Point.new(y: 1)).encode(wire) }
      assert_equal ["#{Frame}.point.x", "a required field", "none"], [error.path, error.expected, error.found]

      bytes = writer(wire, Frame).message([1, :struct, [[2, :i32, 1]]])

      assert_refuses(Sparpack::DecodeError::MissingField, Frame, bytes, wire, path: ".point.x")
      assert_reads(Frame.new(point: Point.new(y: 1)), bytes, wire, validate: :none)
    end

    each_wire "optional and default fields may be absent" do |wire|
      assert_both_ways(Point.new(x: 1), wire, writer(wire, Point).message([1, :i32, 1]))
    end

    each_wire "three hundred fields" do |wire|
      all = Wide.schema.fields.to_h { |field| [field.name, WIDE.fetch(field.type.kind)] }

      assert_both_ways(Wide.new(**all), wire)
      assert_both_ways(Wide.new(**all.select { |name, _| name.end_with?("7") }), wire)
      assert_both_ways(one(Wide).new(v: Wide.new(f300: all[:f300])), wire)
    end

    each_wire "a subclass reads as itself and is written as its parent" do |wire|
      subclass = Class.new(Point) { def sum = x + y }
      bytes = subclass.new(x: 1, y: 2).encode(wire)

      assert_equal 3, subclass.decode(bytes, wire).sum
      assert_instance_of subclass, subclass.decode(bytes, wire)
      assert_instance_of Point, Point.decode(bytes, wire)
      assert_equal bytes, Frame.new(point: subclass.new(x: 1, y: 2)).point.encode(wire)
      assert_instance_of Point, Frame.decode(Frame.new(point: subclass.new(x: 1)).encode(wire), wire).point
    end
  end
end
