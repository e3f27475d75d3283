# frozen_string_literal: true

require "test_helper"
require "json"

# from_h reads keys of maps that JSON turned into text.
class KeyTextTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    OPEN = 1
    PAID = 2

    idl "status", values: { OPEN: "open", PAID: "2nd" }
  end

  class Entry < Sparpack::Struct
    field 1, :status, Status
    field 2, :by_number, map(:i64, :string)
  end

  class Book < Sparpack::Struct
    field 1, :i8, map(:i8, :i8)
    field 2, :i64, map(:i64, :string)
    field 3, :bool, map(:bool, :i32)
    field 4, :double, map(:double, :i32)
    field 5, :status, map(Status, list(Entry))
    field 6, :text, map(:string, map(:i16, :i64))
    field 7, :named, map("KeyTextTest::Status", :i32)
    field 8, :uuid, map(:uuid, :i32)
    field 9, :set, set(:i32)
    field 10, :id, :i64
  end

  BOOK = Book.from_h(
    i8: { 1 => 2, -128 => 3 }, i64: { 0 => "a", (2**63) - 1 => "b", -(2**63) => "c" }, bool: { true => 1, false => 2 },
    double: { 1.5 => 1, 1e20 => 2, -0.0 => 3, 5e-324 => 4, Float::INFINITY => 5, -Float::INFINITY => 6 },
    status: { OPEN: [{ status: :PAID, by_number: { 3 => "x" } }], 9 => [] }, text: { "1" => { -2 => 3 } },
    named: { PAID: 5 }, uuid: { "00112233-4455-6677-8899-aabbccddeeff" => 1 }, set: [1], id: 7
  )

  def test_an_object_survives_json
    [{}, { symbolize_names: true }].each do |options|
      copy = Book.from_h(JSON.parse(BOOK.to_json, **options))

      assert_equal BOOK, copy
      assert_equal BOOK, Book.decode(copy.encode)
      assert copy.eql?(BOOK)
    end
    assert_predicate Book.from_h("double" => { "NaN" => 1 }).double.keys[0], :nan?
  end

  def test_names_of_an_enum_come_first
    assert_equal({ 1 => 1, 2 => 2 }, Book.from_h("named" => { "open" => 1, "2nd" => 2 }).named)
    assert_equal({ 2 => 3, -5 => 6 }, Book.from_h("named" => { "PAID" => 1, "2" => 3, "-5" => 6 }).named)
    error = assert_raises(ArgumentError) { Book.from_h("named" => { "2" => 1, "PAYD" => 2 }) }

    assert_includes error.message, 'Book.named.keys[1]: KeyTextTest::Status has no value "PAYD" (did you mean :PAID?'
  end

  # [field, texts that stay]
  OTHERS = {
    i64: ["", "+1", "01", "-0", " 1", "1 ", "1\n", "1.0", "1e3", "0x1", "1_000", "true", "9" * 20, "9" * 1_000_000, "１",
          "1".encode("UTF-16LE"), "\xFF", :x],
    bool: ["True", "1", "0", "", "yes", "true "], double: ["", ".5", "1.", "1_0", "nan", "1e999", "Inf", "0x1p3"]
  }.freeze

  def test_other_text_stays
    OTHERS.each do |field, texts|
      texts.each do |text|
        book = Book.from_h(field => { text => 1 })

        assert_same text, book[field].keys[0] if text.is_a?(Symbol)
        assert_equal [[text], false], [book[field].keys, book.valid?(:strict)]
      end
    end
    assert_raises(Sparpack::EncodeError::OutOfRange) { Book.from_h(i8: { "128" => 1 }).encode }
  end

  def test_values_and_elements_are_not_read
    book = Book.from_h("id" => "7", "set" => ["1"], "i8" => { "1" => "2" }, "text" => { "1" => { "2" => "3" } })

    assert_equal ["7", Set["1"], { 1 => "2" }, { "1" => { 2 => "3" } }], [book.id, book.set, book.i8, book.text]
    assert_raises(ArgumentError) { Book.from_h("status" => { "1" => [{ "status" => "2" }] }) }
  end

  def test_the_callers_hash_stays
    keys = { "1" => 2 }
    book = Book.from_h(i8: keys)

    assert_equal [{ "1" => 2 }, { 1 => 2 }], [keys, book.i8]
    assert_equal({ 1 => 3 }, Book.from_h(i8: { 1 => 2, "1" => 3 }).i8)
    assert_equal({ 1 => 2 }, Book.from_h(Book.new(i8: { "1" => 2 }).to_h).i8)
  end
end
