# frozen_string_literal: true

require_relative "race"

module Bench
  # The times of all contestants for one operation on one document; one table.
  class Group
    OURS = "sparpack"

    attr_reader :document, :operation, :results, :left_out

    # Leaves out contestants that give wrong results. If ours does, it raises.
    # @param document [String]
    # @param operation [Symbol]
    def self.race(document, operation, contestants, **options)
      right, wrong = contestants.partition do |contestant|
        contestant.verify
        true
      rescue WrongResult
        raise if contestant.peer == OURS
      end
      new(document, operation, Race.new(right, **options).run, wrong.map(&:label))
    end

    def initialize(document, operation, results, left_out = [])
      @document = document
      @operation = operation
      @results = results
      @left_out = left_out
    end

    # @param way [Hash] variant, wire
    # @return [Array<Result>]
    def of(peer, **way)
      results.select { |result| result.contestant.peer == peer && result.contestant.to_h.slice(*way.keys) == way }
    end

    # Returns our result with the plain methods, over the same wire if we have it, otherwise over compact.
    # @return [Result, nil]
    def ours(wire = nil)
      plain = of(OURS, variant: nil)
      plain.find { |result| result.contestant.wire == wire } || plain.first
    end

    # @return [Float, nil] the result's time as a multiple of ours
    def ratio(result)
      ours = ours(result.contestant.wire)
      result.ratio(ours) if ours
    end

    # @return [Array<Hash>] for JSON
    def rows
      results.map do |result|
        contestant = result.contestant
        { document:, operation:, **contestant.to_h, seconds: result.seconds, ratio: ratio(result),
          objects: result.objects, gc: result.best.gc.round(3), windows: result.windows.map(&:seconds) }
      end
    end
  end
end
