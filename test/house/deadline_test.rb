# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/child"
require "support/command"
require "support/deadline"

# Whatever the tests wait for ends after a time, and the failure says what it was.
class DeadlineTest < Minitest::Test
  include Child
  include Deadline

  WAITS = {
    "a queue" => -> { Queue.new.pop },
    "a thread" => -> { Thread.new { sleep }.join },
    "a pipe" => -> { IO.pipe.first.read },
    "a Ractor" => -> { Ractor.new { Ractor.receive }.then { |made| made.respond_to?(:value) ? made.value : made.take } },
    "a lock" => -> { [File.open(__FILE__), File.open(__FILE__)].each { |file| file.flock(File::LOCK_EX) } }
  }.freeze

  # Runs in a child, because threads that wait for ever stay.
  def test_waits
    messages = in_child do
      Warning[:experimental] = false # Ractors are experimental
      WAITS.map do |what, wait|
        within(what, seconds: 0.05) { wait.call }
      rescue Minitest::Assertion => e
        e.message
      end
    end

    assert_equal WAITS.keys.map { |what| "waited 0.05 s for #{what}" }, messages
    assert_equal(1, within("nothing") { 1 })
  end

  def test_threads
    error = assert_raises(Minitest::Assertion) { finish([Thread.new { sleep }, Thread.new { 1 }], seconds: 0.05) }

    assert_match(/\Awaited 0.05 s for 2 threads: these have not ended\n +#{__FILE__}:\d+:in .*sleep/, error.message)
    assert_equal [0, 2, 4], in_threads(3) { |seed| seed * 2 }
    assert_equal "not a wait", assert_raises(RuntimeError) { finish([failing]) }.message
  end

  # Everything that a command started ends with it, even if it holds the output open.
  def test_commands
    scripts = ["sleep 60", "echo begun; sleep 60", "sleep 60 & echo begun; sleep 60", "sleep 60 &"]
    errors = in_threads(4) do |i|
      assert_raises(Command::Overdue, scripts[i]) { Command.capture2e("sh", "-c", scripts[i], within: 2) }
    end

    scripts.zip(errors) do |script, error|
      assert_equal "waited 2 s for sh -c #{script}, which printed: #{"begun\n" if script.include?("begun")}", error.message
    end
    output, status = Command.capture2e("cat", stdin_data: "a")

    assert_equal ["a", true], [output, status.success?]
  end

  def test_children
    error = assert_raises(Minitest::Assertion) { in_child(within: 0.2) { sleep } }

    assert_match(/\Awaited 0.2 s for the child, 3 times:\n.*deadline_test.rb:\d+:in .*sleep/m, error.message)
    assert_equal(1, in_child { 1 })
  end

  def test_what_a_command_leaves_behind_ends_with_the_test
    pid = nil
    assert_raises(RuntimeError) do
      Command.popen3("sleep", "60") do |*, process|
        pid = process.pid
        raise "a failure in the middle"
      end
    end

    assert_raises(Errno::ESRCH) { Process.kill(0, pid) }
  end

  def test_commands_that_are_not_there
    found = %w[true false no-such-command].map { |command| Command.success?(command) }

    assert_equal [true, false, false], found
  end

  private

  def failing = Thread.new { raise "not a wait" }.tap { |thread| thread.report_on_exception = false }
end
