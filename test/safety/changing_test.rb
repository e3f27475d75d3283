# frozen_string_literal: true

require "test_helper"
require "support/changing_bytes"
require "support/child"
require "support/seeded"
require_relative "../../bin/lib/fuzzing/corpus"
require_relative "../../fuzz/ruby/target"
require_relative "../../fuzz/ruby/targets"

# Another thread changes the payloads of the fuzzers' targets while they are read. The results do not matter, but each read
# ends, and stays within the bounds of the bytes. To run it for longer:
#
#     SECONDS=10 bin/test --sanitize test/safety/changing_test.rb
class ChangingTest < Minitest::Test
  include Child
  include Seeded

  SANITIZED = ENV["SPARPACK_MODE"] == "sanitize"
  SECONDS = Float(ENV.fetch("SECONDS", SANITIZED ? 0.1 : 0.05))

  # These make their payloads in a way of their own.
  OTHERS = %w[forms skipped dumps].freeze

  TARGETS = Fuzzing::TARGETS.keys - Fuzzing::IN_RUBY - OTHERS

  # How many targets a run tries, which it chooses at random. Only the sanitizers see most of such faults.
  MOST = SANITIZED ? TARGETS.size : 10

  # Lets another thread change each payload of a target until the target makes the next one.
  module Changing
    attr_accessor :random, :changed

    private

    def each_damaged(choices, made)
      super do |bytes|
        changing = change(bytes)
        2.times { yield changing }
      end
    end

    def payload(...) = change(super)

    def change(bytes)
      self.changed += 1
      @changing = ChangingBytes.begin(bytes, random)
    end
  end

  # The same for payloads that a target damages itself.
  module Damaging
    attr_accessor :changes

    def damaged(...) = super.then { |bytes| changes && bytes.is_a?(String) ? changes.send(:change, bytes) : bytes }
  end

  Fuzzing::Payload.singleton_class.prepend(Damaging)

  def setup = ChangingBytes.prepare

  TARGETS.sample(MOST, random: Random.new(SEED)).each do |name|
    define_method("test_#{name}") do
      changed = in_child(within: 30 + SECONDS) { changes_of(Fuzzing::TARGETS.fetch(name).call, Fuzzing::Corpus.new(name)) }

      assert_operator changed, :>, 0
    end
  end

  private

  # @return [Integer] how many payloads were changed
  def changes_of(target, corpus)
    Fuzzing::Payload.changes = target.extend(Changing)
    target.random = random
    target.changed = 0
    kept = corpus.inputs
    stop = now + SECONDS
    try(target, kept.sample(random:) || random.bytes(100)) while target.changed.zero? || now < stop
    target.changed
  end

  # Whatever a target finds is a change.
  def try(target, input)
    target.run(Fuzzing::Choices.new(input))
  rescue Exception => e # rubocop:disable Lint/RescueException
    raise if e.is_a?(NoMemoryError) || e.is_a?(SignalException)
  ensure
    ChangingBytes.end
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
