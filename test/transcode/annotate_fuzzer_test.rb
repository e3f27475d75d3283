# frozen_string_literal: true

# bin/test: not sanitized, for the sanitizers make the program so large that compiling it takes most of a minute

require "test_helper"
require "rbconfig"
require "shellwords"
require "support/native_program"

# fuzz/ruby/annotate.cpp runs for as long as you like. Here it gets some thousand inputs.
class AnnotateFuzzerTest < Minitest::Test
  CONFIG = RbConfig::CONFIG
  HEADERS = CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").flat_map { |folder| ["-isystem", folder] }
  # It calls no function of Ruby, but the headers do.
  LIBRARY = ["-L#{CONFIG["libdir"]}", "-Wl,-rpath,#{CONFIG["libdir"]}", *Shellwords.split(CONFIG["LIBRUBYARG"])].freeze
  KEPT = RUBY_PLATFORM.include?("linux") ? ["-Wl,--no-as-needed"] : [] # libraries stand before what uses them
  FLAGS = ["-DSPARPACK_DEBUG", "-O0", *HEADERS, *KEPT, *LIBRARY].freeze

  def test_it_finds_nothing
    output, status = NativeProgram.of("../fuzz/ruby/annotate.cpp", "../fuzz/driver/random.cpp", flags: FLAGS).run("20000")

    assert_predicate status, :success?, output
  end
end
