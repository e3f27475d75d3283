# frozen_string_literal: true

# Runs a fuzzer that is written in Ruby for some seconds, as `ruby -Ilib fuzz/NAME.rb [SECONDS [SEED]]`.
module Seconds
  # Prints the seed, so that a run can be repeated, and in the end how many cases had each outcome.
  #
  # @param fuzzer_class [Class] made with a seed; has `step` and `counts`
  # @param arguments [Array<String>]
  # @return [void]
  def self.run(fuzzer_class, arguments)
    seconds = Float(arguments.fetch(0, 60))
    fuzzer = fuzzer_class.new(p(Integer(arguments.fetch(1) { Random.new_seed % 0xffff_ffff })))
    stop = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
    fuzzer.step while Process.clock_gettime(Process::CLOCK_MONOTONIC) < stop
    p fuzzer.counts
  end
end
