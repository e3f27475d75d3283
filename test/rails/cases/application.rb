# frozen_string_literal: true

require "minitest/autorun"
require "fileutils"
require "open3"
require "rbconfig"
require "timeout"
require "tmpdir"
require_relative "../../support/patience"

# A small Rails application: development, where classes are loaded again, and production, where all are loaded at the start.
class ApplicationTest < Minitest::Test
  SECONDS = 60

  FILES = {
    "config/application.rb" => <<~RUBY,
      require "rails"
      require "active_model/railtie"
      require "active_record/railtie"
      require "action_controller/railtie"
      require "sparpack/rails" # as Bundler does

      class Application < Rails::Application
        config.load_defaults 7.1
        config.root = File.expand_path("..", __dir__)
        config.eager_load = Rails.env.production?
        config.enable_reloading = Rails.env.development?
        config.secret_key_base = "x" * 30
        config.logger = Logger.new(nil)
        config.hosts.clear # development refuses those that it does not know
        config.active_support.deprecation = :raise
      end
    RUBY
    "config/routes.rb" => "Rails.application.routes.draw { resources :invoices, only: %i[create show] }",
    "config/database.yml" => <<~YAML,
      default: &default
        adapter: sqlite3
        database: invoices.sqlite3
      development: *default
      production: *default
    YAML
    "app/models/application_record.rb" => <<~RUBY,
      class ApplicationRecord < ActiveRecord::Base
        primary_abstract_class
      end
    RUBY
    "app/models/invoice.rb" => <<~RUBY,
      class Invoice < ApplicationRecord
        attribute :order, :sparpack, of: "Shop::Order"
        validates :order, sparpack: true
      end
    RUBY
    "app/models/search.rb" => <<~RUBY,
      class Search
        include ActiveModel::Attributes
        attribute :order, :sparpack, of: "Shop::Order"
      end
    RUBY
    "app/structs/shop/line.rb" => <<~RUBY,
      class Shop::Line < Sparpack::Struct
        field 1, :cents, :i64, required: true
      end
    RUBY
    "app/structs/shop/order.rb" => <<~RUBY,
      class Shop::Order < Sparpack::Struct
        field 1, :id, :i64, required: true
        field 2, :lines, list("Line")
      end
    RUBY
    "app/controllers/invoices_controller.rb" => <<~RUBY
      class InvoicesController < ActionController::API
        wrap_parameters false

        def create
          invoice = Invoice.new(params.require(:invoice).permit(order: Sparpack::Rails.permit(Shop::Order)))
          return render json: { id: invoice.id, order: invoice.order } if invoice.save

          render json: { errors: invoice.errors.map { |error| error.options[:path] }, order: invoice.order }, status: 422
        end

        def show = render(json: Invoice.find(params[:id]).order)
      end
    RUBY
  }.freeze

  # Requests as a browser and a program send them.
  START = <<~RUBY
    require File.join(Dir.pwd, "config/application")
    Rails.application.initialize!
    require "rack/mock"
    require "json"
    ActiveRecord::Schema.verbose = false
    ActiveRecord::Schema.define { create_table(:invoices, if_not_exists: true) { |table| table.binary :order } }
    def post(body, type = "application/x-www-form-urlencoded")
      answer = Rack::MockRequest.new(Rails.application).post("/invoices", input: body, "CONTENT_TYPE" => type)
      [answer.status, JSON.parse(answer.body)]
    end
    def get(id) = JSON.parse(Rack::MockRequest.new(Rails.application).get("/invoices/\#{id}").body)
  RUBY

  REQUESTS = <<~RUBY
    form = "invoice[order][id]=7&invoice[order][lines][0][cents]=500&invoice[order][admin]=1"
    status, made = post(form)
    p status, made["order"], get(made["id"])
    p post('{"invoice":{"order":{"id":8,"lines":[{"cents":5}]}}}', "application/json").first
    p post("invoice[order][id]=x&invoice[order][lines][0][cents]=5,00")
    p Search.new.tap { |search| search.order = { id: 1 } }.order.id
  RUBY

  ANSWERS = ["200", '{"id"=>7, "lines"=>[{"cents"=>500}]}', '{"id"=>7, "lines"=>[{"cents"=>500}]}', "200",
             '[422, {"errors"=>["id", "lines[0].cents"], "order"=>{"id"=>"x", "lines"=>[{"cents"=>"5,00"}]}}]', "1"].freeze

  def setup
    @folder = Dir.mktmpdir("application")
    FILES.each { |path, source| write(path, source) }
    write("app/structs/shop.rb", "module Shop; end\n")
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_production
    assert_equal(ANSWERS, run_in("production", "#{START}#{REQUESTS}").lines(chomp: true).map { |line| plain(line) })
  end

  def test_production_loads_everything_at_the_start
    said = run_in("production", "#{START} p $LOADED_FEATURES.grep(/invoice.rb|order.rb/).size")

    assert_equal "2", said.lines.first.chomp
  end

  def test_development
    assert_equal(ANSWERS, run_in("development", "#{START}#{REQUESTS}").lines(chomp: true).map { |line| plain(line) })
  end

  # A struct is edited while the server runs. An object of the older definition is carried over.
  def test_reloading
    said = run_in("development", <<~RUBY)
      #{START}
      old = Shop::Order.new(id: 7, lines: [Shop::Line.new(cents: 500)])
      id = Invoice.create!(order: old).id
      type = Invoice.type_for_attribute(:order)
      path = "app/structs/shop/order.rb"
      File.write(path, File.read(path).sub("end", "  field 3, :customer, :string\\nend"))
      File.utime(Time.now - 5, Time.now - 5, path) # times in the future are not looked at
      p get(id)
      p Shop::Order.equal?(old.class), Shop::Order.members
      invoice = Invoice.find(id)
      p invoice.order.customer, type.deserialize(old.encode).customer
      invoice.order = old
      p invoice.order.class.equal?(Shop::Order), invoice.changed?
      invoice.update!(order: { id: 7, customer: "Ada" })
      p get(id)
    RUBY

    assert_equal(['{"id"=>7, "lines"=>[{"cents"=>500}]}', "false", "[:id, :lines, :customer]", "nil", "nil", "true", "false",
                  '{"id"=>7, "customer"=>"Ada"}'], said.lines(chomp: true).map { |line| plain(line) })
  end

  def write(path, source)
    path = File.join(@folder, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, source)
    File.utime(Time.now - 60, Time.now - 60, path)
  end

  # Since Ruby 3.4, a Hash shows itself with spaces.
  def plain(line) = line.gsub(" => ", "=>")

  def run_in(environment, script)
    Timeout.timeout(Patience.of(SECONDS)) do
      output, status = Open3.capture2e({ "RAILS_ENV" => environment }, RbConfig.ruby, "-W0", "-e", script, chdir: @folder)

      assert_predicate status, :success?, output
      return output
    end
  end
end
