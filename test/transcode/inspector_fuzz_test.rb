# frozen_string_literal: true

require "test_helper"
require "support/seeded"
require_relative "../../fuzz/inspect"

# Some thousand mutated payloads and texts. fuzz/inspect.rb continues for as long as you like.
class InspectorFuzzTest < Minitest::Test
  include Seeded

  def test_mutated_payloads
    fuzzer = InspectFuzzer.new(random.seed)
    1500.times { fuzzer.step }

    assert_equal %i[assembled broken refused whole], fuzzer.counts.keys.sort
  end
end
