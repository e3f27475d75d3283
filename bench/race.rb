# frozen_string_literal: true

require_relative "window"

module Bench
  # How one contestant did: a window for each round, and the objects allocated per turn.
  Result = ::Struct.new(:contestant, :windows, :objects) do
    # @return [Window] the one that was disturbed least
    def best = windows.min_by(&:seconds)

    def seconds = best.seconds

    # How many times the other's time this one takes: in each round, then the median of the rounds. What disturbs the
    # machine for a while disturbs neighbours alike, so this repeats within a few percent where the ratio of the best
    # windows, which may be far apart in time, swings by a third.
    def ratio(other)
      ratios = windows.zip(other.windows).map { |mine, its| mine.seconds / its.seconds }.sort
      (ratios[(ratios.size - 1) / 2] + ratios[ratios.size / 2]) / 2
    end
  end

  # Contestants against each other, round after round over all of them, a window each. In each round they come in another
  # order: what one leaves on the heap would always be the same one's burden.
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

    # Counted twice: the first time fills method caches, which are objects, too.
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
