# frozen_string_literal: true

require "fileutils"
require "json"
require "rubygems"
require_relative "command"
require_relative "fresh_ruby"
require_relative "thrift_case_runner"

# Runs cases with the thrift gem, each mode in a process of its own.
module ThriftCases
  ROOT   = File.expand_path("../..", __dir__)
  RUNNER = File.join(__dir__, "thrift_case_runner.rb")
  RANDOM = File.join(__dir__, "thrift_random.rb")
  FILES  = Dir[File.join(ROOT, "test/drop_in/thrift/cases/*.rb")]
  SHAPES = Dir[File.join(ROOT, "test/golden/thrift/*/")].to_h { |folder| [File.basename(folder), folder] }.freeze
  GOLDEN = File.join(ROOT, "test/golden/thrift/cases")

  MODES = %i[gem drop_in].freeze

  module_function

  # @param home [String, nil] a folder of gems, if the version is not in the bundle
  # @return [Hash{String => Array<String>}] the lines of each case
  def run(mode, files, version: nil, shape: SHAPES.fetch("0.25"), home: nil)
    JSON.parse(ruby(home, RUNNER, mode, version, shape, *files))
  end

  # @param rounds [Integer] how many objects to make
  # @param mutations [Integer] how many faulty messages to read for each
  # @return [Array<String>] what support/thrift_random.rb printed
  def random(mode, seed, rounds, mutations, version: nil, home: nil)
    ruby(home, RANDOM, mode, version, seed, rounds, mutations).scrub.lines(chomp: true)
  end

  # @return [String] what the program printed
  def ruby(home, program, *arguments)
    environment = FreshRuby.environment
    environment["GEM_PATH"] = [home, environment["GEM_PATH"]].compact.join(File::PATH_SEPARATOR)
    output, errors, status = Command.capture3(environment, RbConfig.ruby, "-W0", program, *arguments.map(&:to_s))
    return output if status.success?

    raise Minitest::Assertion, "#{arguments.join(" ")} ended by #{status}:\n#{errors[-4000..] || errors}"
  end

  # @return [Array<String>] the names of the cases in a file, without running them
  def names(file)
    recorder = ThriftCaseRunner.clone
    recorder.instance_variable_set(:@cases, [])
    recorder.instance_eval(File.read(file), file)
    recorder.cases.map(&:name)
  end

  def golden(file) = File.join(GOLDEN, "#{File.basename(file, ".rb")}.txt")

  # A title that ends with "[drop_in]" says what only the drop-in does. UPDATE=1 keeps these.
  # @return [Hash{String => Array<String>}]
  def expected(file)
    path = golden(file)
    return {} unless File.exist?(path)

    File.read(path, encoding: Encoding::UTF_8).split(/^(?=\S)/).to_h do |text|
      name, *lines = text.lines(chomp: true)
      [name, lines.reject(&:empty?).map { |line| line.delete_prefix("  ") }]
    end
  end

  # @return [Array<String>] the cases in which the drop-in differs with reason
  def differing
    FILES.flat_map do |file|
      names = expected(file).keys.filter_map { |name| name[/\A(.*) \[drop_in\]\z/, 1] }
      names.map { |name| "#{File.basename(file, ".rb")}: #{name}" }
    end
  end

  def write(file, results)
    FileUtils.mkdir_p(GOLDEN)
    results = results.merge(expected(file).select { |name, _| name.end_with?(" [drop_in]") })
    text = results.map { |name, lines| "#{name}\n#{lines.map { |line| "  #{line}\n" }.join}" }
    File.write(golden(file), text.join("\n"))
  end
end
