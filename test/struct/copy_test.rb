# frozen_string_literal: true

require "test_helper"

# Tests members, dig, deep copies, and changes for the duration of a block.
class CopyTest < Minitest::Test
  class Line < Sparpack::Struct
    field 1, :name, :string
    field 2, :tags, list(:string)
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64
    field 2, :lines, list(Line)
    field 3, :by_name, map(:string, Line)
    field 4, :keyed, map(Line, set(Line))
    field 5, :parent, "Order"

    attr_accessor :note
  end

  class Choice < Sparpack::Union
    field 1, :line, Line
    field 2, :text, :string
  end

  class Hidden < Sparpack::Struct
    %i[dig members with dup deep].each_with_index { |name, id| field id, name, list("Hidden") }
  end

  class Gone < Sparpack::Exception
    field 1, :line, Line
  end

  def order
    Order.new(id: 1, lines: [Line.new(name: "a", tags: ["x"])], by_name: { "b" => Line.new(name: "b") },
              keyed: { Line.new(name: "k") => Set[Line.new(name: "e")] })
  end

  def test_members
    names = %i[id lines by_name keyed parent]

    assert_equal [names, names, names, names],
                 [Order.members, order.members, Sparpack.members(Order), Sparpack.members(order)]
    assert_equal [%i[line text], %i[line]], [Choice.text("x").members, Gone.members]
    assert_equal Class.new(Order).members, Order.members
    union = Class.new(Sparpack::Union) { field 1, :members, :i8 }

    assert_equal [5, [:members]], [union.members(5).value, Sparpack.members(union)]
  end

  class Settings < Sparpack::Struct
    field 1, :name, :string
    field 2, :retries, :i32, default: 3
    field 3, :line, Line
    field 4, :loud, :bool
    field 5, :tags, list(:string)
  end

  def test_merge
    line = Line.new(name: "a", tags: ["x"])
    one = Settings.new(name: "one", retries: 5, line:, loud: true).freeze
    other = Settings.new(retries: nil, line: Line.new(name: "b"), loud: false, tags: []).freeze
    merged = one.merge(other)

    assert_equal Settings.new(name: "one", retries: 5, line: Line.new(name: "b"), loud: false, tags: []), merged
    assert_equal Settings.new(name: "one", retries: 5, line:, loud: true), one
    refute_predicate merged, :frozen?
    assert_same other.line, merged.line # a shallow copy
    assert_equal 3, one.merge(Settings.new).retries # a default is set
    assert_equal one, one.merge(Settings.new(retries: nil))
  end

  def test_merge_of_subclasses
    sub = Class.new(Settings) { attr_accessor :note }
    one = sub.new(name: "one").tap { |settings| settings.note = "mine" }

    assert_instance_of sub, one.merge(Settings.new(name: "two"))
    assert_equal(%w[two mine], one.merge(Settings.new(name: "two")).then { |merged| [merged.name, merged.note] })
    assert_instance_of Settings, Settings.new.merge(one)
  end

  def test_merge_of_unions_and_exceptions
    line = Choice.line(Line.new)

    assert_equal [Choice.text("x"), line, line],
                 [line.merge(Choice.text("x")), line.merge(Choice.new), Choice.new.merge(line)]
    assert_equal(["new", Line.new], Gone.new("old").merge(Gone.new("new", line: Line.new)).then { [_1.message, _1.line] })
    assert_equal "old", Gone.new("old").merge(Gone.new(line: Line.new)).message
  end

  class Later < Sparpack::Struct
    field 1, :name, :string
    field 9, :more, :string
  end

  def test_merge_of_unknown_fields
    with, without, other = [Later.new(name: "a", more: "m"), Later.new(name: "b"), Later.new(more: "n")].map do |later|
      Settings.decode(later.encode, unknown: :keep)
    end

    assert_equal "m", Later.decode(with.merge(without).encode(unknown: :keep)).more
    assert_equal %w[a n], Later.decode(with.merge(other).encode(unknown: :keep)).to_h.values
    unknown = Choice.decode(Later.new(more: "x").encode, unknown: :keep)

    assert_predicate Choice.text("x").merge(unknown), :unknown?
    assert_equal [nil, "x"], [Choice.text("x").merge(unknown).field, unknown.merge(Choice.text("x")).text]
    refute_predicate unknown.merge(Choice.text("x")), :unknown?
  end

  def test_merge_with_something_else
    { Line.new => "expected CopyTest::Settings, got CopyTest::Line", nil => "expected CopyTest::Settings, got NilClass",
      { name: "x" } => "expected CopyTest::Settings, got Hash (for a Hash, write with(**hash))" }.each do |other, message|
      assert_equal message, assert_raises(TypeError) { Settings.new.merge(other) }.message
    end
    assert_raises(TypeError) { Settings.new.merge(BasicObject.new) }
    assert_raises(TypeError) { Sparpack.merge({}, {}) }
  end

  def test_dig
    assert_equal ["a", "x", "b", 1], [order.dig(:lines, 0, :name), order.dig("lines", 0, "tags", 0),
                                      order.dig(:by_name, "b", :name), order.dig(*%i[id])]
    assert_equal [nil, nil, nil], [order.dig(:lines, 5, :name), order.dig(:parent, :parent), order.dig(:by_name, "z", :name)]
    assert_equal ["a", nil], [Choice.line(Line.new(name: "a")).dig(:line, :name), Choice.text("t").dig(:line, :name)]
    assert_equal "a", { order: [order] }.dig(:order, 0, :lines, 0, :name)
    assert_raises(ArgumentError) { order.dig(:line, 0) }
    assert_raises(ArgumentError) { order.dig(:lines, 0, :nam) }
    assert_raises(ArgumentError) { order.dig }
    assert_equal "Integer does not have #dig method", assert_raises(TypeError) { order.dig(:id, 1) }.message
  end

  def test_fields_hide_them
    inner = Hidden.new(dig: [])
    hidden = Hidden.new(dig: [inner], members: [], with: [], dup: [])

    assert_equal [[inner], [], [], []], [hidden.dig, hidden.members, hidden.with, hidden.dup_]
    assert_equal [[], 5], [Sparpack.dig(hidden, :dig, 0, :dig), Sparpack.members(hidden).size]
    assert_equal [hidden, hidden], [hidden.dup, hidden.dup(deep: true)]
  end

  def test_deep_copies
    frozen = order.freeze(deep: true)
    copy = frozen.dup(deep: true)
    copy.lines[0].tags[0] << "!"
    copy.lines[0].name << "!"
    copy.lines << Line.new
    copy.by_name["b"].name = "c"
    copy.by_name["d"] = nil

    assert_equal [order, "a!", ["x!"]], [frozen, copy.lines[0].name, copy.lines[0].tags]
    assert_same frozen.keyed.keys[0], copy.keyed.keys[0]
    assert_same frozen.keyed.values[0].first, copy.keyed.values[0].first
    refute_predicate copy.keyed.values[0], :frozen?
  end

  def test_deep_copies_of_what_is_mutable
    original = order
    copy = original.dup(deep: true)

    assert_equal original, copy
    refute_same original.keyed.keys[0], copy.keyed.keys[0]
    refute_same original.lines[0].name, copy.lines[0].name
    assert_same original.lines, original.dup.lines
    assert_same original.lines, original.dup(deep: false).lines
  end

  def test_deep_copies_keep_what_is_one_object_one_object
    line = Line.new(name: "a")
    original = Order.new(lines: [line, line])
    original.parent = original
    copy = original.dup(deep: true)

    assert_same copy.lines[0], copy.lines[1]
    assert_same copy, copy.parent
    refute_same line, copy.lines[0]
  end

  def test_deep_copies_of_unions_exceptions_subclasses_and_unknown_fields
    choice = Choice.line(Line.new(name: "a"))
    gone = Gone.new("text", line: Line.new(name: "a"))
    kept = Class.new(Sparpack::Struct) { field 2, :tags, :string }
    kept = kept.decode(Line.new(name: "a").encode, unknown: :keep)

    [choice, gone, kept, Class.new(Line).new(name: "x")].each do |original|
      copy = original.dup(deep: true)

      assert_equal [original, original.class], [copy, copy.class]
    end
    refute_same choice.line, choice.dup(deep: true).line
    assert_equal "text", gone.dup(deep: true).message
  end

  # `super` without parentheses passes the argument on.
  class Labelled < Sparpack::Struct
    field 1, :name, :string
    field 2, :child, "CopyTest::Labelled"
    field 3, :fallback, list("CopyTest::Always"), default: []

    def dup(deep: false) = super.tap { |copy| copy.name = "copy of #{name}" }
  end

  def names(labelled) = [labelled.name, labelled.child.name]

  class Always < Sparpack::Struct
    field 1, :name, :string
    field 2, :child, "CopyTest::Always"

    def dup(deep: true) = super
  end

  def test_classes_that_override_dup
    line = Labelled.new(name: "a", child: Labelled.new(name: "b"))

    [line.dup, line.dup(deep: false), line.dup(deep: true), line.with(fallback: [])].each do |copy|
      assert_equal ["copy of a", "b"], names(copy) # the copy was labelled once
    end
    refute_same line.child, line.dup(deep: true).child
    assert_equal ["copy of a", "x"], names(line.with(child: Labelled.new(name: "x")))
  end

  def test_classes_whose_dup_is_always_deep
    always = Always.new(name: "a", child: Always.new(name: "b"))

    [always.dup, always.dup(deep: true)].each do |copy|
      assert_equal always, copy
      refute_same always.child, copy.child
    end
    assert_same always.child, always.dup(deep: false).child
    holder = Class.new(Sparpack::Struct) { field 1, :held, Always, default: always }

    assert_equal [always, always], [holder.new.held, holder.decode("\0").held]
    assert_equal always, Always.from_h(name: :a, child: always.child)
    assert_equal "x", Always.from_h(child: Always.new(name: :x)).child.name
  end

  def test_arguments_of_dup
    [-> { order.dup(1) }, -> { order.dup(deap: true) }, -> { order.dup({ deep: true }) }].each do |call|
      assert_raises(ArgumentError, &call)
    end
  end

  # --- with -------------------------------------------------------------------------------------------------------------

  def test_with_a_block
    changed = order
    lines = changed.lines
    result = changed.with(id: 2, "lines" => nil, note: "n") do |given|
      assert_same changed, given
      [given.id, given.lines, given.note].tap { given.parent = Order.new }
    end

    assert_equal [2, nil, "n"], result
    assert_equal [1, nil, Order.new], [changed.id, changed.note, changed.parent]
    assert_same lines, changed.lines
    assert_equal(5, changed.with { 5 })
  end

  def test_with_a_block_that_raises
    changed = order

    assert_raises(KeyError) { changed.with(id: 2) { raise KeyError } }
    assert_equal 1, changed.id
    assert_equal(2, catch(:out) { changed.with(id: 2) { throw :out, changed.id } })
    assert_equal 1, changed.id
  end

  module Color
    extend Sparpack::Enum

    RED = 1
  end

  class Painted < Sparpack::Struct
    field 1, :color, Color
    field 2, :id, :i32
  end

  class Paint < Sparpack::Union
    field 1, :color, Color
    field 2, :id, :i32
  end

  # A dump of another version, or a form, may give an object a name that its enum does not have.
  def test_values_that_a_setter_refuses
    objects = [Painted.new(id: 1), Paint.new].each { |object| Sparpack.const_get(:Native).set_as_is(object, :color, :OLD) }
    objects.each do |object|
      assert_equal [object, object], [object.dup, object.dup(deep: true)]
      assert_equal :OLD, object.dup(deep: true).color
      assert_equal(1, object.with(color: :RED) { object.color })
      assert_equal :OLD, object.color
    end

    assert_raises(KeyError) { objects[0].with(color: :RED, id: 5) { raise KeyError } }
    assert_equal [:OLD, 1], [objects[0].color, objects[0].id]
  end

  def test_with_a_block_and_names_that_do_not_exist
    changed = order
    runs = 0

    assert_raises(ArgumentError) { changed.with(id: 2, idd: 3) { runs += 1 } }
    assert_raises(FrozenError) { changed.dup.freeze.with(id: 2) { runs += 1 } }
    assert_equal [1, 0], [changed.id, runs]
  end

  def test_unions_with_a_block
    choice = Choice.text("x")
    held = choice.with(line: Line.new(name: "a")) { |given| [given.field, given.line.name] }

    assert_equal [[:line, "a"], :text, "x"], [held, choice.field, choice.value]
    empty = Choice.new

    assert_equal(:text, empty.with(text: "x", &:field))
    assert_nil empty.field
    unknown = Class.new(Sparpack::Union) { field 1, :line, Line }.decode(choice.encode, unknown: :keep)
    bytes = unknown.encode
    unknown.with(line: Line.new, &:encode)

    assert_equal [true, bytes], [unknown.unknown?, unknown.encode]
  end

  class Noted < Choice
    attr_accessor :note
  end

  def state(noted) = [noted.note, noted.field]

  # A class may have other attributes than fields.
  def test_unions_whose_other_attributes_change
    choice = Noted.new(text: "x").tap { |new| new.note = "old" }
    copy = choice.with(note: "new")

    assert_equal ["new", :text, "x"], [copy.note, copy.field, copy.value]
    assert_equal ["new", :line], state(choice.with(note: "new", line: Line.new))
    assert_equal(["new", :text], choice.with(note: "new") { |given| state(given) })
    assert_equal(["new", :line], choice.with("line" => Line.new, "note" => "new") { |given| state(given) })
    assert_equal ["old", :text, "x"], [choice.note, choice.field, choice.value]
    assert_raises(ArgumentError) { choice.with(note: "new", nope: 1) { flunk } }
    assert_raises(ArgumentError) { choice.with(note: "new", text: "a", line: Line.new) { flunk } }
    assert_equal ["old", :text, "x"], [choice.note, choice.field, choice.value]
  end

  # A block that sets a field of which `with` knows nothing keeps it, as in a struct.
  def test_unions_whose_field_a_block_changes
    choice = Noted.new(text: "x")
    choice.with(note: "new") { |given| given.text = "y" }

    assert_equal [nil, "y"], [choice.note, choice.text]
  end
end
