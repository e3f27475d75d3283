# frozen_string_literal: true

require_relative "document"

module Bench
  # The documents of the core suite. Random ones come from a fixed seed, so every run measures the same bytes.
  module Documents
    LISTING_RECORDS = {
      Neighborhood: [
        Field.new(1, :neighborhoodId, :i64, true),
        Field.new(2, :name, :string, true)
      ],
      ListingLocationUpdate: [
        Field.new(1, :listingId, :i64, true),
        Field.new(2, :offsetLat, :double, true),
        Field.new(3, :offsetLng, :double, true),
        Field.new(4, :locationUpdateTimestamp, :i64, true),
        Field.new(5, :cityId, :i64, false),
        Field.new(6, :canonicalNeighborhoodId, :i64, false),
        Field.new(7, :neighborhoods, [:list, [:record, :Neighborhood]], false)
      ]
    }.freeze

    LISTINGS_RECORDS = {
      **LISTING_RECORDS,
      Listings: [Field.new(1, :listings, [:list, [:record, :ListingLocationUpdate]], true)]
    }.freeze

    NEIGHBORHOODS = %w[Reinickendorf Kreuzberg Friedrichshain Neukoelln Schoeneberg Charlottenburg Tempelhof
                       Zehlendorf Pankow Lichtenberg].freeze

    # The values of the wide document's fields, by type and id.
    SAMPLES = {
      i64: ->(id) { id * 7_919_000_003 }, i32: ->(id) { id * -30_011 }, double: ->(id) { id / 7.0 },
      bool: ->(id) { (id % 4).zero? }, string: ->(id) { "value of field #{id}" }
    }.freeze

    LATIN = "The quick brown fox jumps over the lazy dog, and then it walks home. "
    MIXED = "Größe und Maß: der Fuß läuft über den schönen Käse, naïve façade. "
    JAPANESE = "いろはにほへと散りぬるを我が世誰ぞ常ならむ有為の奥山今日越えて浅き夢見じ酔ひもせず。"

    module_function

    # @return [Array<Document>]
    def all
      [small, listing, varied, wide, deep, numbers_i64, numbers_double, texts]
    end

    def small
      fields = [Field.new(1, :number, :i64, true), Field.new(2, :name, :string, true),
                Field.new(3, :score, :double, false)]
      Document.new("small", { Small: fields }, { "number" => 123_456, "name" => "Mitte", "score" => 0.875 })
    end

    def listing
      Document.new("listing", LISTING_RECORDS, listing_value(0))
    end

    # A message of many listings. Only four of them differ, so that the floor's prepared data stays small at every size.
    def listings(count)
      values = Array.new(4) { |index| listing_value(index) }
      Document.new("listings", LISTINGS_RECORDS, { "listings" => Array.new(count) { |index| values[index % 4] } })
    end

    def listing_value(index)
      {
        "listingId" => 14_821_077 + index, "offsetLat" => 52.5200066 + (index / 64.0),
        "offsetLng" => 13.4049540 - (index / 64.0), "locationUpdateTimestamp" => 1_479_945_600_000 + index,
        "cityId" => 4_123, "canonicalNeighborhoodId" => 272 + index,
        "neighborhoods" => NEIGHBORHOODS.each_with_index.map do |name, place|
          { "neighborhoodId" => 1_000_000 + (place * 7_919) + index, "name" => "#{name} #{index}" }
        end
      }
    end

    # A message of listings of which no two are alike, so that no CPU learns to predict them. The first one has all fields.
    def varied(count = 1000)
      values = varied_values(count)
      Document.new("varied", LISTINGS_RECORDS, { "listings" => [values.first.merge("cityId" => 4_123), *values.drop(1)] })
    end

    # Numbers have all lengths. There are 0 to 19 neighborhoods, whose names have 0 to 24 letters of ASCII, and a tenth of
    # them others, too. A third of the listings has no city.
    # @return [Array<Hash>]
    def varied_values(count, random = Random.new(3))
      Array.new(count) do
        { "listingId" => varint(50, random), "offsetLat" => random.rand * 90, "offsetLng" => random.rand * 180,
          "locationUpdateTimestamp" => varint(45, random), **(random.rand < 0.7 ? { "cityId" => varint(20, random) } : {}),
          "canonicalNeighborhoodId" => varint(20, random),
          "neighborhoods" => Array.new(random.rand(20)) { varied_neighborhood(random) } }
      end
    end

    def varied_neighborhood(random)
      { "neighborhoodId" => varint(30, random), "name" => (random.rand < 0.1 ? "Größe" : "") + ("n" * random.rand(25)) }
    end

    # @return [Integer] one whose length in bits is random
    def varint(bits, random) = random.rand(1 << random.rand(1..bits))

    def wide
      types = SAMPLES.keys
      fields = Array.new(60) { |index| Field.new(index + 1, :"field_#{index + 1}", types[index % types.size], false) }
      Document.new("wide", { Wide: fields }, fields.to_h { |field| [field.name.to_s, SAMPLES[field.type][field.id]] })
    end

    def deep
      fields = [Field.new(1, :level, :i64, true), Field.new(2, :label, :string, true),
                Field.new(3, :child, [:record, :Node], false)]
      value = 20.downto(1).reduce(nil) do |child, level|
        { "level" => level, "label" => "level #{level}", "child" => child }.compact
      end
      Document.new("deep", { Node: fields }, value)
    end

    # Integers of all lengths that fit into a pointer. Larger ones would measure malloc.
    def numbers_i64
      random = Random.new(1)
      values = Array.new(100_000) { random.rand(1 << random.rand(1..61)) * [1, -1].sample(random:) }
      numbers("numbers_i64", :i64, values)
    end

    def numbers_double
      random = Random.new(2)
      numbers("numbers_double", :double, Array.new(100_000) { random.rand(-180.0..180.0) })
    end

    def numbers(name, type, values)
      Document.new(name, { Numbers: [Field.new(1, :values, [:list, type], true)] }, { "values" => values })
    end

    def texts
      fields = [Field.new(1, :latin, :string, true), Field.new(2, :mixed, :string, true),
                Field.new(3, :japanese, :string, true), Field.new(4, :paragraphs, [:list, :string], true)]
      value = { "latin" => LATIN * 120, "mixed" => MIXED * 120, "japanese" => JAPANESE * 64,
                "paragraphs" => Array.new(20) { |index| "#{index}. #{[LATIN, MIXED, JAPANESE][index % 3] * 6}" } }
      Document.new("texts", { Texts: fields }, value)
    end
  end
end
