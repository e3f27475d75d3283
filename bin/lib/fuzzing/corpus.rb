# frozen_string_literal: true

require "fileutils"

module Fuzzing
  # Inputs that reach something that the others do not, one per line in hexadecimal digits, so that a clone has one file for
  # each target. The test suite runs them.
  class Corpus
    FOLDER = File.expand_path("../../../fuzz/corpus", __dir__)

    # How many inputs of a target are kept, and how long each may be.
    MOST = 150
    SIZE = 1024

    # @return [String] the file
    attr_reader :path

    # @param name [String] of a target
    def initialize(name)
      @path = File.join(FOLDER, "#{name}.txt")
    end

    # @return [Array<String>]
    def inputs = File.exist?(@path) ? File.readlines(@path, chomp: true).map { |line| [line].pack("H*") } : []

    # Writes the inputs to a folder, as libFuzzer reads them.
    #
    # @param folder [String]
    def unpack(folder)
      FileUtils.mkdir_p(folder)
      inputs.each_with_index { |bytes, index| File.binwrite(File.join(folder, format("kept-%04d", index)), bytes) }
    end

    # Keeps the inputs of a folder.
    #
    # @param folder [String]
    def pack(folder)
      found = Dir[File.join(folder, "*")].map { |path| File.binread(path) }.select { |bytes| bytes.bytesize <= SIZE }
      kept = found.uniq.sort_by { |bytes| [bytes.bytesize, bytes] }
      kept = kept.each_slice((kept.size / MOST) + 1).map(&:first)
      FileUtils.mkdir_p(FOLDER)
      File.write(@path, kept.map { |bytes| "#{bytes.unpack1("H*")}\n" }.join)
    end
  end
end
