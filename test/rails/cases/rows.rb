# frozen_string_literal: true

require_relative "schema"
require "active_record/fixtures"
require "tmpdir"

# What columns hold, and what is read from them.
class RowsTest < DatabaseTest
  def test_a_column_holds_the_payload_and_nothing_else
    invoice = Invoice.create!(order: ORDER, total: { cents: 5 }, payment: { card: "x" }, point: Shop::Point.new(1, 2),
                              document: ORDER)

    assert_equal order.encode, raw(invoice, "order")
    assert_equal Shop::Total.new(cents: 5).encode, raw(invoice, "total")
    assert_equal Shop::Payment.card("x").encode(:binary), raw(invoice, "payment")
    assert_equal({ "id" => 7, "status" => 2, "lines" => [{ "cents" => 500 }] }, JSON.parse(raw(invoice, "document")))
    assert_equal order, Invoice.find(invoice.id).document
    assert_equal Shop::Payment.card("x"), Invoice.find(invoice.id).payment
  end

  # As `serialize :order, coder: JSON` wrote it.
  def test_rows_of_json
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "invoices"
      serialize :order, coder: JSON
    end
    [2, "PAID"].each do |status|
      invoice = Invoice.find(model.create!(order: { id: 7, status:, lines: [{ cents: 500 }] }).id)

      assert_equal order, invoice.order
      refute_predicate invoice, :changed?
      invoice.order.tags = Set["a"]
      invoice.save!

      assert_equal order(tags: ["a"]).encode, raw(invoice, "order")
    end
  end

  # What docs/rails.md says of moving from JSON, and back.
  def test_rows_are_written_anew
    invoice = store(order.encode(:json))
    invoice.order_will_change!
    invoice.save!

    assert_equal order.encode, raw(invoice, "order")
    back = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", wire: :json, reads: :compact }
    before = Class.new(ActiveRecord::Base) do
      self.table_name = "invoices"
      serialize :order, coder: JSON
    end
    rolled_back = back.find(invoice.id)

    assert_equal order, rolled_back.order
    rolled_back.order.id = 8
    rolled_back.save!

    assert_equal({ "id" => 8, "status" => 2, "lines" => [{ "cents" => 500 }] }, before.find(invoice.id).order)
    assert_equal 8, Invoice.find(invoice.id).order.id
  end

  def test_rows_of_another_wire
    wires = %i[binary message_pack json thrift_json]
    model = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", reads: wires }
    [:compact, *wires].each do |wire|
      assert_equal order, model.find(store(order.encode(wire)).id).order, wire
    end
  end

  def test_a_row_that_cannot_be_read
    good = order.encode
    ["\xFF".b, "\x00", good[0..-2], "#{good}x", "{}", '{"id":"x"}', "\\x41", Marshal.dump(1)].each do |bytes|
      invoice = store(bytes)

      error = assert_raises(Sparpack::DecodeError, bytes.inspect) { invoice.order }
      assert_match(/: the row cannot be read as Shop::Order on the wire compact. To replace what it holds, use update_all/,
                   error.message)
      assert_match(/\AShop::Order/, error.path) if error.path
      refute_predicate invoice, :changed?
      invoice.order = order
      assert_raises(Sparpack::DecodeError) { invoice.save }
      Invoice.where(id: invoice.id).update_all(order: order)

      assert_equal order, invoice.reload.order
    end
  end

  # An order that another version of the program wrote. The usual options skip what the class does not know.
  def test_rows_of_other_versions
    newer = "#{order.encode[0..-2]}\x58\x01x\x00".b
    keeping = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", unknown: :keep }
    invoice = store(newer)

    assert_equal order, invoice.order
    invoice = keeping.find(invoice.id)
    invoice.order.id = 8
    invoice.save!

    assert_equal "x", raw(invoice, "order")[-2]
  end

  def test_options_of_the_codec
    limits = Sparpack::Limits.new(string: 3)
    model = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", limits:, lazy: true }
    long = order(tags: ["long text"])

    assert_raises(Sparpack::EncodeError::LimitExceeded) { model.create!(order: long) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { model.find(store(long.encode).id).order }
    assert_equal 500, model.find(store(order.encode).id).order.lines[0].cents
  end

  def test_updates_that_skip_the_record
    invoice = Invoice.create!(order: ORDER)
    invoice.update_columns(order: order(id: 9))

    assert_equal 9, invoice.reload.order.id
    Invoice.where(id: invoice.id).update_all(order: { id: 10 })

    assert_equal 10, invoice.reload.order.id
    Invoice.insert_all([{ order: order(id: 11), document: order }])

    assert_equal 11, Invoice.last.order.id
    Invoice.upsert_all([{ id: invoice.id, order: { "id" => "12" } }])

    assert_equal [12], Invoice.where(id: invoice.id).pluck(:order).map(&:id)
  end

  # As docs/rails.md says. Rails does not ask the types of attributes for what is in a fixture.
  def test_fixtures
    Dir.mktmpdir do |folder|
      File.write("#{folder}/invoices.yml", <<~YAML)
        one:
          id: 1001
          order: !binary <%= [Shop::Order.new(id: 7, tags: ["ü"]).encode].pack("m0") %>
          document: #{DATABASE[:adapter] == "trilogy" ? "'{\"id\":8}'" : "{ id: 8 }"}
      YAML
      ActiveRecord::FixtureSet.create_fixtures(folder, ["invoices"])
    end
    invoice = Invoice.find(1001)

    assert_equal [Shop::Order.new(id: 7, tags: Set["ü"]), 8], [invoice.order, invoice.document.id]
    refute_predicate invoice, :changed?
  end

  def test_store_accessor
    model = Class.new(Invoice) { store_accessor :order, :status }
    error = assert_raises(ArgumentError) { model.new(order: ORDER).status }

    assert_equal "store_accessor is for Hashes, and this attribute holds Shop::Order: use " \
                 "`delegate :field, :field=, to: :attribute` instead", error.message
  end

  # What else of Active Record docs/rails.md names.
  def test_other_parts_of_active_record
    model = Class.new(Invoice) do
      def self.name = "Sold"
      alias_attribute :purchase, :order
      delegate :status, :status=, to: :order, prefix: true
      normalizes :total, with: ->(total) { total.with(cents: total.cents.abs) }
      validates :total, :order, uniqueness: true
    end
    Invoice.delete_all
    sold = model.create!(purchase: ORDER, total: { cents: -5 })

    assert_equal [2, 5, order], [sold.order_status, sold.total.cents, sold.purchase]
    sold.order_status = 1

    assert_predicate sold, :purchase_changed?
    copy = model.new(order: ORDER, total: { cents: 5 })

    refute_predicate copy, :valid?
    assert_equal %i[total order], copy.errors.attribute_names
    assert_equal({ "order" => { "id" => 7, "status" => 1, "lines" => [{ "cents" => 500 }] } }, sold.as_json(only: [:order]))
    assert_equal [order], model.where(id: sold.id).pluck(:order)
    made = model.find_or_create_by!(order: Sparpack::Rails.bind(order(id: 12)))

    assert_equal 12, made.order.id
  end

  # The log shows how many bytes there are, as for any binary column. With MySQL, Rails puts them into the statement.
  def test_the_log_does_not_show_payloads
    logged = StringIO.new
    ActiveRecord::Base.logger = Logger.new(logged)
    Invoice.create!(order: order(tags: ["hunter2"]))

    assert_match(DATABASE[:adapter] == "trilogy" ? /x'\h+'/ : /<\d+ bytes of binary data>/, logged.string)
    refute_includes logged.string, "hunter2"
  ensure
    ActiveRecord::Base.logger = nil
  end

  # Caches of records do.
  def test_records_are_dumped_and_loaded
    invoice = Invoice.create!(order: ORDER, point: Shop::Point.new(1, 2))
    invoice.order.id = 8
    versions = [6.1, 7.1].map do |version|
      ActiveRecord::Marshalling.format_version = version
      Marshal.load(Marshal.dump(invoice))
    end
    versions << YAML.unsafe_load(invoice.to_yaml)

    versions.each do |copy|
      assert_equal [8, Shop::Point.new(1, 2)], [copy.order.id, copy.point]
      assert_equal invoice.class.type_for_attribute(:order), copy.class.type_for_attribute(:order)
    end
    assert_equal [true, false, true], versions.map(&:changed?) # the format of 7.1 holds only what values are
  ensure
    ActiveRecord::Marshalling.format_version = 6.1
  end

  def test_defaults
    model = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", default: -> { { id: 5 } } }

    assert_equal 5, model.new.order.id
    refute_same model.new.order, model.new.order
    assert_equal 5, Invoice.find(model.create!.id).order.id
  end

  def raw(invoice, column)
    type = Invoice.connection.select_all("SELECT \"#{column}\" FROM invoices WHERE id = #{invoice.id}")
    bytes = type.rows.dig(0, 0)
    bytes = PG::Connection.unescape_bytea(bytes) if DATABASE[:adapter] == "postgresql" && column != "document"
    bytes
  end
end

class Parcel < Sparpack::Struct
  field 1, :id, :string
end

class Parcels < ActiveRecord::Base
  self.table_name = "invoices"
  attribute :order, :sparpack, of: Parcel
end

# Conditions with objects.
class ConditionsTest < DatabaseTest
  def setup = Invoice.delete_all

  def test_conditions
    one, other = [7, 8].map { |id| Invoice.create!(order: order(id:), total: { cents: id }) }
    bind = Sparpack::Rails.method(:bind)

    assert_equal [one], Invoice.where(order: bind[one.order]).to_a
    assert_equal [one, other], Invoice.where(order: bind[[one.order, other.order]]).to_a
    assert_equal [other], Invoice.where.not(order: bind[[one.order]]).to_a
    assert_equal [one], Invoice.where(Invoice.arel_table[:order].eq(one.order)).to_a
    assert_equal [other], Invoice.where(total: other.total).to_a
    assert_equal one, Invoice.find_by(order: bind[one.order])
    assert_nil bind[nil]
    assert_empty Invoice.where(order: bind[nil]).to_a
  end

  def test_the_error_says_how_to_search
    error = assert_raises(Sparpack::ConversionError) { Invoice.where(order:).to_a }

    assert_equal "expected Shop::Order, found 7 (a condition such as where(order: order) takes the id of an object that " \
                 "has one: use Sparpack::Rails.bind(order))", error.message
    refute_includes assert_raises(Sparpack::ConversionError) { Invoice.where(total: 7).to_a }.message, "bind"
    %w[abc 12345678-1234-4234-8234-123456789abc].each do |id|
      error = assert_raises(Sparpack::DecodeError) { Parcels.where(order: Parcel.new(id:)).to_a }

      assert_match(/\AParcel: .*use Sparpack::Rails.bind\(order\)\)\z/, error.message)
    end
  end

  # A condition means the object as it was then.
  def test_objects_that_change_later
    invoice = Invoice.create!(order: ORDER)
    searched = order
    found = Invoice.where(order: Sparpack::Rails.bind(searched))
    searched.id = 8

    assert_equal [invoice], found.to_a
  end
end
