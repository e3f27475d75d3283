# frozen_string_literal: true

module Sparpack
  # The processes that share some work. None of them stays behind, also if starting them fails or is interrupted.
  #
  # @api private
  class Forks
    # @yieldparam forks [Forks]
    # @return [Object] what the block returns. All processes have ended then
    def self.open
      forks = new
      begin
        yield forks
      ensure
        forks.finish
      end
    end

    def initialize
      @pids = []
    end

    # Starts a process that runs the block, and nothing of what the program does at its end. Until its number is noted,
    # interrupts wait, because nobody else would end it.
    #
    # @yield in the new process
    # @return [Integer] its number
    # @raise [SystemCallError] if there can be no more processes
    def start(&work)
      Thread.handle_interrupt(Object => :never) do
        pid = Process.fork do
          Thread.handle_interrupt(Object => :immediate, &work)
          exit!(0)
        ensure
          exit!(1)
        end
        @pids << pid
        pid
      end
    end

    # Kills all processes, and waits for their end.
    #
    # @return [void]
    def finish
      Thread.handle_interrupt(Object => :never) do
        @pids.each { |pid| kill(pid) }
        @pids.each { |pid| Process.wait(pid) }
        @pids.clear
      end
    end

    private

    def kill(pid)
      Process.kill(:KILL, pid)
    rescue Errno::ESRCH
      nil
    end
  end
end
