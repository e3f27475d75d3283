# frozen_string_literal: true

require "minitest"
require "timeout"
require_relative "patience"

# Every wait of a test ends, and the failure says what it waited for. bin/test ends what cannot be interrupted, such as a
# loop in native code.
module Deadline
  SECONDS = 120

  # @param what [String] what the block waits for
  # @yield waits for threads, Ractors, a queue, an io or a lock
  # @return [Object] what the block returns
  # @raise [Minitest::Assertion] if it does not return in time
  def within(what, seconds: SECONDS, &wait)
    seconds = Patience.of(seconds)
    Timeout.timeout(seconds, Minitest::Assertion, "waited #{seconds} s for #{what}", &wait)
  end

  # @yieldparam seed [Integer] 0, 1, …
  # @return [Array] what the block returned in each thread
  def in_threads(count, &block)
    finish(Array.new(count) { |seed| Thread.new(seed, &block) })
  end

  # @param threads [Array<Thread>]
  # @return [Array] their values
  # @raise [Minitest::Assertion] if one does not end in time; says where it is
  def finish(threads, seconds: SECONDS)
    within("#{threads.size} threads", seconds:) { threads.map(&:value) }
  rescue Minitest::Assertion => e
    waiting = threads.select(&:alive?)
    raise if waiting.empty?

    places = waiting.map { |thread| thread.backtrace&.first(5)&.join("\n    ") }
    raise Minitest::Assertion, "#{e.message}: these have not ended\n    #{places.join("\n\n    ")}"
  ensure
    threads.each(&:kill)
  end
end
