# frozen_string_literal: true

require "test_helper"

# Types that are named before they exist and looked up at their first use, and classes that are defined anew.
class LinkingTest < Minitest::Test
  SchemaError = Sparpack::SchemaError

  class Leaf < Sparpack::Struct
    field 1, :outer, :bool
  end

  module Inner
    class Leaf < Sparpack::Struct
      field 1, :inner, :bool
    end

    class Tree < Sparpack::Struct
      field 1, :near, "Leaf"
      field 2, :far, "LinkingTest::Leaf"
      field 3, :own, "Tree"
      field(4, :block, list { Inner::Leaf })
      field 5, :nested, map("Level", list(set("Leaf")))
      field 6, :inside, "Part"
      field 7, :later, "Later"

      class Part < Sparpack::Struct
        field 1, :tree, "Tree"
      end
    end

    module Level
      extend Sparpack::Enum

      LOW = 1
    end

    class Later < Sparpack::Union
      field 1, :tree, Tree
    end
  end

  class Ping < Sparpack::Struct
    field 1, :pong, "Pong"
  end

  class Pong < Sparpack::Struct
    field 1, :ping, Ping
    field 2, :pings, list(map(:i32, "Ping"))
  end

  def test_names_are_looked_up_outward_from_the_class
    types = Inner::Tree.schema.fields.to_h { |field| [field.name, field.type.to_s.gsub("LinkingTest::", "")] }

    assert_equal({ near: "Inner::Leaf", far: "Leaf", own: "Inner::Tree", block: "list<Inner::Leaf>",
                   nested: "map<Inner::Level, list<set<Inner::Leaf>>>", inside: "Inner::Tree::Part",
                   later: "Inner::Later" }, types)
  end

  def test_what_is_named_works
    tree = Inner::Tree.new(near: Inner::Leaf.new(inner: true), far: Leaf.new(outer: true), own: Inner::Tree.new,
                           block: [Inner::Leaf.new], nested: { LOW: [Set[Inner::Leaf.new]] },
                           inside: Inner::Tree::Part.new(tree: Inner::Tree.new))

    assert_equal tree.with(nested: { 1 => [Set[Inner::Leaf.new]] }), Inner::Tree.decode(tree.encode)
  end

  def test_mutual_recursion
    object = Ping.new(pong: Pong.new(ping: Ping.new, pings: [{ 1 => Ping.new(pong: Pong.new) }]))

    assert_equal object, Ping.decode(object.encode)
    assert_equal object.pong, Pong.decode(object.pong.encode)
    assert_equal Ping, Pong.schema[:ping].type.target
  end

  def test_an_enum_that_is_named_ahead_takes_its_names
    holder = Class.new(Sparpack::Struct) do
      field 1, :level, "LinkingTest::Inner::Level"
      field(2, :block) { Inner::Level }
    end

    assert_equal [1, 1], [holder.new(level: :LOW).level, holder.new(block: :LOW).block]
    assert_raises(ArgumentError) { holder.new(level: :HIGH) }
  end

  def test_names_that_do_not_exist
    { "Missing" => "Missing is not defined (looked up from", "Leaf::Missing" => "is not defined",
      "leaf" => "leaf", "no name" => "no name", "" => "is not" }.each do |name, message|
      made = Class.new(Sparpack::Struct) { field 1, :x, name }
      [-> { made.codec }, -> { made.schema }, -> { made.decode("\0") }, -> { made.new(x: 1).encode }].each do |use|
        error = assert_raises(SchemaError, name, &use)

        assert_includes error.message, message
        assert_match(/\A#<Class:0x\h+>\.x: /, error.message)
        assert_nil error.cause
      end
    end
  end

  # In a class of an anonymous module, only the class itself and the top level are searched.
  def test_names_in_an_anonymous_module
    Module.new.const_set(:Inner, made = Class.new(Sparpack::Struct) { field 1, :x, list("Missing") })

    assert_match(/Inner\.x: Missing is not defined/, assert_raises(SchemaError) { made.schema }.message)
  end

  # A part of a type that a block gives is named by its field, too.
  def test_types_by_blocks_that_are_wrong
    made = Class.new(Sparpack::Struct) { field(5, :late) { list(:i33) } }

    assert_match(/\A#<Class:0x\h+>\.late: :i33 is not a type/, assert_raises(SchemaError) { made.new.encode }.message)
  end

  def test_names_of_what_is_no_type
    [proc { field 1, :x, "String" }, proc { field 1, :x, "RUBY_VERSION" }, proc { field(1, :x) { :int } },
     proc { field(1, :x) { nil } }, proc { field(1, :x) { Comparable } }].each do |declaration|
      made = Class.new(Sparpack::Struct, &declaration)

      assert_raises(SchemaError) { made.codec }
    end
  end

  # A union's memory has another layout than a struct's.
  def test_a_type_whose_kind_is_not_its_class
    union = Class.new(Sparpack::Union) { (1..100).each { |id| field id, :"f#{id}", :i64 } }
    struct = Class.new(Sparpack::Struct) { field 1, :x, :i64 }
    { struct: union, union: struct }.each do |kind, target|
      type = Sparpack::Type.new(kind, target:)
      [type, Sparpack::Type.list(type), Sparpack::Type.map(type, :i8)].each do |holder|
        made = Class.new(Sparpack::Struct) { field 1, :x, holder }

        assert_match(/ is not a #{kind}\z/, assert_raises(SchemaError) { made.new.encode }.message)
        assert_raises(SchemaError) { made.decode("\x1c\x16\x02\0\0".b) }
      end
    end
  end

  def test_a_name_may_be_defined_after_it_was_missing
    made = Class.new(Sparpack::Struct) { field 1, :x, "LinkingTest::Appearing" }
    assert_raises(SchemaError) { made.codec }
    LinkingTest.const_set(:Appearing, Class.new(Sparpack::Struct) { field 1, :y, :i32 })

    assert_equal 5, made.decode(made.new(x: Appearing.new(y: 5)).encode).x.y
  ensure
    LinkingTest.send(:remove_const, :Appearing)
  end

  def test_a_block_that_raises
    made = Class.new(Sparpack::Struct) { field(1, :x) { raise KeyError, "not yet" } }

    assert_equal "not yet", assert_raises(KeyError) { made.codec }.message
    assert_equal "not yet", assert_raises(KeyError) { made.codec }.message
  end

  def test_blocks_may_know_what_is_around_them
    asked = 0
    leaf = Leaf
    made = Class.new(Sparpack::Struct) do
      field(1, :x) { leaf.tap { asked += 1 } }
      field(2, :xs, list { leaf })
    end
    object = made.new(x: Leaf.new, xs: [Leaf.new])
    3.times { assert_equal object, made.decode(object.encode) }
    before = asked
    3.times { assert_equal object, made.decode(object.encode) }

    assert_equal before, asked
  end

  # A block is called when the class is first used, and sees its variables as they are then.
  def test_a_block_may_name_a_variable_that_is_set_later
    node = Class.new(Sparpack::Struct) { field(1, :children, list { node }) }
    early = nil
    holder = Class.new(Sparpack::Struct) do
      field(1, :x) { early }
      field 2, :map, map(:string, nil) { early }
    end
    early = Leaf
    tree = node.new(children: [node.new, node.new(children: [])])

    assert_equal tree, node.decode(tree.encode)
    assert_equal holder.new(x: Leaf.new), holder.decode(holder.new(x: Leaf.new).encode)
    assert_same Leaf, holder.schema[:map].type.element.target
  end

  def test_a_block_that_names_a_variable_which_nobody_has_set
    missing = nil
    made = Class.new(Sparpack::Struct) { field(1, :x, list { missing }) }

    assert_match(/\.x: its block returned nil in place of a type .*: what it names has to be set by then\)\z/,
                 assert_raises(SchemaError) { made.schema }.message)
    missing = Leaf

    assert_equal [Leaf.new], made.decode(made.new(x: [Leaf.new]).encode).x
  end

  # Blocks are dropped once they were called.
  def test_a_class_whose_types_were_given_by_blocks_is_shareable
    made = Class.new(Sparpack::Struct) { field(1, :x) { Leaf } }
    held = -> { made.instance_variables.map { |name| made.instance_variable_get(name) }.grep_v(Module) }

    refute_empty(held.call.reject { |value| Ractor.shareable?(value) })
    made.schema

    assert_empty(held.call.reject { |value| Ractor.shareable?(value) })
    assert_same Leaf, made.schema[:x].type.target
  end

  def test_a_class_that_is_defined_anew_is_a_new_schema
    define = ->(*names) { Class.new(Sparpack::Struct) { names.each_with_index { |name, id| field id, name, :i32 } } }
    LinkingTest.const_set(:Reloaded, define[:x])
    holder = Class.new(Sparpack::Struct) { field 1, :held, Reloaded }
    older = Reloaded.new(x: 1)
    held = holder.decode(holder.new(held: older).encode)
    LinkingTest.send(:remove_const, :Reloaded)
    LinkingTest.const_set(:Reloaded, define[:x, :y])

    assert_equal([[:x], %i[x y]], [older.class.schema, Reloaded.schema].map { |schema| schema.fields.map(&:name) })
    assert_equal held, holder.decode(held.encode)
    refute_equal older, Reloaded.new(x: 1)
    assert_equal Reloaded.new(x: 1, y: 2), Reloaded.decode(Reloaded.new(x: 1, y: 2).encode)
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { holder.new(held: Reloaded.new(x: 1)).encode }
    assert_equal ["LinkingTest::Reloaded", "a LinkingTest::Reloaded of an older definition of the class"],
                 [error.expected, error.found]
  ensure
    LinkingTest.send(:remove_const, :Reloaded)
  end

  def test_a_holder_that_names_its_type_gets_the_class_of_the_day
    define = -> { Class.new(Sparpack::Struct) { field 1, :x, :i32 } }
    LinkingTest.const_set(:Daily, define.call)
    holders = Array.new(2) { Class.new(Sparpack::Struct) { field 1, :held, "LinkingTest::Daily" } }
    first = holders[0].decode(holders[0].new(held: Daily.new(x: 1)).encode).held
    LinkingTest.send(:remove_const, :Daily)
    LinkingTest.const_set(:Daily, define.call)
    second = holders[1].decode(holders[1].new(held: Daily.new(x: 1)).encode).held

    assert_instance_of Daily, second
    refute_instance_of Daily, first
  ensure
    LinkingTest.send(:remove_const, :Daily)
  end

  def test_hundreds_of_classes_that_name_one_another
    names = (0...300).map { |i| :"Ring#{i}" }
    names.each_with_index do |name, i|
      LinkingTest.const_set(name, Class.new(Sparpack::Struct) do
        field 1, :number, :i32
        field 2, :rest, "LinkingTest::#{names[(i + 1) % names.size]}"
      end)
    end
    ring = names.first(50).reverse.reduce(nil) { |rest, name| LinkingTest.const_get(name).new(number: 1, rest:) }

    assert_equal ring, ring.class.decode(ring.encode)
  ensure
    names.each { |name| LinkingTest.send(:remove_const, name) }
  end
end
