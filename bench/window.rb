# frozen_string_literal: true

module Bench
  SHORTEST_WINDOW = 0.02 # seconds; in a shorter window the garbage collector may never run

  # A period of CPU time in which a contestant takes many turns.
  # seconds: the time of one turn; gc: the share of garbage collection in it.
  Window = ::Struct.new(:seconds, :gc) do
    class << self
      # @return [Window] the time of `count` turns, starting with a clean heap
      def measure(contestant, count)
        GC.start
        collector = GC.total_time
        start = cpu
        contestant.run(count)
        elapsed = cpu - start
        new(elapsed / count, (GC.total_time - collector) / 1e9 / elapsed)
      end

      # @return [Integer] how many turns fill a window of `time` seconds. Finding out also warms up the contestant.
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
