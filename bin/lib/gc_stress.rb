# frozen_string_literal: true

require "minitest"

# What bin/test --gc-stress loads into the processes that run tests. While native code of ours runs, Ruby collects garbage at
# every allocation, so an object that the collector cannot see is soon gone.
#
# A collection takes longer than most calls. So the first calls of a test are stressed, and of later ones fewer and fewer.
# Most collections look at young objects only; in some calls they are complete, and move objects if Ruby can do that.
module GCStress
  # The calls of a test that are all stressed. Of n calls about CALLS * (1 + log(n / CALLS)) are.
  CALLS = 20

  # Of the stressed calls, one of so many has complete collections.
  COMPLETE = 20

  # For GC.stress: collections of young objects.
  YOUNG = 1

  # Whether a class or module, or the one of a singleton class, is ours.
  OURS = Hash.new { |known, owner| known[owner] = owner.to_s.match?(/\A(?:#<Class:)?(?:Sparpack|MessagePack)\b/) }
             .compare_by_identity

  HOOK = TracePoint.new(:c_call, :c_return) { |point| native(point.event) if OURS[point.defined_class] }

  class << self
    def begin(seed)
      @random = Random.new(seed)
      @count = @depth = 0
      HOOK.enable
    end

    def end
      HOOK.disable
      GC.stress = false
    end

    private

    # Calls may be in one another.
    def native(event)
      return GC.stress = false if event == :c_return && (@depth -= 1) < 1
      return unless event == :c_call && (@depth += 1) == 1

      @count += 1
      GC.stress = @random.rand(COMPLETE).zero? || YOUNG if @random.rand(@count) < CALLS
    end
  end

  # For tests: surrounds setup, the test, and teardown.
  module Stressed
    def before_setup
      GCStress.begin(Minitest.seed || 0)
      super
    end

    def after_teardown
      super
    ensure
      GCStress.end
    end
  end

  begin
    GC.auto_compact = true
  rescue NotImplementedError, NoMethodError
    nil # this Ruby does not move objects
  end
  Minitest::Test.prepend(Stressed)
end
