# frozen_string_literal: true

require "test_helper"
require "support/seeded"
require_relative "../../fuzz/convert"

# Payloads of some random classes. fuzz/convert.rb continues for as long as you like.
class ConverterFuzzTest < Minitest::Test
  include Seeded

  def test_random_classes
    fuzzer = ConvertFuzzer.new(random.seed)
    12.times { fuzzer.step }

    assert_equal %i[converted fused refused], fuzzer.counts.keys.sort
  end
end
