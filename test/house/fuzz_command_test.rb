# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "fileutils"
require "rbconfig"
require "tmpdir"
require "support/command"

# How bin/fuzz deals with its targets. A small program stands for libFuzzer, and does what the names of the targets say.
class FuzzCommandTest < Minitest::Test
  RUN = File.expand_path("../../bin/lib/fuzzing/run.rb", __dir__)
  CLANG = File.expand_path("../../bin/lib/clang.rb", __dir__)

  SCRIPT = <<~'RUBY'
    run, folder, seconds, *names = ARGV
    require run
    trap(:INT, "DEFAULT") # what a shell runs in the background ignores it
    $stdout.sync = true

    PROGRAM = <<~'TEXT'
      prefix = ARGV.grep(/artifact_prefix/).first.to_s.split("=").last
      case ARGV.shift
      when "finds"  then File.binwrite(prefix + "crash-1", "\xFE!".b) if prefix
      when "sleeps" then File.write(prefix + "pid", Process.pid) && sleep
      when "needs"  then exit if Dir.children(ARGV.first).all? { |name| File.empty?(File.join(ARGV.first, name)) }
      end
      puts "stat::number_of_executed_units: 7"
    TEXT

    Target = Class.new(Fuzzing::Runner) do
      define_method(:folder) { File.join(folder, name) }
      define_method(:command) { [RbConfig.ruby, "--disable=gems", "-e", PROGRAM, name] }
      define_method(:environment) { {} }
      define_singleton_method(:prepare) { nil }
    end
    Fuzzing::Native.define_singleton_method(:all) { %w[finds needs rests sleeps].map { |name| Target.new(name) } }
    Fuzzing::Ruby.define_singleton_method(:all) { [] }
    exit Fuzzing::Run.new(names, time: Integer(seconds), jobs: 1, keep: false).run
  RUBY

  def test_a_find_says_how_to_see_it_again
    with_folder do |folder, *command|
      said, status = Command.capture2e(*command, "2", "finds")

      assert_equal 1, status.exitstatus, said
      assert_includes said, "\n7 payloads, 1 of 1 targets, 1 finds\n\nfinds found #{folder}/finds/crash-1.\n"
      assert_includes said, "  bin/fuzz finds #{folder}/finds/crash-1\n"
      assert_match(/^ +fe21$/, said)
    end
  end

  # Without a file, libFuzzer begins with an input of no bytes. It gives up if that reaches no native code.
  def test_a_target_without_inputs_begins_with_some
    with_folder do |_, *command|
      said, status = Command.capture2e(*command, "1", "needs")

      assert_predicate status, :success?, said
    end
  end

  def test_a_target_that_several_names_stand_for_runs_once
    with_folder do |_, *command|
      said, status = Command.capture2e(*command, "1", "rests", "rest")

      assert_predicate status, :success?, said
      assert_includes said, "\n7 payloads, 1 of 1 targets, 0 finds\n"
    end
  end

  # A terminal sends the signal to bin/fuzz alone, because libFuzzer has a process group of its own.
  def test_ctrl_c_ends_what_runs
    with_folder do |folder, *command|
      pid = "#{folder}/sleeps/pid"
      said = Command.popen2e(*command, "100", "sleeps") do |_, output, process|
        sleep 0.05 until File.size?(pid)
        Process.kill(:INT, process.pid)
        assert_equal 130, process.value.exitstatus

        output.read
      end

      assert_equal "\nInterrupted.\n0 payloads, 0 of 1 targets, 0 finds\n", said
      assert_raises(Errno::ESRCH) { Process.kill(0, Integer(File.read(pid))) }
    end
  end

  # The sanitizers are a package of their own.
  def test_a_compiler_without_its_sanitizers_is_left_alone
    Dir.mktmpdir do |folder|
      { "clang-19" => "#{folder}/none", "clang-18" => folder, "clang-17" => folder }.each do |name, runtime|
        write_compiler("#{folder}/#{name}", runtime)
      end

      { "clang" => "clang-18", "clang++" => "clang++-18", "llvm-cov" => "llvm-cov-17" }.each do |name, found|
        write_compiler("#{folder}/#{found}", folder)
        program = "require #{CLANG.inspect}; print Clang.command(#{name.inspect})"

        assert_equal found, Command.capture2e({ "PATH" => folder }, RbConfig.ruby, "-e", program).first
      end
    end
  end

  private

  # Nothing is compiled, so any command may be called clang.
  def with_folder
    Dir.mktmpdir do |folder|
      write_compiler("#{folder}/clang", folder)
      path = [folder, ENV.fetch("PATH")].join(File::PATH_SEPARATOR)
      yield folder, { "PATH" => path }, RbConfig.ruby, "-e", SCRIPT, "--", RUN, folder
    end
  end

  # @param runtime [String] the folder that it names for the libraries of its sanitizers
  def write_compiler(path, runtime)
    File.write(path, "#!/bin/sh\necho #{runtime}\n", perm: 0o755)
  end
end
