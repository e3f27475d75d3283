# frozen_string_literal: true

require_relative "../bars"
require_relative "../documents"
require_relative "../group"
require_relative "../growth"
require_relative "../peers"

module Bench
  module Suites
    # Measures structs over compact and binary: encode, decode, new, attributes, growth.
    class Core
      PEERS = Bench::PEERS
      PARTS = ["values", "growth", *Documents.all.map(&:name)].freeze
      GROWTH_ROUNDS = 2 # each goes up to 100 MB, which takes a minute

      attr_reader :groups, :growth

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
      end

      # @yieldparam table [String] each table as soon as it is measured
      # @return [self]
      def run(&)
        # This runs first, while the heap is small. A large heap delays garbage collection and scatters new objects.
        measure_values(&) if @parts.include?("values")
        measure_growth(&) if @parts.include?("growth") && (@peers & [Peers::Sparpack, Peers::Floor]).size == 2
        Documents.all.each { |document| measure(document, &) if @parts.include?(document.name) }
        yield Table.bars(bars) unless bars.empty?
        self
      end

      # @return [Array<Bars::Bar>]
      def bars = Bars.new(@groups, @growth, @parts).all

      private

      def measure(document, &)
        race(document, @peers.map { |peer| peer.new(document).contestants }, &)
      end

      def measure_values(&)
        document = Documents.listing
        race(document, @peers.select { |peer| peer < RecordPeer }.map { |peer| peer.new(document).values }, &)
      end

      # @param contestants [Array<Hash{Symbol => Array<Contestant>}>] the contestants of each peer, by operation
      def race(document, contestants)
        contestants.flat_map(&:keys).uniq.each do |operation|
          group = Group.race(document.name, operation, contestants.flat_map { |by| by[operation] || [] }, **@options)
          @groups << group
          yield "#{Table.group(group)}\n"
        end
      end

      def measure_growth
        rounds = [@options[:rounds], GROWTH_ROUNDS].min
        @growth = Growth.new(time: @options[:time], rounds:).run
        yield "#{Table.growth(@growth)}\n\n"
      end
    end
  end
end
