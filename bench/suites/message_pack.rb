# frozen_string_literal: true

require_relative "../bars"
require_relative "../footprint"
require_relative "../group"
require_relative "../peers"
require_relative "../streams"
require_relative "../table"
require_relative "../values"

module Bench
  module Suites
    # Measures how Sparpack, the msgpack gem, JSON and Oj pack and unpack documents without a schema.
    class MessagePack
      include Bars::Demands

      # Sparpack, with the plain methods.
      class Ours < HashPeer
        self.title = Group::OURS

        class << self
          def version = ::Sparpack::VERSION
        end

        private

        def ways = [Way.new(nil, "::Sparpack::MessagePack.pack(object)", "::Sparpack::MessagePack.unpack(input)", {})]
      end

      # Allocates the same objects without reading anything.
      class Allocation < Peer
        self.title = "floor"

        class << self
          def missing = Peers::Floor.missing
          def version = nil
        end

        def contestants
          { encode: [], decode: [contestant("floor.copy(object)", variant: "allocation", floor: Bench::Floor,
                                                                  object: @document.value, check: method(:document?))] }
        end
      end

      PEERS = [Ours, Allocation, Peers::MessagePack, Peers::JSON, Peers::Oj].freeze
      PARTS = [*Values.all.map(&:name), "streams", "types", "growth", "memory"].freeze

      # The required multiples of the gem's speed when unpacking and when packing, then of its best mode when unpacking, and
      # whether JSON.parse has to be slower.
      DEMANDS = {
        "db" => [1.7, 1.3, 1.3, true], "tweets" => [1.7, 1.3, 1.3, true], "integers" => [1.4, 1.8], "points" => [1.4, 1.8],
        "blogs" => [1.2, 1.2], "small" => [3, 3]
      }.freeze

      # The sizes in bytes of the arrays of Integers.
      SIZES = [1_000_000, 100_000_000].freeze

      # memory: an Array of Footprint::Row
      attr_reader :groups, :growth, :memory

      # @param peers [Array<Class>] the peers that are installed
      # @param parts [Array<String>] some of PARTS
      # @param time [Float] seconds per window
      # @param rounds [Integer]
      def initialize(peers, parts: PARTS, time: 0.02, rounds: 20)
        @peers = peers
        @parts = parts
        @options = { time:, rounds: }
        @groups = []
        @growth = []
        @memory = []
      end

      # @yieldparam table [String] each table as soon as it is measured
      # @return [self]
      def run(&)
        measure_memory(&) if @parts.include?("memory") # first, while the heap has little memory that could be reused
        Values.all.each { |document| measure(document, &) if @parts.include?(document.name) }
        %w[streams types].each { |part| measure_streams(part, &) if @parts.include?(part) }
        measure_growth(&) if @parts.include?("growth")
        yield Table.bars(bars, "bars") unless bars.empty?
        self
      end

      # @return [Array<Bars::Bar>]
      def bars
        DEMANDS.flat_map { |name, demands| of_document(name, *demands) } + of_growth
      end

      private

      def measure(document, &)
        contestants = @peers.map { |peer| peer.new(document).contestants }
        %i[encode decode].each do |operation|
          race(document.name, operation, contestants.flat_map { |by| by[operation] }, &)
        end
      end

      # @param part [String] "streams" or "types"
      def measure_streams(part, &)
        libraries = { Ours => "Sparpack::MessagePack", Peers::MessagePack => "MessagePack" }.slice(*@peers)
        streams = Streams.new(libraries.to_h { |peer, name| [peer.title, Object.const_get(name)] })
        streams.public_send(part).each { |each| race(each.document, each.operation, streams.contestants(each), &) }
      end

      def race(document, operation, contestants)
        group = Group.race(document, operation, contestants, **@options)
        @groups << group
        yield "#{Table.group(group)}\n"
      end

      def measure_memory
        footprint = Footprint.new(@peers.map(&:title))
        @memory = Values.all.reject { |document| document.name == "small" }.flat_map { |each| footprint.rows(each) }
        rows = @memory.map do |row|
          factors = [row.pack, row.unpack].map { |factor| factor && format("%.2f", factor) }
          ["#{row.document}: #{row.peer}", row.bytes, *factors]
        end
        yield "#{Table.table(["peak of memory, per byte", "bytes", "pack", "unpack"], rows)}\n\n"
      end

      def of_document(name, unpack, pack, pool = nil, json = nil)
        decode, encode = %i[decode encode].map { |way| @groups.find { |g| g.document == name && g.operation == way } }
        return [] unless decode

        floor = decode.of("floor").first
        [bar("#{name}: unpack against the gem", unpack, decode, "msgpack", variant: nil),
         *([bar("#{name}: unpack against its best mode", pool, decode, "msgpack")] if pool),
         *([bar("#{name}: unpack against JSON.parse", 1, decode, "json")] if json),
         bar("#{name}: pack against the gem", pack, encode, "msgpack", variant: nil),
         *([at_most("#{name}: unpack over allocation alone", 1.4, 1 / decode.ratio(floor))] if floor)]
      end

      def bar(title, factor, group, peer, **way)
        at_least(title, factor, group.of(peer, **way).filter_map { |result| group.ratio(result) }.min)
      end

      # Nanoseconds per byte at each size.
      def measure_growth
        @growth = SIZES.map do |size|
          list = Values.integers(size / 4, Random.new(7))
          bytes = ::Sparpack::MessagePack.pack(list)
          ways = { unpack: -> { ::Sparpack::MessagePack.unpack(bytes) }, pack: -> { ::Sparpack::MessagePack.pack(list) } }
          ways[:gem_pack] = -> { ::MessagePack.pack(list) } if defined?(::MessagePack)
          { bytes: bytes.bytesize }.merge(ways.transform_values { |way| nanoseconds(way, bytes.bytesize) })
        end
        head = ["growth: integers", *@growth.first.keys.drop(1).map { |key| "#{key} ns/B" }]
        rows = @growth.map { |row| ["#{row[:bytes]} bytes", *row.values.drop(1).map { |time| format("%.3f", time) }] }
        yield "#{Table.table(head, rows)}\n\n"
      end

      def nanoseconds(way, bytes)
        turn = ::Struct.new(:way) { def run(count) = count.times { way.call } }.new(way)
        count = Window.turns(turn, @options[:time])
        Array.new([@options[:rounds], 3].min) { Window.measure(turn, count).seconds }.min / bytes * 1e9
      end

      def of_growth
        return [] if @growth.empty?

        first, last = @growth.values_at(0, -1)
        bars = %i[unpack pack].map do |way|
          at_most("growth: #{way}, time per byte, largest over smallest", 1.2, last[way] / first[way])
        end
        return bars unless last[:gem_pack]

        [*bars, at_least("growth: pack against the gem at the largest", 4, last[:gem_pack] / last[:pack])]
      end
    end
  end
end
