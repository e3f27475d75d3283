# frozen_string_literal: true

require "minitest/autorun"
require "active_record"
require "tmpdir"
require_relative "release"

# A rolling deploy, and a rollback: two processes share a database, and have different releases of an application.
class DeployTest < Minitest::Test
  FOLDER = Dir.mktmpdir("sparpack-deploy")
  Minitest.after_run { FileUtils.rm_rf(FOLDER) }

  # A test may name another database.
  SHARED = defined?(DATABASE) ? DATABASE : { adapter: "sqlite3", database: "#{FOLDER}/shared.sqlite3" }.freeze

  # What a JSON text must escape, and bytea would take for something else.
  TEXT = "\"ü\" C:\\dir \\134\n"

  MODEL = <<~RUBY.freeze
    require "active_record"
    ActiveRecord::Base.establish_connection(#{SHARED.inspect})
    class Deal < ActiveRecord::Base
      %s
    end
  RUBY

  ROW = { "id" => 7, "status" => 2, "lines" => [{ "cents" => 500, "note" => TEXT }] }.freeze

  SHOP = <<~RUBY
    require "sparpack/rails"
    class Line < Sparpack::Struct
      field 1, :cents, :i64, required: true
      field 2, :note, :string
    end
    class Order < Sparpack::Struct
      field 1, :id, :i64, required: true
      field 2, :status, :i32
      field 3, :lines, list(Line)
      %s
    end
  RUBY

  def self.release(options, fields = "")
    ["require \"active_record\"", format(SHOP, fields),
     format(MODEL, "attribute :order, :sparpack, of: \"Order\", #{options}")].join("\n")
  end

  def setup
    ActiveRecord::Base.establish_connection(SHARED)
    ActiveRecord::Schema.verbose = false
  end

  def teardown = ActiveRecord::Base.connection.drop_table(:deals, if_exists: true)

  def create(type) = ActiveRecord::Base.connection.create_table(:deals) { |table| table.public_send(type, :order) }

  # @return [Object] JSON of the order of a row
  def read(release, id) = release.call("JSON.parse(Deal.find(#{id}).order.to_json)")

  def write(release, order) = release.call("Deal.create!(order: #{order.inspect}).id")

  def change(release, id, name, value)
    key = "deal.order.is_a?(Hash) ? \"#{name}\" : :#{name}"
    release.call("deal = Deal.find(#{id}); deal.order[#{key}] = #{value.inspect}; deal.save!; nil")
  end

  # Each reads what the other has written and changed.
  def share(older, newer, row)
    [[older, newer], [newer, older]].each do |writer, reader|
      id = write(writer, row)

      assert_equal row, read(reader, id)
      change(reader, id, "status", 3)

      assert_equal({ **row, "status" => 3 }, read(writer, id))
      change(writer, id, "id", 8)

      assert_equal({ **row, "status" => 3, "id" => 8 }, read(reader, id))
    end
  end
end
