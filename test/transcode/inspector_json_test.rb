# frozen_string_literal: true

require "test_helper"
require "json"

# The JSON lines of Sparpack::Inspector: the path of each, and how long they become.
class InspectorJSONTest < Minitest::Test
  NESTED = { "a" => [1, { "b\"<" => [[], [[2], 3]], "c" => nil }, 4], "d" => { 5 => { 6 => true }, -7 => [[[]]] } }.freeze
  BYTES = Sparpack::MessagePack.pack(NESTED).freeze

  def test_every_path
    assert_equal(paths(NESTED), found(BYTES).map { |row| row["path"] })
    some = paths(NESTED).grep(/\A\["a"\]\[1\]/)

    assert_equal some, found(BYTES, path: "a[1]").map { |row| row["path"] }, "the first line is below the payload"
    assert_equal(some.grep(/c/), found(BYTES, path: "*[1].c").map { |row| row["path"] })
  end

  def test_paths_of_fields
    inner = Class.new(Sparpack::Struct) { field 1, :x, :i8 }
    outer = Class.new(Sparpack::Struct) do
      field 1, :inner, inner
      field 2, :all, list(inner)
    end
    bytes = outer.new(inner: inner.new(x: 1), all: [inner.new(x: 2), inner.new(x: 3)]).encode
    expected = ["", "inner", "inner.x", "inner", "all", "all[0]", "all[0].x", "all[0]", "all[1]", "all[1].x", "all[1]", ""]

    assert_equal(expected, found(bytes, outer).map { |row| row["path"] })
    assert_equal(expected.map { |path| path.gsub("inner", "1").gsub("all", "2").gsub(".x", ".1") },
                 found(bytes).map { |row| row["path"] })
  end

  # Other keys than texts and integers have no name.
  def test_paths_of_keys
    keys = [true, 1.5, nil, -1, -(2**63), (2**64) - 1, [-1]]
    bytes = Sparpack::MessagePack.pack(keys.each_with_index.to_h)
    expected = ["", "[key]", "[key]", "[key]", "[-1]", "[-9223372036854775808]", "[key]", "[key]", "[key][0]", "[key]"]
    values = %w([-1] -1 [-9223372036854775808] [99999999999999999999]).map do |path|
      found(bytes, path:).map { |row| row["value"] }
    end

    assert_equal(expected, found(bytes).map { |row| row["path"] })
    assert_equal [[3], [3], [4], []], values
  end

  # A key would stand in the path of all that it holds.
  def test_long_keys_are_shortened
    value = { ("k" * 16_000) => Array.new(4000, 1), ("\u00FC" * 9_000) => [2] }
    bytes = Sparpack::MessagePack.pack(value)
    inspector = Sparpack::Inspector.new(bytes, from: :message_pack)
    rows = found(bytes)

    assert_operator inspector.json.bytesize, :<, 1_200_000
    assert_equal(["[\"#{"k" * 64}\u2026\"][3999]", "[\"#{"\u00FC" * 32}\u2026\"][0]"],
                 rows.values_at(4001, 4003).map { |row| row["path"] })
    assert_equal [2], found(bytes, path: "#{"\u00FC" * 9_000}[0]").map { |row| row["value"] }, "the whole key finds it"
    assert_operator Sparpack::Inspector.new(bytes.chop, from: :message_pack).fault.path.bytesize, :<, 100
  end

  # 512 bytes of JSON are some 90 levels here.
  def test_deep_paths_are_shortened
    bytes = ("\x81\xA3key\x92\x00".b * 450) << 7
    rows = found(bytes)
    fault = Sparpack::Inspector.new(bytes.chop, from: :message_pack).fault
    longest = rows.map { |row| JSON.generate(row["path"]).bytesize }.max
    value = rows.find { |row| row["value"] == 7 }

    assert_includes 500..530, longest
    assert_match(/\A\["key"\]\[1\]\["key"\].*\u2026\[1\]\z/, value["path"])
    assert_match(/\A\["key"\]\[1\]\["key"\].*\u2026\[1\]\z/, fault.path)
    assert_includes 500..530, fault.path.bytesize
    assert_equal 900, value["depth"]
  end

  class Numbers < Sparpack::Struct
    field 1, :numbers, list(:i64)
  end

  NUMBERS = [0, -1, 5, -7, 2**31, -2**31, (2**63) - 1, -2**63].freeze

  def test_integers_of_both_signs
    Sparpack::WIRES.each do |wire|
      [nil, Numbers].each do |struct_class|
        bytes = Numbers.new(numbers: NUMBERS).encode(wire)
        lines = Sparpack::Inspector.new(bytes, struct_class, from: wire).json.lines[..-2].map { |line| JSON.parse(line) }

        assert_equal NUMBERS, lines.filter_map { |row| row["value"] }.map { |value| Integer(value) }, wire
      end
    end
  end

  private

  def found(bytes, struct_class = nil, **options)
    wire = struct_class || bytes.getbyte(0) < 0x80 ? :compact : :message_pack
    json = Sparpack::Inspector.new(bytes, struct_class, from: wire).json(**options)
    json.lines[..-2].map { |line| JSON.parse(line) }.reject { |row| row["size"].zero? && row["kind"] == "close" }
  end

  # MessagePack's containers have no end of their own, so each value has one line.
  def paths(value, path = "")
    below = case value
            when Array then value.each_with_index.flat_map { |element, index| paths(element, "#{path}[#{index}]") }
            when Hash then value.flat_map { |key, element| paths(element, "#{path}[#{key.inspect}]") }
            else []
            end
    [path, *below]
  end
end
