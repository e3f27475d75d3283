# frozen_string_literal: true

require "tempfile"
require_relative "backtraces"
require_relative "patience"

# Runs in a child what may crash or changes the whole process. A crash is then the failure of one test.
module Child
  # @param within [Numeric] seconds that the block may take
  # @yieldreturn [Object] anything that Marshal can dump
  # @return [Object] the same object
  def in_child(within: PATIENCE, &block)
    Tempfile.create("child") do |result|
      Tempfile.create("stderr") do |stderr|
        within = Patience.of(within)
        status = Child.run(block, result, stderr, within)
        flunk Child.crash(status, stderr, within) unless status.success?
        value, raised = Marshal.load(result.tap(&:rewind).read) # rubocop:disable Security/MarshalLoad -- our own
        raised ? flunk("Raised in the child: #{raised}") : value
      end
    end
  end

  PATIENCE = 90

  # Under AddressSanitizer a child may inherit a lock of the allocator that another thread held during the fork, and then it
  # waits for ever. Such a child is run again.
  TRIES = 3

  # Lines from a report of a sanitizer, or of Ruby when it crashes, with the calls that led there.
  TELLING = /BUG|ERROR|runtime error|#\d|\.so.*\(.*\[0x/

  KILLED = Signal.list["KILL"]

  private_constant :TRIES, :TELLING, :KILLED

  class << self
    def run(block, result, stderr, seconds)
      status = nil
      TRIES.times do
        status = wait(start(block, result, stderr), seconds)
        break unless status.termsig == KILLED
      end
      status
    end

    def crash(status, stderr, seconds)
      said = File.read(stderr.path)
      return "waited #{seconds} s for the child, #{TRIES} times:\n#{said[/.{0,4000}\z/m]}" if status.termsig == KILLED

      "The child ended by #{status}:\n#{said.lines.grep(TELLING).first(40).join}"
    end

    private

    def start(block, result, stderr)
      fork do
        $stderr.reopen(stderr)
        result.write(Marshal.dump(answer(block)))
        result.flush
        exit!(0)
      end
    end

    # Before it is killed, the child says where it is (support/backtraces.rb).
    def wait(pid, seconds)
      { QUIT: seconds, KILL: 0.5 }.each do |signal, patience|
        deadline = now + patience
        while now < deadline
          _, status = Process.wait2(pid, Process::WNOHANG)
          return status if status

          sleep(0.002)
        end
        Process.kill(signal, pid)
      end
      Process.wait2(pid).last
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def answer(block)
      [block.call, nil]
    rescue StandardError, ScriptError, NoMemoryError, SystemStackError, Minitest::Assertion => e
      [nil, e.full_message(highlight: false).lines.first(6).join]
    end
  end
end
