# frozen_string_literal: true

require_relative "../child"
require_relative "../inputs"
require_relative "../peers"
require_relative "../table"
require_relative "../window"
require_relative "../work"

module Bench
  module Suites
    # Measures what reads only a part of a message, or only checks it, against decoding all of it; objects in extension types
    # against the msgpack gem; and what writes large messages, or JSON for others. Each work has a uniform input and a varied
    # one.
    class Lazy
      PEERS = [Peers::Sparpack, Peers::MessagePack, Peers::JSON].freeze

      # A source that decodes and reads every field of a listing.
      READ = "decoded = %s.decode(input); #{Documents.listing.reads}".freeze

      # Sources that decode, change one number, and encode.
      CHANGE = "object = %1$s.decode(input); object.cityId = 7; %1$s.encode(object)"
      CHANGE_ONE = "object = %1$s.decode(input); object.listings[place].cityId = 7; %1$s.encode(object)"

      # Sources that convert to JSON on some threads: all of the input as a user does, and the beginning of it by the work
      # alone, which is the same on one thread.
      STREAM = "converter.copy_stream(input, null, threads: %d)"
      CREW = "::Sparpack::Native.convert_many(converter, input, 0, 2 << 20, 1 << 30, %d, 0, 0)" \
             ".sum { |bytes| bytes.is_a?(String) ? bytes.bytesize.tap { bytes.clear } : 0 }"
      TWO_NUMBERS = '"listingId", "offsetLat", as: :packed, frame: :varint, threads: %d'
      COLUMNS = "lazy.columns(input, #{TWO_NUMBERS}).values.map(&:values)".freeze
      SMALL = { peer: Group::OURS, variant: "small messages" }.freeze
      ONE = { peer: Group::OURS, variant: "one thread" }.freeze

      # Sources that collect values of all listings.
      NAMES = '"listings[].neighborhoods[].name"'
      NUMBERS = '"listings[].listingId", "listings[].offsetLat"'
      MAP_NAMES = "[eager.decode(input).listings.map { |listing| listing.neighborhoods.map(&:name) }]"
      MAP_NUMBERS = "listings = eager.decode(input).listings; [listings.map(&:listingId), listings.map(&:offsetLat)]"

      # One or more for each part.
      WORKS = [
        Work.new(part: "check", input: :one, ours: "lazy.check(input)", other: "eager.decode(input)", result: "true",
                 demands: { faster: { compact: [12, 5], binary: [12, 6] } }),
        Work.new(part: "open", input: :one, ours: "lazy.decode(input).listingId", other: "eager.decode(input).listingId",
                 demands: { faster: { compact: [5, 4], binary: [5, 4] } }),
        Work.new(part: "all", input: :one, ours: format(READ, "lazy"), other: format(READ, "eager"),
                 demands: { slower: { compact: [1.1, 1.2], binary: [1.1, 1.2] } }),
        Work.new(part: "many", input: :many, ours: "lazy.decode(input).listings[place].neighborhoods.first.name",
                 other: "eager.decode(input).listings[place].neighborhoods.first.name",
                 demands: { faster: { compact: [7, 5], binary: [7, 5] } }),
        Work.new(part: "change", input: :one, ours: format(CHANGE, "lazy"), other: format(CHANGE, "eager"),
                 demands: { faster: { compact: 1.8, binary: 1.8 } }),
        Work.new(part: "change", input: :many, ours: format(CHANGE_ONE, "lazy"), other: format(CHANGE_ONE, "eager"),
                 demands: { faster: { compact: 4, binary: 4 } }),
        Work.new(part: "dig", input: :many, ours: "lazy.dig(input, :listings, -1, :canonicalNeighborhoodId)",
                 result: "eager.decode(input).listings[-1].canonicalNeighborhoodId",
                 demands: { rate: { compact: [4000, 2500], binary: [10_000, 5000] } }),
        Work.new(part: "patch", input: :many, ours: "lazy.patch(input, [:listings, place, :cityId] => 7)",
                 other: format(CHANGE_ONE, "eager"), demands: { faster: { compact: 12, binary: 12 } }),
        Work.new(part: "columns", operation: "names", input: :many, ours: "lazy.columns(input, #{NAMES}).values",
                 other: MAP_NAMES, demands: { faster: { compact: 4, binary: 4 } }),
        Work.new(part: "columns", operation: "shared names", input: :many,
                 ours: "lazy.columns(input, #{NAMES}, share: true).values", other: MAP_NAMES,
                 demands: { faster: { compact: 10, binary: 10 } }),
        Work.new(part: "columns", operation: "two numbers", input: :many, ours: "lazy.columns(input, #{NUMBERS}).values",
                 other: MAP_NUMBERS, demands: { faster: { compact: 10, binary: 10 } }),
        Work.new(part: "columns", operation: "two numbers, packed", input: :many,
                 ours: "lazy.columns(input, #{NUMBERS}, as: :packed).values.map(&:values)",
                 other: "#{MAP_NUMBERS}.zip(%w[q< E]).map { |column, format| column.pack(\"\#{format}*\") }",
                 demands: { faster: { compact: [20, 10], binary: [20, 10] } }),
        Work.new(part: "count", input: :stream, ours: "lazy.count(input)", result: "records",
                 demands: { rate: { compact: 2000, binary: 2000 } }),
        Work.new(part: "count", operation: "count without a schema", input: :stream,
                 ours: "::Sparpack::MessagePack.count(input)", result: "records", demands: { rate: { message_pack: 2000 } }),
        Work.new(part: "threads", operation: "convert on two threads, CPU", input: :short, ours: format(STREAM, 2),
                 other: format(STREAM, 1), against: ONE, demands: { slower: { compact: 1.1, binary: 1.1 } }),
        Work.new(part: "threads", operation: "the work of two threads, CPU", input: :short, ours: format(CREW, 2),
                 other: format(CREW, 1), against: ONE, demands: { slower: { compact: 1.1, binary: 1.1 } }),
        Work.new(part: "threads", operation: "packed columns on two threads, CPU", input: :framed, ours: format(COLUMNS, 2),
                 other: format(COLUMNS, 1), against: ONE, demands: { slower: { compact: 1.1, binary: 1.1 } }),
        Work.new(part: "skip", input: :values, ours: "unpacker.feed(input); unpacker.skip",
                 other: "gem.feed(input); gem.skip", against: Work::GEM, result: "nil",
                 demands: { faster: { message_pack: 20 } }),
        Work.new(part: "extensions", operation: "pack extension types", input: :extensions, ours: "keywords.dump(objects)",
                 other: "gem.dump(objects)", against: Work::GEM, result: "by_procs.dump(objects)",
                 demands: { faster: { message_pack: 4.5 } }),
        Work.new(part: "extensions", operation: "read extension types by keywords", input: :extensions,
                 ours: "keywords.load(input)", other: "gem.load(gem_input, symbolize_keys: true)", against: Work::GEM,
                 result: "objects", demands: { faster: { message_pack: 2.7 } }),
        Work.new(part: "extensions", operation: "read extension types by allocate", input: :extensions,
                 ours: "allocate.load(input)", other: "gem.load(gem_input, symbolize_keys: true)", against: Work::GEM,
                 result: "objects", demands: { faster: { message_pack: 4.5 } }),
        Work.new(part: "large", operation: "encode, by the byte", input: :large, ours: "eager.encode(large)",
                 other: "times.times { eager.encode(small) }", against: SMALL, result: "input",
                 demands: { slower: { compact: 1.2, binary: 1.2 } }),
        Work.new(part: "large", operation: "pack", input: :large_values, ours: "::Sparpack::MessagePack.pack(values)",
                 other: "::MessagePack.pack(values)", against: Work::GEM, demands: { faster: { message_pack: 5 } }),
        Work.new(part: "to_json", input: :rendered, ours: "objects[turn & last].to_json",
                 other: "::JSON.generate(hashes[turn & last])", against: { peer: "json" },
                 demands: { faster: { json: 2 } })
      ].freeze

      PARTS = WORKS.map(&:part).uniq.freeze

      # Windows are longer than elsewhere. Otherwise garbage of what allocates little would never be collected.
      LONGER = 5

      # The rows of a group, which the process that measured it has written.
      Rows = ::Struct.new(:rows)

      # bars: an Array of Bars::Bar
      attr_reader :groups, :bars

      # @param peers [Array<Class>] the peers that are installed
      # @param parts [Array<String>] some of PARTS
      # @param time [Float] seconds per window, which are made LONGER
      # @param rounds [Integer]
      # @param sizes [Hash] see Inputs::SIZES
      def initialize(peers, parts: PARTS, time: 0.02, rounds: 20, sizes: Inputs::SIZES)
        @peers = peers.map(&:title)
        @works = WORKS.select { |work| parts.include?(work.part) }
        @options = { time: [time, SHORTEST_WINDOW].max * LONGER, rounds: }
        @sizes = sizes
        @groups = []
        @bars = []
      end

      # @yieldparam table [String] each table as soon as it is measured
      # @return [self]
      def run
        @works.each do |work|
          Inputs.all(work.input, @sizes).each_with_index do |input, index|
            table, rows, bars = Child.run { measure(work, input, index) }
            @groups << Rows.new(rows)
            @bars.concat(bars)
            yield "#{table}\n"
          end
        end
        yield Table.bars(bars, "bars")
        self
      end

      # There are no messages of several sizes.
      def growth = []

      private

      # In a process of its own, because a heap on which others have left much room delays garbage collection.
      def measure(work, input, index)
        group = work.race(input, @peers, **@options)
        [Table.group(group), group.rows, work.bars(group, index)]
      end
    end
  end
end
