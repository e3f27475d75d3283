# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/reading"
require "support/wire_forms"

using WireForms

# What makes no objects, or few, refuses what a decode refuses for its limits, and nothing else. It does not fall back to a
# decode while a payload is well within them.
class LazyLimitsTest < Minitest::Test
  include Child
  extend Reading::Wires

  module Level
    extend Sparpack::Enum

    LOW = 1
  end

  class Leaf < Sparpack::Struct
    field 1, :id, :i32
    field 2, :name, :string
    field 3, :words, list(:string), default: %w[a b c d]
    field 4, :open, :bool
  end

  class Choice < Sparpack::Union
    field 1, :text, :string
    field 2, :leaf, Leaf
    field 3, :inner, -> { Choice }
  end

  # Has itself on many levels.
  class Node < Sparpack::Struct
    field 1, :list, -> { list(Node) }
    field 2, :map, -> { map(:i32, Node) }
    field 3, :one, -> { Node }
    field 4, :lists, list(list(:bool))
    field 5, :maps, list(map(:i32, :bool))
  end

  # Each field takes memory in another way.
  class Shelf < Sparpack::Struct
    field 1, :text, :string
    field 2, :photo, :binary
    field 3, :leaf, Leaf
    field 4, :choice, Choice
    field 5, :texts, list(:string)
    field 6, :photos, list(:binary)
    field 7, :ids, list(:uuid)
    field 8, :reals, list(:double)
    field 9, :numbers, list(:i64)
    field 10, :leaves, list(Leaf)
    field 11, :choices, list(Choice)
    field 12, :grid, list(list(:i32))
    field 13, :set, set(:string)
    field 14, :counts, map(:string, :i64)
    field 15, :by_number, map(:i64, Leaf)
    field 16, :sets, list(set(:i32))
    field 17, :bytes, list(:i8)
    field 18, :shorts, list(:i16)
    field 19, :flags, list(:bool)
    field 20, :levels, list(Level)
    field 21, :node, Node
    field 22, :big, :i64
    field 23, :real, :double
    field 24, :last, :i32
  end

  BIG = 1 << 62
  MANY = 150
  TEXTS = Array.new(MANY) { |index| "text #{index} #{"x" * (index % 70)}" }.freeze
  LEAVES = Array.new(MANY) { |id| id % 3 == 1 ? Leaf.new(id:, open: true) : Leaf.new(id:, name: "leaf #{id}") }.freeze
  UUIDS = Array.new(MANY) { |index| format("00112233-4455-6677-8899-aabbccddee%02x", index) }.freeze

  # @return [Node] of many levels, each with many more values
  def self.nested(name, levels)
    (1..levels).inject(Node.new) do |inner, _|
      case name
      when :list then Node.new(list: Array.new(70) { Node.new } << inner)
      when :map then Node.new(map: { **(0...70).to_h { |key| [key, Node.new] }, 70 => inner })
      else Node.new(one: inner)
      end
    end
  end

  VALUES = {
    "a long text" => { text: "t" * 5000 }, "a text" => { text: "ä" * 40 }, "binary" => { photo: "\xff".b * 5000 },
    "a struct" => { leaf: Leaf.new(name: "l" * 5000) }, "a union" => { choice: Choice.text("c" * 5000) },
    "texts" => { texts: TEXTS }, "binaries" => { photos: TEXTS.map(&:b) }, "uuids" => { ids: UUIDS },
    "doubles" => { reals: Array.new(MANY) { |index| 1e300 + (index * 1e290) } }, "zeros" => { reals: [0.0, -0.0, 1.5] * 50 },
    "large numbers" => { numbers: Array.new(MANY) { |index| BIG + index } }, "numbers" => { numbers: [*1..MANY] },
    "structs" => { leaves: LEAVES },
    "unions" => { choices: TEXTS.map { |text| Choice.text(text) } + LEAVES.first(50).map { |leaf| Choice.leaf(leaf) } },
    "nested unions" => { choices: (1..25).map { |levels| (1..levels).inject(Choice.text("")) { |c, _| Choice.inner(c) } } },
    "lists" => { grid: Array.new(MANY) { |index| [index] * (index % 9) } },
    "a long list" => { grid: [Array.new(100) { |index| index }, [], [1]] },
    "a set" => { set: Set.new(TEXTS) }, "sets" => { sets: Array.new(MANY) { |index| Set[index, 1, 2, 3, 4] } },
    "a map" => { counts: TEXTS.to_h { |text| [text, BIG] } }, "a small map" => { counts: { "a" => 1, "b" => 2 } },
    "a map of structs" => { by_number: LEAVES.to_h { |leaf| [BIG + leaf.id, leaf] } },
    "bytes" => { bytes: [*-70..70] }, "shorts" => { shorts: [*-70..70] }, "flags" => { flags: [true, false] * 60 },
    "enums" => { levels: [1] * MANY },
    "levels" => { node: nested(:one, 20) }, "levels of lists" => { node: nested(:list, 14) },
    "levels of maps" => { node: nested(:map, 14) },
    "lists in a list" => { node: Node.new(lists: [[true] * 100] * MANY) },
    "maps in a list" => { node: Node.new(maps: [(0...10).to_h { |key| [key, true] }] * MANY) },
    "a large number" => { big: BIG }, "a double" => { real: 1e300 }, "no texts" => { texts: [] },
    "no entries" => { counts: {} }, "no elements" => { set: Set[] }, "no structs" => { leaves: [] }
  }.freeze

  # Paths to numbers and texts in some of these, and how many objects columns of them take at most.
  PATHS = {
    "texts" => [["texts[]", MANY], ["texts[0]", 0], ["texts[-1]", 0], ["texts[200]", 0]],
    "numbers" => [["numbers[]", 0], ["numbers[3]", 0], ["numbers[-3]", 0]],
    "structs" => [["leaves[].id", 0], ["leaves[].name", MANY], ["leaves[-1].id", 0], ["leaves[1].open", 0]],
    "unions" => [["choices[].leaf.id", 0], ["choices[].text", MANY]],
    "lists" => [["grid[][]", MANY], ["grid[8][7]", 0], ["grid[][3]", 0], ["grid[-1][]", 0]],
    "levels" => [["node.one.one.list", 0]], "levels of lists" => [["node.list[].list[].list", 850]],
    "lists in a list" => [["node.lists[][]", MANY], ["node.lists[][99]", 0], ["node.lists[7][-1]", 0]],
    "a long text" => [["text", 1]], "a struct" => [["leaf.name", 1], ["leaf.open", 0]]
  }.freeze

  LIMITS = { memory: 1 << 22, string: 1 << 13, container: 1 << 8, depth: 64 }.freeze

  LIMITS.each do |name, most|
    each_wire "what is too much for a decode is too much for all others, #{name}" do |wire|
      VALUES.each do |what, values|
        bytes = Shelf.new(**values, last: 1).encode(wire)
        least = (1..most).bsearch { |limit| decodes?(bytes, codec(wire, name => limit)) }
        calls(values.keys.first).each do |call, work|
          work.call(codec(wire, name => least), bytes)
          next if least == 1

          assert_raises(Sparpack::DecodeError::LimitExceeded, "#{call} of #{what} with #{least - 1}") do
            work.call(codec(wire, name => least - 1), bytes)
          end
        end
        enough = codec(wire, name => enough(name, least, what))

        assert_few_objects(what) { enough.check(bytes) }
        assert_few_objects(what) { enough.count(bytes) } unless name == :memory
      end
    end
  end

  LIMITS.each do |name, most|
    each_wire "a path goes through what is within the limits, #{name}" do |wire|
      VALUES.each do |what, values|
        path = way_in(*values.first)
        bytes = Shelf.new(**values, last: 1).encode(wire)
        least = (1..most).bsearch { |limit| decodes?(bytes, codec(wire, name => limit)) }
        value = codec(wire, {}).dig(bytes, *path)
        changes = { path => value, [:last] => 2 }

        value.nil? ? assert_nil(value) : assert_equal(value, codec(wire, name => least).dig(bytes, *path), what)
        assert_equal codec(wire, {}).patch(bytes, changes), codec(wire, name => least).patch(bytes, changes), what
        # In JSON, the length of a list or a map is known only at its end, and a path stops at its value.
        next if least == 1 || (wire.end_with?("json") && %i[container memory].include?(name))

        [-> { codec(wire, name => least - 1).dig(bytes, *path) },
         -> { codec(wire, name => least - 1).patch(bytes, [:last] => 2, path => value) }].each do |call|
          assert_raises(Sparpack::DecodeError::LimitExceeded, Sparpack::EncodeError::LimitExceeded, what, &call)
        end
      end
    end
  end

  LIMITS.each do |name, most|
    each_wire "columns are held to the same limits, #{name}" do |wire|
      PATHS.each do |what, paths|
        bytes = Shelf.new(**VALUES.fetch(what), last: 1).encode(wire)
        least = (1..most).bsearch { |limit| decodes?(bytes, codec(wire, name => limit)) }
        paths.each do |path, objects|
          codec = codec(wire, name => enough(name, least, what))

          assert_equal codec(wire, {}).columns(bytes, path), codec(wire, name => least).columns(bytes, path)
          # Text does not say how many elements a list has, so elements are found in one that was decoded.
          unless wire.end_with?("json") && path.match?(/\[-?\d+\]/)
            assert_few_objects("#{what}: #{path}", 260 + (3 * objects)) { codec.columns(bytes, path) }
          end
          next if least == 1

          assert_raises(Sparpack::DecodeError::LimitExceeded, path) { codec(wire, name => least - 1).columns(bytes, path) }
        end
      end
    end
  end

  each_wire "a lazy object is made of what is within the limits", WireForms::LAZY do |wire|
    VALUES.each do |what, values|
      bytes = Shelf.new(**values, last: 1).encode(wire)
      LIMITS.each do |name, most|
        least = (1..most).bsearch { |limit| decodes?(bytes, codec(wire, name => limit)) }

        assert Sparpack::Native.lazy?(lazy(codec(wire, name => enough(name, least, what)), bytes)), "#{what} #{name}"
      end
    end
  end

  class Page < Sparpack::Struct
    field 1, :title, :string
    field 2, :part, -> { Page }
    field 3, :last, :i32
  end

  # 20,000 times a field, or 20,000 times a struct that lacks it, and then the last field.
  REPEATED = {
    %i[compact title] => "\x18\x00#{"\x08\x02\x00" * 19_999}\x25\x02\x00",
    %i[compact part title] => "\x2c\x00#{"\x0c\x04\x00" * 19_999}\x15\x02\x00",
    %i[binary title] => "#{"\x0b\x00\x01\x00\x00\x00\x00" * 20_000}\x08\x00\x03\x00\x00\x00\x01\x00",
    %i[binary part title] => "#{"\x0c\x00\x02\x00" * 20_000}\x08\x00\x03\x00\x00\x00\x01\x00",
    %i[json title] => "{#{'"title":"",' * 20_000}\"last\":1}",
    %i[json part title] => "{#{'"part":{},' * 20_000}\"last\":1}",
    %i[message_pack title] => "\xde\x4e\x21#{"\xa5title\xa0" * 20_000}\xa4last\x01",
    %i[message_pack part title] => "\xde\x4e\x21#{"\xa4part\x80" * 20_000}\xa4last\x01"
  }.freeze

  # All of them get the new value, so a payload of some KB would become one of 400 MB.
  def test_patch_of_a_field_that_comes_again_and_again
    REPEATED.each do |(wire, *path), bytes|
      codec = Sparpack::Codec.new(Page, wire, **(wire == :message_pack ? { keys: :names } : {}))
      changes = { path => "x" * 20_000, [:last] => 5 }
      error = assert_raises(Sparpack::DecodeError::LimitExceeded, "#{wire} #{path}") { codec.patch(bytes.b, changes) }

      assert_match(/Page: expected at most \d+ bytes, found objects that take more.* repeats what the patch/, error.message)
      patched = codec.decode(codec.patch(bytes.b, path => "new", [:last] => 5))

      assert_equal ["new", 5], [patched.title || patched.part.title, patched.last]
    end
  end

  # The values themselves may be as long as their caller likes.
  def test_patch_with_values_longer_than_the_limit
    codec = Sparpack::Codec.new(Page, :compact, limits: Sparpack::Limits.new(memory: 1000))
    changes = { [:title] => "x" * 5000, [:part] => Page.new(title: "y" * 5000) }
    page = Page.decode(codec.patch(Page.new(title: "a", last: 1).encode, changes))

    assert_equal [5000, 5000], [page.title.size, page.part.title.size]
  end

  class Keys < Sparpack::Struct
    field 1, :by_text, map(:string, :i32)
    field 2, :by_real, map(:double, :i32)
    field 3, :by_uuid, map(:uuid, :i32)
  end

  # A key that has to be decoded to be compared is charged once.
  each_wire "keys of a payload that takes just as much as it may" do |wire|
    text = "\"#{"x" * 100}"
    { by_text: text, by_real: 1e300, by_uuid: UUIDS.last }.each do |name, key|
      bytes = Keys.new(name => { key => 1 }).encode(wire)
      codecs = Hash.new { |all, memory| all[memory] = Keys.codec(wire, limits: Sparpack::Limits.new(memory:)) }
      codec = codecs[(1..(1 << 16)).bsearch { |memory| decodes?(bytes, codecs[memory]) }]

      assert_equal 1, codec.dig(bytes, name, key)
      assert_equal bytes, codec.patch(bytes, [name, key] => 1)
    end
  end

  # Up to 100 levels fit on any stack. From there on, the code checks whether there is room.
  each_wire "paths of many levels" do |wire|
    page = (1..150).inject(Page.new(title: "x" * 9)) { |inner, _| Page.new(part: inner) }
    bytes = page.encode(wire, limits: Sparpack::Limits.new(depth: 200))
    path = [*[:part] * 150, :title]
    [200, 151].each do |depth|
      codec = Page.codec(wire, limits: Sparpack::Limits.new(depth:))
      cut = bytes.byteslice(0, bytes.index("x" * 9) + 11)

      assert_equal "x" * 9, codec.dig(bytes, *path)
      assert_equal bytes, codec.patch(bytes, path => "x" * 9)
      assert_equal "x" * 9, codec.dig(cut, *path)
    end
    codec = Page.codec(wire, limits: Sparpack::Limits.new(depth: 150))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { codec.dig(bytes, *path) }
  end

  # Each level takes several times as much of the stack under the sanitizers, and somewhat more on s390x.
  LEVELS =
    if ENV["SPARPACK_MODE"] == "sanitize" then 150
    elsif RUBY_PLATFORM.start_with?("s390x") then 400
    else 900
    end

  # Bytes that nobody has read are copied only where an encode of the whole object would accept them.
  def test_lazy_objects_are_written_within_limits
    WireForms::LAZY.each do |wire|
      whole = Leaf.new(name: "abcd", words: %w[a b c])
      [{ container: 2 }, { container: 3 }, { string: 3 }, { string: 4 }, { depth: 1 }, { depth: 200 }].each do |limits|
        codec = Leaf.codec(wire, limits: Sparpack::Limits.new(**limits))

        assert_equal written(codec, whole), written(codec, unread(whole, wire)), "#{wire} #{limits}"
      end
      { 60 => 10, 1 => 63, 2 => 63 }.each do |levels, above|
        below = (1...levels).inject(Node.new) { |node, _| Node.new(one: node) }
        whole, lazy = [below, unread(below, wire)].map { |node| (1..above).inject(node) { |inner, _| Node.new(one: inner) } }

        assert_equal written(Node.codec(wire), whole), written(Node.codec(wire), lazy), "#{wire} #{levels}"
      end
    end
  end

  # Each call finds less room on the stack than the one before.
  def test_paths_end_where_the_stack_does
    codec = Page.codec(:compact, limits: Sparpack::Limits.new(depth: 1000))
    bytes = "#{"\x2c" * LEVELS}\x35\x02#{"\0" * (LEVELS + 1)}".b
    path = [*[:part] * LEVELS, :last]
    answers = in_child { deeper_and_deeper { codec.dig(bytes, *path) }.uniq }

    assert_equal [1, [Sparpack::DecodeError::LimitExceeded, "at most 1000 levels"]], answers
  end

  def test_lazy_objects_wake_where_the_stack_has_room
    codec = Page.codec(:compact, lazy: true, limits: Sparpack::Limits.new(depth: 1000))
    pages = Array.new(2000) { codec.decode("#{"\x2c" * LEVELS}\x35\x02#{"\0" * (LEVELS + 1)}".b) }
    answers = in_child { deeper_and_deeper { pages.pop.part.class }.uniq }

    assert_equal [Page, [Sparpack::DecodeError::LimitExceeded, "at most 1000 levels"]], answers
  end

  private

  def unread(object, wire) = object.class.decode(object.encode(wire), wire, lazy: true)

  # @return [String, Array(Class, String)] the bytes, or the error
  def written(codec, object)
    codec.encode(object)
  rescue Sparpack::EncodeError => e
    [e.class, e.message]
  end

  # The stack of a Fiber is small.
  def deeper_and_deeper
    answers = []
    Fiber.new do
      deeper do
        answers << yield
      rescue Sparpack::DecodeError => e
        answers << [e.class, e.message[/at most \d+ levels/]]
      end
    rescue SystemStackError
      nil
    end.resume
    answers
  end

  def deeper(&call)
    yield
    [nil].each { deeper(&call) }
  end

  # The path to the last of all elements and entries in a value.
  def way_in(*path, value)
    case value
    when Array then value.empty? ? path : way_in(*path, value.size - 1, value.last)
    when Hash then value.empty? ? path : way_in(*path, value.keys.last, value.values.last)
    when Node
      field = value.to_h.compact.keys.last
      field ? way_in(*path, field, value[field]) : path
    else path
    end
  end

  def codec(wire, limits) = Shelf.codec(wire, limits: Sparpack::Limits.new(**limits))

  # Where many values wait for those around them, much of the memory has to be left for that.
  def enough(name, least, what)
    return least unless name == :memory

    what.start_with?("levels of") ? least * 5 : least * 2
  end

  def lazy(codec, bytes) = Shelf.decode(bytes, codec.wire, **codec.options, lazy: true)

  def decodes?(bytes, codec)
    codec.decode(bytes)
    true
  rescue Sparpack::DecodeError::LimitExceeded
    false
  end

  # Calls that read a field and the one behind it, or all.
  def calls(field)
    { "check" => ->(codec, bytes) { codec.check(bytes) }, "count" => ->(codec, bytes) { codec.count(bytes) },
      "lazy" => ->(codec, bytes) { lazy(codec, bytes) },
      "dig" => ->(codec, bytes) { codec.dig(bytes, :last) }, "dig it" => ->(codec, bytes) { codec.dig(bytes, field) },
      "patch" => ->(codec, bytes) { codec.patch(bytes, [:last] => 2) },
      "columns" => ->(codec, bytes) { codec.columns(bytes, "last") },
      "columns of it" => ->(codec, bytes) { codec.columns(bytes, field.name) },
      "packed" => ->(codec, bytes) { codec.columns(bytes, "last", as: :packed) } }
  end

  def assert_few_objects(what, most = 60, &)
    yield
    before = GC.stat(:total_allocated_objects)
    3.times(&)

    assert_operator GC.stat(:total_allocated_objects) - before, :<, most, what
  end
end
