# frozen_string_literal: true

require "test_helper"

# A scan of the binary protocol passes several numbers of a struct at once (plan/runs.hpp). If anything in a message differs
# from what it expects, the outcome must still be that of a decode.
class RunsTest < Minitest::Test
  module Color
    extend Sparpack::Enum

    RED = 1
    BLUE = 2
  end

  # Each kind with its code, and a value in the binary protocol.
  KINDS = {
    bool: [2, "\1"], i8: [3, "\xfe"], i16: [6, "\xfe\0"], i32: [8, "\x80\0\0\1"], i64: [10, "\x80\0\0\0\0\0\0\1"],
    double: [4, "\x40\x59\0\0\0\0\0\0"], Color => [8, "\0\0\0\2"]
  }.transform_values { |code, value| [code, value.b] }.freeze

  # A run of each kind, and runs longer than what is compared at once. Some begin with an enum, and others end at a text.
  SCHEMAS = [
    %i[i64 double double i64 i64 i64],
    [:bool, :i8, :i16, :i32, :i64, :double, Color, :bool],
    [Color, :i32, :i32, :i32, Color],
    [*[:i64] * 30, :string, *[:double] * 5],
    %i[string i32 i32 i32 i32 string i64 i64 i64 i64 i64]
  ].freeze

  # Numbers in a list, so that a scan has to find where each of them ends.
  CLASSES = SCHEMAS.map do |types|
    numbers = Class.new(Sparpack::Struct) do
      types.each_with_index { |type, index| field index + 1, :"f#{index + 1}", type }
    end
    many = Class.new(Sparpack::Struct) do
      field 1, :numbers, list(numbers)
      field 2, :rest, :string
    end
    [types, numbers, many]
  end.freeze

  def test_reads_what_a_decode_reads
    CLASSES.each do |types, _, many|
      [fields(types), *variants(types)].each do |changed|
        assert_same_reading many, payload([fields(types), changed, fields(types)])
      end
    end
  end

  def test_refuses_what_a_decode_refuses_at_every_byte
    CLASSES.each do |types, _, many|
      whole = payload([fields(types)] * 2)
      whole.bytesize.times { |size| assert_same_reading many, whole[0, size] }
      whole.bytesize.times do |at|
        wrong = whole.dup
        wrong.setbyte(at, wrong.getbyte(at) ^ 0x81)
        assert_same_reading many, wrong
      end
    end
  end

  def test_looks_at_the_values_of_enums_if_they_have_to_be_known
    CLASSES.each do |types, _, many|
      types.each_index do |index|
        changed = fields(types)
        changed[index] = changed[index][0, 3] + [9].pack("N") if types[index] == Color
        assert_same_reading many, payload([fields(types), changed, fields(types)]), validate: :strict
      end
    end
  end

  def test_takes_columns_out_of_the_middle
    CLASSES.each do |types, _, many|
      readable = variants(types).select { |changed| outcome { many.check(payload([changed]), wire: :binary) } == true }
      bytes = payload([fields(types), *readable, fields(types)])
      expected = many.decode(bytes, :binary).numbers
      types.each_index do |index|
        name = :"f#{index + 1}"
        found = many.columns(bytes, "numbers[].#{name}", "numbers[].f1", wire: :binary)
        assert_equal expected.map(&name), found["numbers[].#{name}"]
        assert_equal expected.map(&:f1), found["numbers[].f1"]
      end
    end
  end

  private

  # Each field as bytes.
  def fields(types)
    types.each_with_index.map do |type, index|
      code, value = type == :string ? [11, "\0\0\0\3abc".b] : KINDS.fetch(type)
      [code, index + 1].pack("Cn") + value
    end
  end

  # Without a field, with one twice, with two in the wrong order, with one of another type, and with one that is unknown.
  def variants(types)
    all = fields(types)
    all.each_index.flat_map do |index|
      other = [types[index] == :string ? 8 : 11, index + 1, 0].pack("CnN")
      [all[0...index] + all[(index + 1)..], all.dup.insert(index, all[index]), all.rotate(index),
       all.dup.tap { |changed| changed[index] = other }, all.dup.insert(index, [8, 999, 7].pack("CnN"))]
    end
  end

  # Some text is behind the last struct, because a scan compares more bytes than a run has.
  def payload(structs)
    bodies = structs.map { |fields| "#{fields.join}\0".b }
    "\x0f\0\1\x0c".b + [bodies.size].pack("N") + bodies.join + "\x0b\0\2\0\0\0\x40#{"a" * 64}\0".b
  end

  def assert_same_reading(many, bytes, **options)
    eager = outcome { many.decode(bytes, :binary, **options).to_h }
    checked = outcome { many.check(bytes, wire: :binary, **options) }
    assert_equal eager.is_a?(Hash) || eager, checked
    lazy = outcome { many.decode(bytes, :binary, lazy: true, **options).to_h }
    assert_equal eager, lazy
  end

  def outcome
    yield
  rescue Sparpack::DecodeError => e
    [e.class, e.message]
  end
end
