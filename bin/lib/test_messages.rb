# frozen_string_literal: true

require "minitest"

# How a process that runs a test file tells bin/test what happens: by lines in a pipe. bin/test requires this file there,
# before the tests; each process then has one reporter, which prints nothing.
#
#     [:begun, "StructTest", "test_dup"], [:ended, #<Minitest::Result>], …, [:finished]
module TestMessages
  # The variable that holds the number of the pipe.
  PIPE = "SPARPACK_TEST_PIPE"

  # An error of a class that bin/test may not know.
  Foreign = Struct.new(:class_name, :message, :backtrace) do
    def class = class_name
  end

  module_function

  # @return [String] a line
  def dump(message) = "#{[Marshal.dump(message)].pack("m0")}\n"

  # @param line [String]
  # @return [Array]
  def load(line) = Marshal.load(line.unpack1("m")) # rubocop:disable Security/MarshalLoad -- our own process wrote it

  # @param klass [String]
  # @param name [String]
  # @param error [String] what stands for the error's class
  # @return [Minitest::Result] of a test that could not tell its result
  def result(klass, name, error, message)
    Minitest::Result.new(name).tap do |result|
      result.klass = klass
      result.time = 0
      result.failures << Minitest::UnexpectedError.new(Foreign.new(error, message, []))
    end
  end

  # @param result [Minitest::Result]
  # @return [Minitest::Result] one that any process can load
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

  # What Minitest calls.
  class Reporter < Minitest::AbstractReporter
    def initialize(pipe)
      super()
      @pipe = pipe
      @process = Process.pid
    end

    def prerecord(klass, name) = tell(:begun, klass.name, name)

    def record(result) = tell(:ended, TestMessages.plain(result))

    def report = tell(:finished)

    private

    def tell(*message)
      @pipe.write(TestMessages.dump(message)) if Process.pid == @process
    end
  end

  # @param options [Hash] Minitest's
  def self.minitest_plugin_init(_options)
    Minitest.reporter.reporters.replace([Reporter.new(@pipe)])
  end

  if (number = ENV.delete(PIPE))
    require_relative "../../test/support/backtraces"
    @pipe = IO.for_fd(Integer(number), "w").tap { |pipe| pipe.sync = pipe.close_on_exec = true }
    Minitest.register_plugin(self)
  end
end
