# frozen_string_literal: true

require_relative "support"
require "active_record"
require "rails/generators"
require "rake"
require "shellwords"
require "stringio"

# The generators, found by Rails and run in a small application, which then loads what they wrote.
class GeneratorsTest < Minitest::Test
  FILES = %w[config/initializers/sparpack.rb idl/.keep lib/tasks/sparpack.rake].freeze # that `install` writes
  MODELS = { "invoice" => "class Invoice < ApplicationRecord\n  belongs_to :customer\nend\n",
             "admin/link_to_page" => "module Admin\n  class LinkToPage < ApplicationRecord\n  end\nend\n" }.freeze

  class << self
    # @return [String] what the generator printed
    def run_generator(name, *arguments, behavior: :invoke)
      before = $stdout
      $stdout = StringIO.new
      Rails::Generators.invoke("sparpack:#{name}", arguments, behavior:, destination_root: SmallApplication::FOLDER,
                                                              debug: true)
      $stdout.string
    ensure
      $stdout = before
    end
  end

  # The application boots with what the first one wrote.
  INSTALLED = run_generator("install")
  SmallApplication.write("idl/shop.thrift", "namespace rb Shop\nstruct Basket { 1: required i64 totalCents }")
  %w[structs models].each { |folder| SmallApplication.write("app/#{folder}/.keep", "") }
  SmallApplication.boot("development")

  def setup
    MODELS.each { |name, text| SmallApplication.write("app/models/#{name}.rb", text) }
  end

  def teardown
    FileUtils.rm_rf([*Dir[place("app/models/*")], *%w[app/structs/shop app/thrift db].map { |folder| place(folder) }])
  end

  def place(path) = File.join(SmallApplication::FOLDER, path)
  def text(path) = File.read(place(path), encoding: "UTF-8")
  def generate(...) = self.class.run_generator(...)
  def destroy(*arguments) = generate(*arguments, behavior: :revoke)

  def refused(*arguments)
    assert_raises(Rails::Generators::Error) { generate(*arguments) }.message
  end

  def test_rails_finds_them
    assert_output(/^Sparpack:\n  sparpack:attribute\n  sparpack:install\n  sparpack:struct\n/) { Rails::Generators.help }
    { "install" => "idl/.keep", "struct" => "'lines:list<shop/line>'", "attribute" => "--jsonb" }.each do |name, usage|
      assert_includes generate(name, "--help"), usage
    end
  end

  def test_install
    assert_equal FILES, INSTALLED.scan(/create  (\S+)/).flatten
    assert_equal [["idl"], { names: :ruby }], Rails.application.config.sparpack.values_at(:idl, :idl_options)
    assert_equal 5, Shop::Basket.new(total_cents: 5).total_cents
  end

  def test_installed_tasks
    Rake.with_application do |rake|
      Dir.chdir(SmallApplication::FOLDER) do
        load "lib/tasks/sparpack.rake"
        said = assert_raises(SystemExit) { capture_io { rake["sparpack:check"].invoke } }.message

        assert_equal "app/thrift/shop/basket.rb is not up to date: rake sparpack:generate", said
        assert_output("wrote app/thrift/shop/basket.rb\n") { rake["sparpack:generate"].invoke }
        rake.tasks.each(&:reenable)
        assert_silent { rake["sparpack:check"].invoke }
      end
    end
  end

  def test_install_destroyed
    assert_equal FILES, destroy("install", "--pretend").scan(/remove  (\S+)/).flatten
  end

  def test_struct
    said = generate("struct", "shop/order", "id:i64!", "lines:list<shop/line>", "status:Shop::Status", "tags:set<string>",
                    "prices:map<string,list<double>>", "parent:shop/order")

    assert_equal <<~RUBY, text("app/structs/shop/order.rb")
      class Shop::Order < Sparpack::Struct
        field 1, :id, :i64, required: true
        field 2, :lines, list("Shop::Line")
        field 3, :status, "Shop::Status"
        field 4, :tags, set(:string)
        field 5, :prices, map(:string, list(:double))
        field 6, :parent, "Shop::Order"
      end
    RUBY
    assert_equal ["there is no Shop::Line yet", "there is no Shop::Status yet"], said.scan(/missing  (.*)/).flatten
  end

  # The first one names the second one, which is generated later.
  def test_structs_are_loaded_in_any_order
    generate("struct", "shop/parcel", "items:list<shop/item>")
    generate("struct", "shop/item", "price:shop/price", "error:shop/sold_out")
    generate("struct", "shop/price", "cents:i64", "text:string", "--union")
    generate("struct", "shop/sold_out", "message:string", "--exception")
    Rails.application.reloader.reload!
    item = { price: { cents: 5 }, error: { message: "gone" } }

    assert_equal({ items: [item] }, Shop::Parcel.from_h(items: [item]).to_h(deep: true))
    assert_equal [Sparpack::Union, Sparpack::Exception], [Shop::Price, Shop::SoldOut].map(&:superclass)
  end

  def test_a_struct_that_exists
    generate("struct", "shop/order", "id:i64")

    assert_match(/identical  app/, generate("struct", "shop/order", "id:i64"))
    assert_match(/skip  app/, generate("struct", "shop/order", "id:i32", "--skip"))
    assert_includes text("app/structs/shop/order.rb"), ":i64"
    generate("struct", "shop/order", "id:i32", "--force")

    assert_includes text("app/structs/shop/order.rb"), ":i32"
    destroy("struct", "shop/order")

    refute_path_exists place("app/structs/shop/order.rb")
  end

  def test_faults_of_fields
    {
      "id:strng" => 'field id: there is no type "strng" (did you mean string?); a class is written as shop/line, ' \
                    "or Line if it is in no module",
      "id:integer" => /\Afield id: there is no type "integer" \(use i64\);/,
      "id:array" => /"array" \(use list<…>\);/, "id:hash" => /"hash" \(use map<…,…>\);/,
      "id:list<i46>" => /no type "i46" \(did you mean i16\?\)/, "id:lst<i64>" => /no type "lst" \(did you mean list\?\)/,
      "id:list" => "field id: list needs types (as in list<string>)",
      "id:map<string>" => 'field id: expected a comma and the type of the values, found ">" in "map<string>"',
      "id:list<i64" => 'field id: expected >, found nothing in "list<i64"',
      "id:list<>" => 'field id: expected a type, found ">" in "list<>"', "id:i64!!" => /expected the end, found "!"/,
      "id:shop/1x" => '"shop/1x" is not the name of a class (write it as shop/order or Shop::Order)',
      "id" => "field id has no type (write it as id:string)", "1d:i64" => /"1d" is not the name of a field/,
      "id;exit:i64" => /"id;exit" is not the name/, "id:i64);exit(" => /expected the end, found "\);exit\("/,
      "" => /"" is not the name of a field/
    }.each do |field, message|
      assert_operator message, :===, refused("struct", "shop/order", field)
    end
    assert_equal "two fields have the name id", refused("struct", "shop/order", "id:i64", "id:i32")
    refute_path_exists place("app/structs/shop")
  end

  # Also of a misspelt option, which must not be taken for none.
  def test_what_the_shell_learns
    { %w[struct shop/order id] => "field id has no type", %w[struct shop/order id:i64 --unoin] => "--union",
      %w[attribute invoice order shop/basket --jsn] => "--json", %w[install --forc] => "--force" }.each do |words, said|
      _, error = capture_io do
        assert_raises(SystemExit) { Rails::Generators.invoke("sparpack:#{words.first}", words.drop(1)) }
      end

      assert_includes error, said
    end
    refute_path_exists place("app/structs/shop/order.rb")
  end

  def test_faults_of_structs
    assert_match(/required/, refused("struct", "shop/order", "id:i64!", "--union"))
    assert_equal "use --union or --exception, not both", refused("struct", "shop/order", "--union", "--exception")
    assert_equal "Invoice is the name of app/models/invoice.rb (choose another one)", refused("struct", "invoice", "id:i64")
    assert_match(/"shop order" is not the name of a class/, refused("struct", "shop order"))
  end

  def test_a_misspelt_class
    generate("struct", "shop/line", "id:i64")

    assert_match(/there is no Shop::Lime yet \(did you mean Shop::Line\?\)/,
                 generate("struct", "shop/order", "lines:list<shop/lime>"))
  end

  def test_attribute
    generate("attribute", "invoice", "order", "shop/basket")
    migration = Dir[place("db/migrate/*_add_order_to_invoices.rb")].first

    assert_equal <<~RUBY, File.read(migration)
      class AddOrderToInvoices < ActiveRecord::Migration[#{Rails.version.to_f}]
        def change
          add_column :invoices, :order, :binary
        end
      end
    RUBY
    assert_equal <<~RUBY, text("app/models/invoice.rb")
      class Invoice < ApplicationRecord
        attribute :order, :sparpack, of: "Shop::Basket"
        validates :order, sparpack: true
        belongs_to :customer
      end
    RUBY
    destroy("attribute", "invoice", "order", "shop/basket")

    refute_path_exists migration
    assert_equal MODELS["invoice"], text("app/models/invoice.rb")
  end

  # From the generators to a row: the migration, the model and the struct.
  def test_an_attribute_at_work
    generate("struct", "shop/crate", "id:i64!", "labels:map<string,string>")
    SmallApplication.write("app/models/shipment.rb", "class Shipment < ActiveRecord::Base\nend\n")
    generate("attribute", "shipment", "crate", "shop/crate")
    Rails.application.reloader.reload!
    ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
    ActiveRecord::Migration.suppress_messages do
      ActiveRecord::Schema.define { create_table(:shipments) }
      load Dir[place("db/migrate/*_add_crate_to_shipments.rb")].first
      AddCrateToShipments.migrate(:up)
    end
    shipment = Shipment.create!(crate: { id: "7", labels: { "a" => "b" } })

    assert_equal Shop::Crate.new(id: 7, labels: { "a" => "b" }), Shipment.find(shipment.id).crate
    assert_equal ["Crate id: expected i64, found String"],
                 Shipment.new(crate: { id: "seven" }).tap(&:valid?).errors.full_messages
  end

  # The name of this table looks like that of a migration.
  def test_an_attribute_of_a_model_in_a_module
    generate("attribute", "Admin::LinkToPage", "order", "Shop::Basket", "--jsonb")

    assert_includes File.read(Dir[place("db/migrate/*")].first), "add_column :admin_link_to_pages, :order, :jsonb\n"
    assert_equal <<~RUBY, text("app/models/admin/link_to_page.rb")
      module Admin
        class LinkToPage < ApplicationRecord
          attribute :order, :sparpack, of: "Shop::Basket", wire: :json
          validates :order, sparpack: true
        end
      end
    RUBY
    destroy("attribute", "Admin::LinkToPage", "order", "Shop::Basket", "--jsonb")

    assert_equal MODELS["admin/link_to_page"], text("app/models/admin/link_to_page.rb")
  end

  def test_an_attribute_twice
    generate("attribute", "invoice", "order", "shop/basket")

    assert_match(/identical .*\n.*unchanged  app/, generate("attribute", "invoice", "order", "shop/basket"))
    FileUtils.rm(place("app/models/invoice.rb"))
    destroy("attribute", "invoice", "order", "shop/basket")

    assert_empty Dir[place("db/migrate/*")]
  end

  # docs/rails_code.md shows what the generators write.
  def test_the_page
    page = File.read(File.expand_path("../../../docs/rails_code.md", __dir__), encoding: "UTF-8")
    blocks = page.scan(%r{^```(sh|ruby (?:app/structs|app/models|db)/\S+)\n(.*?)^```$}m)
    SmallApplication.write("app/models/invoice.rb", "class Invoice < ApplicationRecord\nend\n")
    blocks.each do |info, block|
      next generate(*Shellwords.split(block[/sparpack:(.*)/, 1]), "--force") if info == "sh"

      path = info.delete_prefix("ruby ").sub("db/migrate/", "db/migrate/*_")
      next if path == "app/models/example.rb" # Sorbet reads it

      block = block.sub("Migration[7.2]", "Migration[#{Rails.version.to_f}]")

      assert_equal block, File.read(Dir[place(path)].first), path
    end
    assert_equal 9, blocks.size
  end

  def test_faults_of_attributes
    assert_equal "there is no app/models/bill.rb (bin/rails generate model bill makes a model)",
                 refused("attribute", "bill", "order", "shop/basket")
    SmallApplication.write("app/models/bill.rb", "Bill = Class.new(ApplicationRecord)\n")
    assert_match(/bill.rb has no line that begins with `class Bill`/, refused("attribute", "bill", "order", "shop/basket"))
    assert_match(/"or der" is not the name of an attribute/, refused("attribute", "invoice", "or der", "shop/basket"))
    assert_match(/"shop.basket" is not the name of a class/, refused("attribute", "invoice", "order", "shop.basket"))
    assert_equal "SmallApplication is no struct, union or exception",
                 refused("attribute", "invoice", "order", "small_application")
    assert_match(/there is no Shop::Bascet yet \(did you mean Shop::Basket\?\)/,
                 generate("attribute", "invoice", "order", "shop/bascet"))
    assert_equal 'app/models/invoice.rb has the line `attribute :order, :sparpack, of: "Shop::Bascet"` already ' \
                 "(change it, or remove it first)", refused("attribute", "invoice", "order", "shop/basket")
    assert_match(/there is no Invoise yet \(did you mean Invoice\?\)/, generate("attribute", "invoice", "first", "Invoise"))
  end
end
