# frozen_string_literal: true

require_relative "maria_server"

# The same with MariaDB, which is Debian's MySQL. Its JSON is text that is checked.
if MariaServer::MISSING
  puts MariaServer::MISSING
  exit
end

require "active_record"

server = MariaServer.new.start
at_exit { server.remove } # before Minitest's, so it runs after that

# The tests quote names as other databases do.
DATABASE = { adapter: "trilogy", socket: server.socket, database: "tester", encoding: "utf8mb4",
             variables: { sql_mode: "STRICT_ALL_TABLES,ANSI_QUOTES" } }.freeze
ActiveRecord::Base.establish_connection(DATABASE.except(:database))
ActiveRecord::Base.connection.create_database("tester", charset: "utf8mb4")

require_relative "changes"
require_relative "deploy_json"
require_relative "rows"

class MysqlTest < DatabaseTest
  BIG = Sparpack::Rails::Type.new(of: "Shop::Order").cast({ id: 7, tags: ["a" * 65_536] })

  def test_a_column_of_json
    invoice = Invoice.create!(document: order(tags: ["\"ü\" C:\\dir"]))
    found = Invoice.find(invoice.id)

    assert_equal invoice.document, found.document
    refute_predicate found, :changed?
    assert_equal 1, Invoice.where("JSON_VALUE(document, '$.status') = 2").where(id: invoice.id).count
    assert_equal 1, Invoice.where(document: Sparpack::Rails.bind(invoice.document)).where(id: invoice.id).count
  end

  # What docs/rails.md says: `t.binary` without a limit holds 65,535 bytes.
  def test_the_limit_of_a_column
    assert_raises(ActiveRecord::ValueTooLong) { Invoice.create!(order: BIG) }
    Invoice.connection.create_table(:larges) { |table| table.binary :order, limit: 16.megabytes - 1 }
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "larges"
      attribute :order, :sparpack, of: "Shop::Order"
    end

    assert_equal BIG, model.find(model.create!(order: BIG).id).order
  end

  # A text column takes a binary payload or not, depending on its bytes. An error is the better of the two.
  def test_bytes_in_a_column_of_text
    Invoice.connection.create_table(:texts) { |table| table.text :order }
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "texts"
      attribute :order, :sparpack, of: "Shop::Order"
    end

    assert_raises(ActiveRecord::StatementInvalid) { model.create!(order: ORDER) }
  end
end
