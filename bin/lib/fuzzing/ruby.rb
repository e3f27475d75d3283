# frozen_string_literal: true

require_relative "../setup"
require_relative "../../../fuzz/ruby/targets"
require_relative "target"

module Fuzzing
  # The fuzzers of everything that Ruby calls.
  class Ruby < Runner
    # Ruby frees little when it exits, scans the stack, and has signal stacks of its own (see Build::SANITIZERS).
    SANITIZERS = "detect_leaks=0:detect_stack_use_after_return=0:use_sigaltstack=0:allocator_may_return_null=1:" \
                 "malloc_context_size=3:quarantine_size_mb=32"

    class << self
      attr_reader :build

      # @return [Array<Ruby>]
      def all = TARGETS.keys.map { |name| new(name) }

      # Compiles the native library for it, and installs what runs libFuzzer in Ruby.
      def prepare
        compile_by_clang
        @build = Setup.run(groups: %i[test fuzz], mode: :fuzz)
      end

      # The gem expects that Ruby was compiled by clang.
      def compile_by_clang
        compilers = { "CC" => Clang.command("clang"), "CXX" => Clang.command("clang++") }
        ENV.update(compilers)
        ENV["LD"] = "bfd" # what both compilers call the linker
        ENV["MAKE"] = ["make", *compilers.map { |pair| pair.join("=") }].join(" ")
      end

      # @return [String] libFuzzer with the sanitizers' runtime, which must be loaded first
      def library = File.join(Gem.loaded_specs.fetch("ruzzy").full_gem_path, "ext/cruzzy/asan_with_fuzzer.so")
    end

    private

    # Ruby does not survive libFuzzer's alarm.
    def alarm = 0

    # The decisions that make a payload take few bytes.
    def most = 300

    def command = [RbConfig.ruby, *self.class.build.load_path.flat_map { |path| ["-I", path] }, "fuzz/ruby/harness.rb", name]

    def environment
      { "FUZZED_BY" => Shellwords.join(command), "FUZZED_INPUT" => current, "LD_PRELOAD" => self.class.library,
        "ASAN_OPTIONS" => SANITIZERS, "UBSAN_OPTIONS" => "print_stacktrace=1" }
    end
  end
end
