# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "json"
require_relative "../../bench/pages"

# The pages and the picture show the numbers of figures.json, and these are what the reports say.
class BenchPagesTest < Minitest::Test
  ROOT = Bench::Pages::ROOT

  def test_the_pages_show_the_numbers_of_the_last_run
    Bench::Pages.new(Bench::Figures.load).texts.each do |path, text|
      assert_equal text, File.read(File.join(ROOT, path), encoding: "UTF-8"), "#{path}: run bin/bench --redraw"
    end
  end

  def test_each_place_of_a_page_has_numbers
    pages = Bench::Pages::PAGES.map { |path| File.read(File.join(ROOT, path), encoding: "UTF-8") }.join

    assert_equal %w[brief machine memory slower].union(Bench::Figures::TABLES.keys).sort,
                 pages.scan(/^<!-- figures: (\w+) -->$/).flatten.sort
  end

  # Each row that the README and the picture take from a table is there.
  def test_what_is_shown_in_short_has_a_row
    places = Bench::Pages::BRIEF.map { |_, table, row,| [table, row] }
    places += Bench::Pages::PANELS.values.flatten(1).map { |_, table, row,| [table, row] }

    assert_empty(places.reject { |table, row| Bench::Figures::TABLES.fetch(table).rows.key?(row) })
  end

  def test_a_number_is_the_median_of_the_ratios_of_all_rounds
    rows = [row("sparpack", [2.0, 1.0, 1.0]), row("json", [4.0, 3.0, 9.0])]
    figures = Bench::Figures.measured("struct_json" => report(rows))
    row = "`JSON.generate` and `JSON.parse` of a Hash"

    assert_in_delta 3.0, figures.at("json", row, 0)
    assert_nil figures.at("json", row, 1)
    assert_includes figures.table("json"), "| #{row} | 3.0 |  |\n"
    refute_includes figures.table("json"), "doubles of 17 digits"
  end

  def test_what_is_slower_is_found_without_asking
    rows = [row("sparpack", [1.0]), row("json", [0.9]), row("oj", [0.99]), row("floor", [0.5]), row("msgpack", [2.0])]
    figures = Bench::Figures.measured("struct_json" => report(rows))

    assert_equal "| struct_json, listing: encode | json | 0.90 |", figures.slower.lines.last.chomp
    assert_equal 3, figures.slower.lines.size
  end

  def test_memory_is_shown_by_work_and_peer
    memory = [{ "document" => "db", "peer" => "sparpack", "bytes" => 9, "pack" => 1.07, "unpack" => 3.71 },
              { "document" => "db", "peer" => "json", "bytes" => 9, "pack" => 2.08, "unpack" => nil }]
    figures = Bench::Figures.measured("message_pack" => report([]).merge("memory" => memory))

    assert_equal "|  | sparpack | json |\n| --- | --- | --- |\n| db: pack | 1.1 | 2.1 |\n| db: unpack | 3.7 |  |\n",
                 figures.memory
  end

  private

  def row(peer, windows)
    { "document" => "listing", "operation" => "encode", "peer" => peer, "variant" => nil, "wire" => nil,
      "windows" => windows }
  end

  def report(results) = { "ruby" => "ruby 3.1.2", "versions" => {}, "results" => results }
end
