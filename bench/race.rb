# frozen_string_literal: true

require_relative "allocator"
require_relative "window"

module Bench
  # The result of one contestant: a window for each round, and the number of objects that it allocates per turn.
  Result = ::Struct.new(:contestant, :windows, :objects) do
    # @return [Window] the fastest window, which was disturbed least
    def best = windows.min_by(&:seconds)

    def seconds = best.seconds

    # Returns this contestant's time as a multiple of the other's: the median of the ratios of all rounds. Windows of one
    # round are close in time, so whatever disturbs the machine disturbs both. This ratio repeats within a few percent. The
    # ratio of the best windows, which may be far apart in time, varies by a third.
    def ratio(other)
      ratios = windows.zip(other.windows).map { |mine, its| mine.seconds / its.seconds }.sort
      (ratios[(ratios.size - 1) / 2] + ratios[ratios.size / 2]) / 2
    end
  end

  # Measures contestants in rounds. Each round runs one window of each contestant, in a new order: otherwise what one leaves
  # on the heap would always slow down the same neighbour.
  class Race
    # @param time [Float] seconds per window
    # @param rounds [Integer]
    def initialize(contestants, time:, rounds:)
      @contestants = contestants
      @time = time
      @rounds = rounds
    end

    # @return [Array<Result>] in the order of the contestants
    def run
      Allocator.keep
      turns = @contestants.map { |contestant| Window.turns(contestant, @time) }
      rounds = Array.new(@rounds) do |round|
        order = @contestants.each_index.to_a.shuffle(random: Random.new(round))
        windows = order.to_h { |index| [index, Window.measure(@contestants[index], turns[index])] }
        windows.values_at(*@contestants.each_index)
      end
      @contestants.zip(rounds.transpose).map do |contestant, windows|
        Result.new(contestant, windows, objects(contestant))
      end
    end

    private

    # Counts twice, because the first time fills method caches, which are objects as well.
    def objects(contestant)
      GC.disable
      Array.new(2) do
        before = GC.stat(:total_allocated_objects)
        contestant.run(10)
        (GC.stat(:total_allocated_objects) - before) / 10.0
      end.last
    ensure
      GC.enable
    end
  end
end
