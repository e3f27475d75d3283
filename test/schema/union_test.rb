# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/reading"
require "support/wire_writer"
require "json"

# A union holds one of its fields.
class UnionTest < Minitest::Test
  class Point < Sparpack::Struct
    field 1, :x, :i32
  end

  class Answer < Sparpack::Union
    field 1, :text, :string
    field 2, :number, :i64
    field 3, :point, Point
    field 4, :flag, :bool
  end

  # Names that hide what unions can do.
  class Odd < Sparpack::Union
    field 1, :field, :i32
    field 2, :value, :i32
    field 3, :name, :i32
    field 4, :class, :i32
  end

  def test_new
    assert_equal [:text, "x"], [Answer.new(text: "x").field, Answer.new(text: "x").value]
    assert_equal [nil, nil], [Answer.new.field, Answer.new.value]
    assert_equal [nil, nil, false], [Answer.new(text: nil).field, Answer.new.value, Answer.new.unknown?]
  end

  def test_new_yields_the_object
    answer = Answer.new { |made| made.number = 5 }

    assert_equal Answer.number(5), answer
    assert_raises(ArgumentError) { Answer.new(text: "x") { |made| made.number = 5 } }
  end

  def test_constructors
    assert_equal Answer.new(text: "x"), Answer.text("x")
    assert_equal Answer.new(point: Point.new(x: 1)), Answer.point(Point.new(x: 1))
    assert_nil Answer.text(nil).field
  end

  def test_false_is_a_value
    assert_equal [:flag, false], [Answer.flag(false).field, Answer.flag(false).value]
    assert_equal Answer.flag(false), Answer.decode(Answer.flag(false).encode)
    assert Answer.flag(false).set?(:flag)
  end

  def test_readers
    answer = Answer.text("x")

    assert_equal ["x", nil, "x", nil], [answer.text, answer.number, answer[:text], answer["number"]]
    assert_equal [true, false], [answer.set?(:text), answer.set?(:number)]
    assert_raises(ArgumentError) { answer[:txt] }
  end

  def test_setting_two_raises
    message = "UnionTest::Answer already holds text: a union holds one field (set that one to nil first)"
    answer = Answer.text("x")
    [-> { answer.number = 1 }, -> { answer[:number] = 1 }, -> { Answer.new(text: "x", number: 1) },
     -> { answer.with(text: "x", number: 1) }].each do |call|
      assert_equal message, assert_raises(ArgumentError, &call).message
    end

    assert_equal [:text, "x"], [answer.field, answer.value]
  end

  def test_setting_another_after_nil
    answer = Answer.text("x")
    answer.text = "y"
    answer.number = nil

    assert_equal %w[text y], [answer.field.name, answer.value]
    answer.text = nil
    answer.number = 1

    assert_equal [:number, 1, nil], [answer.field, answer.value, answer.text]
  end

  def test_with
    answer = Answer.text("x").freeze

    assert_equal Answer.number(1), answer.with(number: 1)
    assert_equal Answer.text("y"), answer.with(text: "y")
    assert_equal answer, answer.with
  end

  def test_equality
    assert_equal Answer.text("x"), Answer.text("x")
    assert_equal Answer.text("x").hash, Answer.text("x").hash
    refute_equal Answer.text("x"), Answer.text("y")
    refute_equal Answer.new, Answer.text("x")
    assert_equal Answer.new, Answer.new
  end

  def test_pattern_matching
    [[Answer.text("x"), "text x"], [Answer.number(5), "number 5"], [Answer.new, "nothing"]].each do |answer, expected|
      matched = case answer
                in { text: } then "text #{text}"
                in { number: Integer => number } then "number #{number}"
                in {} then "nothing"
                end

      assert_equal expected, matched
    end
  end

  def test_hashes
    assert_equal({ text: "x" }, Answer.text("x").to_h)
    assert_empty(Answer.new.to_h)
    assert_equal({ point: { x: 1 } }, Answer.point(Point.new(x: 1)).to_h(deep: true))
    assert_equal Answer.point(Point.new(x: 1)), Answer.from_h("point" => { "x" => 1 })
    assert_raises(ArgumentError) { Answer.from_h(text: "x", number: 1) }
    assert_equal({ "point" => { "x" => 1 } }, Answer.point(Point.new(x: 1)).as_json)
  end

  def test_inspect
    assert_equal "#<UnionTest::Answer text=\"x\">", Answer.text("x").inspect
    assert_equal "#<UnionTest::Answer>", Answer.new.inspect
    assert_equal Answer.text("x").inspect, Answer.text("x").to_s
  end

  def test_copies
    [Answer.text("x"), Answer.new, Answer.flag(false)].each do |answer|
      assert_equal answer, answer.dup
      assert_equal answer, Marshal.load(Marshal.dump(answer))
      assert Ractor.shareable?(answer.dup.freeze(deep: true))
    end
    assert_raises(FrozenError) { Answer.text("x").freeze.text = nil }
  end

  def test_names_that_hide_what_unions_can_do
    odd = Odd.new(value: 5)

    assert_equal [5, nil, nil, nil], [odd.value, odd.field, odd.name, odd.class_]
    assert_equal [:value, 5, false], [Sparpack.field(odd), Sparpack.value(odd), Sparpack.unknown?(odd)]
    assert_equal "UnionTest::Odd", Odd.name
    assert_instance_of Odd, Odd.new(class: 1)
    assert_equal odd, Odd.decode(odd.encode)
    assert_equal [Odd.new(value: 3), Odd.new(field: 3)], [Odd.value(3), odd.with(field: 3)]
    assert_raises(Sparpack::SchemaError) { Odd.field(5, :late, :i32) } # Odd.field is still the declaration
  end

  def test_unknown_variants
    Sparpack::WIRES.each do |wire|
      bytes = WireWriter.for(wire, Answer).message([9, :string, "new"])
      answer = Answer.decode(bytes, wire)

      assert_equal [nil, nil, true], [answer.field, answer.value, answer.unknown?]
      error = assert_raises(Sparpack::EncodeError::MissingField) { answer.encode(wire) }
      assert_equal "UnionTest::Answer: expected one field in a union, found an unknown field that was not kept (#{wire})",
                   error.message
      refute_equal Answer.new, answer
      kept = Answer.decode(bytes, wire, unknown: :keep)

      assert_equal [nil, nil, true], [kept.field, kept.value, kept.unknown?]
      assert_equal bytes, kept.encode(wire)
    end
  end

  def test_a_field_takes_the_place_of_an_unknown_variant
    kept = Answer.decode(WireWriter.for(:compact).message([9, :string, "new"]), unknown: :keep)
    kept.number = nil

    assert_predicate kept, :unknown?
    assert_equal Answer.number(1), kept.with(number: 1)
    kept.number = 1

    assert_equal [false, Answer.number(1)], [kept.unknown?, kept]
    assert_equal Answer.number(1).encode, kept.encode
  end

  def test_what_a_union_cannot_declare
    { required: true, default: 5 }.each do |option, value|
      error = assert_raises(Sparpack::SchemaError, option) do
        Class.new(Sparpack::Union) { field 1, :number, :i32, option => value }
      end

      assert_match(/number: a union's fields cannot .*#{option}/, error.message)
    end
  end

  def test_encode_refuses_an_empty_one
    error = assert_raises(Sparpack::EncodeError::MissingField) { Answer.new.encode }

    assert_equal "UnionTest::Answer: expected one field in a union, found none (compact)", error.message
    refute_predicate Answer.new, :valid?
  end

  def test_a_value_is_checked_by_its_field
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { Answer.number("1").encode }

    assert_equal "UnionTest::Answer.number: expected i64, found String (compact)", error.message
  end

  # Unions with few and with many variants, of which the last one is set. The fields are set directly, because defining
  # thousands of readers takes seconds.
  FEW, MANY = [10, 30_000].map do |count|
    fields = (-2_768...(count - 2_768)).map do |id|
      Sparpack::Field.new(id:, name: :"f#{id}", type: Sparpack::Type.of(:i64))
    end
    const_set("Of#{count}", Reading.with_fields(Sparpack::Union, fields))
  end

  COSTS = {
    encode: :encode.to_proc, validate: ->(union) { union.validate(:recursive) }, to_h: :to_h.to_proc,
    inspect: :inspect.to_proc, hash: :hash.to_proc, equality: ->(union) { union == union.dup },
    marshal: ->(union) { Marshal.load(Marshal.dump(union)) }, as_json: :as_json.to_proc,
    pattern: ->(union) { union.deconstruct_keys(nil) }, decode: ->(union) { union.class.decode(union.encode) },
    unknown: ->(union) { union.class.decode("\x05\xfe\xff\x03\x0e\0".b, unknown: :keep).encode }
  }.freeze

  # An object holds one value, so everything takes the same time, however many variants the class has.
  COSTS.each do |name, call|
    define_method("test_#{name}_takes_no_longer_for_many_variants") do
      few, many = [FEW, MANY].map do |klass|
        union = klass.new(klass.schema.fields.last.name => 5)
        Array.new(5) { Cost.of { 200.times { call.call(union) } }.seconds }.min
      end

      assert_operator many / few, :<, 8
    end
  end
end
