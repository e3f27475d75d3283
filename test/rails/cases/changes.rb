# frozen_string_literal: true

require_relative "schema"

# When an attribute has changed: if its bytes differ, and its value, too.
class ChangesTest < DatabaseTest
  def test_a_change_inside_is_found_and_saved
    invoice = Invoice.create!(order: ORDER)

    refute_predicate invoice, :changed?
    invoice.order.lines[0].cents = 600

    assert_predicate invoice, :changed?
    assert_equal([500, 600], invoice.changes["order"].map { |order| order.lines[0].cents })
    assert invoice.save
    refute_predicate invoice, :changed?
    assert_equal([500, 600], invoice.saved_changes["order"].map { |order| order.lines[0].cents })
    assert_equal 600, Invoice.find(invoice.id).order.lines[0].cents
    invoice.order.lines[0].cents = 700

    assert_predicate invoice, :changed?
    invoice.restore_attributes

    assert_equal 600, invoice.order.lines[0].cents
  end

  # Active Record makes an object of what it compares with as if a column held it.
  def test_changes_from_and_to
    invoice = Invoice.create!(order: ORDER, point: Shop::Point.new(1, 2))
    invoice = Invoice.find(invoice.id)
    invoice.order.id = 8
    invoice.point = Shop::Point.new(3, 4)

    [order, ORDER].each { |from| assert invoice.order_changed?(from:, to: order(id: 8)) }
    refute invoice.order_changed?(from: order(id: 9))
    assert invoice.point_changed?(from: Shop::Point.new(1, 2))
    invoice.save!

    assert invoice.saved_change_to_order?(from: order, to: order(id: 8))
    refute invoice.saved_change_to_order?(from: nil)
  end

  def test_reading_changes_nothing
    Invoice.create!(order: ORDER, total: { cents: 1 }, payment: { card: "x" }, point: Shop::Point.new(1, 2), document: ORDER)
    invoice = Invoice.last
    Invoice.attribute_names.each { |name| invoice.public_send(name) }

    refute_predicate invoice, :changed?
    assert_empty(updates { invoice.save! })
  end

  def test_equal_values_are_no_change
    rows = {
      "a set in another order" => order(tags: %w[b a]).encode,
      "an older version without the default" => "\x16\x0E\x29\x1C\x16\xE8\x07\x00\x00".b,
      "an unknown field" => "#{order(tags: %w[a b]).encode[0..-2]}\x58\x01x\x00".b,
      "JSON with spaces" => '{ "id": 7, "status": 2, "lines": [ { "cents": 500 } ], "tags": ["a", "b"] }'
    }
    rows.each do |what, bytes|
      invoice = store(bytes)
      refute_nil invoice.order
      refute_predicate invoice, :changed?, what
      invoice.order = invoice.order.dup(deep: true)

      refute_predicate invoice, :changed?, what
      invoice.order.id = 8

      assert_predicate invoice, :changed?, what
    end
  end

  def test_a_change_to_and_from_nil
    invoice = Invoice.create!

    refute_predicate invoice, :changed?
    invoice.order = ORDER

    assert_predicate invoice, :changed?
    invoice.save!
    invoice.order = nil

    assert_predicate invoice, :changed?
    invoice.save!

    assert_nil Invoice.find(invoice.id).order
    assert_equal 1, Invoice.where(id: invoice.id, order: nil).count
  end

  def test_what_cannot_be_encoded_has_changed
    invoice = Invoice.create!(order: ORDER)
    invoice.order.lines[0].cents = "5,00"

    assert_predicate invoice, :changed?
    refute_predicate invoice, :valid?
    assert_includes invoice.inspect, "5,00"
    assert_raises(Sparpack::EncodeError) { invoice.save(validate: false) }
    assert_equal 500, invoice.reload.order.lines[0].cents
  end

  # NaN equals nothing, but its bytes do.
  def test_nan_is_no_change
    invoice = Invoice.find(Invoice.create!(order: order(weights: { 1 => Float::NAN })).id)

    assert_predicate invoice.order.weights[1], :nan?
    refute_predicate invoice, :changed?
  end

  # Active Record asks several times, so the answer is kept. It must not be that for another row or another object.
  def test_answers_are_not_mixed_up
    rows = %w[a b].map { |tag| store(order(tags: [tag, "c"]).encode) }
    rows.each { |row| row.order.tags = Set["c", "a"] }

    3.times { assert_equal([false, true], rows.map(&:changed?)) }
    rows.each { |row| row.order.tags = Set["c", "b"] }
    3.times { assert_equal([true, false], rows.map(&:changed?)) }
  end

  # Active Record copies the object, but nothing in it.
  def test_a_copy_of_a_record_shares_what_is_nested
    invoice = Invoice.create!(order: ORDER)
    invoice.order # an object that was not read yet is read twice
    copy = invoice.dup
    copy.order.id = 8

    assert_equal 7, invoice.order.id
    assert_same invoice.order.lines, copy.order.lines
    copy.order = copy.order.dup(deep: true)
    copy.order.lines[0].cents = 1

    assert_equal 500, invoice.order.lines[0].cents
  end

  def test_types_are_equal_if_class_wire_and_options_are
    type = ->(**options) { Sparpack::Rails::Type.new(of: "Shop::Order", **options) }

    [{}, { wire: :json }, { reads: :json }, { coerce: false }, { unknown: :keep }, { of: "Shop::Line" }].each do |options|
      assert_equal type[**options], type[**options]
      assert_equal type[**options].hash, type[**options].hash
      refute_equal type[**options], type[validate: :strict], options
    end
    assert_equal type[of: "::Shop::Order"], type[reads: [:compact]]
    assert_equal type[of: Shop::Order.codec(:json, i64: :string)], type[of: Shop::Order, wire: :json, i64: :string]
    refute_equal type[], ActiveModel::Type::Binary.new
  end

  def updates(&block)
    said = []
    subscriber = ->(*, payload) { said << payload[:sql] if payload[:sql].start_with?("UPDATE") }
    ActiveSupport::Notifications.subscribed(subscriber, "sql.active_record", &block)
    said
  end
end
