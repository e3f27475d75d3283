# frozen_string_literal: true

# bin/test: not sanitized, for it measures Ruby code

require "test_helper"
require "support/cost"
require "support/idl_versions"

# The time for any .thrift text grows with its length, not with the square of its length.
class IDLGrowthTest < Minitest::Test
  include IDLVersions

  # If the time were quadratic, a text of eight times the length would take 64 times as long. It may take somewhat more than
  # eight times as long, because there is more garbage to collect.
  LONGER = 8
  MOST = 28

  # Measurements below this many seconds say nothing.
  SHORTEST = 0.002

  # @return [String] n texts, made from their numbers
  def self.list(count, separator = "\n", &) = (1..count).map(&).join(separator)

  FIELDS = ->(n, type) { list(n) { |i| "#{i}: #{type.call(i)} f#{i}" } }

  # Texts that repeat something n times.
  TEXTS = {
    "structs" => ->(n) { list(n) { |i| "struct S#{i} { 1: i32 a }" } },
    "structs on one line" => ->(n) { list(n, " ") { |i| "/* #{"ü" * 200} */ struct S#{i} { 1: i32 a }" } },
    "fields" => ->(n) { "struct S { #{FIELDS[n, ->(_) { "i32" }]} }" },
    "values of an enum" => ->(n) { "enum E { #{list(n) { |i| "A#{i}" }} }" },
    "values of one number" => ->(n) { "enum E { #{list(n) { |i| "A#{i} = 1" }} }" },
    "typedefs of typedefs" =>
      ->(n) { "typedef i32 T0\n#{list(n) { |i| "typedef T#{i % 60 == 1 ? 0 : i - 1} T#{i} (a#{i} = 'x')" }}" },
    "typedefs of maps" => lambda do |n|
      types = "typedef i32 T0\n#{list(6) { |i| "typedef map<T#{i - 1}, T#{i - 1}> T#{i}" }}\n"
      "#{types}struct S { #{FIELDS[n, ->(_) { "T6" }]} } const T6 A0 = {}\n#{list(n) { |i| "const T6 A#{i} = A0" }}"
    end,
    "annotations" => ->(n) { "struct S {} (#{list(n, ", ") { |i| "a#{i} = 'x'" }})" },
    "annotations of one name" => ->(n) { "struct S {} (#{list(n, ", ") { "a = 'x'" }})" },
    "constants of constants" => ->(n) { "const i32 A0 = 1\n#{list(n) { |i| "const i32 A#{i} = A0" }}" },
    "elements of a list" => ->(n) { "const list<i32> A = [#{list(n, ", ", &:to_s)}]" },
    "elements of a set" => ->(n) { "const set<list<i32>> A = [#{list(n, ", ") { |i| "[#{i}]" }}]" },
    "pairs of a map" => ->(n) { "const map<i32, i32> A = {#{list(n, ", ") { |i| "#{i}: #{i}" }}}" },
    "structs in a list" => ->(n) { "struct S { 1: i32 a } const list<S> A = [#{list(n, ", ") { |i| "{'a': #{i}}" }}]" },
    "services" => ->(n) { "service S0 {}\n#{list(n) { |i| "service S#{i} extends S#{i - 1} { void f#{i}() }" }}" },
    "functions" => ->(n) { "service S { #{list(n) { |i| "void f#{i}(1: i32 a)" }} }" },
    "structs that hold the one before" =>
      ->(n) { "struct S0 {}\n#{list(n) { |i| "struct S#{i} { 1: S#{i - 1} a }" }}" },
    "defaults in defaults" =>
      ->(n) { "struct S0 {}\n#{list(n) { |i| "struct S#{i} { 1: S#{i % 50 == 1 ? 0 : i - 1} a = {} }" }}" },
    "namespaces" => ->(n) { list(n) { |i| "namespace l#{i} a" } },
    "letters of comments" => ->(n) { "/* #{"x" * n * 50} */ // #{"ü" * n * 50}" },
    "comments" => ->(n) { "// x\n/* y */ # z\n" * n },
    "lines of a doc comment" => ->(n) { "/** #{"\n * x" * n * 5} */ struct A {}" },
    "empty lines of a doc comment" => ->(n) { "/** #{"\n" * n * 5} */ struct A {}" },
    "spaces" => ->(n) { "#{" " * n * 100} struct A {} #{"\n" * n * 20}" },
    "letters of a String" => ->(n) { "const string A = '#{"x" * n * 100}'" },
    "escapes in a String" => ->(n) { "const string A = '#{"\\n" * n * 5}'" }
  }.freeze

  # The same for texts with faults.
  WRONG = {
    "names that are taken" => ->(n) { "struct S {}\n" * n },
    "fields whose name is taken" => ->(n) { "struct S { #{list(n) { |i| "#{i}: i32 a" }} }" },
    "fields whose id is taken" => ->(n) { "struct S { #{list(n) { |i| "1: i32 a#{i}" }} }" },
    "functions that a service above has" =>
      ->(n) { "service S0 { void f() }\n#{list(n) { |i| "service S#{i} extends S#{i - 1} { void f() }" }}" },
    "a chain of typedefs" => ->(n) { "typedef i32 T0\n#{list(n) { |i| "typedef T#{i - 1} T#{i} (a#{i} = 'x')" }}" },
    "unknown types" => ->(n) { list(n) { |i| "struct S#{i} { 1: T#{i} a }" } },
    "unknown constants" => ->(n) { list(n) { |i| "const i32 A#{i} = B#{i}" } },
    "unknown values of an enum" =>
      ->(n) { "enum E { #{list(n) { |i| "A#{i}" }} }\n#{list(n) { |i| "const E C#{i} = E.B#{i}" }}" },
    "values of an enum without its name" =>
      ->(n) { "enum E { #{list(n) { |i| "A#{i}" }} }\n#{list(n) { |i| "const E C#{i} = B#{i}" }}" },
    "numbers that an enum does not have" =>
      ->(n) { "enum E { #{list(n) { |i| "A#{i}" }} }\n#{list(n) { |i| "const E C#{i} = #{-i}" }}" },
    "Strings where an enum's value is wanted" =>
      ->(n) { "enum E { #{list(n) { |i| "A#{i}" }} }\n#{list(n) { |i| "const E C#{i} = 'x'" }}" },
    "unknown fields of a struct" =>
      ->(n) { "struct S { #{FIELDS[n, ->(_) { "i32" }]} }\n#{list(n) { |i| "const S C#{i} = {'b': 1}" }}" },
    "constants of another type" => ->(n) { "const string B = 'x'\n#{list(n) { |i| "const i32 A#{i} = B" }}" },
    "lists of another type" => lambda do |n|
      uuid = "'00112233-4455-6677-8899-aabbccddeeff'"
      "const list<string> B = [#{list(n, ", ") { uuid }}, 'x']\n#{list(n / 4) { |i| "const list<uuid> A#{i} = B" }}"
    end,
    "definitions without a name" => ->(n) { "struct {}\n" * n },
    "definitions on one line" => ->(n) { "struct { ü } " * n },
    "definitions that are not closed" => ->(n) { "struct A { " * n },
    "old headers" => ->(n) { "cpp_namespace x\n" * n },
    "headers without a name" => ->(n) { "namespace\n" * n },
    "missing files" => ->(n) { list(n) { |i| "include 'f#{i}.thrift'" } },
    "letters that mean nothing" => ->(n) { "?" * n * 4 },
    "wrong escapes" => ->(n) { "const string A = '#{"\\q" * n * 20}'" },
    "open Strings" => ->(n) { "'x\n" * n },
    "open comments" => ->(n) { "/* " * n * 50 },
    "brackets" => ->(n) { "const list<i32> A = #{"[" * n * 10}" },
    "types in types" => ->(n) { "const #{"list<" * n * 10}" },
    "digits" => ->(n) { "const i64 A = #{"9" * n * 100} const double B = 1.#{"9" * n * 100}e#{"9" * n * 100}" },
    "letters of a name" => ->(n) { "struct #{"x" * n * 100} {}" },
    "parts of a namespace" => ->(n) { "namespace rb #{"A." * n * 10}B struct S {}" },
    "parts of a namespace in quotes" => ->(n) { "namespace rb '#{"A." * n * 10}B' struct S {}" },
    "a long list in many constants" =>
      ->(n) { "const list<i32> B = [#{"1, " * n * 4}]\n#{list(n) { |i| "const list<i32> A#{i} = B" }}" }
  }.freeze

  USES = {
    "parse" => ->(text) { Sparpack::IDL.parse(text) },
    "link" => ->(text) { version(text) },
    "format" => ->(text) { Sparpack::IDL.format(text) },
    "load" => ->(text) { in_file(text) { |path| Sparpack::IDL.load(path, into: Module.new) } },
    "generate" => ->(text) { in_file(text) { |path| Sparpack::Generate.files([path], rbs: true, rbi: true) } },
    "find what is gone" => ->(text) { breaking(text, "", level: :source) },
    "find what has another name" => ->(text) { breaking(text, text.gsub(/\b([a-zA-Z])(\d+)/, "\\1_\\2"), level: :source) }
  }.freeze

  TEXTS.each do |what, text|
    USES.each do |use, call|
      define_method("test_#{use}_#{what}".tr(" ", "_")) { assert_proportional(text, call, 120) }
    end
  end

  WRONG.each do |what, text|
    USES.slice("parse", "format", "generate").each do |use, call|
      define_method("test_#{use}_#{what}".tr(" ", "_")) { assert_proportional(text, call, 250) }
    end
  end

  def test_generate_services_for_the_thrift_gem
    generate = ->(text) { in_file(text) { |path| Sparpack::Generate.files([path], style: :thrift) } }

    assert_proportional(TEXTS.fetch("services"), generate, 120)
  end

  # Several files that include one another.
  FILES = {
    "a chain" => ->(n) { (0..n).to_h { |i| ["f#{i}", "#{"include 'f#{i + 1}'" if i < n} struct S#{i} { 1: X a }"] } },
    "files of one name" => lambda do |n|
      main = "#{list(n) { |i| "include 'd#{i}/b.thrift'" }} struct S { #{FIELDS[n, ->(i) { "b.S#{i}" }]} }"
      { "a.thrift" => main }.merge((1..n).to_h { |i| ["d#{i}/b.thrift", "struct S#{i} {}"] })
    end,
    "one file again and again" => ->(n) { { "a.thrift" => "include 'b'\n" * n * 4, "b" => "struct S {}" } }
  }.freeze

  FILES.each do |what, files|
    define_method(:"test_include_#{what.tr(" ", "_")}") do
      assert_proportional(files, ->(texts) { Sparpack::IDL::Linker.new(first(texts).all).run }, 250)
    end
  end

  private

  def assert_proportional(make, call, count)
    texts = [count, LONGER * count].map { |size| make.call(size) }
    few = many = Float::INFINITY
    3.times do # other processes use the machine, too
      few, many = texts.zip([few, many]).map { |text, before| [seconds(text, call), before].min }
      break if many < MOST * [few, SHORTEST].max
    end

    assert_operator many, :<, MOST * [few, SHORTEST].max
  end

  def seconds(text, call) = Cost.of { instance_exec(text, &call) }.seconds

  def first(texts) = Sparpack::IDL::Loader.new(files: Memory.new(texts)).run([texts.keys.first]).first
end
