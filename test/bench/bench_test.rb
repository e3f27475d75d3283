# frozen_string_literal: true

# bin/test: not sanitized, for times under the sanitizers say nothing

require "test_helper"
require "json"
require "stringio"
require "tmpdir"
require_relative "../../bench/cli"
require "support/child"
require "support/command"
require "support/deadline"

# The benchmark runs and judges correctly. These tests do not check how fast anything is, so a window is as short as can be.
module Bench
  remove_const :SHORTEST_WINDOW
  SHORTEST_WINDOW = 0.0001
end

class BenchTest < Minitest::Test
  include Child
  include Deadline

  CLI = File.expand_path("../../bench/cli.rb", __dir__)

  def test_measures_and_writes_json
    report = report { |json| command("--only", "small,values", "--time", "0.02", "--rounds", "1", "--json", json) }
    encode = report["results"].find { |row| row["document"] == "small" && row["operation"] == "encode" }

    assert_equal ["sparpack", "compact", 21, 1.0], encode.values_at("peer", "wire", "bytes", "objects")
    assert_equal %w[attributes decode encode hashes new read], report["results"].map { |row| row["operation"] }.uniq.sort
    assert_equal(["new(**fields) against a Struct with keyword_init"], report["bars"].map { |bar| bar["title"] })
  end

  def test_a_part_has_its_own_bars
    counts = { %w[listing] => 15, %w[values] => 1, %w[growth] => 5, %w[listing growth] => 20, %w[small values] => 1,
               %w[small] => 0, Bench::Suites::Core::PARTS => 21 }

    assert_equal(counts, counts.to_h { |parts, _| [parts, Bench::Suites::Core.new([], parts:).bars.size] })
    assert_empty Bench::Suites::IDL.new([], parts: ["parse"]).bars
    assert_empty Bench::Suites::MessagePack.new([], parts: ["streams"]).bars
  end

  def test_measures_the_idl
    report = bench("--suite", "idl", "--only", "tokens,load")

    load = report["results"][1]

    assert_equal(%w[tokens load], report["results"].map { |row| row["step"] })
    assert_in_delta report["bars"][0]["measured"], load["bytes"] / load["seconds"] / 1e6
  end

  def test_measures_inspecting
    report = bench("--suite", "inspect", "--only", "colors")
    tree = report["results"][0]

    assert_equal(%w[colors], report["results"].map { |row| row["step"] })
    assert_operator tree["bytes"], :>, 9_900_000
    assert_in_delta report["bars"][0]["measured"], tree["bytes"] / tree["seconds"] / 1e6
  end

  def test_measures_message_pack
    report = bench("--suite", "message_pack", "--only", "small,types")

    assert_equal(%w[decode dump encode load], report["results"].map { |row| row["operation"] }.uniq.sort)
    assert_includes report["bars"].map { |bar| bar["title"] }, "small: unpack over allocation alone"
  end

  def test_measures_structs_in_message_pack
    report = bench("--suite", "struct_message_pack")

    assert_equal(%w[array compact ids names], report["results"].filter_map { |row| row["variant"] }.uniq.sort - ["pool"])
    assert_equal([true] * 8, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_plain_classes
    report = bench("--suite", "mapping")

    assert_equal(%w[allocate keywords methods readers], report["results"].filter_map { |row| row["variant"] }.uniq.sort)
    assert_equal([true] * 4, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_converting
    report = bench("--suite", "convert")

    assert_equal(Bench::Suites::Convert::OPERATIONS.map(&:to_s), report["results"].map { |row| row["operation"] }.uniq)
    assert_equal([true] * 4, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_lz4
    report = bench("--suite", "lz4")
    skip report["missing"].first if report["missing"].any?

    assert_equal(%w[compress decompress], report["results"].map { |row| row["operation"] }.uniq)
    assert_equal([true] * 2, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_structs_in_json
    report = bench("--suite", "struct_json")

    assert_equal(["listing: encode against json", "listing: decode against json", "digits: encode against json",
                  "digits: decode against json"], report["bars"].map { |bar| bar["title"] })
    assert_equal([true] * 4, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_structs_in_thrifts_json
    report = bench("--suite", "thrift_json")

    assert_equal(%w[sparpack thrift], report["results"].map { |row| row["peer"] }.uniq.sort)
    assert_equal([true] * 2, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_the_drop_in_for_sparsam
    report = bench("--suite", "sparsam")

    assert_equal(%w[floor sparpack thrift], report["results"].map { |row| row["peer"] }.uniq.sort)
    assert_equal([true] * 5, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_measures_the_drop_in_for_thrift
    report = bench("--suite", "thrift")

    assert_equal(%w[floor sparpack thrift], report["results"].map { |row| row["peer"] }.uniq.sort)
    assert_equal([true] * 15, report["bars"].map { |bar| bar["measured"].positive? })
  end

  def test_streams_do_what_they_are_timed_for
    streams = Bench::Streams.new({ "sparpack" => Sparpack::MessagePack })
    contestants = [*streams.streams, *streams.types].flat_map { |stream| streams.contestants(stream) }

    assert_equal 18, contestants.each(&:verify).size
  end

  def test_measures_memory
    skip "a sanitizer keeps what was freed" if ENV["SPARPACK_MODE"] == "sanitize"
    skip "this system does not tell" unless File.exist?("/proc/self/status")
    document = Bench::Values::Document.new("text", "x" * 1_000_000)
    row = within("the processes that measure") { Bench::Footprint.new(["sparpack"]).rows(document).first }

    assert_equal ["text", "sparpack", 15_000_076], row.to_a.first(3)
    assert_in_delta 1, row.unpack, 0.5
    assert_in_delta 1.5, row.pack, 1
  end

  def test_measures_growth
    rows = in_child do
      Bench::PEERS.each(&:missing)
      JSON.generate(Bench::Growth.new(time: 0.0001, rounds: 1, sizes: [2_000], times: 1..1).run)
    end

    assert_equal [%w[bytes encode repeated by_hand decode xmalloc malloc memory]], JSON.parse(rows).map(&:keys)
  end

  def test_every_document_survives_our_round_trip
    Bench::Documents.all.each do |document|
      contestants = Bench::Peers::Sparpack.new(document).contestants

      contestants.values_at(:encode, :decode, :hashes).flatten.each(&:verify)
    end
  end

  def test_leaves_out_who_is_wrong_but_never_us
    right = contestant("json") { true }
    wrong = contestant("oj") { false }
    group = Bench::Group.race("small", :decode, [right, wrong], time: 0.02, rounds: 1)

    assert_equal [["json"], ["oj"]], [group.results.map { |result| result.contestant.label }, group.left_out]
    assert_raises(Bench::WrongResult) { Bench::Group.race("small", :decode, [contestant("sparpack") { false }]) }
  end

  def test_bars_take_the_fastest_of_the_peers
    bar = bars(seconds: { "sparpack" => 2.0, "json" => 12.0, "msgpack" => 6.0 })

    assert_equal ["at least 3.5", 3.0, false], bar.to_a.last(3)
    assert bars(seconds: { "sparpack" => 2.0, "json" => 12.0, "msgpack" => 7.0 }).met
    assert_nil bars(seconds: { "sparpack" => 2.0 }).met
  end

  def test_bars_of_hashes_are_multiples_of_decode
    seconds = { nil => 2.0, "to_h(deep: true)" => 2.4, "from_h, Symbols" => 3.0, "from_h, Strings" => 3.7 }
    results = seconds.map do |variant, time|
      Bench::Result.new(Bench::Contestant.new("sparpack", "nil", variant:), [Bench::Window.new(time, 0)], 1)
    end
    bars = Bench::Bars.new([Bench::Group.new("listing", :hashes, results)], [], ["listing"]).all.last(3)

    assert_equal([["at most 1.2", 1.2, true], ["at most 1.8", 1.5, true], ["at most 1.8", 1.85, false]],
                 bars.map { |bar| bar.to_a.last(3) })
  end

  def test_names_what_it_does_not_know
    _, error, status = Command.capture3(RbConfig.ruby, CLI.sub("cli.rb", "../bin/bench"), "--speed", "1")

    refute_predicate status, :success?
    assert_match(/invalid option: --speed/, error)
  end

  private

  # In a child, because a drop-in changes a gem that another suite measures.
  def bench(*arguments)
    report do |json|
      in_child { Bench::CLI.new([*arguments, "--time", "0.0001", "--rounds", "1", "--json", json], output: StringIO.new).run }
    end
  end

  # @yieldparam json [String] the path of the file to write
  def report
    Dir.mktmpdir do |folder|
      yield "#{folder}/bench.json"
      JSON.parse(File.read("#{folder}/bench.json"))
    end
  end

  def command(*arguments)
    _, error, status = Command.capture3(RbConfig.ruby, "-r#{CLI}", "-e", "Bench::CLI.new(ARGV).run", "--", *arguments)

    assert_predicate status, :success?, error
  end

  def contestant(peer, &check)
    Bench::Contestant.new(peer, "1 + 1", check:)
  end

  # Returns the line about encode against msgpack and json.
  def bars(seconds:)
    results = seconds.map do |peer, time|
      Bench::Result.new(Bench::Contestant.new(peer, "nil"), [Bench::Window.new(time, 0)], 1)
    end
    Bench::Bars.new([Bench::Group.new("listing", :encode, results)], [], ["listing"]).all[2]
  end
end
