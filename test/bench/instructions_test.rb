# frozen_string_literal: true

# bin/test: not sanitized, for callgrind cannot run what the sanitizers compiled

require "test_helper"
require "stringio"
require "tmpdir"
require_relative "../../bench/instructions/report"

# Instructions are counted alike each time, and per call.
class InstructionsTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  def test_counts_the_same_each_time
    skip Bench::Instructions.missing if Bench::Instructions.missing

    # Within ten calls, malloc has not yet done its share of the work that it does from time to time.
    few, many = [40, 90].map { |times| Bench::Instructions.count(ROOT, times:, rounds: 2, processes: 1) }

    assert_equal %i[encode decode encode_binary decode_binary pack unpack], few.keys
    few.each do |work, count|
      assert_operator count, :>, 1_000, work
      assert_in_epsilon count, many[work], 0.05, work
    end
  end

  def test_a_failure_shows_what_callgrind_printed
    skip Bench::Instructions.missing if Bench::Instructions.missing

    Dir.mktmpdir do |folder|
      Dir.mkdir(File.join(folder, "lib"))
      error = assert_raises(RuntimeError) { Bench::Instructions.count(folder, times: 1, rounds: 1, processes: 1) }

      assert_match(/\Acallgrind failed:\n.*cannot load such file -- sparpack/m, error.message)
    end
  end

  def test_an_unknown_revision_is_named
    skip "this is not a repository" unless File.exist?(File.join(ROOT, ".git"))
    error = assert_raises(ArgumentError) { Bench::Instructions::Checkout.new("--no-such-thing") }

    assert_equal "--no-such-thing is not a revision of this repository", error.message
  end

  def test_the_table_compares_with_other_revisions
    report = Bench::Instructions::Report.allocate

    assert_equal "12,345,678", report.send(:whole, 12_345_678.4)
    others = [["a", { encode: 100.0 }], ["b", { encode: 104.0 }]]

    assert_equal ["100", "+2.00%", "104", "-1.92%"], report.send(:compared, 102.0, others, :encode)
  end
end
