# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "rbconfig"
require "stringio"
require "tmpdir"
require_relative "../../bin/lib/memcheck"
require_relative "../../bin/lib/test_core"
require_relative "../../bin/lib/test_file"
require "support/command"

# The modes of bin/test that are run by hand: each finds a fault that is planted.
class TestModesTest < Minitest::Test
  BIN  = File.expand_path("../../bin", __dir__)
  SOAK = File.expand_path("../support/soak.rb", __dir__)

  # --- options: what would be ignored, or fail later without a word that helps, is refused at once ------------------------

  REFUSED = {
    "--memchek test/cli" => "There is no option --memchek",
    "--memcheck --soak" => "--memcheck and --soak cannot run at once",
    "--soak test/cli" => "--soak runs no tests",
    "--soak --time soon" => "--time takes a time such as 10m",
    "--time=10m test/cli" => "--time is for --soak",
    "--jobs 0" => "--jobs takes a number",
    "--jobs=-1" => "--jobs takes a number",
    "--patience" => "--patience takes a number",
    "test/cli -n" => "-n takes a value",
    "--ruby" => "--ruby takes a version such as 3.4"
  }.freeze

  REFUSED.each do |arguments, message|
    define_method("test_#{arguments}") do
      said, status = Command.capture2e(RbConfig.ruby, "#{BIN}/test", *arguments.split)

      refute_predicate status, :success?
      assert_equal "#{message}, see bin/test --help\n", said
    end
  end

  # --- memcheck: a small library and a program stand for ours and for Ruby ----------------------------------------------

  LIBRARY = <<~C
    #include <stdlib.h>
    void lose(void) { *(char *)malloc(20) = 1; }
    int read_behind(void) { char *bytes = malloc(30); int read = bytes[30]; free(bytes); return read; }
    int branch(int *number) { return *number == 7 ? 1 : 2; }
  C

  # Has faults of its own, which are not ours.
  PROGRAM = <<~C
    #include <stdlib.h>
    void lose(void);
    int read_behind(void), branch(int *number);
    int main(int count, char **names) {
      int unset[9];
      *(char *)malloc(40) = 1;
      if (unset[count] == 7) return 1;
      if (count > 1) return lose(), read_behind() + branch(unset);
      return 0;
    }
  C

  def test_memcheck
    Dir.mktmpdir do |folder|
      { "ours.c" => LIBRARY, "program.c" => PROGRAM }.each { |name, text| File.write("#{folder}/#{name}", text) }
      compile(folder, "-shared", "-fPIC", "ours.c", "-o", "ours.so")
      compile(folder, "program.c", "#{folder}/ours.so", "-o", "program")
      good, = memcheck(folder)
      bad, told = memcheck(folder, "faulty")

      assert good
      refute bad
      assert_equal 3, told.scan("(1 times)").size, told
      [/Invalid read of size 1\n    read_behind \(ours.c:3\)/, /uninitialised value\(s\)\n    branch \(ours.c:4\)/,
       /20 bytes in 1 blocks are definitely lost .*\n    malloc \(.*\n    lose \(ours.c:2\)/]
        .each { |fault| assert_match(fault, told) }
    end
  end

  # --- GC.stress --------------------------------------------------------------------------------------------------------

  # A test that prints how many collections there were in code of ours, and in others' code.
  STRESSED = <<~RUBY
    require "sparpack/message_pack"
    require "minitest/autorun"
    class StressTest < Minitest::Test
      def collections = GC.count.then { |before| [yield, GC.count - before].last }
      def test_it
        print "[", collections { Sparpack::MessagePack.pack(["text"]) }, " ", collections { Array.new(9) { +"text" } }, "]"
        flunk
      end
    end
  RUBY

  def test_gc_stress
    output, status = Command.capture2e(RbConfig.ruby, "-r#{BIN}/lib/gc_stress.rb", "-e", STRESSED)

    refute_predicate status, :success?
    assert_match(/^\[([2-9]|\d\d) 0\]F$/, output)
  end

  # --- soak -------------------------------------------------------------------------------------------------------------

  def test_soak
    require SOAK

    assert Soak.flat?([50, 100, 110, 102])
    refute Soak.flat?([120, 100, 100, 103])
  end

  # bin/test ends by an exec of the program that soaks. Here, exec prints the last argument instead: the seconds.
  def test_how_long_a_soak_takes
    printing = "module Kernel; private def exec(*words) = puts(words.last) || exit; end"
    Dir.mktmpdir do |folder|
      File.write("#{folder}/printing.rb", printing)
      { [] => "600", %w[--time 90s] => "90", %w[--time=2h] => "7200" }.each do |arguments, seconds|
        command = [RbConfig.ruby, "#{BIN}/test", "--soak", *arguments]
        said, = Command.capture2e({ "RUBYOPT" => "-r#{folder}/printing" }, *command)

        assert_equal seconds, said.lines(chomp: true).last
      end
    end
  end

  private

  def compile(folder, *arguments)
    output, status = Command.capture2e("gcc", "-g", *arguments, chdir: folder)

    assert_predicate status, :success?, output
  end

  def memcheck(folder, *arguments)
    Dir.mktmpdir do |reports|
      memcheck = Memcheck.new(["#{folder}/ours.so"], folder: reports)
      Command.capture2e(*memcheck.command, "#{folder}/program", *arguments)
      told = StringIO.new
      [memcheck.passed?(told), told.string]
    end
  end
end
