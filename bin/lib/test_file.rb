# frozen_string_literal: true

# A test file. Comments like these give instructions to bin/test:
#
#     # bin/test: alone, for it measures time
#     # bin/test: first, for it takes long and would keep one processor busy at the end
#     # bin/test: not sanitized, for it runs no native code
#     # bin/test: fresh, for it must define something before Sparpack is loaded
#     # bin/test: fresh if sanitized, for it asks for the wires of the tests before Sparpack is loaded
class TestFile
  # The style, the build, the package and the benchmarks. They say nothing about the native code that other tests do not.
  APART = %w[test/house test/bench].freeze

  MARKS = ["alone", "first", "not sanitized", "fresh", "fresh if sanitized"].freeze

  attr_reader :path

  # @param paths [Array<String>] files and folders
  # @return [Array<TestFile>]
  def self.all(paths)
    paths.flat_map do |path|
      next new(File.expand_path(path)) if File.file?(path)

      found = Dir[File.expand_path("**/*_test.rb", path)]
      abort "No tests in #{path}" if found.empty?
      found.map { |file| new(file) }
    end
  end

  # @param path [String]
  def initialize(path)
    @path = path
    @marks = File.read(path, encoding: Encoding::UTF_8).scan(%r{^# bin/test: ([\w ]+)}).flatten
    wrong = @marks - MARKS
    abort "#{path}: unknown mark #{wrong.first.inspect} (known: #{MARKS.join(", ")})" unless wrong.empty?
  end

  # @return [Boolean] whether it must run alone
  def alone? = @marks.include?("alone")

  # @return [Boolean] whether it should start before other files whose time nobody knows
  def first? = @marks.include?("first")

  # @return [Boolean] whether it needs a new process, which has not loaded test/test_helper.rb
  def fresh? = @marks.include?("fresh") || (@marks.include?("fresh if sanitized") && ENV["SPARPACK_MODE"] == "sanitize")

  # @return [Boolean] whether it is in one of the rooms APART
  def apart? = APART.any? { |room| File.dirname(path).end_with?("/#{room}") }

  # @return [Boolean] whether it should run under the sanitizers
  def sanitized? = !@marks.include?("not sanitized")
end
