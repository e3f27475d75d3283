# frozen_string_literal: true

require "fileutils"
require_relative "postgres"

# The same with PostgreSQL, where bytes come as text, and JSON is written in another way.
if (missing = Postgres.missing)
  puts missing
  exit
end

server = Postgres.new
at_exit { server.stop } # before Minitest's, so it runs after that

DATABASE = { adapter: "postgresql", host: server.folder, username: "tester", database: "postgres" }.freeze

require_relative "changes"
require_relative "deploy_json"
require_relative "rows"

class PostgresqlTest < DatabaseTest
  def test_bytes_and_json
    invoice = Invoice.create!(order: ORDER, document: order(tags: %w[a b]))

    assert_equal order, invoice.order
    refute_predicate invoice, :changed? # the old value is a Binary::Data now
    invoice.order.id = 8
    invoice.save!
    invoice.order.id = 9
    invoice.save!

    assert_equal 9, Invoice.find(invoice.id).order.id
    found = Invoice.find(invoice.id)

    assert_equal order(tags: %w[a b]), found.document
    refute_predicate found, :changed?
    assert_equal 1, Invoice.where("document @> ?", '{"status": 2}').where(id: invoice.id).count
    assert_kind_of String, Invoice.find(invoice.id).order_before_type_cast
  end

  # What docs/rails.md says of moving from JSON.
  def test_a_column_that_was_text
    Invoice.connection.create_table(:texts) { |table| table.text :order }
    Invoice.connection.execute("INSERT INTO texts (\"order\") VALUES ('#{order(tags: ["ü"]).to_json}')")
    Invoice.connection.change_column(:texts, :order, :binary, using: "convert_to(\"order\", 'UTF8')")
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "texts"
      attribute :order, :sparpack, of: "Shop::Order", reads: :json
    end

    assert_equal order(tags: ["ü"]), model.first.order
  end

  def test_a_column_of_json
    invoice = Invoice.create!(document: ORDER)

    assert_equal 1, Invoice.where(document: Sparpack::Rails.bind(invoice.document)).where(id: invoice.id).count
    invoice.update!(document: { id: 8 })

    assert_equal({ "id" => 8, "status" => 1 },
                 JSON.parse(Invoice.connection.select_value("SELECT document FROM invoices WHERE id = #{invoice.id}")))
  end
end
