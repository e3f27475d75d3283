# frozen_string_literal: true

# Measures attributes of Active Record that hold structs against `serialize coder: JSON`, which holds Hashes: creating a
# record, loading it and reading one value, and loading, changing and saving it, in a database in memory. The types are
# measured alone, too. Times are CPU times.
#
#   ruby bench/records.rb [--time SECONDS] [--rounds N]
#
# It runs with the gems of test/rails, which it installs if they are not there.
unless defined?(ActiveRecord)
  require_relative "../bin/lib/setup"
  Setup.run(groups: %i[test bench])
  $LOAD_PATH.unshift(File.expand_path("../test", __dir__))
  require "support/rails_gems"
  exec(SideBundle.environment_of("rails", RailsGems::GEMS), RbConfig.ruby, "-W0", "-rbundler/setup", "-ractive_record",
       __FILE__, *ARGV)
end

require "json"
require "optparse"
require "sparpack/rails"
require_relative "bars"
require_relative "contestant"
require_relative "group"
require_relative "table"

module Bench
  # The database, its models and what is compared.
  class Records
    include Bars::Demands

    # How many structs are nested, and the least factors. Active Record itself takes half of the time of loading, and making
    # 250 objects most of the rest. With `lazy: true`, only what is read is made.
    BARS = {
      50 => { create: 3, load: 2, load_lazily: 2, change: 3 },
      10 => { create: 1.4, load: 1.1, change: 1.3, serialize: 8, deserialize: 1.8, changed_in_place: 8 }
    }.freeze

    JSON_PEER = "serialize coder: JSON"

    class Line < Sparpack::Struct
      field 1, :sku, :string, required: true
      field 2, :title, :string, required: true
      field 3, :quantity, :i32, required: true
      field 4, :cents, :i64, required: true
      field 5, :tax, :double
      field 6, :gift, :bool
      field 7, :warehouse, :i32
      field 8, :note, :string
    end

    class Order < Sparpack::Struct
      field 1, :id, :i64, required: true
      field 2, :customer, :string, required: true
      field 3, :placed, :i64
      field 4, :lines, list(Line)
    end

    def initialize(time:, rounds:)
      @options = { time:, rounds: }
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      ActiveRecord::Schema.verbose = false
      ActiveRecord::Schema.define do
        create_table(:structs) { |table| table.binary :order }
        create_table(:hashes) { |table| table.text :order }
      end
      @structs = Class.new(ActiveRecord::Base) do
        self.table_name = "structs"
        attribute :order, :sparpack, of: "Bench::Records::Order"
      end
      @lazy = Class.new(@structs) { attribute :order, :sparpack, of: "Bench::Records::Order", lazy: true }
      @hashes = Class.new(ActiveRecord::Base) do
        self.table_name = "hashes"
        serialize :order, coder: JSON
      end
    end

    def run
      bars = BARS.flat_map do |nested, factors|
        factors.map do |operation, factor|
          group = Group.race("#{nested} nested structs", operation, send(operation, nested), **@options)
          puts Table.group(group), nil
          at_least("#{nested} nested: #{operation}", factor, group.ratio(group.of(JSON_PEER).first))
        end
      end
      puts Table.bars(bars, "bars (against #{JSON_PEER})")
    end

    private

    def value(nested)
      lines = Array.new(nested) do |index|
        { "sku" => "A-#{10_000 + (index * 37)}", "title" => "Floor lamp, brass, number #{index}",
          "quantity" => 1 + (index % 4), "cents" => 1_999 + (index * 101), "tax" => 0.19, "gift" => index.even?,
          "warehouse" => 40 + (index % 7), "note" => "Leave it at the door of number #{index}" }
      end
      { "id" => 14_821_077, "customer" => "Ada Lovelace", "placed" => 1_479_945_600_000, "lines" => lines }
    end

    def struct(nested) = Order.from_h(value(nested))

    def pair(ours, theirs, ours_locals, theirs_locals = ours_locals, ours_variants = {})
      [Contestant.new(Group::OURS, ours, **ours_locals),
       *ours_variants.map { |variant, (source, locals)| Contestant.new(Group::OURS, source, variant:, **locals) },
       Contestant.new(JSON_PEER, theirs, **theirs_locals)]
    end

    def create(nested)
      hash = value(nested)
      pair("model.create!(order:)", "model.create!(order:)", { model: @structs, order: struct(nested) },
           { model: @hashes, order: hash }, { "of a Hash" => ["model.create!(order:)", { model: @structs, order: hash }] })
    end

    def load(nested, model = @structs)
      ours, theirs = places(nested)
      pair("model.find(id).order.placed", "model.find(id).order['placed']", { **ours, model: }, theirs)
    end

    def load_lazily(nested) = load(nested, @lazy)

    def change(nested)
      pair("record = model.find(id); record.order.placed += 1; record.save!",
           "record = model.find(id); record.order['placed'] += 1; record.save!", *places(nested))
    end

    def places(nested)
      [[@structs, struct(nested)], [@hashes, value(nested)]].map do |model, order|
        model.delete_all
        { model:, id: model.create!(order:).id }
      end
    end

    def serialize(nested)
      pair("type.serialize(object)", "type.serialize(object)", *types(nested))
    end

    def deserialize(nested) = pair("type.deserialize(raw)", "type.deserialize(raw)", *types(nested))

    def changed_in_place(nested)
      pair("type.changed_in_place?(raw, object)", "type.changed_in_place?(raw, object)", *types(nested))
    end

    def types(nested)
      [[@structs, struct(nested)], [@hashes, value(nested)]].map do |model, object|
        type = model.type_for_attribute("order")
        raw = type.serialize(object)
        { type:, object:, raw: raw.is_a?(String) ? raw : raw.to_s }
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  options = { time: 0.1, rounds: 10 } # shorter windows depend on when garbage is collected
  OptionParser.new do |parser|
    parser.on("--time SECONDS", Float)
    parser.on("--rounds N", Integer)
  end.parse!(into: options)
  Bench::Records.new(**options).run
end
