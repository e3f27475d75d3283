# frozen_string_literal: true

# bin/test: first, for it compiles programs

require "test_helper"
require "support/native_program"
require "tmpdir"
require_relative "../../bin/lib/fuzzing/corpus"

# The parts without Ruby, as small programs. A sanitized run uses the sanitizers for them, too.
class NativeUnitTest < Minitest::Test
  FOLDER = File.join(__dir__, "native_unit")
  FUZZERS = File.join(Build::ROOT, "fuzz")

  # Units and fuzzers that the sanitizers make so large that optimizing them takes longer than running them.
  LARGE = %w[events.cpp structs.cpp thrift.cpp thrift_json.cpp walk.cpp].freeze

  # @return [Array<String>]
  def self.optimization(name) = ENV["SPARPACK_MODE"] == "sanitize" && LARGE.include?(name) ? %w[-O0] : []

  Dir.glob("*.cpp", base: FOLDER).sort.each do |name|
    define_method("test_#{name.delete_suffix(".cpp")}") do
      flags = self.class.optimization(name)
      output, status = NativeProgram.of("wire/native_unit/#{name}", flags:).run

      assert_predicate status, :success?, "#{name}:\n#{output}"
    end
  end

  # bin/fuzz runs the fuzzers for as long as you like. Here each gets some thousand inputs, and those that were kept.
  INPUTS = ENV["SPARPACK_MODE"] == "sanitize" ? "5000" : "20000"

  Dir.glob("*.cpp", base: FUZZERS).sort.each do |name|
    define_method("test_fuzzer_#{name.delete_suffix(".cpp")}") do
      flags = ["-DSPARPACK_DEBUG", *self.class.optimization(name)]
      kept = Fuzzing::Corpus.new("native.#{name.delete_suffix(".cpp")}").path
      output, status = NativeProgram.of("../fuzz/#{name}", "../fuzz/driver/random.cpp", flags:).run(INPUTS, kept)

      assert_predicate status, :success?, "#{name}:\n#{output}"
    end
  end

  # A debug build stops where a release build would continue to write.
  { "reserves what it writes" => [8, true], "writes one byte more" => [7, false] }.each do |what, (reserved, fine)|
    define_method("test_a_writer_that_#{what.tr(" ", "_")}") do
      _, status = Dir.mktmpdir do |folder|
        source = File.join(folder, "writer.cpp")
        File.write(source, format(WRITER, reserved))
        NativeProgram.of(source, flags: %w[-DSPARPACK_DEBUG]).run
      end

      assert_includes fine ? [nil] : Signal.list.values_at("ILL", "TRAP"), status.termsig
    end
  end

  WRITER = <<~CPP
    #include "bytes/writer.hpp"
    #include <cstdlib>

    using namespace sparpack;

    int main() {
        uint8_t room[64];
        Writer w{};
        w.begin = room;
        w.end = room + sizeof room;
        uint8_t *p = writer_reserve(w, room, %d);
        writer_put(w, p, uint64_t{1});
    }
  CPP
  private_constant :WRITER
end
