# frozen_string_literal: true

require "minitest"

# A process that runs a test file reports to bin/test by writing lines to a pipe. bin/test makes each process require this
# file before the tests. It replaces Minitest's reporters with one that prints nothing.
#
#     [:begun, "StructTest", "test_dup"], [:ended, #<Minitest::Result>, 0.01], …, [:finished, 0.5]
#
# The numbers are seconds of CPU time, those of child processes included: of the test, and of the process so far.
module TestMessages
  # The environment variable that holds the number of the pipe.
  PIPE = "SPARPACK_TEST_PIPE"

  # Stands for an error whose class bin/test may not have.
  Foreign = Struct.new(:class_name, :message, :backtrace) do
    def class = class_name
  end

  module_function

  # @return [String] the message as a line
  def dump(message) = "#{[Marshal.dump(message)].pack("m0")}\n"

  # @param line [String]
  # @return [Array]
  def load(line) = Marshal.load(line.unpack1("m")) # rubocop:disable Security/MarshalLoad -- our own process wrote it

  # @param klass [String]
  # @param name [String]
  # @param error [String] the name of the error's class
  # @return [Minitest::Result] for a test that could not report its result itself
  def result(klass, name, error, message)
    Minitest::Result.new(name).tap do |result|
      result.klass = klass
      result.time = 0
      result.failures << Minitest::UnexpectedError.new(Foreign.new(error, message, []))
    end
  end

  # @param result [Minitest::Result]
  # @return [Minitest::Result] a copy that any process can load
  def plain(result)
    result.dup.tap { |copy| copy.failures = result.failures.map { |failure| plain_failure(failure) } }
  end

  def plain_failure(failure)
    if failure.is_a?(Minitest::UnexpectedError)
      error = failure.error
      return Minitest::UnexpectedError.new(Foreign.new(error.class.name, error.message, error.backtrace))
    end
    known = [Minitest::Skip, Minitest::UnexpectedWarning].find { |one| failure.is_a?(one) } || Minitest::Assertion
    known.new(failure.message).tap { |copy| copy.set_backtrace(failure.backtrace) }
  end
  private_class_method :plain_failure

  # The reporter that Minitest calls.
  class Reporter < Minitest::AbstractReporter
    def initialize(pipe)
      super()
      @pipe = pipe
      @process = Process.pid
    end

    def prerecord(klass, name)
      @before = cpu
      tell(:begun, klass.name, name)
    end

    def record(result) = tell(:ended, TestMessages.plain(result), cpu - @before)

    def report = tell(:finished, cpu)

    private

    def cpu = Process.times.to_a.sum

    def tell(*message)
      @pipe.write(TestMessages.dump(message)) if Process.pid == @process
    end
  end

  # @param options [Hash] options of Minitest
  def self.minitest_plugin_init(_options)
    Minitest.reporter.reporters.replace([Reporter.new(@pipe)])
  end

  # @param pipe [IO]
  def self.report_to(pipe)
    require_relative "../../test/support/backtraces"
    @pipe = pipe.tap { pipe.sync = pipe.close_on_exec = true }
    Minitest.register_plugin(self)
  end

  if (number = ENV.delete(PIPE))
    report_to(IO.for_fd(Integer(number), "w"))
  end
end
