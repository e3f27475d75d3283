# frozen_string_literal: true

require "test_helper"
require_relative "../../bin/lib/coverage"

# `bin/test --coverage` lists the sides of branches that no test reaches, and that nobody has judged.
class CoverageTest < Minitest::Test
  SOURCES = File.expand_path("../../ext/sparpack", __dir__)

  # What llvm-cov shows of two files. The condition in line 3 is constant; the one in line 4 is so in one copy of a template.
  SHOWN = <<~TEXT
    /here/ext/sparpack/wire/a.hpp:
        3|      9|    if constexpr (Wire::counts) return 1;
      ------------------
      |  Branch (3:19): [Folded - Ignored]
      ------------------
      |  Branch (3:19): [Folded - Ignored]
      ------------------
        4|      9|    if (a < b) return 2;
      ------------------
      |  Branch (4:9): [True: 1.2k, False: 0]
      |  Branch (4:9): [Folded - Ignored]
      ------------------
    /here/ext/sparpack/wire/b.hpp:
        4|      0|    if (c) return 2;
      ------------------
      |  |  Branch (4:9): [True: 0, False: 0]
      ------------------
  TEXT

  LINES = ["", "", "    if constexpr (Wire::counts) return 1;", "    if (a < b) return 2;", "    if (a &&",
           "        b) return;"].freeze

  def test_decided_branches
    assert_equal({ "wire/a.hpp" => [[3, 19]], "wire/b.hpp" => [] }, Coverage::Branches.decided(SHOWN))
  end

  # Copies of a template count together. Code that nothing executes has no counts either, but is listed.
  def test_sides
    branches = [[4, 9, 4, 14, 5, 0], [3, 19, 3, 31, 0, 0], [4, 9, 4, 14, 0, 0], [5, 9, 6, 10, 0, 0]]
    sides = Coverage::Branches.sides("wire/a.hpp", branches, [[3, 19]], LINES)

    assert_equal ["wire/a.hpp:4: a < b [true]", "wire/a.hpp:4: a < b [false]", "wire/a.hpp:5: a && [true]",
                  "wire/a.hpp:5: a && [false]"], sides.map(&:to_s)
    assert_equal [true, false, false, false], sides.map(&:reached?)
    assert_equal "wire/a.hpp: a < b [false]", sides[1].key
  end

  # A condition that is gone, or that has been changed, has to be judged anew.
  def test_judged_conditions_exist
    texts = Hash.new { |hash, path| hash[path] = File.read(File.join(SOURCES, path), encoding: Encoding::UTF_8) }
    Dir.children(SOURCES).each do |room|
      keys = Coverage.judged(room).keys

      assert_empty(keys.reject do |key|
        path, condition = key.match(/\A(\S+): (.*) \[(?:true|false)\]\z/)&.captures
        path&.start_with?("#{room}/") && texts[path].include?(condition)
      end, room)
    end
  end
end
