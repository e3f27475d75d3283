# frozen_string_literal: true

# bin/test: first, for it compiles programs and would keep one processor busy at the end

require "test_helper"
require_relative "../../bin/lib/build"
require "tmpdir"
require "support/command"
require "support/native_program"

# The contract of wires (wire/contract.hpp) without Ruby: a wire that breaks it does not compile, and one that claims too
# little room stops a debug build.
class WireContractTest < Minitest::Test
  WIRES = File.expand_path("../wires", __dir__)
  FLAGS = %W[-std=c++17 -O1 -Wall -Wextra -Werror -I#{Build::SOURCE} -I#{WIRES}
             -DSPARPACK_TEST_WIRES -DSPARPACK_DEBUG].freeze

  PROGRAM = <<~CPP
    #include "rooms.hpp"

    using namespace sparpack;

    %s

    int main() {
    %s
    }
  CPP

  # What a wire may get wrong, as its change of Compact, and what the compiler says.
  UNSOUND = {
    "static constexpr size_t scalar_max = 12;"                         => /a raw uuid is a scalar/,
    "static constexpr size_t number_max = 17;"                         => /a number is a scalar/,
    "static constexpr size_t header_max = 0;"                          => /rooms are larger than nothing/,
    "static constexpr size_t close_max = 0;"                           => /a struct that is not counted has an end/,
    "static constexpr size_t open_max = 0;"                            => /a container has a beginning/,
    "static constexpr size_t string_room(size_t size) { return size; }" => /a string needs room for itself and its size/,
    "static constexpr size_t string_room(size_t size) { return 6 * size + 2; }" => /raw strings do not grow/,
    "struct Frame { char large[100]; };"                               => /Frame is on the stack once for each level/,
    "static Header header(int);"                                       => /header/,
    "static constexpr WireTraits traits = [] { WireTraits t{}; t.counts_fields = true; return t; }();" =>
      /the number of fields stands at a struct's beginning/,
    "static constexpr WireTraits traits = [] { WireTraits t{}; t.fields = FieldsBy::position; return t; }();" =>
      /positions need to know where they begin/,
    "static constexpr WireTraits traits = [] { WireTraits t{}; t.fields = FieldsBy::name; t.keeps = Kept::fields; " \
    "return t; }();" => /unknown fields are kept by their ids/
  }.freeze

  # The constants of a wire whose functions are still missing.
  UNFINISHED = %w[header_max scalar_max number_max open_max].freeze

  # What a wire may claim, and still write more.
  CRAMPED = {
    "number_max" => "static constexpr size_t number_max = 9;",
    "header_max" => "static constexpr size_t header_max = 3;",
    "open_max"   => "static constexpr size_t open_max = 5;"
  }.freeze

  def test_wires_write_no_more_than_they_claim
    wires = %w[Compact Binary Json ThriftJson MessagePackArray MessagePackNames MessagePackIds Tuple Sexp]
    body = wires.map { |wire| "    write_everything<#{wire}>();" }.join("\n")
    status = run_program(format(PROGRAM, "", body), *NativeProgram::SANITIZERS)

    assert_predicate status, :success?
  end

  CRAMPED.each do |name, change|
    define_method("test_a_debug_build_stops_at_a_#{name}_that_is_too_small") do
      status = run_program(format(PROGRAM, "struct Cramped : Compact { #{change} };", "    write_everything<Cramped>();"))

      assert_includes Signal.list.values_at("ILL", "TRAP"), status.termsig
    end
  end

  UNSOUND.each do |change, message|
    define_method("test_a_wire_with_#{change[/[a-z_]+(?=\W*(?:=|\())/] || "frame"}_#{message.source.tr(" '", "_")}") do
      output, status = compile("struct Unsound : Compact { #{change} };\nstatic_assert(check_wire<Unsound>());")

      refute_predicate status, :success?
      assert_match message, output
    end
  end

  # Functions are looked for, too, so that the first error does not come from the middle of the codec.
  def test_a_wire_without_functions
    constants = UNFINISHED.map { |name| "static constexpr size_t #{name} = 16;" }.join(" ")
    wire = "struct Unfinished : Thrift<Unfinished> { using Frame = Compact::Frame; using Header = Compact::Header; " \
           "#{constants} static constexpr size_t string_room(size_t size) { return size + 4; } " \
           "static Header header(const FieldFacts &) { return {}; } };"
    output, status = compile("#{wire}\nstatic_assert(check_wire<Unfinished>());")

    refute_predicate status, :success?
    %w[next_known next_field write_known write_list read_i8 write_double].each do |name|
      assert_match(/error: .*\b#{name}\b/, output)
    end
  end

  def test_a_sound_wire_compiles
    output, status = compile("struct Sound : Compact {};\nstatic_assert(check_wire<Sound>());")

    assert_predicate status, :success?, output
  end

  private

  # @return [Array(String, Process::Status)]
  def compile(text)
    unit = format(PROGRAM, text, "")
    Command.capture2e(RbConfig::CONFIG["CXX"], *FLAGS, "-fsyntax-only", "-x", "c++", "-", stdin_data: unit)
  end

  # @return [Process::Status] how the program ended
  def run_program(text, *flags)
    Dir.mktmpdir do |folder|
      program = File.join(folder, "program")
      File.write("#{program}.cpp", text)
      parts = NativeProgram.parts([*FLAGS, *flags])
      output, status = Command.capture2e(RbConfig::CONFIG["CXX"], *FLAGS, *flags, "#{program}.cpp", parts, "-o", program)

      assert_predicate status, :success?, output
      Command.capture2e([program, program]).last
    end
  end
end
