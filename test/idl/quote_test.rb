# frozen_string_literal: true

# bin/test: not sanitized, for .thrift files are read by Ruby code

require "test_helper"
require "support/breaking_cases"
require "support/idl_cases"
require "support/idl_versions"
require "stringio"
require "tmpdir"

# Messages about a .thrift text cut long names.
class IDLQuoteTest < Minitest::Test
  include IDLVersions

  # Words that have a meaning in the language, or for `sparpack breaking`.
  KEPT = %w[
    bool byte i8 i16 i32 i64 double string binary uuid slist list set map void const typedef enum senum struct union
    exception service extends oneway async throws required optional include namespace rb true false inf thrift sparpack
    compat all cpp_type smalltalk category ruby name
  ].union(Sparpack::IDL::Breaking::Rule::ALL.keys.map(&:name)).freeze

  LONG = "n" * 400
  CUT = /n{#{Sparpack::Quote::LENGTH + 1}}/

  IDLCases::REJECTED.each do |name, (text, _)|
    define_method(:"test_#{name}") do
      error = assert_raises(Sparpack::IDL::Error) { program(lengthen(text)) }

      error.faults.each { |fault| refute_match CUT, fault.message }
      refute_match CUT, error.message
    end
  end

  BreakingCases::FOUND.each do |rule, cases|
    cases.each_with_index do |versions, index|
      define_method(:"test_#{rule}_#{index}") do
        level = Sparpack::IDL::Breaking::Rule::ALL.fetch(rule).level
        findings = findings(*versions.map { |version| lengthened(version) }, level:)

        assert_includes findings.map(&:rule), rule
        findings.each { |finding| refute_match CUT, finding.message }
      end
    end
  end

  COLLISIONS = [
    "struct a_b {} struct aB {}", "struct A { 1: i32 a_b 2: i32 aB }", "enum E { a_b aB }",
    "service S { void a_b() void aB() }", "service S { void a_b() } service T extends S { void aB() }",
    "namespace rb a_b.cD struct aB {} struct a_b {}"
  ].freeze

  COLLISIONS.each_with_index do |text, index|
    define_method(:"test_names_that_are_one_in_ruby_#{index}") do
      collisions = Sparpack::IDL::Collisions.new(Sparpack::IDL::RubyNames.new(:ruby))
      error = assert_raises(Sparpack::IDL::Error) { collisions.check([program(lengthen(text))]) }

      refute_match CUT, error.message
    end
  end

  def test_names_that_cannot_be_defined
    text = lengthen("namespace rb M struct A {}")
    into = Module.new
    errors = Dir.mktmpdir do |folder|
      File.write("#{folder}/a.thrift", text)
      load = -> { assert_raises(Sparpack::SchemaError) { Sparpack::IDL.load("#{folder}/a.thrift", into:) } }
      into.const_set("M#{LONG}", 5)
      taken = load.call
      into.send(:remove_const, "M#{LONG}")
      into.const_set("M#{LONG}", Module.new).const_set("A#{LONG}", 5)
      [taken, load.call]
    end

    errors.each { |error| refute_match CUT, error.message }
  end

  def test_warnings
    text = lengthen("struct A { 1: list<B> b = [{}] } struct B { 1: required i32 a } const B C = {}")
    programs = Sparpack::IDL::Loader.new(files: Memory.new({ "a" => text })).run(["a"])

    Sparpack::IDL::Linker.new(programs).run.warnings.each { |warning| refute_match CUT, warning.message }
  end

  def test_the_command
    [["v" * 9000], ["generate", "--#{LONG}"], ["generate", "--#{LONG}=1"], ["generate", "-#{LONG}"], ["generate", LONG],
     ["generate", "--layout", LONG], ["generate", "--check=#{LONG}"], ["generate", "x", "--out", "x", "-I#{LONG * 100}"],
     ["convert", LONG * 100], ["convert", "--from=#{LONG}"], ["help", LONG], ["completion", LONG],
     ["breaking", LONG, LONG], ["breaking", "a:#{LONG}", "b:"], ["breaking", "#{LONG}:a", "b:"],
     ["generate", "--#{"n" * 90_000}"]].each do |arguments|
      errors = StringIO.new
      started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

      assert_equal 2, Sparpack::CLI.run(arguments, output: StringIO.new, errors:)
      assert_operator Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started, :<, 1
      assert_operator errors.string.size, :<, Sparpack::Quote::PATH + 500
      refute_match(/[nv]{1000}/, errors.string) unless arguments.join.size > 30_000
    end
  end

  private

  # Makes every name longer than a message shows.
  def lengthen(text) = text.gsub(/(?<![\w\\])[A-Za-z_]\w*/) { |word| KEPT.include?(word) ? word : word + LONG }

  # Files that others include have the names by which these refer to them.
  def lengthened(version)
    return lengthen(version) unless version.is_a?(Hash)

    included = version.values.join.scan(/include '(.+?)'/).flatten
    version.to_h { |path, text| [included.include?(path) ? lengthen(path) : path, lengthen(text)] }
  end

  def program(text)
    program, = Sparpack::IDL::Loader.new(files: Memory.new({ "a.thrift" => text })).run(["a.thrift"])
    Sparpack::IDL::Linker.new(program.all).run
    program
  end
end
