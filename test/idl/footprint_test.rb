# frozen_string_literal: true

# bin/test: not sanitized, for .thrift files are read by Ruby code

require "test_helper"
require "support/cost"
require "support/idl_versions"
require "support/patience"

# Structs in constants and defaults have defaults themselves, so a short text could stand for any number of objects.
class IDLFootprintTest < Minitest::Test
  include IDLVersions

  # A struct, and n structs that each contain the one before twice.
  def self.doubled(count, kind = "struct")
    lines = (1..count).map { |i| "#{kind} S#{i} { 1: S#{i - 1} a = {}, 2: S#{i - 1} b = {} }\n" }
    "#{kind} S0 { 1: i32 a = 1 }\n#{lines.join}"
  end

  WIDE = "struct W { #{(1..1000).map { |i| "#{i}: i32 f#{i}" }.join(" ")} }".freeze
  DEFAULT = "a default of at most 100000 objects, found more"
  CONSTANT = "a constant whose defaults make at most 100000 objects, found more"
  OBJECTS = "defaults of at most 400000 objects in all, found more"
  VALUES = "constants and defaults of at most 4000000 values in all, found more"

  LONG = "const string B = '#{"x" * 100_000}'".freeze

  # @return [String] n times the same element
  def self.list(count, element = "{}") = "[#{([element] * count).join(", ")}]"

  REFUSED = {
    "doubling" => [doubled(18), DEFAULT],
    "doubling for ever" => [doubled(60), DEFAULT],
    "exceptions" => [doubled(40, "exception"), DEFAULT],
    "a constant" => ["#{doubled(14)} const list<S14> A = #{list(10)}", CONSTANT],
    "a key" => ["#{doubled(14)} const map<S14, i8> A = {#{(1..9).map { |i| "#{"{'a': " * i}{}#{"}" * i}: 1" }.join(", ")}}",
                CONSTANT],
    "a constant in constants" =>
      ["#{doubled(10)} const list<S10> A = #{list(10)} const list<list<S10>> B = #{list(10, "A")}", CONSTANT],
    "an argument" => ["#{doubled(14)} service S { void f(1: list<S14> a = #{list(10)}) }", DEFAULT],
    "an exception" => ["#{doubled(14, "exception")} exception X { 1: list<S14> a } " \
                       "service S { void f() throws (1: X x = {'a': #{list(10)}}) }", DEFAULT],
    "constants" => ["#{doubled(14)} #{(1..20).map { |i| "const S14 C#{i} = {}" }.join(" ")}", OBJECTS],
    "defaults" => ["#{doubled(14)} #{(1..20).map { |i| "struct T#{i} { 1: S14 a = {} }" }.join(" ")}", OBJECTS],
    "fields that are not set" => ["#{WIDE} const list<W> A = #{list(5000)}", VALUES],
    "Strings" => ["struct S { #{(1..99).map { |i| "#{i}: string a#{i} = 'x'" }.join} } const list<S> A = #{list(1011)}",
                  CONSTANT],
    "containers" => ["struct S { #{(1..99).map { |i| "#{i}: list<i8> a#{i} = []" }.join} } const list<S> A = #{list(1011)}",
                     CONSTANT],
    "a long String in constants" => ["#{LONG} #{(1..700).map { |i| "const string A#{i} = B" }.join(" ")}", VALUES],
    "a long String in defaults" =>
      ["#{LONG} struct S { #{(1..700).map { |i| "#{i}: string a#{i} = B" }.join(" ")} }", VALUES],
    "a long String in a list" => ["#{LONG} const list<string> A = #{list(200, "B")}", "at most 1000000 values, found more"],
    "a long String in lists" =>
      ["#{LONG} const list<string> A = #{list(99, "B")} const list<list<string>> C = #{list(9, "A")}",
       "at most 1000000 values, found more"]
  }.freeze

  USES = {
    "link" => ->(text) { in_file(text) { |path| Sparpack::IDL.link(path) } },
    "load" => ->(text) { in_file(text) { |path| Sparpack::IDL.load(path, into: Module.new) } },
    "generate" => ->(text) { in_file(text) { |path| Sparpack::Generate.files([path], rbs: true, rbi: true) } },
    "breaking" => ->(text) { breaking(text, text) }
  }.freeze

  REFUSED.each do |what, (text, message)|
    define_method("test_#{what.tr(" ", "_")}") do
      USES.each do |use, call|
        cost = Cost.of { instance_exec(text, &call) }

        assert_kind_of Sparpack::IDL::Error, cost.result, use
        assert_includes cost.result.message, message, use
        assert_equal 1, cost.result.faults.size, use
        assert_operator cost.seconds, :<, Patience.of(5), use
      end
    end
  end

  def test_a_default_may_have_a_hundred_thousand_objects
    text = lambda do |count|
      "struct S {} struct T { 1: list<S> s = #{self.class.list(269)} } struct U { 1: list<T> t = #{self.class.list(count)} }"
    end
    outer = in_file(text.call(369)) { |path| Sparpack::IDL.load(path, into: Module.new) }::U

    assert_equal([269] * 369, outer.new.t.map { |inner| inner.s.size })
    assert_includes assert_raises(Sparpack::IDL::Error) { version(text.call(370)) }.message, DEFAULT
  end

  def test_given_fields_replace_defaults
    chain = "struct S0 {}\n#{(1..62).map { |i| "struct S#{i} { 1: S#{i - 1} a = {} }\n" }.join}"
    { "#{chain} struct T { 1: list<S62> a = [] } const list<T> A = " => ["{'a': []}", "{'a': [{}]}"],
      "#{self.class.doubled(13)} struct T { 1: list<S13> a = [{}, {}] 2: i8 b } const list<T> A = " =>
        ["{'a': []}", "{'b': 1}"] }
      .each do |text, (small, large)|
      version(text + self.class.list(4, small))
      assert_raises(Sparpack::IDL::Error, text) { version(text + self.class.list(4, large)) }
    end
  end

  def test_containers_count_as_levels
    list = ->(depth, part) { "#{"list<" * depth}#{part}#{">" * depth}" }
    text = lambda do |count, depth|
      lines = (1..count).map { |i| "struct S#{i} { 1: #{list[depth, "S#{i - 1}"]} a = #{"[" * depth}{}#{"]" * depth} }" }
      "struct S0 {} #{lines.join("\n")}"
    end
    version(text.call(7, 8))
    error = assert_raises(Sparpack::IDL::Error) { version(text.call(9, 8)) }

    assert_includes error.message, "defaults of at most 64 levels, found more"
    assert_equal 1, error.faults.size
  end

  def test_a_union_has_no_defaults
    text = "#{self.class.doubled(13)} union V { 1: S13 a = {} 2: S13 b } const list<V> A = #{self.class.list(1000)}"

    version(text)
    assert_includes assert_raises(Sparpack::IDL::Error) { version(text.gsub("{}, {}", "{}, {'b': {}}")) }.message, CONSTANT
  end
end
