# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/command"
require "support/deadline"
require "support/idl_cases"
require "tmpdir"

# Looking up types, constants and services in files that include one another.
class IDLLinkTest < Minitest::Test
  include Deadline

  THRIFT = ENV.fetch("PATH").split(File::PATH_SEPARATOR).map { |folder| File.join(folder, "thrift") }
              .find { |path| File.executable?(path) }

  def setup = @folder = Dir.mktmpdir

  def teardown = FileUtils.rm_rf(@folder)

  IDLCases::ACCEPTED.each do |name, text|
    define_method(:"test_accepts_#{name}") { assert_kind_of Sparpack::IDL::Program, link(text) }
  end

  IDLCases::REJECTED.each do |name, (text, message)|
    define_method(:"test_rejects_#{name}") do
      error = assert_raises(Sparpack::IDL::Error) { link(text) }

      assert_equal "a.thrift:#{message}", error.message.lines.first.chomp.gsub("#{@folder}/", "").gsub(@folder, "FOLDER")
    end
  end

  # Apache's compiler agrees about the same texts, except those that the cases list. A circle of typedefs is left out,
  # because the compiler never ends with it.
  def test_apache_agrees
    skip "thrift is missing: apt-get install thrift-compiler" unless THRIFT
    cases = IDLCases::ACCEPTED.keys.product([true]) + IDLCases::REJECTED.keys.product([false])
    exceptions = [IDLCases::APACHE_ACCEPTS, IDLCases::APACHE_REJECTS].flat_map { |table| table.values.flatten }
    differing = cases.reject { |name, accepted| apache_accepts?(name) == accepted }.map(&:first)

    assert_equal exceptions.sort, (differing - IDLCases::APACHE_ONCE_REJECTED.values.flatten).sort
  end

  def test_types_of_the_same_name_in_two_files
    write("b.thrift", "enum Color { RED = 1 } struct P { 1: i32 x }")
    write("c.thrift", "enum Color { BLUE = 1 } struct P { 1: i32 x }")
    head = %(include "b.thrift" include "c.thrift"\n)
    text = "const list<i32> N = [1] const list<b.Color> C = N const list<c.Color> D = N " \
           'const list<b.P> P = [{"x": 1}] const list<c.P> Q = P'
    values = link("#{head}#{text}").constants.to_h { |const| [const.name, const.value] }

    refute_equal values["C"], values["D"]
    refute_equal values["P"], values["Q"]
    ["list<%s.Color>", "map<i32, list<%s.Color>>"].zip(["[b.Color.RED]", "{1: [b.Color.RED]}"]) do |type, value|
      text = "#{head}const #{format(type, "b")} X = #{value} const #{format(type, "c")} Y = X"

      assert_match(/expected a value of type/, assert_raises(Sparpack::IDL::Error) { link(text) }.message)
    end
  end

  def test_types
    program = link(<<~THRIFT)
      typedef i64 (js.type = "Long") UserId
      typedef list<UserId> Users (cpp.x = "1")
      typedef Users Team
      enum Status { ON, OFF = 5, GONE }
      struct Point { 1: required byte x, 2: optional Team (a = "1", a = "2") team, 3: map<Status, set<Point>> m, string s }
    THRIFT
    point = program.type("Point")

    assert_equal(%w[i8 list<i64> map<Status,\ set<Point>> string], point.fields.map { |field| field.type.to_s })
    assert_equal [1, 2, 3, -1], point.fields.map(&:id)
    assert_equal [false, false, false, true], point.fields.map(&:implicit)
    assert_equal %i[required optional default default], point.fields.map(&:requiredness)
    team = point.fields[1].type

    assert_equal(%w[Team Users UserId],
                 [team, team.typedef.type, program.type("Users").type.element].map { |type| type.typedef.name })
    assert_equal([{ "a" => %w[1 2] }, { "cpp.x" => "1" }, { "js.type" => "Long" }],
                 [team, program.type("Users"), program.type("UserId").type].map(&:annotations))
    assert_equal({ "ON" => 0, "OFF" => 5, "GONE" => 6 }, program.type("Status").enum_values.to_h { |v| [v.name, v.number] })
    assert_same point, point.fields[2].type.element.element.target
  end

  def test_values
    program = link(<<~THRIFT)
      enum Status { ON, OFF }
      struct Point { 1: i32 x = 1, 2: list<Point> points, 3: Status status = Status.OFF }
      union Value { 1: string text }
      const bool YES = 1
      const double ONE = 1
      const set<i8> SET = [1 2;1]
      const map<string, list<Status>> MAP = {'a': [Status.ON, 1], "b": {}}
      const Point POINT = {'x': 0x10, 'points': [{}, {'status': 0}]}
      const Value VALUE = {'text': 'x'}
      const list<Point> POINTS = [POINT, POINT]
      const uuid ID = {"00112233-4455-6677-8899-AABBCCDDEEFF"}
      const binary BYTES = "ä"
      const i16 FROM_ENUM = Status.OFF
    THRIFT
    values = program.constants.to_h { |const| [const.name, plain(const.value)] }

    assert_equal({ "YES" => true, "ONE" => 1.0, "SET" => Set[1, 2], "MAP" => { "a" => %w[ON OFF], "b" => [] },
                   "POINT" => { "x" => 16, "points" => [{}, { "status" => "ON" }] }, "VALUE" => { "text" => "x" },
                   "POINTS" => [{ "x" => 16, "points" => [{}, { "status" => "ON" }] }] * 2,
                   "ID" => "00112233-4455-6677-8899-aabbccddeeff", "BYTES" => "ä".b, "FROM_ENUM" => 1 }, values)
    assert_kind_of Float, program.constant("ONE").value
    assert_equal([1, nil, "OFF"], program.type("Point").fields.map { |field| plain(field.default) })
    program.definitions.each { |definition| assert_predicate definition, :frozen? }
  end

  def test_values_of_an_included_enum
    write "shared.thrift", "enum Color { RED = 1, BLUE } typedef Color Tint"
    write "middle.thrift", "include 'shared.thrift' typedef shared.Tint Shade"
    program = link(<<~THRIFT)
      include "middle.thrift"
      include "shared.thrift"
      struct A {
        1: shared.Color a = shared.Color.BLUE, 2: shared.Color b = Color.BLUE, 3: shared.Tint c = Tint.BLUE
        4: middle.Shade d = Shade.BLUE, 5: middle.Shade e = shared.Color.BLUE
        6: map<shared.Color, list<shared.Color>> f = {Color.RED: [Color.BLUE]}
      }
      const shared.Color BLUE = Color.BLUE
    THRIFT

    values = program.records[0].fields.map { |field| plain(field.default) }

    assert_equal [*(["BLUE"] * 5), { "RED" => ["BLUE"] }], values
    assert_equal "BLUE", plain(program.constants[0].value)
  end

  # What the messages propose is accepted.
  def test_values_that_an_included_enum_has_not
    write "shared.thrift", "enum Color { RED = 1, BLUE }"
    {
      "Color.BLU" => '"Color.BLU", which is not defined (did you mean "Color.BLUE"?)',
      "shared.Color.BLU" => '"shared.Color.BLU", which is not defined (did you mean "shared.Color.BLUE"?)',
      "BLUE" => '"BLUE", which is not defined (did you mean "shared.Color.BLUE"?)',
      "Colour.BLUE" => '"Colour.BLUE", which is not defined (did you mean "shared.Color.BLUE"?)',
      "'x'" => "a string"
    }.each do |value, found|
      error = assert_raises(Sparpack::IDL::Error) do
        link("include 'shared.thrift' enum Size { SMALL } struct A { 1: shared.Color c = #{value} }")
      end

      assert_includes error.message, "expected a value of Color such as \"shared.Color.RED\", found #{found}"
    end
    error = assert_raises(Sparpack::IDL::Error) do
      link("include 'shared.thrift' enum Color { GREEN } struct A { 1: shared.Color c = Color.GREEN }")
    end

    assert_includes error.message, "expected a value of type Color, found Color.GREEN, of type Color"
  end

  # As in Apache's compiler, which looks only at the last part of a name.
  def test_values_by_another_name
    write "shared.thrift", "enum Color { RED = 1, BLUE } enum Size { SMALL, BLUE = 7 }"
    path = write("a.thrift", <<~THRIFT)
      include "shared.thrift"
      enum Mood { GOOD, BLUE = 2 }
      typedef shared.Color Tint
      struct A {
        1: shared.Color a = shared.BLUE, 2: Mood b = shared.Color.GOOD, 3: Tint c = Mood.BLUE,
        4: shared.Color d = shared.Size.BLUE,
        5: map<Mood, list<Tint>> e = {a.GOOD: [shared.RED]}, 6: Mood f = Mood.GOOD
      }
    THRIFT
    path = path.delete_prefix("#{@folder}/")
    warnings = []
    program = Dir.chdir(@folder) { Sparpack::IDL.link(path) { |warning| warnings << warning } }

    assert_equal(["BLUE", "GOOD", "BLUE", "BLUE", { "GOOD" => ["RED"] }, "GOOD"],
                 program.records[0].fields.map { |field| plain(field.default) })
    assert_equal([2, 0, 2, 2], program.records[0].fields.first(4).map { |field| field.default.number })
    assert_equal(["5:23: warning: shared.BLUE is read as shared.Color.BLUE: write shared.Color.BLUE",
                  "5:48: warning: shared.Color.GOOD is read as Mood.GOOD: write Mood.GOOD",
                  "5:79: warning: Mood.BLUE is read as shared.Color.BLUE: write shared.Color.BLUE",
                  "6:23: warning: shared.Size.BLUE is read as shared.Color.BLUE (2, not 7): write shared.Color.BLUE",
                  "7:33: warning: a.GOOD is read as Mood.GOOD: write Mood.GOOD",
                  "7:42: warning: shared.RED is read as shared.Color.RED: write shared.Color.RED"],
                 warnings.map { |warning| warning.delete_prefix("a.thrift:") })
    skip "thrift is missing: apt-get install thrift-compiler" unless THRIFT
    output, status = Command.capture2e(THRIFT, "--gen", "rb", "-out", @folder, path, chdir: @folder)

    assert_predicate status, :success?, output
    assert_equal %w[2 0 2 2], File.read("#{@folder}/a_types.rb").scan(/'[abcd]', :default => *(\d+)/).flatten
  end

  def test_includes
    write "base/types.thrift", "enum Color { RED } const i32 ONE = 1 struct Point { 1: i32 x } service Base {}"
    write "shared.thrift", "include 'base/types.thrift' typedef types.Point P exception Gone {}"
    write "lib/other.thrift", "include 'types.thrift' include 'shared.thrift' struct Other { 1: types.Point p }"
    program = link(<<~THRIFT, include: ["#{@folder}/lib", "#{@folder}/base", @folder])
      include "shared.thrift"
      include "base/types.thrift"
      include "other.thrift"
      struct A { 1: shared.P p, 2: types.Color c = types.Color.RED, 3: other.Other o, 4: i32 i = types.ONE }
      service S extends types.Base { void f() throws (1: shared.Gone gone) }
    THRIFT

    assert_equal %w[types shared other a], program.all.map(&:name)
    assert_same program.type("types.Point"), program.type("other.Other").fields[0].type.target
    assert_same program.type("types.Point"), program.type("A").fields[0].type.target
    assert_equal %w[Base Gone], [program.service("S").parent.name, program.service("S").functions[0].throws[0].type.to_s]
    assert_equal 1, program.type("A").fields[3].default
  end

  def test_files_of_one_name
    write "x/b.thrift", "struct X {} struct Both {} enum E { A } const i32 C = 1 service S {}"
    write "y/b.thrift", "struct Y {} struct Both {} enum E { A } const i32 C = 1 service S {}"
    head = "include 'x/b.thrift' include 'y/b.thrift' include 'x/b.thrift'"
    program = link("#{head} struct A { 1: b.X x, 2: b.Y y }")

    assert_equal(%w[x/b y/b], program.records[0].fields.map { |field| field.type.target.program.path[%r{\w/b}] })
    ["struct A { 1: b.Both b }", "const i32 A = b.C", "struct A { 1: i32 a = b.E.A }", "service A extends b.S {}"]
      .each do |text|
      error = assert_raises(Sparpack::IDL::Error, text) { link("#{head} #{text}") }

      assert_match(%r{only one included file declares, found "b\.\w+", which is declared in .*x/b.thrift and .*y/b},
                   error.message)
    end
  end

  def test_links_give_a_file_several_names
    write "b.thrift", "struct B {}"
    File.symlink("b.thrift", "#{@folder}/c.thrift")
    program = link("include 'b.thrift' include 'c.thrift' struct A { 1: b.B b, 2: c.B c }")

    targets = program.records[0].fields.map { |field| field.type.target }

    assert_equal [program.includes[0].records[0]] * 2, targets
  end

  def test_files_that_include_one_another
    write "b.thrift", "include 'a.thrift' struct B { 1: optional a.A a } const i32 X = 1"
    program = link("include 'b.thrift' struct A { 1: b.B b = {} } const i32 Y = b.X")

    assert_same program.type("A"), program.type("b.B").fields[0].type.target
    assert_equal 1, program.constant("Y").value
  end

  # A service may be in another file than the one that it extends, and these files may include each other.
  def test_services_in_a_circle
    write "b.thrift", "include 'a.thrift' service B extends a.A {}"
    error = assert_raises(Sparpack::IDL::Error) { link("include 'b.thrift' service A extends b.B {}") }

    assert_equal ["a.thrift:1:38: expected a service to extend, found \"b.B\", which leads to a cycle",
                  "b.thrift:1:38: expected a service to extend, found \"a.A\", which leads to a cycle"],
                 messages(error).map { |message| message.sub(/ \(included.*/, "") }.sort
  end

  def test_circles_over_files
    write "b.thrift", "include 'a.thrift' struct B { 1: a.A a = {} } const i32 X = a.Y typedef a.T T"
    error = assert_raises(Sparpack::IDL::Error) do
      link("include 'b.thrift' struct A { 1: b.B b = {} } const i32 Y = b.X typedef b.T T")
    end

    assert_match(/expected a constant that does not refer to itself, found [XY]/, error.message)
    assert_match(/expected at most 64 levels of containers and typedefs, found more, or a cycle/, error.message)
    error = assert_raises(Sparpack::IDL::Error) { link("struct A { 1: B b = {} } struct B { 1: list<A> a = [{}] }") }

    assert_match(/expected defaults that do not contain one another, found a default that leads back to [AB]/, error.message)
  end

  def test_hints_at_included_files_and_their_types
    write "common.thrift", "struct Item {}"
    error = assert_raises(Sparpack::IDL::Error) { link("include 'comon.thrift'") }

    assert_equal ["a.thrift:1:1: expected a file to include, found no \"comon.thrift\" in FOLDER " \
                  "(did you mean \"common.thrift\"?)"], messages(error)
    error = assert_raises(Sparpack::IDL::Error) { link("include 'nowhere/common.thrift'") }

    assert_equal ["a.thrift:1:1: expected a file to include, found no \"nowhere/common.thrift\" in FOLDER"], messages(error)
    error = assert_raises(Sparpack::IDL::Error) { link("include 'common.thrift' struct A { 1: Item x }") }

    assert_equal ["a.thrift:1:39: expected a type, found \"Item\", which is not defined (did you mean \"common.Item\"?)"],
                 messages(error)
  end

  def test_faults_name_the_includes_that_led_to_them
    write "b.thrift", "\ninclude 'c.thrift'\ninclude 'd.thrift'"
    write "c.thrift", "struct C { 1: Nope x }"
    error = assert_raises(Sparpack::IDL::Error) { link("include 'b.thrift'\nstruct A { 1: b.B b 2: string }") }

    assert_equal ["a.thrift:2:31: expected the name of a field, found \"}\""], messages(error)
    error = assert_raises(Sparpack::IDL::Error) { link("include 'b.thrift'\nstruct A { 1: b.B b }") }

    assert_equal ["b.thrift:3:1: expected a file to include, found no \"d.thrift\" in FOLDER (included from a.thrift:1)"],
                 messages(error)
    write "d.thrift", "struct D {"
    error = assert_raises(Sparpack::IDL::Error) { link("include 'b.thrift'\nstruct A { 1: b.B b }") }

    assert_equal ["d.thrift:1:11: expected a type, found the end of the file (the \"{\" in line 1 is not closed) " \
                  "(included from b.thrift:3, a.thrift:1)"], messages(error)
    assert_equal(["b.thrift:3", "a.thrift:1"], error.faults[0].chain.map { |place| File.basename(place) })
    write "d.thrift", ""
    error = assert_raises(Sparpack::IDL::Error) { link("include 'b.thrift'\nstruct A { 1: b.B b }") }

    assert_equal ["c.thrift:1:15: expected a type, found \"Nope\", which is not defined " \
                  "(included from b.thrift:2, a.thrift:1)",
                  "a.thrift:2:15: expected a type, found \"b.B\", which is not defined"], messages(error)
  end

  def test_hints
    {
      "struct Point {} struct A { 1: Piont p }" => 'found "Piont", which is not defined (did you mean "Point"?)',
      "struct A { 1: int32 p }" => '(did you mean "i32"?)',
      "enum Status { ON } const Status A = Status.ONN" => 'found "Status.ONN", which is not defined ' \
                                                          '(did you mean "Status.ON"?)',
      "enum Status { ON } const Status A = ON" => 'expected a value of Status such as "Status.ON"',
      "const i32 LIMIT = 1 const i32 A = LIMITS" => '(did you mean "LIMIT"?)',
      "service Base {} service A extends Bass {}" => '(did you mean "Base"?)'
    }.each { |text, hint| assert_includes assert_raises(Sparpack::IDL::Error) { link(text) }.message, hint }
  end

  def test_warnings
    write "a.thrift", "union U { 1: required i32 a = 1 }"
    loader = Sparpack::IDL::Loader.new.run(["#{@folder}/a.thrift"])
    warnings = Sparpack::IDL::Linker.new(loader).run.warnings

    assert_equal(['a.thrift:1:11: warning: fields of a union are optional: "required" is ignored',
                  "a.thrift:1:11: warning: a default in a union is ignored"],
                 warnings.map { |warning| warning.message.delete_prefix("#{@folder}/") })
  end

  def test_negative_ids
    program = link("struct A { i32 a, -5: i32 b, i32 c, 7: i32 d, i32 e, 0: i32 f }", allow_neg_keys: true)

    assert_equal [-1, -5, -6, 7, -7, 0], program.records.first.fields.map(&:id)
  end

  # Any text is read in bounded time and memory.
  def test_nothing_grows_without_end
    texts = {
      laughs: ["typedef list<i32> T0 const T0 C0 = [1]",
               ->(i) { "typedef list<T#{i - 1}> T#{i} const T#{i} C#{i} = [#{(["C#{i - 1}"] * 10).join(",")}]" }],
      deep_types: ["typedef i32 T0", ->(i) { "typedef list<T#{i - 1}> T#{i}" }],
      forward_typedefs: ["typedef i32 T5001", ->(i) { "typedef T#{i + 1} T#{i}" }],
      deep_values: ["struct S { 1: list<S> s }\nconst S C0 = {}", ->(i) { "const S C#{i} = {'s': [C#{i - 1}]}" }],
      defaults: ["struct S5001 {}", ->(i) { "struct S#{i} { 1: S#{i + 1} s = {} }" }],
      unknown_types: ["", ->(i) { "struct S#{i} { 1: T#{i} t }" }],
      unknown_constants: ["", ->(i) { "const i32 C#{i} = D#{i}" }],
      services: ["service S0 {}", ->(i) { "service S#{i} extends S#{i - 1} { void f#{i}() }" }],
      siblings: ["service S0 {}",
                 ->(i) { "service S#{i} extends S#{i - 1} {} service T#{i} extends S#{i} { void f() }" }]
    }.transform_values { |first, line| [first, *(1..5_000).map(&line)].join("\n") }
    within("the linker", seconds: 60) do
      texts.each do |name, text|
        link(text)
      rescue Sparpack::IDL::Error => e
        assert_match(/expected (at most|defaults of at most|a constant|a type)/, e.message, name)
      end
    end
  end

  private

  def write(name, text)
    path = File.join(@folder, name)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
    path
  end

  def link(text, **options) = Sparpack::IDL.link(write("a.thrift", text), **options)

  def messages(error) = error.message.lines(chomp: true).map { |line| line.gsub("#{@folder}/", "").gsub(@folder, "FOLDER") }

  def apache_accepts?(name)
    path = write("case.thrift", IDLCases::ACCEPTED[name] || IDLCases::REJECTED[name][0])
    Command.capture2e(THRIFT, "--gen", "rb", "-out", @folder, path, within: 5).last.success?
  rescue Command::Overdue
    false
  end

  # Values of enums by their names, and structs as Hashes.
  def plain(value)
    case value
    when Array then value.map { |element| plain(element) }
    when Set then value.to_set { |element| plain(element) }
    when Hash then value.to_h { |key, element| [plain(key), plain(element)] }
    when Sparpack::IDL::Model::StructValue then value.fields.to_h { |field, element| [field.name, plain(element)] }
    when Sparpack::IDL::Model::EnumValue then value.name
    else value
    end
  end
end
