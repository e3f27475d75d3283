# frozen_string_literal: true

require "timeout"
require "tmpdir"
require_relative "test_messages"

# A process that loads once what all test files need, and forks a child for each file. It runs no tests itself, so every
# child begins in the same state.
#
#     server = ForkServer.new([RbConfig.ruby, "-Itest", "-rtest_helper"])
#     child = server.start(["a_test.rb", "--seed", "1"], "output.txt")
#     child.pipe.gets # what the tests report, see TestMessages
#     child.value.success?
#     server.stop
class ForkServer
  # What the tests share cannot be loaded, or somebody killed the server.
  Ended = Class.new(StandardError)

  # How a child ended: what is needed of a Process::Status, which only its parent has.
  Status = Struct.new(:success?, :text) do
    def to_s = text
  end

  GONE = [false, "the process that forked it ended"].freeze
  private_constant :GONE

  # The process of a test file. It has the methods of what Process.detach returns.
  class Child
    attr_reader :pid, :pipe

    # @param pid [Integer]
    # @param pipe [IO] what the tests report
    # @yieldreturn [Status] when the process has ended
    def initialize(pid, pipe, &)
      @pid = pid
      @pipe = pipe
      @waiter = Thread.new(&)
    end

    def alive? = @waiter.alive?
    def join(seconds = nil) = @waiter.join(seconds) && self
    def value = @waiter.value
  end

  # @param command [Array<String>] Ruby, with options that load what the tests share
  # @param environment [Hash{String => String}]
  def initialize(command, environment: {})
    @mutex = Mutex.new
    @answers = {}
    @number = 0
    orders, @orders = IO.pipe
    pipe, answers = IO.pipe
    script = "ForkServer::Loop.new(#{orders.fileno}, #{answers.fileno}).run"
    @pid = spawn(environment, *command, "-r#{__dir__}/fork_server/loop.rb", "-e", script,
                 orders => orders, answers => answers, in: File::NULL, pgroup: true)
    [orders, answers].each(&:close)
    @listener = Thread.new { listen(pipe) }
  end

  # @param arguments [Array<String>] the path of a test file, and options of Minitest
  # @param output [String] the path of the file that stdout and stderr are appended to
  # @param patience [Numeric] the seconds that loading may take
  # @return [Child]
  # @raise [Ended]
  def start(arguments, output, patience: 600)
    Dir.mktmpdir do |folder|
      File.mkfifo("#{folder}/pipe")
      # Otherwise this would wait for the writer.
      pipe = IO.for_fd(IO.sysopen("#{folder}/pipe", File::RDONLY | File::NONBLOCK))
      answers = order(["#{folder}/pipe", output, arguments])
      pid = Timeout.timeout(patience, Ended) { answers.pop } or raise Ended
      Child.new(pid, pipe) { Status.new(*answers.pop || GONE) }
    end
  end

  # Children that still run are not ended.
  def stop
    @orders.close
    Process.wait(@pid)
    @listener.join
  end

  private

  # @return [Queue] of the answers: the child's process id, and later its status; closed if the server ends
  def order(message)
    @mutex.synchronize do
      raise Ended unless @answers

      @orders.write(TestMessages.dump([@number += 1, *message]))
      @answers[@number] = Queue.new
    end
  rescue Errno::EPIPE
    raise Ended
  end

  def listen(pipe)
    while (line = pipe.gets)
      number, answer = TestMessages.load(line)
      @mutex.synchronize { @answers.fetch(number) } << answer
    end
  ensure
    @mutex.synchronize do
      @answers.each_value(&:close)
      @answers = nil
    end
  end
end
