# frozen_string_literal: true

# bin/test: not sanitized, for the sources are the same

require "minitest/autorun"
require_relative "../../bin/lib/package"
require "support/command"

# The style of the sources, as a part of the suite. The summary shows what is wrong.
class LintTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  # RuboCop runs long enough for compiling it to pay, and it makes many objects that soon become garbage. A Ruby that has no
  # YJIT ignores the first variable.
  QUICK = { "RUBY_YJIT_ENABLE" => "1", "RUBY_GC_HEAP_FREE_SLOTS" => "500000" }.freeze

  def test_rubocop
    bundler = { "RUBYOPT" => ENV.fetch("RUBYOPT", nil) } # by which RuboCop finds its plugins
    assert_clean({ **QUICK, **bundler }, "rubocop", "--format", "simple", "--no-color")
  end

  def test_clang_format
    skip "clang-format is missing: apt-get install clang-format" unless Package.found?("clang-format")

    assert_clean("clang-format", "--dry-run", "-Werror", *Dir["ext/**/*.{cpp,hpp}", base: ROOT])
  end

  def test_everything_public_is_documented
    stats = assert_clean("yard", "stats", "--list-undoc", "--no-cache", "--no-save")

    assert_includes stats, "100.00% documented", stats
  end

  private

  # @return [String] what the command printed
  def assert_clean(*command)
    output, status = Command.capture2e(*command, chdir: ROOT, within: 300)

    assert_predicate status, :success?, output.lines.first(40).join
    output
  end
end
