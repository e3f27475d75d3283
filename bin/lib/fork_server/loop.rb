# frozen_string_literal: true

require_relative "../test_messages"

class ForkServer
  # What the server does. It has no threads, because its children would not have them.
  class Loop
    # @param orders [Integer] the number of the pipe that the orders come from
    # @param answers [Integer] the number of the pipe for the answers
    def initialize(orders, answers)
      @orders = IO.for_fd(orders)
      @answers = IO.for_fd(answers, "w").tap { |pipe| pipe.sync = true }
      @ended, @signal = IO.pipe
      [@orders, @answers].each { |pipe| pipe.close_on_exec = true }
      trap(:CHLD) { @signal.write_nonblock(".", exception: false) }
      @running = {} # the numbers of orders, by process id
      3.times { GC.start } # what is old is not copied into each child
    end

    # Returns only in the children, where Minitest runs at the end of the script.
    def run
      loop do
        ready, = IO.select([@orders, @ended])
        reap if ready.include?(@ended)
        next unless ready.include?(@orders)

        line = @orders.gets or exit!(0)
        return unless forked(*TestMessages.load(line))
      end
    end

    private

    # @return [Boolean] false in the child
    def forked(number, *paths, arguments)
      pipe, output = paths.map { |path| IO.for_fd(IO.sysopen(path, "a"), "a") }
      pid = fork or return become(pipe, output, *arguments)
      [pipe, output].each(&:close)
      group(pid)
      @running[pid] = number
      answer(number, pid)
      true
    end

    # Both processes do this, because nobody knows which one is first.
    def group(pid)
      Process.setpgid(pid, pid)
    rescue Errno::EACCES, Errno::ESRCH
      nil
    end

    def become(pipe, output, path, *options)
      group(0)
      trap(:CHLD, "DEFAULT")
      [@orders, @answers, @ended, @signal].each(&:close)
      [$stdout, $stderr].each { |io| io.reopen(output) }
      output.close
      $stderr.sync = true
      ARGV.replace(options)
      TestMessages.report_to(pipe)
      require path
      false
    end

    def reap
      @ended.read_nonblock(1 << 10, exception: false)
      loop do
        pid, status = Process.wait2(-1, Process::WNOHANG)
        pid or return
        answer(@running.delete(pid), [status.success?, status.to_s])
      end
    rescue Errno::ECHILD
      nil
    end

    def answer(*message) = @answers.write(TestMessages.dump(message))
  end
end
