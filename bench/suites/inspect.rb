# frozen_string_literal: true

require_relative "../bars"
require_relative "../documents"
require_relative "../peers"
require_relative "../table"
require_relative "../window"

module Bench
  module Suites
    # Measures how much of a large payload `sparpack inspect` shows in a second. The payload is a list of listings.
    class Inspect
      PEERS = [Bench::Peers::Sparpack].freeze
      BYTES = 10_000_000
      PARTS = %w[colors tree text json].freeze

      # MB per second that must be shown on a terminal, which gets colours.
      DEMAND = 50

      # A format. `run(count)` writes the payload that many times.
      Step = ::Struct.new(:name, :inspector, :format, :options) do
        def run(count)
          File.open(File::NULL, "w") { |file| count.times { inspector.write(file, format, **options) } }
        end
      end
      Row = ::Struct.new(:step, :seconds, :bytes, :gc) do
        def rate = bytes / seconds / 1e6
      end

      # The results, in the form of the report.
      Rows = ::Struct.new(:all) do
        def rows = all.map(&:to_h)
      end

      attr_reader :growth

      # @param _peers [Array<Class>] ignored: there is only one
      # @param parts [Array<String>] some of PARTS
      # @param time [Float] seconds per window; one turn takes longer
      # @param rounds [Integer] the best of them counts; five are enough
      def initialize(_peers, parts: PARTS, time: 0.02, rounds: 20)
        @parts = parts
        @rounds = [rounds, 5].min
        @time = time
        @growth = []
        @rows = []
      end

      # @yieldparam table [String]
      # @return [self]
      def run
        bytes, type = payload
        inspector = ::Sparpack::Inspector.new(bytes, type, from: :compact)
        @rows = steps(inspector).map { |step| measure(step, bytes.bytesize) }
        yield "#{table(bytes)}\n\n"
        yield Table.bars(bars, "bars") unless bars.empty?
        self
      end

      def groups = [Rows.new(@rows)]

      def bars
        tree = @rows.find { |row| row.step == "colors" } or return []
        [Bars::Bar.new("a tree with colours: MB of the payload per second", "at least #{DEMAND}", tree.rate,
                       tree.rate >= DEMAND)]
      end

      private

      # @return [Array(String, Class)]
      def payload
        listing = Bench::Peers::Sparpack.new(Documents.listing).send(:object)
        type = Class.new(::Sparpack::Struct) { field 1, :listings, list(listing.class) }
        [type.new(listings: [listing] * (BYTES / listing.encode.bytesize)).encode, type]
      end

      # `tree` is what a pipe gets.
      def steps(inspector)
        @parts.map do |name|
          name == "colors" ? Step.new(name, inspector, :tree, { color: true }) : Step.new(name, inspector, name.to_sym, {})
        end
      end

      def measure(step, bytes)
        count = Window.turns(step, @time)
        best = Array.new(@rounds) { Window.measure(step, count) }.min_by(&:seconds)
        Row.new(step.name, best.seconds, bytes, best.gc)
      end

      def table(bytes)
        Table.table(["inspect of #{bytes.bytesize} bytes, compact", "seconds", "MB/s", "in GC"], @rows.map do |row|
          [row.step, format("%.3f", row.seconds), format("%.1f", row.rate), format("%d%%", row.gc * 100)]
        end)
      end
    end
  end
end
