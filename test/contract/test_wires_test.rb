# frozen_string_literal: true

# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

# These have the tests of all wires. The other files of the room are about one wire each.
files = %w[containers headers reading scalars structs].map { |name| File.join(__dir__, "#{name}_test.rb") }
files.each { |file| require file }

module Contract
  # The contract for the wires that only the sanitized build has. For Sparpack's own, adopted_test runs it there.
  module TestWires
    NAMES = (Sparpack::WIRES - %i[compact binary json thrift_json message_pack]).freeze

    Minitest::Runnable.runnables.select { |test| test.include?(::Reading) }.each do |test|
      others = test.public_instance_methods(false).grep(/\Atest_/).grep_v(/_in_(?:sexp|tuple)\z/)
      others.each { |name| test.remove_method(name) }
    end

    # So that the tests above cannot become empty without notice.
    class NamesTest < Minitest::Test
      def test_the_sanitized_build_has_two_more_wires
        tests = Minitest::Runnable.runnables.sum { |test| test.runnable_methods.grep(/_in_(?:sexp|tuple)\z/).size }

        assert_equal (ENV["SPARPACK_MODE"] == "sanitize" ? %i[sexp tuple] : []), NAMES.sort
        assert_operator tests, :>, 200 if NAMES.any?
      end
    end
  end
end
