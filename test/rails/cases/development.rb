# frozen_string_literal: true

require_relative "support"

# `.thrift` files of an application in development: they are loaded again after a change, also one with a fault, and also if
# Rails removes their module because it has classes of the application, too.
class DevelopmentTest < Minitest::Test
  IDL = <<~THRIFT
    include "common.thrift"
    namespace rb Shop
    struct Order { 1: required i64 id, 2: common.Money total }
  THRIFT

  SmallApplication.write("idl/common.thrift", "namespace rb Common\nstruct Money { 1: i64 cents }")
  SmallApplication.write("idl/shop/order.thrift", IDL)
  SmallApplication.write("app/models/shop/cart.rb", "class Shop::Cart; ORDER = Shop::Order; end")
  SmallApplication.write("app/controllers/orders_controller.rb", <<~RUBY)
    class OrdersController < ActionController::API
      def fields = render(json: { fields: Shop::Order.schema.fields.map(&:name), cart: Shop::Cart::ORDER.equal?(Shop::Order),
                                  money: Shop::Order.schema[:total].type.target.schema.fields.map(&:name) })
    end
  RUBY
  SmallApplication.write("config/initializers/sparpack.rb", "Rails.application.config.sparpack.idl = [\"idl\"]")
  SmallApplication.boot("development") { routes.append { get "/fields", to: "orders#fields" } }

  class << self
    attr_accessor :time # of the last change
  end

  def setup
    change("idl/common.thrift", "namespace rb Common\nstruct Money { 1: i64 cents }")
    change("idl/shop/order.thrift", IDL)
  end

  # Rails sees changes by the time of a file, in whole seconds on some systems, and never one in the future.
  def change(path, text)
    file = File.join(SmallApplication::FOLDER, path)
    before = File.mtime(file)
    File.write(file, text)
    after = self.class.time = [before, self.class.time || before].max + 0.01
    sleep(0.02) while Time.now < after
    File.utime(after, after, file)
  end

  def fields(status = 200)
    session = SmallApplication.session
    session.get "/fields"

    assert_equal status, session.response.status, session.response.body
    JSON.parse(session.response.body) if status == 200
  end

  def test_nothing_changes
    fields
    order = Shop::Order

    assert_equal({ "fields" => %w[id total], "cart" => true, "money" => ["cents"] }, fields)
    assert_same order, Shop::Order
  end

  def test_a_change
    fields
    change("idl/shop/order.thrift", IDL.sub("}", "3: string note }"))

    assert_equal({ "fields" => %w[id total note], "cart" => true, "money" => ["cents"] }, fields)
  end

  def test_a_change_of_an_included_file
    fields
    change("idl/common.thrift", "namespace rb Common\nstruct Money { 1: i64 cents 2: string currency }")

    assert_equal %w[cents currency], fields["money"]
  end

  def test_a_fault_and_its_mending
    fields
    change("idl/shop/order.thrift", IDL.sub("i64", "i46"))
    2.times { fields(500) }
    change("idl/shop/order.thrift", IDL)

    assert_equal %w[id total], fields["fields"]
  end

  def test_files_that_come_and_go
    fields
    SmallApplication.write("idl/new.thrift", "namespace rb Shop\nstruct Fresh {}")
    fields

    assert defined?(Shop::Fresh)
    File.delete(File.join(SmallApplication::FOLDER, "idl/new.thrift"))
    fields

    refute defined?(Shop::Fresh)
  end

  def test_a_change_of_a_class_of_the_application
    fields
    change("app/models/shop/cart.rb", "class Shop::Cart; ORDER = Shop::Order; SIZE = 1; end")

    assert_equal({ "fields" => %w[id total], "cart" => true, "money" => ["cents"] }, fields)
    assert_equal 1, Shop::Cart::SIZE
  end

  # Rails' options take any name.
  def test_a_misspelt_option
    config = Rails.application.config.sparpack
    config.idls = ["idl"]
    error = assert_raises(ArgumentError) { Sparpack::Rails::Railtie.prepare_idl }

    assert_equal "unknown option :idls of config.sparpack (did you mean :idl?)", error.message
  ensure
    config.delete(:idls)
  end
end
