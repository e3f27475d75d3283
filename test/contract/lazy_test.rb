# frozen_string_literal: true

# Loaded first, so that these tests run over Sparpack's own wires only: see adopted_test.rb.
require "test_helper"
require "support/lazy_reading"

others = %w[adopted lazy test_wires].map { |name| File.join(__dir__, "#{name}_test.rb") }
files = Dir[File.join(__dir__, "*_test.rb")] - others
(files + [File.expand_path("../codec/unknown_test.rb", __dir__)]).each { |file| require file }

module Contract
  # The contract again, for lazy objects: each test of this room asserts the same of what is decoded with `lazy: true`. The
  # tests themselves run where they are.
  module Lazy
    TESTS = Minitest::Runnable.runnables.select { |test| test.include?(::Reading) }.freeze

    TESTS.each do |test|
      const_set(test.name.split("::").last, Class.new(test) { include LazyReading })
      Minitest::Runnable.runnables.delete(test)
    end

    class LazinessTest < Minitest::Test
      def test_most_objects_that_the_contract_reads_sleep
        assert_operator TESTS.size, :>=, 6
        TESTS.each do |test|
          assert_equal test.runnable_methods.sort, Lazy.const_get(test.name[/\w+\z/]).runnable_methods.sort
        end
      end
    end
  end
end
