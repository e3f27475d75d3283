# frozen_string_literal: true

require_relative "bars"
require_relative "table"
require_relative "window"

module Bench
  # A suite that measures how many bytes of one input each step reads in a second. A subclass has PEERS, PARTS, DEMAND (a
  # part, the title of its bar, and the MB per second that it must reach) and with_input, which yields a title for the table,
  # the size of the input in bytes, and what is called for each part.
  class StepSuite
    # Something with a name. `turn` is called again and again.
    Step = ::Struct.new(:name, :turn) do
      def run(count) = count.times { turn.call }
    end

    Row = ::Struct.new(:step, :seconds, :bytes, :gc) do
      def rate = bytes / seconds / 1e6
    end

    # The results, in the form of the report.
    Rows = ::Struct.new(:all) do
      def rows = all.map(&:to_h)
    end

    # @param _peers [Array<Class>] ignored: there is only one
    # @param parts [Array<String>] some of PARTS
    # @param time [Float] seconds per window; one turn takes longer
    # @param rounds [Integer] the best of them counts; five are enough
    def initialize(_peers, parts: self.class::PARTS, time: 0.02, rounds: 20)
      @parts = parts
      @rounds = [rounds, 5].min
      @time = time
      @rows = []
    end

    # @yieldparam table [String]
    # @return [self]
    def run
      title = with_input do |title, bytes, turns|
        @rows = turns.slice(*@parts).map { |name, turn| measure(Step.new(name, turn), bytes) }
        title
      end
      yield "#{table(title)}\n\n"
      yield Table.bars(bars, "bars") unless bars.empty?
      self
    end

    def groups = [Rows.new(@rows)]

    # There are no inputs of several sizes.
    def growth = []

    # @return [Array<Bars::Bar>] that the rate of the step is high enough; empty if it was not measured
    def bars
      name, title, least = self.class::DEMAND
      row = @rows.find { |each| each.step == name } or return []
      [Bars::Bar.new(title, "at least #{least}", row.rate, row.rate >= least)]
    end

    private

    def measure(step, bytes)
      count = Window.turns(step, @time)
      best = Array.new(@rounds) { Window.measure(step, count) }.min_by(&:seconds)
      Row.new(step.name, best.seconds, bytes, best.gc)
    end

    def table(title)
      Table.table([title, "seconds", "MB/s", "in GC"], @rows.map do |row|
        [row.step, format("%.3f", row.seconds), format("%.2f", row.rate), format("%d%%", row.gc * 100)]
      end)
    end
  end
end
