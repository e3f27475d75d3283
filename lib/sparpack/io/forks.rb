# frozen_string_literal: true

require "io/wait" unless IO.method_defined?(:wait_readable) # Ruby has it from 3.2 on

module Sparpack
  # The processes that share some work. None of them stays behind, also if starting them fails or is interrupted.
  #
  # @api private
  class Forks
    class << self
      # @yieldparam forks [Forks]
      # @return [Object] what the block returns. All processes have ended then, and all pipes are closed
      def open
        forks = new
        begin
          yield forks
        ensure
          forks.finish
        end
      end

      # Writes bytes to a pipe, behind their size: other processes may have the same end, such as those that the program
      # starts in another thread, so the reader cannot wait until it is closed.
      #
      # @param pipe [IO]
      # @param bytes [String]
      # @return [void]
      # @raise [Errno::EPIPE] if nobody reads any more
      def write(pipe, bytes)
        pipe.write([bytes.bytesize].pack("Q>"), bytes)
        pipe.flush
      end

      # @param pipe [IO]
      # @return [String, nil] what {write} wrote; nil if the other process is gone, perhaps in the middle of it
      def read(pipe)
        size = pipe.read(8)&.unpack1("Q>") or return
        bytes = pipe.read(size)
        bytes if bytes&.bytesize == size
      end
    end

    # Bytes that are read at once, and seconds between two looks whether a process has ended.
    CHUNK = 1 << 16
    PAUSE = 0.5

    # What became of a process that still ran.
    LOST = " (it has closed its pipe, perhaps by exec)"
    private_constant :CHUNK, :PAUSE, :LOST

    def initialize
      @answered = {} # by the number of the process
      @statuses = {} # likewise, of those that have ended
      @pipes = []
    end

    # Makes a pipe. Interrupts wait meanwhile: Ruby 3.1 closes the ends of an interrupted pipe twice, and the second time
    # their numbers may be those of other files.
    #
    # @return [Array(IO, IO)] the ends to read from and to write to, both binary
    # @raise [SystemCallError] if there can be no more
    def pipe
      uninterrupted { IO.pipe(binmode: true).tap { |ends| @pipes.concat(ends) } }
    end

    # Starts a process that runs the block, and nothing of what the program does at its end. Until its number is noted,
    # interrupts wait, because nobody else would end it.
    #
    # @param theirs [Array<IO>] the ends of pipes that it uses. It closes all others, and this process closes these
    # @yield in the new process
    # @return [Integer] its number
    # @raise [SystemCallError] if there can be no more processes
    def start(*theirs, &work)
      uninterrupted do
        pid = Process.fork do
          (@pipes - theirs).each(&:close)
          Thread.handle_interrupt(Object => :immediate, &work)
          exit!(0)
        rescue SignalException => e
          exit!(128 + e.signo) # as a shell says it
        ensure
          exit!(1)
        end
        @answered[pid] = false
        @pipes -= theirs.each(&:close)
        pid
      end
    end

    # Reads what a process wrote with {Forks.write}. A process that it has started may have the other end, too, and stay.
    #
    # @param pipe [IO]
    # @param pid [Integer]
    # @return [String, nil] nil if the process is gone, perhaps in the middle of it
    def read(pipe, pid)
      bytes = "".b
      loop do
        gone = ended?(pid)
        part = pipe.read_nonblock(CHUNK, exception: false)
        if part.is_a?(String)
          bytes << part
          return bytes.byteslice(8..) if bytes.bytesize >= 8 && bytes.bytesize == 8 + bytes.unpack1("Q>")
        else
          return if gone || part.nil?

          pipe.wait_readable(PAUSE)
        end
      end
    end

    # Ends a process that has not answered, and tells how it ended before.
    #
    # @param pid [Integer]
    # @return [String] such as " (killed by SIGKILL)", or an empty one if nobody knows
    def fate(pid)
      unless ends_soon?(pid)
        kill(pid)
        ended?(pid, 0)
        return LOST
      end
      status = @statuses[pid] or return ""
      return " (with the status #{status.exitstatus})" unless status.signaled?

      name = Signal.signame(status.termsig) # nil for a real-time signal
      " (killed by #{name ? "SIG#{name}" : "signal #{status.termsig}"})"
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
      uninterrupted do
        @answered.reject! { |pid, answered| !answered && ended?(pid) }
        @answered.each { |pid, answered| kill(pid) unless answered }
        @answered.each_key { |pid| ended?(pid, 0) }
        [@answered, @statuses].each(&:clear)
        @pipes.each { |pipe| close(pipe) }.clear
      end
    end

    private

    def uninterrupted(&) = Thread.handle_interrupt(Object => :never, &)

    # Whether a process has ended. The program may wait for all of its children, or ignore them. Then its end is not known
    # here, and its number may be that of a stranger.
    def ended?(pid, flags = Process::WNOHANG)
      return true if @statuses.key?(pid)

      ended, status = Process.wait2(pid, flags)
      @statuses[pid] = status if ended
      !ended.nil?
    rescue Errno::ECHILD
      @statuses[pid] = nil
      true
    end

    # A process that ends closes its pipes first.
    def ends_soon?(pid)
      10.times do
        return true if ended?(pid)

        sleep(PAUSE / 10)
      end
      ended?(pid)
    end

    def kill(pid)
      Process.kill(:KILL, pid)
    rescue Errno::ESRCH
      nil
    end

    # After an interrupt, there may be something in the buffer that nobody reads any more.
    def close(pipe)
      pipe.close
    rescue Errno::EPIPE
      nil
    end
  end
end
