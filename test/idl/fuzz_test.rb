# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require_relative "../../fuzz/idl"

# Some thousand mutated .thrift texts. fuzz/idl.rb continues for as long as you like.
class IDLFuzzTest < Minitest::Test
  def test_mutated_texts
    fuzzer = IDLFuzzer.new(Integer(ENV.fetch("SEED", 20_261_121)))
    4_000.times { fuzzer.step }

    assert_equal %i[generated linker parser], fuzzer.counts.keys.sort
  end
end
