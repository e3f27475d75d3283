# frozen_string_literal: true

require "minitest"
require "open3"
require "rbconfig"

# Commands that a test runs, by Open3's methods. Each ends after a time, with all that it has started, and so does the test:
# it says what the command was and what it had printed.
#
#     output, status = Command.capture2e("git", "status", within: 10)
module Command
  SECONDS = 240

  # To get from what ends a process to the end of reading what it prints, which somebody else may hold open.
  GRACE = 5

  Overdue = Class.new(Minitest::Assertion)

  extend Open3

  class << self
    public :capture2, :capture2e, :capture3, :popen2, :popen2e, :popen3

    # @yieldparam process [Process::Waiter] of the command, which runs meanwhile
    # @return [Process::Status]
    def run(*command, **options)
      popen_run(command, options, [], []) do |process|
        yield process if block_given?
        process.value
      end
    end

    # @return [Boolean] whether the command is there and succeeds; it prints nowhere
    def success?(*command)
      run(*command, in: File::NULL, out: File::NULL, err: File::NULL).success?
    rescue SystemCallError
      false
    end

    private

    # What all of Open3's methods go through.
    def popen_run(command, options, *ios)
      seconds = options.delete(:within) || SECONDS
      super(sanitized(command), options.merge(pgroup: true), *ios) do |*streams, process|
        ending(process, seconds, command) { yield(*streams, process) }
      end
    end

    # The sanitizers are for what loads the native part: others would be slow, and find faults of their own.
    def sanitized(command)
      environment, *words = command.first.is_a?(Hash) ? command : [{}, *command]
      words.first == RbConfig.ruby ? command : [{ "LD_PRELOAD" => nil }.merge(environment), *words]
    end

    def ending(process, seconds, command)
      overdue = false
      waiting = Thread.current
      timer = Thread.new do
        sleep(seconds)
        overdue = true
        kill(process)
        sleep(GRACE)
        waiting.raise(Overdue)
      end
      begin
        answer = yield
      rescue Overdue, IOError, SystemCallError => e
        raise unless overdue

        answer = e.message
      end
      raise Overdue, told(command, seconds, answer) if overdue

      answer
    ensure
      timer.kill
      kill(process) if process.alive?
    end

    # With its children: it leads a group.
    def kill(process)
      Process.kill(:KILL, -process.pid)
    rescue Errno::ESRCH, Errno::EPERM
      nil
    end

    def told(command, seconds, answer)
      words = command.reject { |word| word.is_a?(Hash) || word.start_with?("-I") }
      printed = Array(answer).grep(String).join("\n")
      "waited #{seconds} s for #{words.join(" ")[0, 500]}, which printed: #{printed[/.{0,2000}\z/m]}"
    end
  end
end
