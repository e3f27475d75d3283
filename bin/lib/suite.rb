# frozen_string_literal: true

require "fileutils"
require "minitest"
require_relative "profile"
require_relative "test_process"

# Runs test files, each in a process of its own, several at once, and reports as Minitest does.
#
# The files that took longest the last time run first, so that all processors have work until the end. Files that must run
# alone come last, one by one.
class Suite
  # The seconds that one test may take. An emulated machine needs more (Machine).
  PATIENCE = 600 * Float(ENV.fetch("SPARPACK_PATIENCE", 1))

  # What a test says when it is skipped because something is not installed.
  LACKING = /missing|not installed|cannot be reached/

  # A stand-in for the class of a test. Minitest's reporters need only its name.
  Named = Struct.new(:name)

  # @param files [Array<TestFile>]
  # @param options [Array<String>] options of Minitest
  # @param settings [Hash] jobs: the number of processes; patience: seconds for one test; environment: the environment
  #   variables of new processes; server: a ForkServer for the files that need no new process; times: a file that records
  #   how long each test file took; terminal: whether a single test file may read from the terminal; profile: whether to
  #   print where the CPU time goes; complete: whether everything is installed, and a test that lacks something fails
  # @yieldparam file [TestFile]
  # @yieldreturn [Array<String>] the command that runs the file in a new process, without Minitest's options
  def initialize(files, options = [], io: $stdout, **settings, &command)
    @files = files
    @options = options
    @io = io
    @settings = { jobs: 2, patience: PATIENCE, environment: {}, server: nil, times: nil, terminal: false, profile: false,
                  complete: false, **settings }
    @command = command
    @mutex = Mutex.new
    @profile = Profile.new if @settings[:profile]
    @times = read_times(@settings[:times])
    @minitest = Minitest.process_args(options - ["--no-plugins"]).merge(io:, show_skips: true)
    @summary = Minitest::SummaryReporter.new(io, @minitest)
    @reporter = Minitest::CompositeReporter.new(@summary)
    @reporter << Minitest::ProgressReporter.new(io, @minitest) unless @minitest[:quiet]
  end

  # @return [Boolean] whether all passed
  def run
    @reporter.start
    alone, together = slowest_first.partition(&:alone?)
    work(together, @settings[:jobs])
    work(alone, 1)
    write_times(@settings[:times]) if @settings[:times]
    @profile&.print(@io)
    @reporter.report
    @reporter.passed? && !nothing?
  rescue SignalException => e # such as SIGTERM by timeout(1): what has failed so far is still worth reading
    @io.puts "", "#{e.is_a?(Interrupt) ? "Interrupted" : "Ended by #{e.signm}"}. Exiting..."
    @reporter.report
    false
  rescue ForkServer::Ended # it has printed why
    @io.puts "", "What all tests need cannot be loaded, or the process that has loaded it was ended."
    @reporter.report
    false
  end

  private

  def work(files, jobs)
    queue = Queue.new(files).close
    threads = Array.new([jobs, files.size].min) do
      Thread.new do
        Thread.current.report_on_exception = false # join raises the exception
        while (file = queue.pop)
          run_file(file)
        end
      end
    end
    threads.each(&:join)
  ensure
    threads&.each(&:kill)&.each(&:join)
  end

  def run_file(file)
    started = now
    process = start(file)
    complete = process.run do |result, seconds|
      record(result)
      @profile&.test(title(file), result, seconds)
    end
    @profile&.file(title(file), process.cpu)
    @times[title(file)] = now - started if complete && !filtered?
    print_output(file, process.output) if complete
  end

  # @return [TestProcess]
  def start(file)
    options  = [*@options, "--seed", @minitest[:seed].to_s]
    settings = { title: title(file), patience: @settings[:patience] }
    server   = @settings[:server]
    return TestProcess.forked(server, [file.path, *options], **settings) if server && !file.fresh?

    TestProcess.spawned([*@command.call(file), *options], environment: @settings[:environment], **settings,
                        terminal: @settings[:terminal] && @files.one?)
  end

  def record(result)
    result.failures.map! { |failure| lacking?(failure) ? failed(failure) : failure } if @settings[:complete]
    @mutex.synchronize do
      @reporter.prerecord(Named.new(result.klass), result.name)
      @reporter.record(result)
    end
  end

  def lacking?(failure) = failure.is_a?(Minitest::Skip) && failure.message.match?(LACKING)

  def failed(skip) = Minitest::Assertion.new(skip.message).tap { |failure| failure.set_backtrace(skip.backtrace) }

  # Prints the output of one process in one piece.
  def print_output(file, text)
    @mutex.synchronize { @io.puts "", "#{title(file)} printed:", text } unless text.empty?
  end

  # The path, relative to the current folder if the file is inside it.
  def title(file) = file.path.delete_prefix("#{Dir.pwd}/")

  # Files that have not run yet come before others, because they may be slow.
  def slowest_first
    @files.sort_by { |file| [-@times.fetch(title(file), Float::INFINITY), file.first? ? 0 : 1, file.path] }
  end

  # Each line has the seconds and a path.
  def read_times(path)
    return {} unless path && File.exist?(path)

    File.readlines(path, chomp: true).to_h { |line| line.split(" ", 2).then { |seconds, title| [title, seconds.to_f] } }
  end

  def write_times(path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write("#{path}.new", @times.map { |title, seconds| format("%.2f %s\n", seconds, title) }.join)
    File.rename("#{path}.new", path)
  end

  def filtered? = @minitest[:filter] || @minitest[:exclude]

  def nothing?
    return false unless @summary.count < 1 && @minitest[:filter]

    @io.puts "No test matches #{@minitest[:filter]}"
    true
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
