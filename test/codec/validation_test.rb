# frozen_string_literal: true

require "test_helper"
require "support/random_schema"
require "support/seeded"

# What `validate` finds: missing required fields, wrong types in the object's own fields, or faults at any depth.
class ValidationTest < Minitest::Test
  include Seeded

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
  end

  class Leaf < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
  end

  class Answer < Sparpack::Union
    field 1, :leaf, Leaf
    field 2, :number, :i8
  end

  class All < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :flag, :bool
    field 3, :tiny, :i8
    field 4, :small, :i16
    field 5, :medium, :i32
    field 6, :real, :double
    field 7, :text, :string
    field 8, :bytes, :binary
    field 9, :uuid, :uuid
    field 10, :status, Status
    field 11, :leaf, Leaf
    field 12, :leaves, list(Leaf)
    field 13, :bag, set(:i8)
    field 14, :table, map(:string, list(Leaf))
    field 15, :answer, Answer
    field 16, :all, "All"
    field 17, :keyed, map(Leaf, :i8)
  end

  INVALID = Leaf.new(name: "no id")

  # Wrong values for each field, with what the error says: [value, expected, found].
  WRONG = {
    flag: [[1, "bool", "1"], ["true", "bool", "String"]],
    tiny: [[128, "i8", "128"], [1.0, "i8", "Float"], ["1", "i8", "String"], [true, "i8", "true"]],
    small: [[-32_769, "i16", "-32769"]],
    medium: [[1 << 31, "i32", "2147483648"]],
    id: [[1 << 63, "i64", "9223372036854775808"], [-(1 << 63) - 1, "i64", "-9223372036854775809"],
         [10**50, "i64", "an Integer of 167 bits"], [:one, "i64", "Symbol"]],
    real: [["1.0", "double", "String"], [1r, "double", "Rational"], [1 << 2000, "double", "an Integer of 2001 bits"]],
    text: [[1, "string", "1"], [["a"], "string", "Array"],
           ["\xff", "text that is valid UTF-8", "a String of 1 byte in UTF-8"]],
    bytes: [[:a, "binary", "Symbol"], [nil.to_a, "binary", "Array"]],
    uuid: [["00", "a uuid such as 00112233-4455-6677-8899-aabbccddeeff", "a String of 2 bytes in UTF-8"], [5, "uuid", "5"]],
    status: [[2, "ValidationTest::Status", "2"], [1.0, "ValidationTest::Status", "Float"],
             [1 << 31, "ValidationTest::Status", "2147483648"]],
    leaf: [[{ id: 1 }, "ValidationTest::Leaf", "Hash"], [Answer.new, "ValidationTest::Leaf", "ValidationTest::Answer"]],
    leaves: [[Set[], "list", "Set"], [{}, "list", "Hash"], ["", "list", "String"]],
    bag: [[{ 1 => true }, "set", "Hash"], [1..2, "set", "Range"]],
    table: [[[], "map", "Array"]],
    answer: [[5, "ValidationTest::Answer", "5"]]
  }.freeze

  INSIDE = {
    leaves: [[Leaf.new(id: 1), nil], "leaves[1]", "ValidationTest::Leaf", "nil"],
    bag: [[1, 2, 300], "bag[2]", "i8", "300"],
    table: [{ "a" => [], "b" => [Leaf.new(id: 1), 5] }, "table.values[1][1]", "ValidationTest::Leaf", "5"],
    keyed: [{ Leaf.new(id: 1) => 1, Answer.new => 2 }, "keyed.keys[1]", "ValidationTest::Leaf", "ValidationTest::Answer"]
  }.freeze

  def all(**fields) = All.new(id: 1, **fields)

  def test_normal_looks_for_required_fields
    assert_predicate all(text: 5, leaf: INVALID), :valid?
    error = assert_raises(Sparpack::ValidationError) { All.new.validate }

    assert_equal ["ValidationTest::All.id: expected a required field, found none", "ValidationTest::All.id",
                  "a required field", "none", nil],
                 [error.message, error.path, error.expected, error.found, error.offset]
    refute_predicate All.new, :valid?
  end

  def test_strict_looks_at_the_types_of_ones_own_fields
    WRONG.each do |name, cases|
      cases.each do |value, expected, found|
        object = all(name => value)

        assert_predicate object, :valid?
        assert_faults object, :strict, [[name.name, expected, found]]
        assert_faults object, :recursive, [[name.name, expected, found]]
        error = assert_raises(Sparpack::ValidationError) { object.validate(:strict) }
        hint = " (to make one of a Hash, use #{expected}.from_h)" if value.is_a?(Hash) && name == :leaf
        assert_equal "ValidationTest::All.#{name}: expected #{expected}, found #{found}#{hint}", error.message
      end
    end
  end

  def test_strict_looks_into_containers
    INSIDE.each do |name, (value, path, expected, found)|
      assert_faults all(name => value), :strict, [[path, expected, found]]
    end
  end

  # The first fault is enough to know that an object is not valid.
  def test_valid_stops_at_the_first_fault
    counted = Class.new(Sparpack::Struct) { field 1, :numbers, list(:i8) }

    refute counted.new(numbers: [1, 300, 400]).valid?(:strict)
    assert counted.new(numbers: [1, 3]).valid?(:strict)
    assert_equal 2, counted.new(numbers: [1, 300, 400]).errors(:strict).size
  end

  def test_recursive_goes_through_nested_structs
    { all(leaf: INVALID) => "leaf.id", all(leaves: [Leaf.new(id: 1), INVALID]) => "leaves[1].id",
      all(table: { "a" => [INVALID] }) => "table.values[0][0].id", all(answer: Answer.leaf(INVALID)) => "answer.leaf.id",
      all(keyed: { INVALID => 1 }) => "keyed.keys[0].id", all(all: All.new) => "all.id",
      all(all: all(all: All.new)) => "all.all.id" }.each do |object, path|
      assert object.valid?(:strict)
      assert_faults object, :recursive, [[path, "a required field", "none"]]
    end
  end

  def test_unions
    assert_faults all(answer: Answer.new), :recursive, [["answer", "one field in a union", "none"]]
    assert_faults all(answer: Answer.number(200)), :recursive, [["answer.number", "i8", "200"]]
    assert all(answer: Answer.new).valid?(:strict)
    refute_predicate Answer.new, :valid?
    later = Class.new(Sparpack::Union) { field 99, :later, :string }
    unknown = Answer.decode(later.new(later: "x").encode)

    assert_equal ["ValidationTest::Answer: expected one field in a union, found an unknown field that was not kept"],
                 unknown.errors.map(&:message)
    assert_equal ["ValidationTest::Answer: expected one field in a union, found none"], Answer.new.errors.map(&:message)
  end

  def test_errors_are_all_of_them
    object = All.new(tiny: 300, text: 5, leaves: [INVALID, 5, INVALID], all: All.new(flag: 0))

    assert_faults object, :normal, [["id", "a required field", "none"]]
    assert_faults object, :strict, [["id", "a required field", "none"], %w[tiny i8 300], %w[text string 5],
                                    ["leaves[1]", "ValidationTest::Leaf", "5"]]
    assert_faults object, :recursive, [["id", "a required field", "none"], %w[tiny i8 300], %w[text string 5],
                                       ["leaves[0].id", "a required field", "none"],
                                       ["leaves[1]", "ValidationTest::Leaf", "5"],
                                       ["leaves[2].id", "a required field", "none"],
                                       ["all.id", "a required field", "none"], %w[all.flag bool 0]]
    assert_equal "ValidationTest::All.id", assert_raises(Sparpack::ValidationError) { object.validate(:recursive) }.path
  end

  def test_what_is_valid
    object = all(flag: false, tiny: -128, real: 1, text: :symbol, bytes: "\xff", status: :ACTIVE, leaf: Leaf.new(id: 1),
                 uuid: "00112233-4455-6677-8899-AABBCCDDEEFF", bag: [1, 2], table: {}, answer: Answer.number(1))

    %i[none normal strict recursive].each do |mode|
      assert_same object, object.validate(mode)
      assert object.valid?(mode)
      assert_empty object.errors(mode)
    end
  end

  def test_none_looks_at_nothing
    assert All.new.valid?(:none)
  end

  def test_cycles_are_too_deep
    object = all
    object.all = object

    assert object.valid?(:strict)
    error = assert_raises(Sparpack::ValidationError) { object.validate(:recursive) }
    assert_equal ["at most 64 levels", "more levels"], [error.expected, error.found]
  end

  class Nest < Sparpack::Struct
    field 1, :nest, "Nest"
    field 2, :list, list("Nest")
  end

  # There are 2**63 paths that are too deep.
  def test_cycles_that_fork
    nest = Nest.new
    nest.list = [nest, nest]

    assert_equal(["more levels"], nest.errors(:recursive).map(&:found))
  end

  # A value of another class is reported at any level, as encode reports it.
  def test_faults_below_the_last_level
    inner = Nest.new(list: 5)
    structs = 63.times.reduce(inner) { |nest, _| Nest.new(nest:) }

    [*structs.errors(:recursive), assert_raises(Sparpack::EncodeError) { structs.encode }].each do |fault|
      assert_equal %w[list 5], [fault.expected, fault.found]
    end
  end

  # As many levels as can be encoded, and no more.
  def test_the_depth_of_what_is_valid
    { 64 => true, 65 => false }.each do |levels, valid|
      structs = (levels - 1).times.reduce(Nest.new) { |nest, _| Nest.new(nest:) }
      innermost = levels.even? ? Nest.new(list: []) : Nest.new
      lists = ((levels - 1) / 2).times.reduce(innermost) { |nest, _| Nest.new(list: [nest]) }
      [structs, lists].each do |object|
        assert_equal valid, object.valid?(:recursive)
        assert_equal valid, encodes?(object)
      end
    end
  end

  def encodes?(object)
    object.encode
    true
  rescue Sparpack::EncodeError::LimitExceeded
    false
  end

  def test_modes_that_do_not_exist
    hints = { strictly: " (did you mean :strict?)", "strict" => " (use :strict)",
              "recursve" => " (did you mean :recursive?)", nil => "", 5 => "", foo: "",
              { mode: :strict } => " (pass it without a keyword: :strict)", { mode: 5 } => "" }
    hints.each do |mode, hint|
      %i[validate valid? errors].each do |method|
        error = assert_raises(ArgumentError) { all.public_send(method, mode) }

        assert_equal "a mode is one of :none, :normal, :strict, :recursive, got #{mode.inspect}#{hint}", error.message
      end
    end
    error = assert_raises(ArgumentError) { all.valid?(mode: :strict) }

    assert_includes error.message, "(pass it without a keyword: :strict)"
  end

  # Encoding refuses what validation finds (except numbers that an enum does not name), and the other way round.
  def test_encoding_refuses_what_validation_finds
    junk = [nil, 5, 1 << 40, 1 << 70, 0.5, "text", "\xff", :symbol, true, [], [nil], {}, { nil => nil }, Set[], Leaf.new,
            Answer.new, Object.new]
    300.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      object = schema.object(struct_class)
      field = struct_class.schema.fields.sample(random:)
      object = object.with(field.name => junk.sample(random:)) rescue next # rubocop:disable Style/RescueModifier
      faults = object.errors(:recursive).reject { |fault| open_enum?(fault) }
      error = encode_error(object)

      assert_equal faults.empty?, error.nil?, "#{object.inspect}\n#{faults.inspect}\n#{error.inspect}"
      assert_equal faults[0].path, error.path if faults.size == 1
    end
  end

  private

  def open_enum?(fault)
    fault.expected == RandomSchema::Made::Level.name && fault.found.match?(/\A-?\d+\z/) &&
      Sparpack::Type::RANGES[:enum].cover?(fault.found.to_i)
  end

  def encode_error(object)
    object.encode
    nil
  rescue Sparpack::EncodeError => e
    e
  end

  def assert_faults(object, mode, expected)
    faults = object.errors(mode)

    assert_equal(expected, faults.map { |e| [e.path.delete_prefix("ValidationTest::All."), e.expected, e.found] })
    assert(faults.all?(Sparpack::ValidationError))
    refute object.valid?(mode)
  end
end
