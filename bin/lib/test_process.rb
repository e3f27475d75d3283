# frozen_string_literal: true

require "io/wait"
require "tempfile"
require_relative "fork_server"
require_relative "test_messages"

# Runs one test file in a process of its own, which is new or forked. It keeps the output, and ends all child processes
# together with the process.
#
# If a test takes longer than `patience`, it shows the backtraces of the threads and kills the process. This is reported as a
# failed test, and so is a crash.
class TestProcess
  # Seconds to wait for something that usually takes a moment.
  GRACE = 5

  # How many lines of the output a report contains.
  LINES = 120

  # How the report of a crash begins, and how its uninteresting part begins.
  REPORT = /\[BUG\]|ERROR: \w+Sanitizer|runtime error:/
  TAIL   = /^-- Other runtime information|^Shadow bytes around/

  # @param title [String] the name of the file in reports
  # @param patience [Numeric] the seconds that one test may take
  # @param terminal [Boolean] whether the process uses the terminal, as a debugger needs
  # @yieldparam output [File] what stdout and stderr must become, unless the process uses the terminal
  # @yieldreturn [Array(#pid, IO)] what waits for the process that was started (see Process.detach), and the pipe that the
  #   process reports to
  def initialize(title:, patience: 600, terminal: false)
    @title = title
    @patience = patience
    @group = !terminal
    @lines = +""
    @test = [title, "load"]
    Tempfile.create("test", mode: File::APPEND) do |file|
      @output = file.dup
      @process, @pipe = yield file
    end
  end

  # Starts a new process.
  #
  # @param command [Array<String>]
  # @param environment [Hash{String => String}]
  # @return [TestProcess]
  def self.spawned(command, environment: {}, terminal: false, **settings)
    new(terminal:, **settings) do |output|
      pipe, writer = IO.pipe
      streams = terminal ? { in: :in } : { in: File::NULL, %i[out err] => output, pgroup: true }
      pid = spawn(environment.merge(TestMessages::PIPE => writer.fileno.to_s), *command, writer => writer, **streams)
      [Process.detach(pid), pipe]
    ensure
      writer&.close
    end
  end

  # Forks a process that has already loaded what the tests share.
  #
  # @param server [ForkServer]
  # @param arguments [Array<String>] the path of the test file, and options of Minitest
  # @return [TestProcess]
  def self.forked(server, arguments, patience:, **settings)
    new(patience:, **settings) do |output|
      child = server.start(arguments, output.path, patience:)
      [child, child.pipe]
    end
  end

  # @return [Float, nil] the seconds of CPU time that it and its children took, if it ran to its end
  attr_reader :cpu

  # @yieldparam result [Minitest::Result]
  # @yieldparam seconds [Float, nil] the CPU time of the test
  # @return [Boolean] whether it ran to its end
  def run(&)
    trouble = listen(&) ? crash : overdue
    yield [TestMessages.result(*@test, *trouble), nil] if trouble
    trouble.nil?
  ensure
    stop
  end

  # @return [String] what it printed
  def output
    @output.rewind
    @output.read.scrub
  end

  private

  # @return [Boolean] whether the process ended by itself
  def listen(&)
    deadline = now + @patience
    until now > deadline
      ended = !@process.alive? # its children may still hold the pipe
      if @pipe.wait_readable(0.5)
        data = @pipe.read_nonblock(1 << 16, exception: false) or return true
        hear(data, &)
        deadline = now + @patience
      elsif ended
        return true
      end
    end
    false
  end

  def hear(data)
    @lines << data
    while (line = @lines.slice!(/\A.*\n/))
      event, *about = TestMessages.load(line)
      case event
      when :begun then @test = about
      when :ended
        @test = [@title, "between tests"]
        yield about
      when :finished
        @test = [@title, "exit"]
        @cpu = about.first
      end
    end
  end

  # @return [Array(String, String), nil] a name instead of an error's class, and a message
  def crash
    return overdue unless @process.join(@patience)

    status = @process.value
    return if status.success? && @test == [@title, "exit"]

    ["Crash", "the process ended (#{status.to_s.sub(/\Apid \d+ /, "")})#{cut("and printed", output)}"]
  end

  def overdue
    ["Overdue", "took longer than #{@patience} s#{cut("with these threads", backtraces)}"]
  end

  # Makes Ruby print the backtraces of its threads. If it hangs in native code, makes it report a crash instead.
  def backtraces
    before = output.size
    signal(:QUIT)
    signal(:SEGV) if !soon { output.size > before } && @process.alive?
    soon { !@process.alive? } if output.size == before
    sleep(0.2)
    output[before..]
  end

  def cut(what, text)
    lines = text.lines
    first = lines.index { |line| line.match?(REPORT) }
    lines = lines[first..].take_while { |line| !line.match?(TAIL) } if first
    lines = lines.first(LINES / 2) + ["…\n"] + lines.last(LINES / 2) if lines.size > LINES
    lines.empty? ? "" : ", #{what}:\n#{lines.join}"
  end

  # Ends the process and its children, which are in the same process group.
  def stop
    signal(:INT) && @process.join(GRACE) if @process.alive?
    signal(:KILL, @group ? -@process.pid : @process.pid) if @group || @process.alive?
    @process.join
    @pipe.close
  end

  def signal(name, to = @process.pid)
    Process.kill(name, to)
  rescue Errno::ESRCH, Errno::EPERM
    nil
  end

  def soon
    deadline = now + GRACE
    sleep(0.05) until (done = yield) || now > deadline
    done
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
