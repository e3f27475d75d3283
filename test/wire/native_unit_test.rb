# frozen_string_literal: true

require "test_helper"
require_relative "../../bin/lib/build"
require "tmpdir"
require "support/command"

# The parts without Ruby, as small programs. A sanitized run uses the sanitizers for them, too.
class NativeUnitTest < Minitest::Test
  FOLDER = File.join(__dir__, "native_unit")
  FLAGS  = %W[-std=c++17 -O1 -Wall -Wextra -Werror -I#{Build::SOURCE} -I#{FOLDER}].freeze
  SANITIZERS = %w[-g -fsanitize=address,undefined -fno-sanitize-recover=all].freeze

  Dir.glob("*.cpp", base: FOLDER).sort.each do |name|
    define_method("test_#{name.delete_suffix(".cpp")}") do
      output, status = run_program(File.join(FOLDER, name), *(SANITIZERS if ENV["SPARPACK_MODE"] == "sanitize"))

      assert_predicate status, :success?, "#{name}:\n#{output}"
    end
  end

  # A debug build stops where a release build would continue to write.
  { "reserves what it writes" => [8, true], "writes one byte more" => [7, false] }.each do |what, (reserved, fine)|
    define_method("test_a_writer_that_#{what.tr(" ", "_")}") do
      _, status = Dir.mktmpdir do |folder|
        source = File.join(folder, "writer.cpp")
        File.write(source, format(WRITER, reserved))
        run_program(source, "-DSPARPACK_DEBUG")
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

  private

  # @return [Array(String, Process::Status)]
  def run_program(source, *flags)
    Dir.mktmpdir do |folder|
      program = File.join(folder, "program")
      output, status = run_alone(RbConfig::CONFIG["CXX"], *FLAGS, *flags, source, "-o", program)

      assert_predicate status, :success?, output
      run_alone(program)
    end
  end

  # A single String would be split at its spaces.
  def run_alone(program, *arguments) = Command.capture2e([program, program], *arguments)
end
