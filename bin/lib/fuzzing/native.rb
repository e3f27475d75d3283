# frozen_string_literal: true

require_relative "../clang"
require_relative "target"

module Fuzzing
  # The fuzzers of the parts without Ruby.
  class Native < Runner
    SOURCES = File.join(ROOT, "fuzz")

    # Without the operands of comparisons libFuzzer runs a third more inputs and reaches more in the same time.
    FLAGS = %w[-std=c++17 -O2 -g -DSPARPACK_DEBUG -Iext/sparpack -Itest/wire/native_unit
               -fsanitize=fuzzer,address,undefined -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=undefined].freeze

    # These targets allocate much and keep nothing. A small quarantine stays in the cache: they run half as fast again.
    SANITIZERS = "malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64"

    # @return [Array<Native>]
    def self.all = Dir.glob("*.cpp", base: SOURCES).sort.map { |file| new("native.#{File.basename(file, ".cpp")}") }

    # What all of them link.
    def self.prepare = compile("ext/sparpack/wire/all.cpp", "tmp/fuzz/parts.o", "-c")

    def self.compile(*line, into, switch)
      output = File.join(ROOT, into)
      return if File.exist?(output) && File.mtime(output) > changed

      FileUtils.mkdir_p(File.join(ROOT, "tmp/fuzz"))
      made = system(Clang.command("clang++"), *FLAGS, *line, switch, "-o", into, chdir: ROOT)
      abort "#{line.first} could not be compiled." unless made
    end

    # @return [Time] when anything was changed that is compiled here, or that says how
    def self.changed
      @changed ||= begin
        sources = Dir[File.join(ROOT, "{ext,fuzz,test/wire/native_unit}/**/*.{cpp,hpp,c,h}")]
        [*sources, __FILE__].map { |path| File.mtime(path) }.max
      end
    end
    private_class_method :changed

    def prepare
      super
      self.class.compile("fuzz/#{name.delete_prefix("native.")}.cpp", "tmp/fuzz/parts.o", program, "-fsanitize=fuzzer")
    end

    private

    def program = "tmp/fuzz/#{name}/program"
    def command = [File.join(ROOT, program)]
    def environment = { "ASAN_OPTIONS" => SANITIZERS }
  end
end
