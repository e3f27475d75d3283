# frozen_string_literal: true

require "test_helper"
require "rbconfig"
require_relative "../../bin/lib/mutation/rooms"
require_relative "../../bin/lib/mutation/sources"
require "support/command"
require "support/fresh_ruby"

# `rake mutants` shows the mutants that no test notices and that nobody has judged yet.
class MutantsTest < Minitest::Test
  Mutant = Mutation::Sources::Mutant

  SOURCES = File.expand_path("../../ext/sparpack", __dir__)

  def mutant(line, kind = "<") = Mutant.new(1, "wire/a.hpp", 7, line, kind)

  def test_what_is_judged
    judged = Judged.new("a.txt",
                        "# why\nwire/a.hpp: <: if (a < b)\nwire/a.hpp: <: if (a < b)\n\n# or\nwire/a.hpp: never: if (c)\n")
    known = mutant("  if (a < b)")
    changed = mutant("  if (a < b + 1)")

    assert_equal [[], ["wire/a.hpp: <: if (a < b)", "wire/a.hpp: never: if (c)"]],
                 [judged.without([known]), judged.missing([known])]
    assert_equal [changed, known], judged.without([known, changed, known, known])
    assert_empty judged.missing([known, known, mutant("if (c)", "never")])
  end

  def test_mutants
    sources = Mutation::Sources.new
    text = sources.mutate("void f() {\n    if (a < b && !c) g(a + 1);\n}\n", "wire/a.hpp")

    assert_equal ["!", "+", "<", "without operand of &&", "without operand of &&"],
                 sources.mutants.map { |each| each.kind.sub("without !", "!") }.sort
    assert_equal 3, text.lines.size
  end

  def test_conditions_of_several_lines
    sources = Mutation::Sources.new
    text = sources.mutate("    return a == b && c == d &&\n           e;\n", "wire/a.hpp")

    assert_operator text, :include?, "d)) &&\n"
  end

  # A line that is gone, or that has been changed, has to be judged anew.
  def test_judged_lines_exist
    lines = Hash.new { |hash, path| hash[path] = File.readlines(File.join(SOURCES, path), chomp: true).map(&:strip) }
    Mutation::ROOMS.each_key do |room|
      keys = Mutation.judged(room).keys

      assert_empty(keys.reject { |key| key.split(": ", 3).then { |path, _, line| lines[path].include?(line) } }, room)
    end
  end

  # Rake has loaded its own version by then, which need not be that of the Gemfile.
  def test_the_task
    { "" => "Name a room", "jsn" => "There is no room jsn", "json,0" => "0 is no number", "json,1,x" => "After the number" }
      .each do |arguments, message|
        said, status = Command.capture2e(FreshRuby.environment, RbConfig.ruby, "-S", "rake", "mutants[#{arguments}]",
                                         chdir: File.expand_path("../..", __dir__))

        refute_predicate status, :success?
        assert_match(/\A#{message}/, said)
      end
  end
end
