# frozen_string_literal: true

module Bench
  SHORTEST_WINDOW = 0.02 # seconds; shorter ones dodge the garbage collector

  # A stretch of CPU time in which a contestant takes many turns.
  # seconds: of one turn; gc: the share of the garbage collector in them.
  Window = ::Struct.new(:seconds, :gc) do
    class << self
      # @return [Window] what `count` turns took, beginning with a clean heap
      def measure(contestant, count)
        GC.start
        collector = GC.total_time
        start = cpu
        contestant.run(count)
        elapsed = cpu - start
        new(elapsed / count, (GC.total_time - collector) / 1e9 / elapsed)
      end

      # @return [Integer] how many turns fill a window of `time` seconds. Finding out warms up as well.
      def turns(contestant, time)
        time = [time, SHORTEST_WINDOW].max
        count = 1
        loop do
          elapsed = measure(contestant, count).seconds * count
          return (count * time / elapsed).ceil if elapsed >= time / 4

          count = (count * time / [elapsed, time / 100].max).ceil
        end
      end

      private

      def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    end
  end
end
