# frozen_string_literal: true

require "minitest/autorun"
require "active_record"
require "sparpack/rails"

module Shop
  module Status
    extend Sparpack::Enum

    OPEN = 1
    PAID = 2
  end

  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
    field 2, :note, :string
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :status, Status, default: Status::OPEN
    field 3, :lines, list(Line)
    field 4, :tags, set(:string)
    field 5, :weights, map(:i32, :double)
  end

  # It has no field `id`.
  class Total < Sparpack::Struct
    field 1, :cents, :i64, required: true
  end

  class Payment < Sparpack::Union
    field 1, :card, :string
    field 2, :cents, :i64
  end

  Point = Struct.new(:x, :y)
  POINT = Sparpack::Mapping.new(Point, { 1 => :x, 2 => :y }, types: { x: :i32, y: :i32 })
end

# A test may name another database.
DATABASE = { adapter: "sqlite3", database: ":memory:" }.freeze unless defined?(DATABASE)

ActiveRecord::Base.establish_connection(DATABASE)
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:invoices) do |table|
    %i[order total payment point].each { |name| table.binary name }
    table.public_send(DATABASE[:adapter] == "postgresql" ? :jsonb : :json, :document)
  end
end

class Invoice < ActiveRecord::Base
  attribute :order, :sparpack, of: "Shop::Order", reads: :json
  attribute :total, :sparpack, of: Shop::Total
  attribute :payment, :sparpack, of: "Shop::Payment", wire: :binary
  attribute :point, :sparpack, of: Shop::POINT
  attribute :document, :sparpack, of: "Shop::Order", wire: :json
  validates :order, :total, :payment, :point, sparpack: true
end

# What all tests with a database have.
class DatabaseTest < Minitest::Test
  ORDER = { id: 7, status: "PAID", lines: [{ cents: "500" }] }.freeze

  def order(**fields) = Shop::Order.from_h({ **ORDER, **fields }, coerce: true)

  # Writes bytes as another program does.
  def store(bytes, column = "order")
    id = Invoice.create!.id
    value = bytes && ActiveModel::Type::Binary::Data.new(bytes)
    value = bytes.dup.force_encoding("UTF-8") if column == "document"
    Invoice.connection.exec_update("UPDATE invoices SET \"#{column}\" = #{Invoice.connection.quote(value)} WHERE id = #{id}")
    Invoice.find(id)
  end
end
