# frozen_string_literal: true

# bin/test: not sanitized, for the sources are the same

require "minitest/autorun"
require "fileutils"
require "rbconfig"
require "tmpdir"
require_relative "../../bin/lib/build"
require_relative "../../ext/makefile"
require_relative "../support/command"

# A new type is one row in KINDS, and the compiler then names what is missing. This adds one to a copy of the sources, and
# compares what the compiler says with the list in docs/design/plan.md. Without the row it says nothing: in CI, warnings stop
# the build.
class NewTypeTest < Minitest::Test
  DOCUMENT = File.read(File.join(Build::ROOT, "docs/design/plan.md"), encoding: Encoding::UTF_8)
  FLAGS = ["-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-I.", '-DSPARPACK_VERSION=""',
           *RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").flat_map { |path| ["-isystem", path] }].freeze
  ROOMS = %w[plan objects declare hashes codec].freeze
  IN_ROOMS = %r{\A(?:#{ROOMS.join("|")})/}
  ROW = 'X(novel, "novel", WireType::i64, Parts::none)'

  def test_the_compiler_names_the_places_of_the_list
    Dir.mktmpdir do |folder|
      FileUtils.cp_r(Build::SOURCE, folder)
      sources = File.join(folder, "sparpack")
      add_row(File.join(sources, "plan/kind.hpp"))

      assert_equal listed, unhandled(sources)
    end
  end

  private

  # @return [Array<String>] the native files that the list names
  def listed
    DOCUMENT[/\*\*How to add a type:\*\*.*?(?=\n\*\*|\n## )/m].scan(%r{`((?:#{ROOMS.join("|")})/\w+\.cpp)`}).flatten.sort
  end

  def add_row(path)
    text = File.read(path)
    list = text.sub(/#define SPARPACK_KINDS\(X\).*\\\n/) { |line| "#{line}    #{ROW} \\\n" }

    refute_equal text, list
    File.write(path, list)
  end

  # @return [Array<String>] the files in which a switch has no case for the new type, also if it is in their headers
  def unhandled(folder)
    named = Makefile.units(folder).grep(/#{IN_ROOMS}|\Aall\.cpp\z/o).flat_map do |unit|
      output, status = Command.capture2e(RbConfig::CONFIG["CXX"], *FLAGS, unit, chdir: folder)

      assert_predicate status, :success?, output
      sources(unit, output)
    end
    named.uniq.grep(IN_ROOMS).sort
  end

  # What an all.cpp includes is compiled with it. The compiler names that file before it warns of it or of its headers.
  def sources(unit, output)
    source = unit
    output.lines.filter_map do |line|
      named  = line[%r{\A(?:In file included from | +from )?([\w/]+\.cpp):}, 1]
      source = named if named && !named.end_with?("/all.cpp")
      source if line.include?("enumeration value")
    end
  end
end
