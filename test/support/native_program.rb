# frozen_string_literal: true

require "rbconfig"
require "tmpdir"
require_relative "../../bin/lib/build"
require_relative "command"

# A small program of the parts without Ruby. A sanitized run uses the sanitizers for it, too.
class NativeProgram
  ROOT  = File.join(Build::ROOT, "test")
  FLAGS = %W[-std=c++17 -O1 -Wall -Wextra -Werror -I#{Build::SOURCE} -I#{ROOT}/wire/native_unit].freeze
  SANITIZERS = %w[-g1 -fsanitize=address,undefined -fno-sanitize-recover=all].freeze

  # Compiles each program once.
  #
  # @param sources [Array<String>] relative to test/
  # @param flags [Array<String>]
  # @return [NativeProgram]
  def self.of(*sources, flags: []) = (@made ||= {})[[sources, flags]] ||= new(sources, flags)

  def initialize(sources, flags)
    folder = Dir.mktmpdir
    Minitest.after_run { FileUtils.rm_rf(folder) }
    @program = File.join(folder, "program")
    flags += SANITIZERS if ENV["SPARPACK_MODE"] == "sanitize"
    paths = sources.map { |source| File.expand_path(source, ROOT) }
    output, status = run_alone(RbConfig::CONFIG["CXX"], *FLAGS, *flags, *paths, "-o", @program)
    raise "#{sources.join(", ")}:\n#{output}" unless status.success?
  end

  # @return [Array(String, Process::Status)] what it printed
  def run(*arguments) = run_alone(@program, *arguments)

  private

  # A single String would be split at its spaces.
  def run_alone(program, *arguments) = Command.capture2e([program, program], *arguments)
end
