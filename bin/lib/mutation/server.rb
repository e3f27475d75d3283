# frozen_string_literal: true

# Loads a test file and runs its tests in forked processes, with one mutant after another. mutation/run.rb starts it:
#
#     ruby server.rb TEST_FILE
#
# It reads lines of JSON: {"survey": SECONDS} runs all tests and says which mutants each of them reaches;
# {"mutant": 7, "tests": [3, 5], "seconds": 10} runs these tests until one fails.
require "json"
require "minitest"

# The tests are run by hand.
def Minitest.autorun; end

module Mutation
  # See above.
  class Server
    # A mutant that allocates without end must not take the machine with it.
    MEMORY = 6 << 30

    def initialize
      Process.setrlimit(Process::RLIMIT_CORE, 0)
      @loading = SparpackMutants.take_reached
      Minitest.seed = 42
    end

    def run(input, output)
      input.each_line do |line|
        command = JSON.parse(line)
        answer = command.key?("survey") ? survey(command["survey"]) : try(**command.transform_keys(&:to_sym))
        output.puts(JSON.generate(answer))
        output.flush
      end
    end

    private

    # All tests, always in the same order.
    def tests
      @tests ||= Minitest::Runnable.runnables.flat_map { |type| type.runnable_methods.sort.map { |name| [type, name] } }
    end

    # @return [Array(Array, Array)] the mutants reached while the file was loaded, and for each test [name, seconds,
    #   reached mutants, whether it passed]
    def survey(seconds)
      text = in_child(seconds) do |pipe|
        tests.each do |type, name|
          SparpackMutants.take_reached
          started = now
          passed = passes?(type, name)
          pipe.puts(JSON.generate(["#{type}##{name}", now - started, SparpackMutants.take_reached, passed]))
        end
      end
      [@loading, text.lines.map { |line| JSON.parse(line) }]
    end

    # @return [Array(String, String)] "killed", "crashed", "slow" or "survived", and by which test
    def try(mutant:, tests:, seconds:)
      text = in_child(seconds) do |pipe|
        ENV["SPARPACK_MUTANT"] = mutant.to_s # of processes that tests start
        SparpackMutants.active = mutant
        tests.each do |index|
          type, name = self.tests[index]
          pipe.puts("at #{type}##{name}")
          next if passes?(type, name)

          pipe.puts("killed")
          exit!(0)
        end
        pipe.puts("survived")
      end
      outcome = text.lines(chomp: true).grep_v(/\Aat /).last || (@slow ? "slow" : "crashed")
      [outcome, text.lines(chomp: true).grep(/\Aat /).last.to_s.delete_prefix("at ")]
    end

    def in_child(seconds)
      reader, writer = IO.pipe
      pid = fork do
        reader.close
        Process.setsid
        Process.setrlimit(Process::RLIMIT_AS, MEMORY)
        $stdin.reopen(File::NULL)
        [$stdout, $stderr].each { |io| io.reopen(File::NULL, "w") }
        writer.sync = true
        begin
          yield writer
        rescue Exception # rubocop:disable Lint/RescueException -- a mutant may raise anything
          writer.puts("killed")
        end
        exit!(0)
      end
      writer.close
      @slow = false
      text = read_until(reader, now + seconds)
      begin
        Process.kill(:KILL, -pid)
      rescue SystemCallError
        nil
      end
      Process.wait(pid)
      text
    end

    def read_until(reader, deadline)
      text = +""
      loop do
        left = deadline - now
        return text.tap { @slow = true } unless left.positive? && reader.wait_readable(left)

        text << reader.read_nonblock(1 << 20)
      end
    rescue EOFError
      text
    end

    def passes?(type, name)
      srand(42)
      result = type.new(name).run
      result.passed? || result.skipped?
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end

if $PROGRAM_NAME == __FILE__
  file = ARGV.shift
  input  = $stdin.dup
  output = $stdout.dup
  $stdout.reopen($stderr)
  require "io/wait"
  require "test_helper"
  require File.expand_path(file)
  Mutation::Server.new.run(input, output)
end
