# frozen_string_literal: true

# bin/test: not sanitized, for times under the sanitizers say nothing

require "test_helper"
require "json"
require_relative "../../bench/cli"
require "support/child"

# A window is as short as can be, as in bench_test.rb.
module Bench
  remove_const :SHORTEST_WINDOW
  SHORTEST_WINDOW = 0.0001
end

# The works of the suite lazy do what they are timed for, and are judged correctly.
class WorkTest < Minitest::Test
  include Child

  SUITE = Bench::Suites::Lazy
  SIZES = { one: 8, many: 8, stream: 11, short: 12, framed: 13, extensions: 20, rendered: 4, large: 3,
            large_values: 1 }.freeze

  def test_measures_reading_a_part
    rows, bars = measure("check", "all", "count")

    assert_equal(["11 payloads, uniform", "11 payloads, varied", "listing, uniform", "listing, varied"],
                 rows.map { |row| row["document"] }.uniq.sort)
    assert_equal(["at least 12", "at least 12", "at least 5", "at least 6", *["at most 1.1"] * 2, *["at most 1.2"] * 2,
                  *["at least 2000"] * 6], bars.map { |bar| bar["required"] })
    assert_equal([true] * 14, bars.map { |bar| bar["measured"].positive? })
  end

  def test_each_way_gives_the_right_result_for_every_payload
    SUITE::WORKS.each do |work|
      inputs = Bench::Inputs.all(work.input, SIZES)

      assert_equal 2, inputs.size unless work.input == :values
      inputs.each { |input| work.contestants(input, titles).each(&:verify) }
    end
  end

  def test_a_wrong_result_is_noticed_for_any_payload
    work = Bench::Work.new(part: "open", input: :one, ours: "lazy.decode(input).listingId",
                           other: "turn < 7 && eager.decode(input).listingId", demands: { faster: { compact: 2 } })
    ours = work.contestants(Bench::Inputs.one(8).last, titles).first

    assert_match(/\Asparpack compact gave a wrong result: \d/, assert_raises(Bench::WrongResult) { ours.verify }.message)
  end

  def test_a_bar_of_an_absent_library_is_not_measured
    work = SUITE::WORKS.find { |each| each.part == "skip" }
    input = Bench::Inputs.values(nil).last
    group = work.race(input, ["sparpack"], time: 0.0001, rounds: 1)

    assert_equal [["sparpack"], [["small: skip, message_pack against msgpack", "at least 20", nil, nil]]],
                 [group.results.map { |result| result.contestant.peer }, work.bars(group, 5).map(&:to_a)]
  end

  def test_bars_are_judged
    demands = { faster: { compact: [1, 1.6] }, slower: { compact: 0.7 }, rate: { compact: [9, 11] } }
    work = Bench::Work.new(part: "check", demands:)
    group = group(nil => 2e-6, "eager" => 3e-6)

    assert_equal([[1.5, true], [0.667, true], [10.0, true]],
                 work.bars(group, 0).map { |bar| [bar.measured.round(3), bar.met] })
    assert_equal [false, true, false], work.bars(group, 1).map(&:met)
  end

  def test_varied_listings_differ
    listings = Bench::Documents.varied_values(200)
    names = listings.flat_map { |listing| listing["neighborhoods"].map { |part| part["name"] } }

    assert_equal Bench::Documents.varied_values(200), listings
    assert_equal((0..19).to_a, listings.map { |listing| listing["neighborhoods"].size }.uniq.sort)
    assert_in_delta 0.7, listings.count { |listing| listing.key?("cityId") } / 200.0, 0.1
    assert_in_delta 0.1, names.count { |name| !name.ascii_only? }.fdiv(names.size), 0.03
  end

  private

  def titles = SUITE::PEERS.reject(&:missing).map(&:title)

  # @return [Array(Array<Hash>, Array<Hash>)] rows and bars
  def measure(*parts)
    written = in_child do
      SUITE::PEERS.each(&:missing)
      run = SUITE.new(SUITE::PEERS, parts:, time: 0.0001, rounds: 1, sizes: SIZES).run { |_table| nil }
      JSON.generate([run.groups.flat_map(&:rows), run.bars.map(&:to_h)])
    end
    JSON.parse(written)
  end

  # A payload has 20 bytes on average.
  def group(seconds)
    results = seconds.map do |variant, time|
      contestant = Bench::Cycling.new("sparpack", "input", variant:, wire: :compact, payloads: ["x" * 10, "x" * 30])
      Bench::Result.new(contestant, [Bench::Window.new(time, 0)], 1)
    end
    Bench::Group.new("listing", "check", results)
  end
end
