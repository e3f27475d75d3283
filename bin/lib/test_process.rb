# frozen_string_literal: true

require "io/wait"
require "tempfile"
require_relative "test_messages"

# One test file in a process of its own. What it prints is kept; what it starts ends with it.
#
# A test that takes longer than `patience` prints where its threads stand, and is killed. That and a crash are results, too.
class TestProcess
  # Seconds for what takes a moment.
  GRACE = 5

  # How many lines of what was printed are told.
  LINES = 120

  # Reports of crashes begin here, and end with what tells nothing.
  REPORT = /\[BUG\]|ERROR: \w+Sanitizer|runtime error:/
  TAIL   = /^-- Other runtime information|^Shadow bytes around/

  # @param command [Array<String>]
  # @param title [String] of the file
  # @param environment [Hash{String => String}]
  # @param patience [Numeric] seconds for one test
  # @param terminal [Boolean] whether it reads and prints there, for a debugger
  def initialize(command, title:, environment: {}, patience: 600, terminal: false)
    @title = title
    @patience = patience
    @group = !terminal
    @output = Tempfile.create("test", mode: File::APPEND).tap { |file| File.unlink(file) }
    @lines = +""
    @test = [title, "load"]
    @pipe, writer = IO.pipe
    streams = terminal ? { in: :in } : { in: File::NULL, %i[out err] => @output, pgroup: true }
    pid = spawn(environment.merge(TestMessages::PIPE => writer.fileno.to_s), *command, writer => writer, **streams)
    @process = Process.detach(pid)
  ensure
    writer&.close
  end

  # @yieldparam result [Minitest::Result]
  # @return [Boolean] whether it came to its end
  def run(&)
    trouble = listen(&) ? crash : overdue
    yield TestMessages.result(*@test, *trouble) if trouble
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

  # @return [Boolean] whether the process ends by itself
  def listen(&)
    deadline = now + @patience
    until now > deadline
      ended = !@process.alive? # its children may hold the pipe
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
        yield about.first
      when :finished then @test = [@title, "exit"]
      end
    end
  end

  # @return [Array(String, String), nil] what stands for the error's class, and its message
  def crash
    return overdue unless @process.join(@patience)

    status = @process.value
    return if status.success? && @test == [@title, "exit"]

    ["Crash", "the process ended (#{status.to_s.sub(/\Apid \d+ /, "")})#{cut("printing", output)}"]
  end

  def overdue
    ["Overdue", "waited #{@patience} s#{cut("and these stood there", backtraces)}"]
  end

  # Ruby prints where its threads stand, unless it is in a loop in native code: then it reports a crash.
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

  # Its children are in its group.
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
