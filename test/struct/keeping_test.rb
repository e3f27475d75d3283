# frozen_string_literal: true

require "test_helper"
require "support/cost"

# Forms whose values do not fit: an object keeps these as they came, and converts all others as from_h does.
class KeepingTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    OPEN = 1
    PAID = 2
  end

  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
  end

  class Payment < Sparpack::Union
    field 1, :card, :string
    field 2, :status, Status
    field 3, :number, :i32
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :status, Status, default: Status::OPEN
    field 3, :lines, list(Line)
    field 4, :by_id, map(:i64, :string)
    field 5, :statuses, list(Status)
    field 6, :payment, Payment
    field 7, :image, :binary
    field 8, :text, :string
    field 9, :tags, set(:i32)
    field 10, :price, :double
  end

  # What is given, what an object then holds, and the paths of its faults.
  CASES = [
    [{ "id" => "7", "status" => "PAID", "lines" => { "1" => { "cents" => "5" } } },
     { id: 7, status: 2, lines: [{ cents: 5 }] }, []],
    [{ "id" => "seven" }, { id: "seven", status: 1 }, %w[id]],
    [{ id: 7, "status" => "PAYD" }, { id: 7, status: "PAYD" }, %w[status]],
    [{ id: 7, status: :PAYD }, { id: 7, status: :PAYD }, %w[status]],
    [{ id: 7, lines: { "3" => { "cents" => "5,00" }, "1" => { "cents" => "4" } } },
     { id: 7, status: 1, lines: [{ cents: 4 }, { cents: "5,00" }] }, %w[lines[1].cents]],
    [{ id: 7, lines: "lamp" }, { id: 7, status: 1, lines: "lamp" }, %w[lines]],
    [{ id: 7, lines: { "a" => {} } }, { id: 7, status: 1, lines: { "a" => {} } }, %w[lines]],
    [{ id: 7, lines: [5, { cents: 1 }, ""] }, { id: 7, status: 1, lines: [5, { cents: 1 }] }, %w[lines[0]]],
    [{ id: 7, by_id: { "a" => "b", "" => "c", "5" => "d" } },
     { id: 7, status: 1, by_id: { "a" => "b", "" => "c", 5 => "d" } },
     %w[by_id.keys[0] by_id.keys[1]]],
    [{ id: 7, statuses: ["PAID", "LOST", "", "1"] }, { id: 7, status: 1, statuses: [2, "LOST", 1] }, %w[statuses[1]]],
    [{ id: 7, payment: { status: "PAYD", card: "" } }, { id: 7, status: 1, payment: { status: "PAYD" } },
     %w[payment.status]],
    [{ id: 7, payment: { number: "x" } }, { id: 7, status: 1, payment: { number: "x" } }, %w[payment.number]],
    [{ id: 7, payment: "cash" }, { id: 7, status: 1, payment: "cash" }, %w[payment]],
    [{ id: 7, image: 5, text: "\xFF", tags: "1", price: "1,5" },
     { id: 7, status: 1, image: 5, text: "\xFF", tags: "1", price: "1,5" }, %w[image text tags price]],
    [{ id: 7, tags: %w[1 2 x] }, { id: 7, status: 1, tags: Set[1, 2, "x"] }, %w[tags[2]]],
    [{ id: "9" * 2000 }, { id: "9" * 2000, status: 1 }, %w[id]],
    [{ id: 7, price: 1 << 2000 }, { id: 7, status: 1, price: 1 << 2000 }, %w[price]]
  ].freeze

  def test_what_does_not_fit_is_kept
    CASES.each do |given, held, paths|
      object = keep(given)

      assert_equal held, object.to_h(deep: true).compact, given.inspect
      assert_equal paths.map { |path| "KeepingTest::Order.#{path}" }, object.errors(:recursive).map(&:path), given.inspect
      assert_raises(Sparpack::EncodeError, given.inspect) { object.encode } unless paths.empty?
    end
  end

  def test_what_fits_is_what_from_h_makes
    [{ "id" => "7", "status" => "", "lines" => [{ "cents" => " 1 " }], "text" => "", "price" => "1e3", "tags" => ["1", ""] },
     { id: 7, by_id: { "5" => :a }, image: "ü", payment: { "card" => "" } }, { id: 7.0, statuses: { "1" => "PAID" } }, {}]
      .each { |given| assert_equal Order.from_h(given, coerce: true), keep(given), given.inspect }
  end

  def test_without_coercion
    given = { "id" => "7", "status" => "PAYD", "tags" => [1] }

    assert_equal({ id: "7", status: "PAYD", tags: Set[1] }, keep(given, coerce: false).to_h.compact)
  end

  def test_what_has_no_place
    error = assert_raises(Sparpack::ConversionError) { keep({ id: "x", color: 1, lines: [{ weight: 2 }] }) }

    assert_equal %w[KeepingTest::Order.color KeepingTest::Order.lines[0].weight], error.errors.map(&:path)
    assert_equal({ id: "x", status: 1 }, keep({ id: "x", color: 1 }, skip: true).to_h.compact)
    assert_match(/a union holds one field/, assert_raises(Sparpack::ConversionError) do
      keep({ payment: { card: "x", number: "y" } })
    end.message)
    assert_raises(Sparpack::ConversionError) { keep({ color: 1 }, coerce: false) }
  end

  def test_binary_values_of_json
    assert_equal "\xFF".b, keep({ id: "x", image: "/w==" }, json: true).image
    assert_equal "no base64", keep({ id: 7, image: "no base64" }, json: true).image
  end

  def test_levels_are_limited
    deep = 2000.times.reduce(1) { |inner, _| [inner] }

    assert_kind_of Order, keep({ id: 7, lines: deep })
    recursive = Class.new(Sparpack::Struct) { field(1, :inner) { self } }
    Object.const_set(:KeepingRecursive, recursive)
    nested = 2000.times.reduce({}) { |inner, _| { inner: } }

    assert_match(/levels/, assert_raises(Sparpack::ConversionError) { Sparpack::Keeping.object(recursive, nested) }.message)
  ensure
    Object.send(:remove_const, :KeepingRecursive)
  end

  # No hint at a similar name is looked for, and no error is made for each value.
  def test_many_wrong_names_cost_little
    names = Array.new(10_000) { |index| "PAYD#{index}" }
    cost = Cost.of { keep({ id: 7, statuses: names }) }

    assert_operator cost.bytes, :<, 8 << 20
  end

  def keep(given, **options) = Sparpack::Keeping.object(Order, given, **options)
end
