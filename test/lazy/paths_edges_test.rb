# frozen_string_literal: true

require "test_helper"
require "set"
require "support/reading"
require "support/wire_forms"

using WireForms

# Where a path leads past the end of something, through what is wrong or unusual, or to a value with nothing behind it.
class PathsEdgesTest < Minitest::Test
  extend Reading::Wires

  class Leaf < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :open, :bool
    field 4, :tags, list(:string)
  end

  class Choice < Sparpack::Union
    field 1, :text, :string
    field 2, :leaf, Leaf
    field 3, :flag, :bool
  end

  class Tree < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :flag, :bool
    field 3, :leaves, list(Leaf)
    field 4, :by_name, map(:string, :i32)
    field 5, :by_number, map(:i64, Leaf)
    field 6, :by_flag, map(:bool, :i32)
    field 7, :by_bytes, map(:binary, :i32)
    field 8, :by_real, map(:double, :i32)
    field 9, :grid, list(list(:i32))
    field 10, :maps, map(:i32, map(:i32, :i32))
    field 11, :choice, Choice
    field 12, :choices, list(Choice)
    field 13, :tree, -> { Tree }
    field 14, :texts, list(:string)
    field 15, :text, :string
  end

  # What an older program knows of a tree.
  class Older < Sparpack::Struct
    field 3, :leaves, list("PathsEdgesTest::OlderLeaf")
    field 11, :choice, "PathsEdgesTest::OlderChoice"
    field 15, :text, :string
  end

  class OlderLeaf < Sparpack::Struct
    field 2, :name, :string
    field 4, :tags, list(:string)
  end

  class OlderChoice < Sparpack::Union
    field 1, :text, :string
  end

  LAST = Leaf.new(id: 3, name: "c", tags: %w[x y])
  TREE = Tree.new(
    id: 1, flag: false, leaves: [Leaf.new(id: 1, name: "a", open: false), Leaf.new(id: 2, open: true), LAST],
    by_name: { "a" => 1, "ab" => 2, "ä\"" => 3, "" => 4, "b" => 5 },
    by_number: { 0 => LAST, -1 << 63 => LAST, 1 << 62 => LAST },
    by_flag: { true => 1, false => 2 }, by_bytes: { "\xff\0".b => 4, "\xff".b => 5 }, by_real: { 1e300 => 1, 0.5 => 2 },
    grid: [[1, 2], [], [3]], maps: { 1 => { 2 => 3, 4 => 5 }, 2 => {} }, choice: Choice.leaf(LAST),
    choices: [Choice.text("t"), Choice.flag(false)], tree: Tree.new(id: 2, leaves: [LAST], text: "inner"),
    texts: %w[a b], text: "behind" * 20
  ).freeze(deep: true)

  FOUND = {
    [:id] => 1, [:flag] => false, [:leaves, 0] => TREE.leaves[0], [:leaves, 0, :open] => false, [:leaves, 0, :tags] => nil,
    [:leaves, 1, :name] => nil, [:leaves, 1, :open] => true, [:leaves, -1, :tags, 1] => "y", [:leaves, -3, :name] => "a",
    [:leaves, 1, :tags, 0] => nil, [:leaves, 2, :tags, 2] => nil, [:leaves, 2] => LAST,
    [:leaves, 3] => nil, [:leaves, 7, :name] => nil, [:leaves, -4] => nil, [:leaves, -9] => nil,
    [:by_name, "a"] => 1, [:by_name, "ab"] => 2, [:by_name, "ä\""] => 3, [:by_name, ""] => 4, [:by_name, "b"] => 5,
    [:by_name, "abc"] => nil, [:by_number, 0, :name] => "c", [:by_number, -1 << 63] => LAST, [:by_number, 1 << 62, :id] => 3,
    [:by_number, 1 << 63] => nil, [:by_number, 1 << 70] => nil, [:by_number, -1, :name] => nil,
    [:by_flag, true] => 1, [:by_flag, false] => 2, [:by_bytes, "\xff"] => 5, [:by_bytes, "\xff\0"] => 4,
    [:by_bytes, "\0"] => nil, [:by_real, 0.5] => 2, [:by_real, 1e300] => 1, [:by_real, 0] => nil,
    [:grid, 0, 1] => 2, [:grid, 1, 0] => nil, [:grid, 2, -1] => 3, [:grid, -1, 1] => nil, [:grid, 1] => [],
    [:maps, 1, 4] => 5, [:maps, 1, 3] => nil, [:maps, 2, 1] => nil, [:maps, 3, 1] => nil,
    [:choice, :leaf, :tags] => %w[x y], [:choice, :leaf, :open] => nil, [:choice, :text] => nil, [:choice, :flag] => nil,
    [:choices, 0, :text] => "t", [:choices, 1, :flag] => false, [:choices, 1, :leaf, :id] => nil,
    [:choices, 0, :flag] => nil,
    [:tree, :leaves, 0, :tags, -1] => "y", [:tree, :flag] => nil, [:tree, :tree, :id] => nil, [:tree, :text] => "inner",
    [:texts, 1] => "b", [:texts, -2] => "a", [:texts, 2] => nil
  }.freeze

  each_wire "nothing behind a value is read, nor behind the place where it would be" do |wire|
    codec = Tree.codec(wire)
    cut = cut(codec.encode(TREE))
    assert_raises(Sparpack::DecodeError::Truncated) { codec.decode(cut) }
    FOUND.each do |path, value|
      found = codec.dig(cut, *path)

      value.nil? ? assert_nil(found, path.inspect) : assert_equal(value, found, path.inspect)
    end
  end

  each_wire "nothing behind the last change is read" do |wire|
    codec = Tree.codec(wire)
    bytes = codec.encode(TREE)
    FOUND.each do |path, value|
      next if value.nil?

      [{ path => value }, { [:id] => 7, path => value }].each do |changes|
        next if changes.size == 2 && path == [:id]

        assert_equal cut(codec.patch(bytes, changes)), codec.patch(cut(bytes), changes), changes.inspect
      end
    end
    [{ [:flag] => nil }, { [:leaves, 1, :open] => nil }, { [:leaves, 0, :tags] => %w[z], [:leaves, 0, :open] => nil },
     { [:tree, :flag] => true }, { [:tree] => nil }].each do |changes|
      assert_equal cut(codec.patch(bytes, changes)), codec.patch(cut(bytes), changes), changes.inspect
    end
  end

  def test_nothing_behind_a_null_that_changes_is_read
    text = '{"id":1,"flag":null'

    assert_equal text.sub("null", "true"), Tree.patch(text, { [:flag] => true }, wire: :json)
  end

  each_wire "nor are the elements of a list that has not as many", Sparpack::WIRES - %i[json thrift_json] do |wire|
    bytes = TREE.encode(wire)
    cut = bytes.byteslice(0, bytes.index("c".b) + 1)

    assert_nil Tree.codec(wire).dig(cut, :leaves, 3)
    assert_nil Tree.codec(wire).dig(cut, :leaves, -4)
    assert_equal "a", Tree.codec(wire).dig(cut, :leaves, -3, :name)
  end

  def test_elements_of_text_are_counted_for_an_index_from_the_end_alone
    text = TREE.encode(:json)
    cut = text.byteslice(0, text.index('"c"'))

    assert_equal "a", Tree.dig(cut, :leaves, 0, :name, wire: :json)
    assert_raises(Sparpack::DecodeError::Truncated) { Tree.dig(cut, :leaves, -3, :name, wire: :json) }
  end

  def test_a_number_that_is_cut_is_not_a_value
    [['{"id":12', [:id]], ['{"id":1,"grid":[[12', [:grid, 0, 0]], ['{"id":1,"by_name":{"a":12', [:by_name, "a"]],
     ['{"id":12', [:id]]].each do |text, path|
      assert_raises(Sparpack::DecodeError::Truncated) { Tree.patch(text, { path => 5 }, wire: :json) }
      assert_raises(Sparpack::DecodeError::Truncated) { Tree.dig(text, *path, wire: :json) }
    end
  end

  each_wire "unknown fields are passed" do |wire|
    codec = Older.codec(wire)
    cut = cut(TREE.encode(wire))

    assert_nil codec.dig(cut, :leaves, 1, :name)
    assert_equal "y", codec.dig(cut, :leaves, 2, :tags, 1)
    assert_equal [nil, TREE.text], [codec.dig(TREE.encode(wire), :choice, :text), codec.dig(TREE.encode(wire), :text)]
    error = assert_raises(Sparpack::EncodeError) { codec.patch(TREE.encode(wire), [:choice, :text] => "x") }

    assert_equal "PathsEdgesTest::Older.choice.text", error.path
  end

  # What stands there, and a change.
  BROKEN = {
    '{"id":1,"texts":["a" "b"]}' => { [:texts, 1] => "x" }, '{"id":1,"texts":["a","b" "c"]}' => { [:texts, -3] => "x" },
    '{"id":1,"grid":[[1 2]]}' => { [:grid, 0, 1] => 3 }, '{"id":1,"by_name":{"a":1 "b":2}}' => { [:by_name, "b"] => 3 },
    '{"id":1,"by_name":{"a":1,7:2,"b":2}}' => { [:by_name, "b"] => 3 }, '{"id":1,"texts":[5]}' => { [:texts, 0] => "x" },
    '{"id":1,"leaves":[{"id":1} {"id":2}]}' => { [:leaves, 1, :id] => 3 }, '{"id":1,"text":5}' => { [:text] => nil },
    "{\"id\":1,\"texts\":[\"\xff\",\"b\"]}" => { [:texts, 1] => "x" },
    "{\"id\":1,\"texts\":[\"\xff\"]}" => { [:texts, 5] => "x" },
    '{"id":1,"choice":{"nope":1,"text":"t"}}' => { [:choice, :text] => "x" }, '{"id":1,"text":"x]}' => { [:text] => nil },
    '{"id":1,"texts":[tru]}' => { [:texts, 0] => "x" }, '{"text":5,"id":1}' => { [:text] => nil }
  }.freeze

  def test_what_is_broken_in_front_is_found
    BROKEN.each do |text, change|
      error = assert_raises(Sparpack::DecodeError, text) { Tree.decode(text, :json) }
      [-> { Tree.dig(text, *change.keys.first, wire: :json) }, -> { Tree.patch(text, change, wire: :json) }].each do |call|
        assert_equal error.message, assert_raises(Sparpack::DecodeError, text, &call).message
      end
    end
  end

  each_wire "text that is not UTF-8 in front is found" do |wire|
    { Tree.new(id: 1, texts: ["\xff", "b"]) => [:texts, 1], Tree.new(id: 1, leaves: [Leaf.new(id: 1, name: "\xff"), LAST]) =>
      [:leaves, 1, :name], Tree.new(id: 1, by_name: { "\xff" => 1, "a" => 2 }) => [:by_name, "a"] }.each do |tree, path|
      bytes = tree.encode(wire, utf8: :keep)
      expected = tree.dig(*path)

      assert_raises(Sparpack::DecodeError) { Tree.codec(wire).dig(bytes, *path) }
      assert_equal expected, Tree.codec(wire, utf8: :keep).dig(bytes, *path)
    end
  end

  each_wire "a path goes as deep as a decode" do |wire|
    { Tree.new(id: 1, grid: [[1, 2]]) => [:grid, 0, 1], Tree.new(id: 1, maps: { 1 => { 2 => 3 } }) => [:maps, 1, 2],
      Tree.new(id: 1, tree: Tree.new(id: 2, tree: Tree.new(id: 3))) => %i[tree tree id],
      Tree.new(id: 1, choices: [Choice.leaf(LAST), Choice.text("t")]) => [:choices, 1, :text],
      Tree.new(id: 1, leaves: [LAST, LAST]) => [:leaves, 1, :id] }.each do |tree, path|
      bytes = Tree.codec(wire).encode(tree.with(text: "behind" * 20))
      least = (1..9).find { |depth| decodes?(bytes, wire, depth) }
      shallow, enough = [least - 1, least].map { |depth| Tree.codec(wire, limits: Sparpack::Limits.new(depth:)) }

      assert_equal tree.dig(*path), enough.dig(cut(bytes), *path)
      assert_equal cut(bytes), enough.patch(cut(bytes), path => tree.dig(*path))
      assert_raises(Sparpack::DecodeError::LimitExceeded, path.inspect) { shallow.dig(bytes, *path) }
      assert_raises(Sparpack::EncodeError, Sparpack::DecodeError) { shallow.patch(bytes, path => tree.dig(*path)) }
    end
  end

  # As many fields as a pass knows, and more. One of them may be required, or the class may have one that others do not know.
  def self.wide(count, required: nil, new: false)
    wide = Class.new(Sparpack::Struct) do
      (1..count).each { |id| field id, :"f#{id}", :i32, required: id == required }
      field 999, :new, :i32 if new
    end
    holder = Class.new(Sparpack::Struct) do
      field 1, :wide, wide
      field 2, :text, :string
    end
    [wide, holder]
  end

  WIDE, HOLDER = wide(64)

  each_wire "a struct of 64 fields" do |wire|
    bytes = HOLDER.new(wide: WIDE.new(f1: 1, f64: 64), text: "behind" * 20).encode(wire)

    assert_equal [64, nil], [HOLDER.codec(wire).dig(cut(bytes), :wide, :f64), HOLDER.codec(wire).dig(cut(bytes), :wide, :f5)]
    assert_equal cut(bytes), HOLDER.codec(wire).patch(cut(bytes), %i[wide f64] => 64)
  end

  [[64, 63], [64, 64], [65, 65], [65, 1], [100, 99]].each do |count, required|
    codec_class = wide(count, required:).last
    [wide(count), wide(count, new: true)].each_with_index do |(wide, holder), index|
      each_wire "a required field of many is absent, #{required} of #{count}, #{%w[no one].at(index)} unknown one" do |wire|
        next if index == 1 && !WireForms.holds?(wire, wide)

        codec = codec_class.codec(wire)
        bytes = holder.new(wide: wide.new(f2: 2, **(index == 1 ? { new: 3 } : {}))).encode(wire)

        assert_raises(Sparpack::DecodeError::MissingField) { codec.dig(bytes, :wide, :f5) }
        next if wire == :message_pack # has a nil there, and the patch ends with it

        assert_raises(Sparpack::DecodeError::MissingField) { codec.patch(bytes, %i[wide f5] => 5) }
      end
    end
  end

  # The payload has field 3, a bool whose value is in the header, in front of field 1.
  def test_a_bool_in_a_header_in_front_of_another
    assert_same false, Choice.dig("\x32\x01\x02\0".b, :flag)
    assert_same true, Choice.dig("\x31\x02\x02\0".b, :flag)
  end

  # Decoding the value, or comparing a key, runs code that changes the bytes.
  class Key < Sparpack::Struct
    class << self
      attr_accessor :meanwhile
    end
    field 1, :id, :i32

    def hash
      Key.meanwhile&.call(:hash)
      super
    end

    def eql?(other)
      Key.meanwhile&.call(:eql?)
      super
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :keys, map(Key, :string)
    field 2, :id, :i32
    field 3, :text, :string
  end

  each_wire "code that changes the bytes meanwhile", WireForms::ALL - %i[thrift_json] do |wire|
    codec = Keyed.codec(wire)
    keys = (1..300).to_h { |id| [Key.new(id:), id == 300 ? "second" : "first"] }
    whole = codec.encode(Keyed.new(keys:, id: 5, text: "behind" * 20))
    { hash: [->(bytes) { codec.dig(bytes, :keys) }, ->(bytes) { codec.decode(codec.patch(bytes, [:id] => 5)).keys }],
      eql?: [->(bytes) { codec.decode(codec.patch(bytes, [:keys, Key.new(id: 1)] => "first")).keys }] }.each do |name, calls|
      calls.each do |call|
        bytes = String.new(capacity: whole.bytesize) << whole.b # with memory of its own
        at = whole.b.index("second")
        Key.meanwhile = ->(called) { bytes.setbyte(at, 83) if called == name }

        assert_equal %w[first second], call.call(bytes).values.uniq
        assert_includes bytes, "Second"
      ensure
        Key.meanwhile = nil
      end
    end
  end

  private

  def decodes?(bytes, wire, depth)
    Tree.codec(wire, limits: Sparpack::Limits.new(depth:)).decode(bytes)
    true
  rescue Sparpack::DecodeError::LimitExceeded
    false
  end

  def cut(bytes) = bytes.byteslice(0, bytes.index("behind".b) + 20)
end
