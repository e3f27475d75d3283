# frozen_string_literal: true

require "test_helper"
require "set"
require "support/child"
require "support/reading"
require "support/trickle"
require "support/wire_forms"

using WireForms

# The values in columns: whose they are, and which element or key each path means.
class ColumnsValuesTest < Minitest::Test
  include Child
  extend Reading::Wires

  class Part < Sparpack::Struct
    field 1, :name, :string, default: "none"
    field 2, :raw, :binary, default: "raw"
    field 3, :words, list(:string), default: ["a"]
    field 4, :id, :i32
  end

  # What an older program knows of a part, and of a whole.
  class Blank < Sparpack::Struct
    field 4, :id, :i32
  end

  class Blanks < Sparpack::Struct
    field 1, :parts, list(Blank)
  end

  class Whole < Sparpack::Struct
    field 1, :parts, list(Part)
    field 2, :numbers, list(:i32)
    field 3, :raws, list(:binary)
    field 4, :labels, map(:string, :i32)
    field 5, :part, Part, default: Part.new(id: 8)
  end

  each_wire "defaults are copied for each row" do |wire|
    bytes = Blanks.new(parts: [Blank.new] * 3).encode(wire)
    names, raws, words = Whole.columns(bytes, "parts[].name", "parts[].raw", "parts[].words", wire:).values
    [names, raws, words].each do |rows|
      assert_equal 3, rows.uniq(&:object_id).size
      refute(rows.any?(&:frozen?))
    end
    names.first << "x"
    words.first.first << "x"
    words.first << "y"

    assert_equal ["none", "raw", ["a"]], Whole.columns(bytes, "parts[].name", "parts[].raw", "parts[].words", wire:).values
                                              .map(&:first)
    assert_equal ["none", "raw", ["a"]], Part.new.to_h.values_at(:name, :raw, :words)
  end

  # Values that nobody can change are shared.
  each_wire "defaults of a codec that freezes" do |wire|
    bytes = Blanks.new(parts: [Blank.new] * 2).encode(wire)
    Whole.columns(bytes, "parts[].name", "parts[].words", wire:, freeze: true).each_value do |rows|
      assert(rows.all? { |row| Ractor.shareable?(row) })
      assert_same(*rows)
    end
  end

  each_wire "a default that is a struct is followed" do |wire|
    bytes = Blanks.new.encode(wire) * (wire == :json ? 1 : 3)

    assert_equal [8], Whole.columns(bytes, "part.id", wire:)["part.id"].uniq
    assert_equal [%w[a]], Whole.columns(bytes, "part.words", "part.words[0]", wire:)["part.words"].uniq
  end

  each_wire "texts and binaries keep their encodings, and are not frozen" do |wire|
    part = Part.new(name: "ascii", raw: "ascii".b)
    bytes = Whole.new(parts: [part, Part.new(name: "ä", raw: "\xff".b), part], raws: ["ascii".b, "\xff".b]).encode(wire)
    names, raws, all = Whole.columns(bytes, "parts[].name", "parts[].raw", "raws[]", wire:)
                            .values.map(&:flatten)

    assert_equal([[Encoding::UTF_8], [Encoding::BINARY], [Encoding::BINARY]],
                 [names, raws, all].map { |strings| strings.map(&:encoding).uniq })
    assert_equal %w[ascii ä ascii], names
    assert_equal ["ascii".b, "\xff".b, "ascii".b], raws
    refute([names, raws, all].flatten.any?(&:frozen?))
  end

  # Paths in any order, some of them twice, from either end.
  INDEXES = [[3, 1, 2, 0], [1, 3, 1, 0, 3], [-1, -3, 0, 7], [5, 4, -9, 4], [2, 2], [0], [-2]].freeze

  each_wire "elements in any order" do |wire|
    [[], [5], [5, 6, 7, 8], [*0..9]].each do |numbers|
      bytes = Whole.new(numbers:).encode(wire)
      INDEXES.each do |indexes|
        found = Whole.columns(bytes, *indexes.map { |index| [:numbers, index] }, wire:)

        assert_equal indexes.uniq.to_h { |index| [[:numbers, index], [numbers[index]]] }, found, "#{numbers} #{indexes}"
        all = Whole.columns(bytes, *indexes.map { |index| [:numbers, index] }, %i[numbers []], wire:)

        assert_equal found.merge(%i[numbers []] => [numbers]), all
      end
    end
  end

  each_wire "keys in any order" do |wire|
    bytes = Whole.new(labels: { "a" => 1, "b" => 2 }).encode(wire)
    paths = [%i[labels []], [:labels, "b"], [:labels, "a"], [:labels, "b"], [:labels, "c"], [:labels]]

    assert_equal [[1, 2], 2, 1, nil, { "a" => 1, "b" => 2 }], Whole.columns(bytes, *paths, wire:).values.map(&:first)
  end

  # The readers of the application return something else than what they were given.
  Odd = Struct.new(:list, :text) do
    singleton_class.attr_accessor :returned

    def list = self.class.returned
    def text = 3
  end
  ODD = Sparpack::Codec.new(Sparpack::Mapping.new(Odd, { 1 => :list, 2 => :text }, build: :positional,
                                                  types: { list: Sparpack::Type.list(:i32), text: :string }), :compact)

  def test_readers_that_return_no_container
    bytes = "\x19\x15\x02\x18\x01a\x00".b
    { 5 => [], "text" => [], Object.new => [], nil => [], [1, [2]] => [1, [2]], { 3 => 4 } => [4],
      Set[6] => [6], 1.5 => [], :symbol => [] }.each do |value, rows|
      Odd.returned = value

      assert_equal rows, ODD.columns(bytes, "list[]")["list[]"], value.inspect
      assert_equal [[value.nil? ? nil : rows], [3]], ODD.columns(bytes, "list[]", "text").values, value.inspect
    end
  end

  # Members without types, which have whatever the bytes have.
  Plain = Struct.new(:left, :right)
  PLAIN = Sparpack::Codec.new(Sparpack::Mapping.new(Plain, %i[left right]), :message_pack)

  def test_elements_of_values_without_a_type
    { [1, [2, "a"], nil] => [1, [2, "a"], nil], [] => [], { "a" => 1, "b" => [2] } => [1, [2]], 3 => [], nil => [],
      "text" => [] }.each do |value, rows|
      bytes = PLAIN.encode(Plain.new(value, 1))

      assert_equal rows, PLAIN.columns(bytes, "left[]")["left[]"], value.inspect
      assert_equal [value.nil? ? nil : rows, 1], PLAIN.columns(bytes, "left[]", "right").values.map(&:first)
    end
  end

  class Deep < Sparpack::Struct
    field 1, :deep, -> { Deep }
    field 2, :id, :i32
  end

  def test_the_longest_path
    found = Deep.columns(Deep.new(id: 1).encode, [*[:deep] * 999, :id])

    assert_equal [[nil]], found.values
    error = assert_raises(ArgumentError) { Deep.columns(Deep.new(id: 1).encode, [*[:deep] * 1000, :id]) }

    assert_equal "a path has at most 1000 steps", error.message
  end

  # Collects garbage before it returns some bytes, and makes other Strings where it was.
  class Collecting < Trickle
    def readpartial(...)
      GC.start
      @others = Array.new(2000) { |index| "other string number #{index} of many" }
      super
    end
  end

  # Nothing but the columns refers to the rows, and to the keys that are looked for, so the columns have to mark them.
  def test_rows_and_keys_are_kept
    name = "a name that takes memory of its own"
    label = "#{name} of a label"
    wholes = Array.new(300) do |i|
      Whole.new(parts: [Part.new(name: "#{name} #{i}")] * 2, labels: { label => i })
    end
    source = Collecting.new(wholes.map(&:encode).join, 4000)
    names, labels, numbers = Whole.columns(source, "parts[].name", "labels", "labels[\"#{label}\"]").values

    assert_equal [wholes.map { |whole| whole.parts.map(&:name) }, wholes.map(&:labels), [*0...300]],
                 [names, labels, numbers]
  end

  class Keyed < Sparpack::Struct
    field 1, :keys, set(list(:i32))
    field 2, :numbers, list(:i32)
  end

  # Reading a set of lists calls `hash` of each, here one that changes the bytes where they are.
  def test_bytes_that_change_while_they_are_read
    bytes = Array.new(20) { |i| Keyed.new(keys: Set[[i], [i, 1]], numbers: [*1..i]).encode }.join
    codec = Keyed.codec
    found, scratch = in_child do
      scratch = String.new(capacity: 2 * bytes.bytesize) << bytes
      hash = Array.instance_method(:hash)
      Array.define_method(:hash) do
        scratch.bytesize.times { |index| scratch.setbyte(index, 0xff) }
        hash.bind_call(self)
      end
      [codec.columns(scratch, "keys", "numbers[]").values, scratch.b]
    end

    assert_equal "\xff".b * bytes.bytesize, scratch
    assert_equal codec.columns(bytes, "keys", "numbers[]").values, found
  end
end
