# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/breaking_cases"
require "support/deadline"
require "support/idl_versions"
require "support/seeded"

# The breaking changes between two versions of an IDL, rule by rule.
class IDLBreakingTest < Minitest::Test
  include IDLVersions
  include Seeded
  include Deadline

  RULES = Sparpack::IDL::Breaking::Rule::ALL
  Entry = Sparpack::IDL::Breaking::Allowance::Entry

  BreakingCases::FOUND.each do |rule, cases|
    cases.each_with_index do |(old, new), index|
      define_method(:"test_#{rule}_is_found_#{index}") { assert_includes rules(old, new, RULES.fetch(rule).level), rule }
    end
  end

  BreakingCases::NOT_FOUND.each do |rule, cases|
    cases.each_with_index do |(old, new), index|
      define_method(:"test_#{rule}_is_not_found_#{index}") { refute_includes rules(old, new, RULES.fetch(rule).level), rule }
    end
  end

  def test_each_rule_has_cases
    assert_equal RULES.keys, BreakingCases::FOUND.keys
    assert_equal RULES.keys, BreakingCases::NOT_FOUND.keys
  end

  # A level finds what the levels before it find, unless another rule says more.
  def test_levels_are_cumulative
    BreakingCases::FOUND.each_value do |cases|
      cases.each do |old, new|
        wire, names, source = Sparpack::IDL::Breaking::Rule::LEVELS.map { |level| rules(old, new, level) }

        assert_empty wire.reject { |rule| RULES[rule].only } - names, [old, new].inspect
        assert_empty names - source, [old, new].inspect
        assert(wire.all? { |rule| RULES[rule].level == :wire })
        assert(names.all? { |rule| %i[wire names].include?(RULES[rule].level) })
      end
    end
  end

  def test_nothing_breaks_where_nothing_changed
    texts = (BreakingCases::FOUND.values + BreakingCases::NOT_FOUND.values).flatten(2).uniq
    texts.each { |text| assert_empty findings(text, text, level: :source).map(&:rule) - %i[unknown_rule], text.inspect }
  end

  # Any two versions can be compared, and an error at one level is one at the next.
  def test_anything_can_be_compared
    texts = (BreakingCases::FOUND.values + BreakingCases::NOT_FOUND.values).flatten(2).uniq.grep(String)
    folders = Array.new(60) { %w[a b c].to_h { |name| ["#{name}.thrift", texts.sample(random:)] } }
    folders.each_cons(2) do |versions|
      counts = Sparpack::IDL::Breaking::Rule::LEVELS.map { |level| breaking(*versions, level:).findings.count(&:error?) }

      assert_equal counts.sort, counts, versions.inspect
      refute_includes breaking(*versions.rotate, level: :source).findings.map(&:message).join, "#<"
    end
  end

  # Annotations, comments, order, includes and automatic ids do not count as changes.
  def test_nothing_breaks_where_it_is_only_written_otherwise
    old = <<~THRIFT
      namespace rb N
      const i32 ONE = 1
      typedef list<string> Names
      enum E { A, B }
      struct S { i32 a = ONE, 2: optional Names b, 3: required E e = E.B }
      exception X { 1: string message }
      service P { void p() }
      service V extends P { i32 f(1: S s, 2: E e) throws (X x), oneway void g() }
    THRIFT
    new = <<~THRIFT
      namespace * N
      # moved up
      exception X { 1: string message (a = "b") }
      /** P */
      service P { void p(); }
      service V extends P { oneway void g(), i32 f(1: S s; 2: E e) throws (-1: X x) }
      struct S { 3: required E e = 1; -1: i32 a = 0x1, 2: optional list<string> b }
      enum E { B = 1, A = 0 }
      typedef list<string> Names
      const i32 ONE = 1
    THRIFT

    assert_empty findings(old, new, level: :source).map(&:to_s)
  end

  # Some old files are not UTF-8, and a terminal must not be told to turn text around.
  def test_any_text_is_shown
    texts = ["Mitte\u202E\u20AC", "\xFC".b, "\u00FC"].map { |text| "const string A = \"".b << text.b << '"' }
    messages = texts.each_cons(2).map { |old, new| findings(old, new, level: :source).first.message }

    assert_equal 'was "Mitte\u202E€" and is now "?"', messages[0][/was .*/]
    assert_equal 'was "?" and is now "ü"', messages[1][/was .*/]
  end

  def test_places_and_words
    old = <<~THRIFT
      enum Status { ON = 1, OFF = 2 }
      struct Listing {
        1: required i64 id
        2: string title = "x"
        3: Status status
      }
      service Shop { Listing find(1: i64 id) }
      service Gone {}
      typedef i32 Number
    THRIFT
    new = <<~THRIFT
      enum Status { ON = 1, CLOSED = 2 }

      struct Listing {
        2: string title = "y"
        3: i64 status
      }
      service Shop { void find(1: i64 number) }
    THRIFT

    assert_equal <<~TEXT, "#{findings(old, new, level: :source).join("\n")}\n"
      a.thrift:1:1: error: [service_removed] Gone (line 8 of the old file) was removed: new servers reject calls from its clients
      a.thrift:1:1: error: [type_removed] Number (a typedef, line 9 of the old file) was removed: code that uses it no longer loads
      a.thrift:1:23: error: [enum_value_renamed] Status.CLOSED was renamed from OFF: JSON and MessagePack with names carry the name, and the other version does not know it
      a.thrift:3:1: error: [field_removed] Listing.id was removed: old readers reject messages without it
      a.thrift:4:3: warning: [default_changed] Listing.title had the default "x" and now has the default "y": without the field, a message means different things to old and new readers
      a.thrift:5:3: error: [type_changed] Listing.status was Status and is now i64: readers of one version reject or skip what writers of the other version send
      a.thrift:7:16: error: [type_changed] Shop.find returned Listing and now returns void: readers of one version reject or skip what writers of the other version send
      a.thrift:7:26: error: [field_renamed] Shop.find.number was renamed from id: JSON and MessagePack with names carry the name, and the other version does not know it
    TEXT
  end

  def test_what_is_gone_altogether_is_shown_in_the_old_version
    found = findings({ "a.thrift" => "\n\nservice A {}", "b.thrift" => "" }, { "b.thrift" => "" }, level: :source)

    assert_equal <<~TEXT, "#{found.join("\n")}\n"
      a.thrift:1:1: error: [file_removed] a.thrift was removed, and with it the code generated from it (in OLD)
      a.thrift:3:1: error: [service_removed] A (line 3 of the old file) was removed: new servers reject calls from its clients (in OLD)
    TEXT
    assert_equal %i[old old], found.map(&:side)
  end

  # Each message is a sentence that names what was and what is now, also for what is missing or too long to show.
  {
    ["const string A = '#{"x" * 41}'", "const string A = '#{"y" * 41}'"] => "A has a different value",
    ["const i32 A = 1", "const i32 A = 2"] => "A was 1 and is now 2",
    ["const string A = 'x'", "const string A = '#{"y" * 41}'"] => "A was 'x' and now has a long value",
    ["const string A = '#{"x" * 41}'", "const string A = 'y'"] => "A had a long value and is now 'y'",
    ["struct S { 1: i32 a }", "struct S { 1: i32 a = 2 }"] => "S.a had no default and now has the default 2: ",
    ["struct S { 1: string a = '#{"x" * 41}' }", "struct S { 1: string a = '#{"y" * 41}' }"] =>
      "S.a had a long default and now has a different one: ",
    ["const i32 A = 1 struct S { 1: i32 a = A }", "const i32 A = 2 struct S { 1: i32 a = A }"] =>
      "S.a had the default A and now has a different one: ",
    ["union S { 1: i32 a }", "exception S { 1: i32 a }"] => "S was a union and is now an exception: ",
    ["service A {} service B {}", "service A {} service B extends A {}"] => "B extended no service and now extends A: ",
    ["struct S { 1: i32 a 2: i32 b }", "struct S { 1: i32 b 2: i32 a }"] =>
      "S.b had the id 2 and now has 1: readers of compact and binary find fields by id, and id 2 now belongs to a",
    ["struct S { 1: i32 a }", "struct S { 1: string b }"] => "S.b (string) has the id 1, which belonged to a (i32): ",
    ["service A { void f() }", "service A {}"] =>
      "A.f was removed: new servers reject calls from old clients with an unknown-method error",
    [{ "a.thrift" => "struct S {}", "b.thrift" => "" }, { "a.thrift" => "", "b.thrift" => "struct S {}" }] =>
      "S moved from a.thrift and changed its Ruby namespace from A to B: ",
    ["namespace rb A struct S {}", "namespace rb B struct S {}"] => "a.thrift changed its Ruby namespace from A to B: ",
    ["struct S {}", "struct S {} (sparpack.ruby = '::B::S')"] =>
      "S changed its Ruby namespace from the one named after its file to B: "
  }.each_with_index do |((old, new), message), index|
    define_method(:"test_words_#{index}") do
      assert_includes findings(old, new, level: :source).map(&:message).join("\n"), message
    end
  end

  # A changed struct is reported where it is defined, not wherever it is used.
  def test_a_struct_that_changed_is_spoken_of_once
    old = "struct A { 1: i32 x } struct S { 1: A a 2: list<A> b } enum E { A } struct T { 1: E e }"
    new = "union A { 1: i64 x } struct S { 1: A a 2: list<A> b } enum E { B = 1, A = 2 } struct T { 1: E e }"

    assert_equal(%w[A E.B E.A], findings(old, new).map(&:at))
  end

  def test_types_of_one_name_in_two_files
    old = { "a.thrift" => "include 'b.thrift' include 'c.thrift' struct S { 1: list<b.P> p }",
            "b.thrift" => "struct P {1: i32 x}", "c.thrift" => "struct P {1: i64 x}" }
    new = old.merge("a.thrift" => "include 'b.thrift' include 'c.thrift' struct S { 1: list<c.P> p }")

    assert_match(/\AS\.p was list<b\.P> and is now list<c\.P>: /, findings(old, new).first.message)
  end

  def test_kinds_of_one_name
    kinds = ["struct X {}", "enum X { A }", "union X {}"].map { |kind| "#{kind} struct S { 1: map<i8, X> x }" }
    words = kinds.each_cons(2).map { |old, new| findings(old, new).map(&:message).grep(/\AS\.x/).first }

    assert_match(/\AS\.x was map<i8, struct a\.X> and is now map<i8, enum a\.X>: /, words[0])
    assert_match(/\AS\.x was map<i8, enum a\.X> and is now map<i8, union a\.X>: /, words[1])
  end

  def test_files_of_one_name
    texts = { "b/p.thrift" => "struct P {1: i32 x}", "c/p.thrift" => "struct P {1: i64 x}" }
    old, new = %w[b c].map do |folder|
      texts.merge("a.thrift" => "include '#{folder}/p.thrift' struct S { 1: p.P p }")
    end

    assert_match(%r{\AS\.p was p\.P in b/p\.thrift and is now p\.P in c/p\.thrift: }, findings(old, new).first.message)
  end

  # What replaces a type is compared with it once, and not for each use. The message says what was compared.
  def test_replacements
    old = "enum E { A } struct A { 1: i32 x = 5 2: list<A> a 3: E e } struct S { 1: A a 2: A b } struct T { 1: A a }"
    new = "enum F { A, B } struct B { 1: i32 x = 6 2: list<B> a 3: F e } struct S { 1: B a 2: B b } struct T { 1: B a }"

    assert_equal [
      "F.B is new: JSON and MessagePack with names carry its name, and old readers do not know it (where F replaces E)",
      "B.x had the default 5 and now has the default 6: " \
      "without the field, a message means different things to old and new readers (where B replaces A)"
    ], findings(old, new).map(&:message)
    old = { "a.thrift" => "include 'b.thrift' struct A { 1: i32 x = 5 } struct S { 1: A a }",
            "b.thrift" => "struct A { 1: i32 x = 6 }" }
    new = old.transform_values { |text| text.sub("1: A a", "1: b.A a") }

    assert_match(/ \(where b\.A replaces a\.A\)\z/, findings(old, new).first.message)
  end

  # A type of many typedefs is long if it is written out.
  def test_types_of_typedefs
    doubled = (1..6).map { |i| "typedef map<T#{i - 1}, T#{i - 1}> T#{i}" }.join(" ")
    old, new = %w[i32 i64].map { |type| "typedef #{type} T0 #{doubled} struct S { 1: T6 a }" }
    found = within("the comparison") { findings(old, new, level: :source) }

    assert_equal [:type_changed, *[:typedef_changed] * 7].sort, found.map(&:rule).sort
    assert_operator found.map { |finding| finding.message.size }.max, :<, 500
  end

  # A function that several services inherit is reported once.
  def test_inherited_functions
    old = "service A { void f(1: i32 a) i32 g() } service B extends A { void h() } service C extends B {}"
    new = "service A { void f(1: i64 a) } service B extends A { void h() } service C extends B {}"

    assert_equal [[:type_changed, "A.f.a"], [:function_removed, "A.g"]].sort,
                 findings(old, new).map { |found| [found.rule, found.at] }.sort
    new = "service A { void f(1: i32 a) i32 g() } service B { void h() void f(1: i64 a) } service C extends B {}"

    assert_equal [[:function_removed, "B.g"], [:type_changed, "B.f.a"]],
                 findings(old, new).map { |found| [found.rule, found.at] }.sort
  end

  # Two single files are compared whatever their names are, together with what both include.
  def test_included_files
    old = { "old.thrift" => "include 'b.thrift' include 'c.thrift' struct S { 1: b.P p }",
            "b.thrift" => "struct P { 1: i32 x }", "c.thrift" => "struct Unused {} service Unasked { void f() }" }
    new = { "new.thrift" => "include 'b.thrift' struct S { 1: b.P p }", "b.thrift" => "struct P { 1: i64 x }" }
    old, new = [old, new].map do |texts|
      programs = Sparpack::IDL::Loader.new(files: Memory.new(texts)).run([texts.keys.first])
      version = Sparpack::IDL::Breaking::Version.new(programs, folder: false)
      Sparpack::IDL::Linker.new(version.programs).run
      version
    end

    assert_equal(%w[P.x], Sparpack::IDL::Breaking.new(old, new, level: :source).findings.map(&:at))
  end

  def test_annotations_allow
    old = "struct S { 1: i32 a 2: i32 b 3: i32 c } enum E { A, B } service V { void f() i32 g() }"
    new = <<~THRIFT
      struct S { 1: i64 a (sparpack.compat = "type_changed") 2: bool b } (sparpack.compat = "field_removed, field_renamed")
      enum E { A, C } (sparpack.compat = "all")
      service V { i32 f() (sparpack.compat = "field_removed", sparpack.compat = "type_changed function_removed") }
    THRIFT
    breaking = breaking(old, new)

    assert_equal(%w[S.b V.g], breaking.findings.map(&:at))
    assert_equal 4, breaking.allowed
    assert_predicate breaking, :errors?
    refute_predicate breaking("struct S { 1: i32 a (sparpack.compat = 'field_removed') }", "struct S {}"), :errors?
  end

  def test_a_list_allows
    old = "struct S { 1: i32 a 2: i32 b 3: i32 c } struct T { 1: i32 a }"
    new = "struct S { 2: i64 b 3: i32 d } struct T { 1: i64 a }"

    assert_equal %w[S.a T.a S.b S.d].sort, findings(old, new).map(&:at).sort
    {
      { rule: "type_changed" } => %w[S.a S.d], { rule: "all", at: "S.*" } => %w[T.a],
      { rule: "all", file: "*.thrift" } => [],
      { rule: "all", file: "b.thrift" } => %w[S.a S.b S.d T.a], { rule: "field_removed", at: "S.{a,b}" } => %w[S.b S.d T.a],
      { rule: "all", file: "lib/a.thrift", folder: ".." } => %w[S.a S.b S.d T.a],
      { rule: "all", file: "#{File.basename(Dir.pwd)}/**", folder: ".." } => []
    }.each do |entry, rest|
      assert_equal rest, findings(old, new, allow: [Entry.new(**entry)]).map(&:at).sort, entry.inspect
    end
  end

  def test_unknown_rules_have_a_hint
    found = findings("", "struct S { 1: i32 a (sparpack.compat = 'field_remove') }").first

    assert_equal "S.a allows \"field_remove\", which is not a rule (did you mean \"field_removed\"?)", found.message
    refute_predicate found, :error?
  end

  def test_an_unknown_level
    error = assert_raises(ArgumentError) { breaking("", "", level: :wires) }

    assert_equal "unknown level :wires (did you mean :wire?)", error.message
  end

  # Names count as well as ids, because a reader of named messages looks names up.
  def test_the_three_levels_of_one_change
    old = "struct A { 1: i32 x } struct S { 1: A a }"
    new = "struct B { 1: i32 y } struct S { 1: B a }"

    assert_empty findings(old, new, level: :wire)
    assert_equal(%i[json_type_changed], findings(old, new, level: :names).map(&:rule))
    assert_equal(%i[type_removed json_type_changed], findings(old, new, level: :source).map(&:rule))
  end

  # Every comparison ends soon.
  def test_nothing_grows_without_end
    chain = ->(name, last) { (0...5_000).map { |i| "struct #{name}#{i} { 1: #{name}#{i + 1} a }" }.join + last }
    circle = lambda { |name, size|
      (0...size).map { |i| "struct #{name}#{i} { 1: #{name}#{(i + 1) % size} a }" }.join + "struct S { 1: #{name}0 a }"
    }
    services = lambda { |name, base|
      ["service #{base}0 {}", *(1..2_000).map do |i|
        "service #{name}#{i} extends #{i == 1 ? base : name}#{i - 1} { void f#{i}() } " \
          "service #{base}#{i} { void #{base}#{i}() }"
      end].join
    }
    values = ->(name) { "enum E { #{(1..20_000).map { |i| "#{name}#{i} = #{i}" }.join(",")} }" }
    within("the comparison", seconds: 100) do
      old = "#{chain["A", "struct A5000 { 1: i32 x }"]} struct S { 1: A0 a }"

      assert_includes rules(old, "#{chain["B", "struct B5000 { 1: i32 x }"]} struct S { 1: B0 a }", :source), :type_renamed
      assert_includes rules(old, "#{chain["B", "struct B5000 { 1: i64 x }"]} struct S { 1: B0 a }", :source), :type_changed
      assert_includes rules(circle["A", 60], circle["B", 61], :source), :type_renamed
      refute_empty rules(circle["A", 400], circle["B", 401], :source)
      refute_empty rules(services["A", "B"], services["A", "C"], :source)
      assert_equal [:enum_value_renamed] * 20_000, findings(values["A"], values["B"]).map(&:rule)
      laughs = (1..5).map { |i| "typedef list<T#{i - 1}> T#{i} const T#{i} C#{i} = [#{(["C#{i - 1}"] * 10).join(",")}]" }
      laughs = "typedef list<i32> T0 const T0 C0 = [1] #{laughs.join}"

      assert_empty findings(laughs, laughs, level: :source)
    end
  end

  private

  def rules(old, new, level) = findings(old, new, level:).map(&:rule)
end
