# frozen_string_literal: true

require "fileutils"

module Fuzzing
  # Inputs that found something, with comments that say what, and after an empty line those that reach something that the
  # others do not. Each is one line of hexadecimal digits, so that a clone has one file for each target. The test suite runs
  # them.
  class Corpus
    FOLDER = File.expand_path("../../../fuzz/corpus", __dir__)

    # How many inputs of a target are kept, and how long each may be.
    MOST = 60
    SIZE = 1024

    # @return [String] the file
    attr_reader :path

    # @param name [String] of a target
    def initialize(name)
      @path = File.join(FOLDER, "#{name}.txt")
    end

    # @return [Array<String>]
    def inputs = lines.reject { |line| line.empty? || line.start_with?("#") }.map { |line| [line].pack("H*") }

    # Writes the inputs to a folder, as libFuzzer reads them.
    #
    # @param folder [String]
    def unpack(folder)
      FileUtils.mkdir_p(folder)
      inputs.each_with_index { |bytes, index| File.binwrite(File.join(folder, format("kept-%04d", index)), bytes) }
    end

    # Keeps the inputs of a folder, and all that once found something.
    #
    # @param folder [String]
    def pack(folder)
      found = Dir[File.join(folder, "*")].map { |path| File.binread(path) }.select { |bytes| bytes.bytesize <= SIZE }
      kept = found.uniq.sort_by { |bytes| [bytes.bytesize, bytes] }
      kept = kept.each_slice((kept.size / MOST) + 1).map { |bytes, *| bytes.unpack1("H*") }
      FileUtils.mkdir_p(FOLDER)
      File.write(@path, [*finds, *kept].map { |line| "#{line}\n" }.join)
    end

    private

    def lines = File.exist?(@path) ? File.readlines(@path, chomp: true) : []

    # @return [Array<String>] lines
    def finds = lines.include?("") ? lines[..lines.index("")] : []
  end
end
