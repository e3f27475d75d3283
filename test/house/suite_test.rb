# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "fileutils"
require "minitest"
require "rbconfig"
require "stringio"
require "tmpdir"
require_relative "../../bin/lib/suite"
require_relative "../../bin/lib/test_file"
require "support/command"
require "support/deadline"

# bin/test runs files side by side and reports everything that happens in them: failures, crashes, and tests that never end.
# Here most files are forked from one process. What ends in an unusual way is tested in new processes, too.
class SuiteTest < Minitest::Test
  include Deadline

  BIN = File.expand_path("../../bin", __dir__)

  # @return [ForkServer]
  def self.server
    @server ||= ForkServer.new([*RUBY, "-rminitest/autorun"], environment: ENVIRONMENT).tap do |server|
      Minitest.after_run { server.stop }
    end
  end

  RUBY = [RbConfig.ruby, *$LOAD_PATH.map { |folder| "-I#{folder}" }, "-r#{BIN}/lib/test_messages"].freeze
  ENVIRONMENT = { "RUBYOPT" => nil }.freeze

  def setup = @folder = File.realpath(Dir.mktmpdir)

  def teardown = FileUtils.rm_rf(@folder)

  # --- results -----------------------------------------------------------------------------------------------------------

  def test_results_of_all_files_are_one_report
    good = "def test_good = assert(true)\n def test_better = 3.times { assert(true) }"
    bad = <<~RUBY
      Odd = Class.new(StandardError)
      def test_failure = assert_equal(1, 2, "sum")
      def test_error = raise(Odd.new("no").tap { |error| error.instance_variable_set(:@cannot_be_dumped, -> {}) })
      def test_skip = skip("there is no printer")
    RUBY
    passed, text = run_suite({ "good" => good, "bad" => bad }, "--seed", "7")

    refute passed
    assert_equal "Run options: --seed 7\n\n# Running:\n", text.lines.first(3).join
    assert_equal %w[. . E F S], text.lines[4].chomp.chars.sort
    assert_match(/\) Failure:\nBadTest#test_failure \[bad_test.rb:6\]:\nsum.\nExpected: 1\n  Actual: 2\n/, text)
    assert_match(/\) Error:\nBadTest#test_error:\nBadTest::Odd: no\n    bad_test.rb:7:in /, text)
    assert_match(/\) Skipped:\nBadTest#test_skip \[bad_test.rb:8\]:\nthere is no printer\n/, text)
    assert_equal "5 runs, 5 assertions, 1 failures, 1 errors, 1 skips", text.lines.last.chomp
  end

  def test_all_pass
    passed, text = run_suite({ "a" => "def test_a = pass", "b" => "def test_b = skip" })

    assert passed
    assert_equal "2 runs, 1 assertions, 0 failures, 0 errors, 1 skips", text.lines.last.chomp
  end

  # Where everything is installed, nothing may be left out without a word.
  def test_what_is_missing
    lacks = "def test_a = skip(\"python is missing: apt-get install python\")\n" \
            "def test_b = skip(\"Node.js is not installed\")\n def test_c = skip(\"there is no /proc\")"
    passed, text = run_suite({ "a" => lacks })

    assert passed
    assert_equal "3 runs, 0 assertions, 0 failures, 0 errors, 3 skips", text.lines.last.chomp
    passed, text = run_suite({ "a" => lacks }, complete: true)

    refute passed
    assert_match(/\) Failure:\nATest#test_a \[a_test.rb:\d+\]:\npython is missing: apt-get install python\n/, text)
    assert_equal "3 runs, 0 assertions, 2 failures, 0 errors, 1 skips", text.lines.last.chomp
  end

  # Child processes count, because many tests only wait for them.
  def test_a_profile
    burn = "t = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID); " \
           "nil until Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - t > 0.4"
    slow = "require 'support/command'\n def test_idle = assert(sleep(0.2))\n" \
           "def test_child = assert(Command.success?(#{RbConfig.ruby.dump}, '-e', #{burn.dump}))"
    passed, text = run_suite({ "slow" => slow, "quick" => "def test_a = pass" }, profile: true)

    assert_predicate passed, :itself, text
    assert_match(/^\d+\.\d s of CPU time in 2 files\. The most take:\n +\d+\.\d\d  slow_test\.rb\n/, text)
    by_test = text[/^By test:\n(.*?)\n\n/m, 1].lines.map(&:split)

    assert_equal %w[slow_test.rb test_child], by_test.first.drop(1)
    assert_operator by_test.first.first.to_f, :>, 0.4
    assert_operator by_test.find { |_, _, name| name == "test_idle" }.first.to_f, :<, 0.15
  end

  def test_minitests_options
    files = { "a" => "def test_a = puts(Minitest.seed, rand)\n def test_b = flunk", "b" => "def test_b = flunk" }
    passed, text = run_suite(files, "-n", "/_a$/", "--seed", "1234", "-v")

    assert passed
    assert_match(/^ATest#test_a = \d\.\d\d s = \.$/, text)
    assert_match(/^a_test.rb printed:\n1234\n0\.\d+$/, text)
    assert_equal text[/^0\.\d+$/], run_suite(files, "-n", "/_a$/", "--seed", "1234")[1][/^0\.\d+$/]
    passed, text = run_suite(files, "-n", "test_c")

    refute passed
    assert_equal "No test matches test_c\n", text.lines.last
  end

  # The output of each file is in one piece, even if the files print in turns.
  def test_what_tests_print
    talk = "def test_a = 5.times { |i| [warn(\"%s \#{i}\"), sleep(0.05)] }\n def test_b = Kernel.system(\"echo of a child\")"
    _, text = run_suite({ "a" => format(talk, "a"), "b" => format(talk, "b") })

    %w[a b].each do |name|
      lines = Array.new(5) { |i| "#{name} #{i}\n" }.join

      assert_match(/^#{name}_test.rb printed:\n(of a child\n#{lines}|#{lines}of a child\n)/, text)
    end
  end

  # --- failures ----------------------------------------------------------------------------------------------------------

  def test_a_crash_is_told_with_its_test
    in_both_ways do |server|
      passed, text = run_suite({ "a" => "def test_crash = Process.kill(:SEGV, Process.pid) && sleep(5)",
                                 "b" => "def test_b = pass" }, server:)

      refute passed
      assert_match(/\) Error:\nATest#test_crash:\nCrash: the process ended \(SIGABRT.*\[BUG\] Segmentation fault/m, text)
      assert_match(/a_test.rb:5:in `(ATest#)?test_crash'/, text)
      assert_operator text.lines.size, :<, 200
      assert_equal "2 runs, 1 assertions, 0 failures, 1 errors, 0 skips", text.lines.last.chomp
    end
  end

  def test_processes_that_do_not_come_to_their_end
    { "def test_a = exit!(0)" => "ATest#test_a:\nCrash: the process ended (exit 0)",
      "this is no Ruby" => "a_test.rb#load:\nCrash: the process ended (exit 1), and printed:\n",
      "Minitest.after_run { exit!(3) }\n def test_a = pass" => "a_test.rb#exit:\nCrash: the process ended (exit 3)" }
      .each do |source, told|
      in_both_ways do |server|
        passed, text = run_suite({ "a" => source }, server:)

        refute passed, source
        assert_includes text, ") Error:\n#{told}"
      end
    end
  end

  # A Ruby test reports where it is. One in native code that ignores signals crashes with a report.
  def test_tests_that_never_end
    bodies = { "a" => "sleep", "b" => "IO.pipe.first.read", "c" => "loop { nil }", "d" => "trap(:QUIT, 'IGNORE') && sleep" }
    places = { "a" => /in .*sleep'/, "b" => /in .*read'/, "c" => /in .*loop'/, "d" => /\[BUG\] Segmentation fault/ }
    in_both_ways do |server|
      passed, text = run_suite(bodies.transform_values { |body| "def test_it = #{body}" }, patience: 3, jobs: 4, server:)
      told = text.split(/^ +\d\) Error:\n/).drop(1).sort

      refute passed
      assert_equal 4, told.size, text
      told.zip(places).each do |report, (name, place)|
        assert_match(/\A#{name.upcase}Test#test_it:\nOverdue: took longer than 3 s, with these threads:\n/, report)
        assert_match(place, report)
        assert_match(/#{name}_test.rb:5:in /, report)
      end
    end
  end

  def test_what_all_files_need_cannot_be_loaded
    server = ForkServer.new([RbConfig.ruby, "-e", "exit!(1)"])
    passed, text = run_suite({ "a" => "def test_a = pass" }, server:)

    refute passed
    assert_includes text, "\nWhat all tests need cannot be loaded, or the process that has loaded it was ended.\n"
    assert_equal "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips", text.lines.last.chomp
  ensure
    server.stop
  end

  # --- processes ---------------------------------------------------------------------------------------------------------

  def test_files_run_at_once
    meet = "def test_a\n File.write(\"#{@folder}/%s\", \"\")\n sleep(0.01) until File.exist?(\"#{@folder}/%s\")\n end"
    passed, = run_suite({ "a" => format(meet, "1", "2"), "b" => format(meet, "2", "1") }, patience: 60)

    assert passed
  end

  def test_no_file_sees_what_another_did
    change = "def test_a\n refute defined?(CHANGED)\n refute ENV.key?(\"CHANGED\")\n Object.const_set(:CHANGED, 1)\n " \
             "ENV[\"CHANGED\"] = \"1\"\n Dir.chdir(\"/\")\n end"
    passed, text = run_suite({ "a" => change, "b" => change }, jobs: 1)

    assert_predicate passed, :itself, text
  end

  def test_files_that_need_a_new_process
    fresh, forked = [true, false].map { |fresh| "def test_a = assert_equal(#{fresh}, !defined?(ForkServer))" }
    passed, text = run_suite({ "a" => "# bin/test: fresh, for a reason\n#{fresh}", "b" => forked })

    assert_predicate passed, :itself, text
  end

  def test_files_that_must_be_alone
    log = "def test_a = File.write(\"#{@folder}/log\", \"%<name>s\", mode: \"a\") && sleep(0.3) && " \
          "File.write(\"#{@folder}/log\", \"%<name>s\", mode: \"a\")"
    run_suite({ "a" => "# bin/test: alone, for it measures time\n#{format(log, name: "a")}",
                "b" => format(log, name: "b"), "c" => format(log, name: "c") })

    assert_match(/\A[bc]{4}aa\z/, File.read("#{@folder}/log"))
  end

  def test_the_slowest_comes_first
    files = %w[a b c].to_h { |name| [name, "def test_a = File.write(\"#{@folder}/log\", \"#{name}\", mode: \"a\")"] }
    files["b"] += " && sleep(1)"
    times = "#{@folder}/times/release"
    2.times { run_suite(files, jobs: 1, times:) }

    assert_match(/\Aabcb[ac]{2}\z/, File.read("#{@folder}/log"))
    assert_match(%r{\A(\d+\.\d\d .*/[abc]_test.rb\n){3}\z}, File.read(times))
    run_suite({ "d" => "def test_a = pass\n def test_b = pass" }, "-n", "test_a", times:)

    refute_includes File.read(times), "d_test"
  end

  def test_a_file_that_is_known_to_be_slow_starts_before_others_without_a_time
    files = %w[a b c].to_h { |name| [name, "def test_a = File.write(\"#{@folder}/log\", \"#{name}\", mode: \"a\")"] }
    files["b"] = "# bin/test: first, for a reason\n#{files["b"]}"
    run_suite(files, jobs: 1)

    assert_equal "bac", File.read("#{@folder}/log")
  end

  def test_an_interrupt_ends_all = [true, false].each { |forks| assert_ends_all(:INT, "Interrupted", forks) }
  def test_a_termination_ends_all = [true, false].each { |forks| assert_ends_all(:TERM, "Ended by SIGTERM", forks) }

  # --- the command -------------------------------------------------------------------------------------------------------

  def test_marks
    assert_equal [true, true], marks("# bin/test: alone, for a reason")
    assert_equal [false, false], marks("# bin/test: not sanitized")
    assert_equal [false, true], marks("x = 1")
    _, told = capture_io { assert_raises(SystemExit) { marks("# bin/test: lonely") } }

    assert_match(/a_test.rb: unknown mark "lonely" \(known: #{TestFile::MARKS.join(", ")}\)$/, told)
  end

  def test_rooms_apart
    apart = TestFile.all([File.expand_path("..", __dir__)]).select(&:apart?)

    assert_equal %w[bench house], apart.map { |file| File.basename(File.dirname(file.path)) }.uniq.sort
  end

  def test_marks_of_files_that_need_a_new_process
    modes = { "x = 1" => [], "# bin/test: fresh, for a reason" => %w[release sanitize],
              "# bin/test: fresh if sanitized, for a reason" => %w[sanitize] }
    modes.each do |line, expected|
      write("a" => line)
      found = %w[release sanitize].select { |mode| in_mode(mode) { TestFile.new("#{@folder}/a_test.rb").fresh? } }

      assert_equal expected, found
    end
  end

  # Once Sparpack is loaded, it is too late to ask for the wires of the tests.
  def test_files_with_the_wires_of_the_tests_need_a_new_process
    files = Dir["#{__dir__}/../**/*_test.rb"].select { |path| File.read(path).match?(%r{^require "support/test_wires"}) }

    assert_operator files.size, :>, 10
    assert_empty(in_mode("sanitize") { TestFile.all(files).reject(&:fresh?).map(&:path) })
  end

  def test_the_help_names_what_is_there
    help, = Command.capture2e(RbConfig.ruby, "#{BIN}/test", "--help")
    paths = help.scan(%r{\btest/\S+})

    assert_operator paths.size, :>, 1
    assert_empty(paths.reject { |path| File.exist?(File.expand_path("../../#{path}", __dir__)) })
    file, name = help.match(%r{(test/[\w/]+\.rb) -n (\w+)}).captures

    assert_match(/def \w*#{name}\b/, File.read(File.expand_path("../../#{file}", __dir__)))
  end

  private

  def assert_ends_all(signal, words, forks)
    write("a" => "def test_a = pass", "b" => "def test_b\n File.write(\"#{@folder}/pid\", Process.pid)\n sleep\n end")
    program = <<~RUBY
      Dir.chdir(ARGV.shift)
      trap(ARGV.shift, "DEFAULT") # the caller of the tests may ignore it
      server = ForkServer.new([*ARGV, "-rminitest/autorun"]) if #{forks}
      exit Suite.new(TestFile.all(["."]), jobs: 1, server:) { |file| [*ARGV, "-r\#{file.path}", "-e", "", "--"] }.run
    RUBY
    FileUtils.rm_f("#{@folder}/pid")
    command = [*RUBY, "-r#{BIN}/lib/suite", "-r#{BIN}/lib/test_file", "-e", program, @folder, signal.name, *RUBY]
    Command.popen2e(*command) do |_, output, process|
      sleep(0.05) until File.size?("#{@folder}/pid") || !process.alive?
      Process.kill(signal, process.pid) if process.alive?
      text = output.read

      assert_equal 1, process.value.exitstatus, text
      assert_includes text, "\n#{words}. Exiting...\n"
      assert_match(/^[12] runs, 1 assertions, 0 failures, [01] errors, 0 skips$/, text)
    end
    assert_raises(Errno::ESRCH) { Process.kill(0, Integer(File.read("#{@folder}/pid"))) }
  end

  def in_mode(mode)
    before = ENV.fetch("SPARPACK_MODE", nil)
    ENV["SPARPACK_MODE"] = mode
    yield
  ensure
    ENV["SPARPACK_MODE"] = before
  end

  def marks(line)
    write("a" => line)
    file = TestFile.new("#{@folder}/a_test.rb")
    [file.alone?, file.sanitized?]
  end

  def write(sources)
    sources.each do |name, source|
      File.write("#{@folder}/#{name}_test.rb", <<~RUBY)
        require "minitest/autorun" #{"\n#{source}" if source.start_with?("#")}
        class #{name.capitalize}Test < Minitest::Test
          # The first line of a test is the fifth.

          #{source}
        end
      RUBY
    end
  end

  # @return [Array(Boolean, String)] whether all passed, and what was printed
  def run_suite(sources, *options, **settings)
    write(sources)
    io = StringIO.new
    files = sources.keys.map { |name| TestFile.new("#{@folder}/#{name}_test.rb") }
    options.push("--seed", "1") unless options.include?("--seed")
    suite = Suite.new(files, options, io:, environment: ENVIRONMENT, server: self.class.server, **settings) do |file|
      [*RUBY, "-r#{file.path}", "-e", "", "--"]
    end
    passed = within("the suite") { suite.run }
    [passed, io.string.gsub("#{@folder}/", "")]
  end

  # @yieldparam server [ForkServer, nil] that forks the processes; nil for new ones
  def in_both_ways(&) = [self.class.server, nil].each(&)
end
