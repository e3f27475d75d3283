# frozen_string_literal: true

require "minitest"
require "open3"
require "rbconfig"
require_relative "patience"

# Runs commands for tests, with Open3's methods. A command that takes too long is ended, with everything that it started, and
# the test fails with the command and its output so far.
#
#     output, status = Command.capture2e("git", "status", within: 10)
module Command
  SECONDS = 240

  # A setting of bin/test for the heap of the tests. Ruby would print it with -w.
  HEAP = { "RUBY_GC_HEAP_FREE_SLOTS_MAX_RATIO" => nil }.freeze

  # How long reading may take after the command was ended, because another process may hold its output open.
  GRACE = 5

  Overdue = Class.new(Minitest::Assertion)

  extend Open3

  class << self
    public :capture2, :capture2e, :capture3, :popen2, :popen2e, :popen3

    # @yieldparam process [Process::Waiter] of the command, which is running
    # @return [Process::Status]
    def run(*command, **options)
      popen_run(command, options, [], []) do |process|
        yield process if block_given?
        process.value
      end
    end

    # @return [Boolean] whether the command exists and succeeds; its output is dropped
    def success?(*command)
      run(*command, in: File::NULL, out: File::NULL, err: File::NULL).success?
    rescue SystemCallError
      false
    end

    private

    # All of Open3's methods call this one.
    def popen_run(command, options, *ios)
      seconds = Patience.of(options.delete(:within) || SECONDS)
      super(adapted(command), options.merge(pgroup: true), *ios) do |*streams, process|
        ending(process, seconds, command) { yield(*streams, process) }
      end
    end

    def adapted(command)
      environment, *words = command.first.is_a?(Hash) ? command : [{}, *command]
      [{ **HEAP, **sanitizers(words.first), **gems(environment), **environment }, *words]
    end

    # Only programs that load the native part need the sanitizers. Others would be slow, and have faults of their own.
    def sanitizers(program) = program == RbConfig.ruby ? {} : { "LD_PRELOAD" => nil }

    # A child finds the libraries and gems of this process in these folders. Setting up Bundler would take five times as long
    # as starting Ruby.
    def gems(environment)
      return {} if environment.key?("RUBYOPT")

      folders = { "RUBYLIB" => ($LOAD_PATH - RbConfig::CONFIG.values).join(File::PATH_SEPARATOR) }
      return folders unless defined?(Bundler)

      { **folders, "RUBYOPT" => ENV["RUBYOPT"]&.gsub(%r{-r\S*bundler/setup}, ""), "BUNDLER_SETUP" => nil,
        "GEM_HOME" => Bundler.bundle_path.to_s }
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

    # Kills the whole process group, which includes children.
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
