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
      @answered = {} # by the number of the process
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
        @answered[pid] = false
        pid
      end
    end

    # Notes that a process has nothing more to do, so it need not be killed.
    #
    # @param pid [Integer]
    # @return [void]
    def answered(pid) = @answered[pid] = true

    # Waits for the end of all processes, and kills those that have not answered.
    #
    # @return [void]
    def finish
      Thread.handle_interrupt(Object => :never) do
        @answered.reject! { |pid, answered| !answered && ended?(pid) }
        @answered.each { |pid, answered| kill(pid) unless answered }
        @answered.each_key { |pid| ended?(pid, 0) }
        @answered.clear
      end
    end

    private

    # Whether a process has ended. The program may wait for all of its children, or ignore them. Then its end is not known
    # here, and its number may be that of a stranger.
    def ended?(pid, flags = Process::WNOHANG)
      !Process.wait(pid, flags).nil?
    rescue Errno::ECHILD
      true
    end

    def kill(pid)
      Process.kill(:KILL, pid)
    rescue Errno::ESRCH
      nil
    end
  end
end
