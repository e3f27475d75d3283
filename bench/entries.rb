# frozen_string_literal: true

# Measures what Sparpack::Rails::CacheSerializer takes to write and read entries of Rails' caches, against Marshal and
# :message_pack, and a whole store in memory, whose entries are single structs or ten of them. Times are CPU times.
#
#   ruby bench/entries.rb [--time SECONDS] [--rounds N] [--entries N]
require_relative "../bin/lib/setup"
Setup.run(groups: %i[test])

require "active_support"
require "active_support/all"
require "active_support/message_pack"
require "optparse"
require "sparpack/rails"
require_relative "bars"
require_relative "contestant"
require_relative "documents"
require_relative "group"
require_relative "table"

module Bench
  # The entries and what is compared.
  class Entries
    include Bars::Demands

    SERIALIZERS = { Group::OURS => Sparpack::Rails::CacheSerializer, "Marshal" => Marshal,
                    "message_pack" => ActiveSupport::MessagePack::CacheSerializer }.freeze

    # The least factors against each serializer, with structs or with Hashes of the same data.
    BARS = {
      single: { %w[Marshal structs] => 20, %w[Marshal Hashes] => 6, %w[message_pack Hashes] => 2.2 },
      page: { %w[Marshal structs] => 35, %w[message_pack Hashes] => 3 },
      array: { %w[message_pack structs] => 2 },
      store: { %w[Marshal structs] => 5 },
      store_of_ten: { %w[Marshal structs] => 5 }
    }.freeze

    PAGE = 100

    class Neighborhood < Sparpack::Struct
      field 1, :neighborhoodId, :i64, required: true
      field 2, :name, :string, required: true
    end

    class Listing < Sparpack::Struct
      field 1, :listingId, :i64, required: true
      field 2, :offsetLat, :double, required: true
      field 3, :offsetLng, :double, required: true
      field 4, :locationUpdateTimestamp, :i64, required: true
      field 5, :cityId, :i64
      field 6, :canonicalNeighborhoodId, :i64
      field 7, :neighborhoods, list(Neighborhood)
    end

    class Page < Sparpack::Struct
      field 1, :listings, list(Listing)
    end

    def initialize(time:, rounds:, entries:)
      @options = { time:, rounds: }
      hashes = Array.new(entries) { |index| Documents.listing_value(index) }
      listings = hashes.map { |hash| Listing.from_h(hash) }
      @values = {
        single: { "structs" => listings, "Hashes" => hashes },
        array:  { "structs" => listings.each_slice(PAGE).to_a, "Hashes" => hashes.each_slice(PAGE).to_a }
      }
      @values[:page] = { "structs" => @values[:array]["structs"].map { |slice| Page.new(listings: slice) },
                         "Hashes" => @values[:array]["Hashes"].map { |slice| { "listings" => slice } } }
      @values[:store] = @values[:single]
      @values[:store_of_ten] = { "structs" => listings.each_slice(10).to_a }
    end

    def run
      bars = BARS.flat_map do |entry, factors|
        group = Group.race(entry.to_s, :dump_and_load, contestants(entry, factors.keys), **@options)
        puts Table.group(group), nil
        theirs = factors.keys.map { |serializer, form| group.of(serializer, variant: form).first }
        factors.values.zip(factors.keys, theirs).map do |factor, names, each|
          at_least("#{entry}: against #{names.join(" of ")}", factor, group.ratio(each))
        end
      end
      puts Table.bars([*bars, size], "bars")
    end

    private

    def contestants(entry, others)
      [[Group::OURS, "structs"], *others].map do |serializer, form|
        values = @values[entry][form]
        locals = entry.start_with?("store") ? stored(values, serializer) : serialized(values, serializer)
        Contestant.new(serializer, locals.delete(:source), variant: (form unless serializer == Group::OURS), **locals)
      end
    end

    def serialized(values, name)
      serializer = SERIALIZERS.fetch(name)
      { values:, serializer:, entries: values.map { |value| serializer.dump(value) },
        source: "values.each { |value| serializer.dump(value) }; entries.each { |entry| serializer.load(entry) }" }
    end

    def stored(values, name)
      serializer = name == "Marshal" ? :marshal_7_1 : SERIALIZERS.fetch(name) # rubocop:disable Naming/VariableNumber
      store = ActiveSupport::Cache::MemoryStore.new(serializer:, compress: false, size: 1 << 30)
      { values:, store:, source: "values.each_with_index { |value, key| store.write(key, value) }; " \
                                 "values.each_index { |key| store.read(key) }" }
    end

    def size
      ours, theirs = %w[structs Hashes].zip([Group::OURS, "message_pack"]).map do |form, serializer|
        SERIALIZERS.fetch(serializer).dump(@values[:single][form].first).bytesize
      end
      at_most("bytes of an entry, against message_pack of Hashes", 0.55, ours.fdiv(theirs))
    end
  end
end

if $PROGRAM_NAME == __FILE__
  options = { time: 0.1, rounds: 5, entries: 1000 }
  OptionParser.new do |parser|
    parser.on("--time SECONDS", Float)
    parser.on("--rounds N", Integer)
    parser.on("--entries N", Integer)
  end.parse!(into: options)
  Bench::Entries.new(**options).run
end
