# frozen_string_literal: true

require "rbconfig"
require "tmpdir"
require_relative "../../bin/lib/build"
require_relative "command"
require_relative "patience"

# A small program of the parts without Ruby. A sanitized run uses the sanitizers for it, too.
class NativeProgram
  ROOT  = File.join(Build::ROOT, "test")
  FLAGS = %W[-std=c++17 -O1 -Wall -Wextra -Werror -I#{Build::SOURCE} -I#{ROOT}/wire/native_unit].freeze
  # An emulated machine cannot reserve the memory that AddressSanitizer needs.
  SANITIZERS = ["-g1", "-fsanitize=#{"address," if Patience::FACTOR == 1}undefined", "-fno-sanitize-recover=all"].freeze

  # What the headers of the parts without Ruby declare, and do not define.
  PARTS = File.join(Build::SOURCE, "wire/all.cpp")

  class << self
    # Compiles each program once.
    #
    # @param sources [Array<String>] relative to test/
    # @param flags [Array<String>]
    # @return [NativeProgram]
    def of(*sources, flags: []) = (@made ||= {})[[sources, flags]] ||= new(sources, flags)

    # @param flags [Array<String>] of the program; other definitions than these must not change what the headers say
    # @return [String] the object of PARTS for such programs, which is compiled once
    def parts(flags)
      flags &= ["-DSPARPACK_DEBUG", *SANITIZERS]
      (@parts ||= {})[flags] ||= compile(*flags, "-c", PARTS, "-o", "#{folder}/parts.o")
    end

    # @param line [Array<String>] for the compiler; the last is the file that it makes
    # @return [String] that file
    def compile(*line)
      output, status = Command.capture2e(RbConfig::CONFIG["CXX"], *FLAGS, *line)
      raise output unless status.success?

      line.last
    end

    # @return [String] a folder that is removed in the end
    def folder = Dir.mktmpdir.tap { |folder| Minitest.after_run { FileUtils.rm_rf(folder) } }
  end

  def initialize(sources, flags)
    paths = sources.map { |source| File.expand_path(source, ROOT) }
    own = flags + (ENV["SPARPACK_MODE"] == "sanitize" ? SANITIZERS : [])
    @program = self.class.compile(*own, *paths, self.class.parts(own), "-o", "#{self.class.folder}/program")
  end

  # A single String would be split at its spaces.
  #
  # @return [Array(String, Process::Status)] what it printed
  def run(*arguments) = Command.capture2e([@program, @program], *arguments)
end
