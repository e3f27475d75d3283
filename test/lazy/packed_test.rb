# frozen_string_literal: true

require "test_helper"
require "numo/narray"
require "support/reading"
require "support/wire_forms"

using WireForms

# Columns of numbers in the layout of Arrow.
class PackedTest < Minitest::Test
  extend Reading::Wires

  BIG_ENDIAN = [1].pack("S") == "\0\1"

  module Level
    extend Sparpack::Enum

    LOW = -1
  end

  class Row < Sparpack::Struct
    field 1, :flag, :bool
    field 2, :tiny, :i8
    field 3, :small, :i16
    field 4, :medium, :i32
    field 5, :large, :i64
    field 6, :real, :double
    field 7, :level, Level
    field 8, :seven, :i32, default: 7
    field 9, :by_name, map(:string, :i32)
  end

  class Rows < Sparpack::Struct
    field 1, :rows, list(Row)
    field 2, :seven, :i32
  end

  # Its readers return something else than what they were given.
  Odd = Struct.new(:tiny, :medium, :large, :real, :flag) do
    def tiny = 200
    def medium = (1 << 32) + 1
    def large = 1.5
    def real = 2
    def flag = "yes"
  end
  ODD = Sparpack::Mapping.new(Odd, Odd.members.each.with_index(1).to_h { |name, id| [id, name] }, build: :positional,
                              types: { tiny: :i8, medium: :i32, large: :i64, real: :double, flag: :bool })

  FIELDS = %i[flag tiny small medium large real level].freeze
  NUMBERS = { flag: ->(i) { (i % 3).zero? }, tiny: ->(i) { (i % 256) - 128 }, small: ->(i) { (i * 37 % 65_536) - 32_768 },
              medium: ->(i) { (i * 7_919_123 % (1 << 32)) - (1 << 31) }, large: ->(i) { (1 << 63) - 1 - (i << 53) },
              real: ->(i) { i / 7.0 }, level: lambda(&:-@) }.freeze
  NUMO = { tiny: Numo::Int8, small: Numo::Int16, medium: Numo::Int32, large: Numo::Int64, real: Numo::DFloat,
           level: Numo::Int32 }.freeze

  # @return [Rows] with all numbers, or without some of them
  def rows(count, without = 0)
    Rows.new(rows: Array.new(count) do |i|
      without.positive? && (i % without).zero? ? Row.new : Row.new(**NUMBERS.transform_values { |number| number.call(i) })
    end)
  end

  def packed(rows, wire) = Rows.columns(rows.encode(wire), *FIELDS.map { |name| "rows[].#{name}" }, as: :packed, wire:)

  each_wire "numbers and nils" do |wire|
    [0, 1, 7, 8, 9, 63, 64, 65, 200].product([0, 1, 2, 5]).each do |count, without|
      rows = rows(count, without)
      packed(rows, wire).each_value.zip(FIELDS) do |column, name|
        expected = rows.rows.map(&name)

        assert_equal [expected, count, expected.count(nil)], [column.to_a, column.size, column.null_count]
        assert_predicate column, :frozen?
        assert Ractor.shareable?(column)
        assert_equal Encoding::BINARY, column.values.encoding
        assert_validity expected, column
      end
    end
  end

  # The bits behind the last row are zeros.
  def assert_validity(expected, column)
    return assert_nil(column.validity) if expected.none?(nil)

    bits = expected.map { |value| value.nil? ? "0" : "1" }.join

    assert_equal [bits].pack("b*"), column.validity
  end

  def test_the_layout
    columns = packed(rows(9), :compact)
    formats = %w[c* s<* l<* q<* E* l<*]
    types = %i[bool i8 i16 i32 i64 double i32]

    assert_equal types, columns.values.map(&:type)
    assert_equal ["100100100"].pack("b*"), columns["rows[].flag"].values
    FIELDS.drop(1).zip(formats).each do |name, format|
      assert_equal Array.new(9, &NUMBERS[name]).pack(format), columns["rows[].#{name}"].values
    end
    assert_equal "#<Sparpack::Column i64, 9 rows>", columns["rows[].large"].inspect
    assert_equal "#<Sparpack::Column i64, 4 rows, 2 nil>", packed(rows(4, 2), :compact)["rows[].large"].inspect
  end

  # Numo copies the bytes as a whole, and makes nothing of the single numbers. It takes them in the order of the machine.
  each_wire "numo reads the values as they are" do |wire|
    columns = packed(rows(1000), wire)
    NUMO.each do |name, type|
      array = type.from_binary(columns["rows[].#{name}"].values)
      array = array.swap_byte if BIG_ENDIAN

      assert_equal Array.new(1000, &NUMBERS[name]), array.to_a
    end
    next if BIG_ENDIAN # Numo has the bits in words

    assert_equal columns["rows[].flag"].values, Numo::Bit.cast(rows(1000).rows.map(&:flag)).to_binary.byteslice(0, 125).b
  end

  def test_rows_that_are_payloads_and_defaults
    bytes = (0..20).map { |i| Row.new(tiny: (i unless i == 3), by_name: { "a" => i }).encode }.join
    columns = Row.columns(bytes, "tiny", "seven", "by_name[\"a\"]", "by_name.b", as: :packed)
    tiny, seven, a, b = columns.values

    assert_equal [*0..2, nil, *4..20], tiny.to_a
    assert_equal [[7] * 21, nil], [seven.to_a, seven.validity]
    assert_equal [[*0..20], [nil] * 21], [a.to_a, b.to_a]
    assert_equal [0] * 21, b.values.unpack("l<*")
  end

  # The first payload of two is decoded, because a field comes twice. What the walk had added is taken back.
  def test_what_is_taken_back
    row = Row.new(tiny: 1, large: 5).encode
    twice = row.byteslice(0, row.bytesize - 1) + "\x03\x04\x09\x00".b # tiny again: 9
    bytes = (([row] * 70) + [twice]).join * 3

    assert_equal 9, Row.decode(twice).tiny
    columns = Row.columns(bytes, "tiny", "large", "real", as: :packed)

    assert_equal [(([1] * 70) + [9]) * 3, [5] * 213, [nil] * 213], columns.values.map(&:to_a)
    assert_equal columns.transform_values(&:to_a), Row.columns(bytes, "tiny", "large", "real")
  end

  def test_a_row_that_is_no_number_of_the_type_is_nil
    codec = Sparpack::Codec.new(ODD, :compact)
    bytes = "\x13\x01\x15\x02\x16\x02\x17#{[1.0].pack("E")}\x11\x00".b
    columns = codec.columns(bytes, *Odd.members.map(&:name), as: :packed)

    assert_equal [[nil], [nil], [nil], [2.0], [nil]], columns.values.map(&:to_a)
    assert_equal([["\x00".b, "\x00".b, 1]] * 2,
                 columns.values_at("tiny", "flag").map { |column| [column.values, column.validity, column.null_count] })
  end

  # Their memory is not Ruby's, so it has to be told.
  def test_columns_of_payloads_that_are_wrong_are_collected
    bytes = (Row.new(medium: 1).encode * 300_000) + "\x45".b
    before = GC.count
    15.times { assert_raises(Sparpack::DecodeError) { Row.columns(bytes, "medium", "large", "real", as: :packed) } }

    assert_operator GC.count - before, :>=, 2
  end

  def test_only_numbers_can_be_packed
    { "rows[].by_name" => "leads to no number", "rows[]" => "leads to no number", "rows[].by_name[]" => "rows are lists",
      "seven" => "rows are lists" }.each do |path, why|
      error = assert_raises(ArgumentError) { Rows.columns("", "rows[].tiny", path, as: :packed) }

      assert_match(/rows.*: the column cannot be packed, because .*#{why}/, error.message)
    end
  end
end
