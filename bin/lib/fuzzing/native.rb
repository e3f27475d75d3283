# frozen_string_literal: true

require_relative "../clang"
require_relative "target"

module Fuzzing
  # The fuzzers of the parts without Ruby.
  class Native < Runner
    SOURCES = File.join(ROOT, "fuzz")
    FLAGS = %w[-std=c++17 -O1 -g -DSPARPACK_DEBUG -Iext/sparpack -Itest/wire/native_unit
               -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined].freeze

    # @return [Array<Native>]
    def self.all = Dir.glob("*.cpp", base: SOURCES).sort.map { |file| new("native.#{File.basename(file, ".cpp")}") }

    # What all of them link.
    def self.prepare = compile("ext/sparpack/wire/all.cpp", "tmp/fuzz/parts.o", "-c")

    def self.compile(*line, into, switch)
      FileUtils.mkdir_p(File.join(ROOT, "tmp/fuzz"))
      made = system(Clang.command("clang++"), *FLAGS, *line, switch, "-o", into, chdir: ROOT)
      abort "#{line.first} could not be compiled." unless made
    end

    def prepare
      super
      self.class.compile("fuzz/#{name.delete_prefix("native.")}.cpp", "tmp/fuzz/parts.o", program, "-fsanitize=fuzzer")
    end

    private

    def program = "tmp/fuzz/#{name}/program"
    def command = [File.join(ROOT, program)]
    def environment = {}
  end
end
