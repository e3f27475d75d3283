# frozen_string_literal: true

require "tempfile"

# What may crash, or changes the whole process, runs in a child: a crash is then the failure of one test.
module Child
  # @yieldreturn [Object] anything that Marshal knows
  # @return [Object] the same
  def in_child(&block)
    Tempfile.create("child") do |result|
      Tempfile.create("stderr") do |stderr|
        status = Child.run(block, result, stderr)
        flunk Child.crash(status, stderr) unless status.success?
        value, raised = Marshal.load(result.tap(&:rewind).read) # rubocop:disable Security/MarshalLoad -- our own
        raised ? flunk("Raised in the child: #{raised}") : value
      end
    end
  end

  class << self
    # Seconds. Under AddressSanitizer a child may inherit a lock of the allocator that a thread held when it was forked, and
    # wait for ever: such a child is tried again.
    PATIENCE = 90
    TRIES = 3
    private_constant :PATIENCE, :TRIES

    def run(block, result, stderr)
      status = nil
      TRIES.times do
        status = wait(start(block, result, stderr))
        break unless status.termsig == Signal.list["KILL"]
      end
      status
    end

    def crash(status, stderr)
      "The child ended by #{status}:\n#{File.read(stderr.path).lines.grep(/BUG|ERROR|runtime error|#\d /).first(12).join}"
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

    def wait(pid)
      deadline = now + PATIENCE
      loop do
        _, status = Process.wait2(pid, Process::WNOHANG)
        return status if status

        Process.kill(:KILL, pid) if now > deadline
        sleep(0.002)
      end
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def answer(block)
      [block.call, nil]
    rescue StandardError, NoMemoryError, SystemStackError, Minitest::Assertion => e
      [nil, e.full_message(highlight: false).lines.first(6).join]
    end
  end
end
