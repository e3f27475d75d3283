# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/deadline"

# Parses .thrift text to an AST: what Apache's grammar allows, what it does not allow, and what is no text at all.
class IDLParserTest < Minitest::Test
  include Deadline

  AST = Sparpack::IDL::AST

  ALL = <<~THRIFT
    /** The program. */
    namespace rb Foo.Bar (a.b = "c")
    namespace * foo
    namespace smalltalk.category "a category"
    include "shared.thrift"
    cpp_include 'a.h';

    // A comment, # another
    const i32 HEX = -0x1F, const i64 ZEROS = 007
    const map<string, list<double>> MAP = {"a": [1 2;3,], 'b': [-.5 1e3 2.5E-1]} (flag)
    const uuid ID = {"00000000-0000-0000-0000-000000000001"}
    const bool ON = true const string TEXT = "a\\n\\"b\\"\\\\"
    typedef list<i32> (a.b = "x", flag) Ints (c)
    enum Status { ON, OFF = -5; GONE (x = "y"), }
    /**
     * Doc of Point.
     *   indented
     */
    struct Point xsd_all {
      /** x */
      1: required i32 class = 3 (a = "b"),
      2: optional map cpp_type "x" <i32, set<Point>> & m;
      list<i32> cpp_type "y" y
      -4: shared.Other end xsd_optional xsd_nillable xsd_attrs { 1: i32 a }
    } (end)
    exception Gone { 1: string message }
    union Value { 1: i32 a }
    service Points extends shared.Base {
      oneway void ping(),
      async void pong()
      i32 add(1: i32 a = 1, 2: i32 end) throws (1: Gone gone) (x);
      /** Many. */
      list<Point> all()
    } (deprecated)
  THRIFT

  def test_headers
    document = parse(ALL)

    assert_equal "The program.", document.doc
    assert_equal([["rb", "Foo.Bar"], %w[* foo], ["smalltalk.category", "a category"]],
                 document.headers.grep(AST::Namespace).map { |node| [node.scope, node.name] })
    assert_equal([["a.b", "c"]], document.headers[0].annotations.map { |node| [node.name, node.value] })
    assert_equal ["shared.thrift"], document.headers.grep(AST::Include).map(&:path)
    assert_equal ["a.h"], document.headers.grep(AST::CppInclude).map(&:path)
  end

  def test_constants
    values = parse(ALL).definitions.grep(AST::Const).to_h { |node| [node.name, plain(node.value)] }

    assert_equal({ "HEX" => -31, "ZEROS" => 7, "MAP" => { "a" => [1, 2, 3], "b" => [-0.5, 1000.0, 0.25] },
                   "ID" => "00000000-0000-0000-0000-000000000001", "ON" => "true", "TEXT" => "a\n\"b\"\\" }, values)
  end

  def test_structs
    point = find("Point")

    assert_equal ["Doc of Point.\n  indented", :struct, true, ["end"]],
                 [point.doc, point.kind, point.xsd_all, point.annotations.map(&:name)]
    assert_equal([[1, :required, "class"], [2, :optional, "m"], [nil, nil, "y"], [-4, nil, "end"]],
                 point.fields.map { |field| [field.id, field.requiredness, field.name] })
    assert_equal "x", point.fields[0].doc
    assert_equal 3, plain(point.fields[0].default)
    assert_equal([true, :map, "x", :set, "Point"],
                 point.fields[1].then do |field|
                   [field.reference, field.type.kind, field.type.cpp_type, field.type.element.kind,
                    field.type.element.element.name]
                 end)
    assert_equal "y", point.fields[2].type.cpp_type
    assert_equal [true, true, ["a"]],
                 point.fields[3].xsd.values_at(:optional, :nillable) + [point.fields[3].xsd[:attrs].map(&:name)]
    assert_equal(%i[exception union], %w[Gone Value].map { |name| find(name).kind })
  end

  def test_typedefs_and_enums
    assert_equal([:list, %w[a.b flag], %w[x 1]],
                 find("Ints").type.then { |type| [type.kind, type.annotations.map(&:name), type.annotations.map(&:value)] })
    assert_equal([["ON", nil], ["OFF", -5], ["GONE", nil]],
                 find("Status").enum_values.map { |value| [value.name, value.number] })
  end

  def test_services
    service = find("Points")

    assert_equal ["shared.Base", %w[ping pong add all]], [service.parent, service.functions.map(&:name)]
    assert_equal [true, true, false, false], service.functions.map(&:oneway)
    assert_equal([nil, nil, "i32"], service.functions.first(3).map { |function| function.type&.name })
    assert_equal [%w[a end], ["gone"], "Many."],
                 [service.functions[2].arguments.map(&:name), service.functions[2].throws.map(&:name),
                  service.functions[3].doc]
  end

  def test_a_byte_order_mark_is_skipped
    assert_equal parse("struct A {}"), parse("\uFEFFstruct A {}")
  end

  def test_places
    ALL.lines.each_with_index do |line, index|
      name = line[/^(?:struct|enum|union|exception|service) (\w+)/, 1] or next

      node = find(name)

      assert_equal [index + 1, 1], [@document.source.line(node.offset), @document.source.column(node.offset)]
      assert_equal name, @document.source.text.byteslice(node.offset...node.finish)[/\w+ (\w+)/, 1]
    end
  end

  def test_nodes_are_equal_by_what_they_say
    texts = ["struct A{1:i32 a=1}", "/* */ struct A {\n  1: i32 a = 1, // one\n}"]

    assert_equal(*texts.map { |text| parse(text) })
    assert_equal(*texts.map { |text| parse(text).hash })
    refute_equal parse(texts[0]), parse("struct A{1:i32 a=2}")
    refute_equal parse("struct A{}"), parse("/** doc */ struct A{}")
  end

  FAULTS = {
    "struct A {\n  1: i32\n}" => ['3:1: expected the name of a field, found "}"'],
    "struct A { 1: requird string name, }" =>
      ['1:34: expected the name of a field, found "," (did you mean "required"?)'],
    "struct A { 1: i32 a" => ['1:20: expected a type, found the end of the file (the "{" in line 1 is not closed)'],
    "struct A {\n  1: i32 a\n\nstruct B {}" => ['4:1: expected a type, found "struct" (the "{" in line 1 is not closed)'],
    "\nenum A { B\nstruct C { 1: i32 a }" =>
      ['3:10: expected the name of an enum\'s value, found "{" (the "{" in line 2 is not closed)'],
    "service A { void b(1: i32 c\n}" => ['2:1: expected a type, found "}" (the "(" in line 1 is not closed)'],
    "struct A { 1: list<i32> a = [1, 2 }" => ['1:35: expected a value, found "}" (the "[" in line 1 is not closed)'],
    "struct A { 1: struct B b }" => ['1:15: expected a type, found "struct"'],
    "struct A { 1: i32 a ) }" => ['1:21: expected a type, found ")"'],
    "struct list {}" => ['1:8: expected the name of a struct, found the keyword "list"'],
    "struct A { 1: i32 xsd_all }" => ['1:19: expected the name of a field, found "xsd_all"'],
    "const i32 X = 1." => ['1:15: expected a number, found "1."', "1:17: expected a value, found the end of the file"],
    "const i32 X = 0x" => ['1:15: expected a number, found "0x"', "1:17: expected a value, found the end of the file"],
    "const i32 X = -\nstruct A {}" => ['1:15: expected a number, found "-"'],
    "const string X = \"a\\q\"" => ['1:20: expected an escape (\r \n \t \" \\\' \\\\), found "\\\\q"'],
    "const string X = 'a" => ["1:18: expected the end of a string, ', found the end of the file"],
    "const string X = 'a\nb'\nsenum A" =>
      ["1:18: expected the end of a string, ', found the end of the line",
       '3:1: expected a definition, found "senum", which no longer exists'],
    "struct A.B {}" => ['1:8: expected the name of a struct, without a dot, found "A.B"'],
    "struct A { 1: i32 a.b }" => ['1:19: expected the name of a field, without a dot, found "a.b"'],
    "enum A { B.C }" => ['1:10: expected the name of an enum\'s value, without a dot, found "B.C"'],
    "typedef i32 string" => ['1:13: expected the name of a typedef, found the keyword "string"'],
    "struct A {}\n  /** never" => ["2:3: expected the end of a comment, */, found the end of the file"],
    "senum A { }" => ['1:1: expected a definition, found "senum", which no longer exists'],
    "struct A {}\ninclude \"b.thrift\"" => ['2:1: expected a definition, found "include" after the first definition'],
    "include b" => ['1:9: expected the path of a file, in quotes, found "b"'],
    "enum E { A = 1.5 }" => ["1:14: expected a whole number, found 1.5"],
    "strukt A {}" => ["1:1: expected a definition (const, typedef, enum, struct, union, exception, service), " \
                      "found \"strukt\""],
    "namespace rb A::B\nenum { X }" => ['1:15: expected a dot between the parts of a namespace, found ":"',
                                        '2:6: expected the name of an enum, found "{"'],
    "cpp_namespace a.b\nruby_namespace A\nenum { X }" =>
      ['1:1: expected a header or a definition, found "cpp_namespace", which is now "namespace cpp"',
       '2:1: expected a header or a definition, found "ruby_namespace", which is now "namespace rb"',
       '3:6: expected the name of an enum, found "{"'],
    "package \"a.b/c\"\n@scope.Field\nstruct A {\n  @a.B\n  1: i32\n}" =>
      ['1:1: expected a header or a definition, found "package", which only fbthrift supports',
       '2:1: expected annotations in parentheses, such as (a = "b"), found "@scope.Field", which only fbthrift supports',
       '4:3: expected annotations in parentheses, such as (a = "b"), found "@a.B", which only fbthrift supports',
       '6:1: expected the name of a field, found "}"'],
    "\xFF\xFEs\0t\0".b => ["1:1: expected text in UTF-8, found text in UTF-16"],
    "\xFE\xFF\0s\0t".b => ["1:1: expected text in UTF-8, found text in UTF-16"],
    "struct A { 1: i32 ä }" => ['1:19: expected a name, a number, a string or a symbol, found "ä"']
  }.freeze

  def test_faults
    FAULTS.each do |text, messages|
      error = assert_raises(Sparpack::IDL::Error, text) { parse(text) }

      messages.each { |message| assert_includes error.message.lines(chomp: true), "a.thrift:#{message}" }
      assert_equal ["a.thrift", error.faults[0].line, error.faults[0].column], [error.file, error.line, error.column]
    end
  end

  # A message cuts the offending text at some length, but never inside a character.
  def test_faults_before_long_words
    4.times do |size|
      error = assert_raises(Sparpack::IDL::Error) { parse("struct A { 1: i32 = #{"x" * size} // #{"ä" * 40}") }

      assert_predicate error.faults[0].text, :valid_encoding?
    end
  end

  def test_several_faults_in_one_go
    error = assert_raises(Sparpack::IDL::Error) { parse("struct A { 1: i32 }\nconst = 1\nstruct B { 1: i32 a }\nenum C { = }") }

    assert_equal [1, 2, 4], error.faults.map(&:line)
  end

  def test_nothing_is_nested_without_end
    deep = "#{"list<" * 100_000}i32"

    assert_match(/expected at most 64 levels of nesting, found more/, assert_raises(Sparpack::IDL::Error) do
      parse("typedef #{deep} A")
    end.message)
    assert_raises(Sparpack::IDL::Error) { parse("const i32 X = #{"[" * 100_000}") }
    assert_raises(Sparpack::IDL::Error) { parse("struct A { 1: i32 a #{"xsd_attrs { 1: i32 a " * 100_000}") }
  end

  # Any text gives a result, or an error that says where it is.
  def test_truncated_and_mutated_texts
    random = Random.new(11)
    texts = (0..ALL.bytesize).map { |size| ALL.byteslice(0, size) }
    texts += Array.new(2_000) do
      ALL.b.tap do |text|
        (1 + random.rand(4)).times do
          text[random.rand(text.size)] = ["\xff".b, "{", "}", "\"", "/*", "", "\0", "<", "9"].sample(random:)
        end
      end
    end
    within("the parser") do
      texts.each do |text|
        parse(text)
      rescue Sparpack::IDL::Error => e
        assert_operator e.line, :>=, 1
        assert_match(/\Aa\.thrift:\d+:\d+: expected .+, found /, e.message)
      end
    end
  end

  def test_encodings
    text = "const string A = 'ä' const i32 B = ?"
    expected = assert_raises(Sparpack::IDL::Error) { Sparpack::IDL.parse(text) }.message

    %w[UTF-16LE UTF-8 ASCII-8BIT ISO-8859-1].zip([:encode, :encode, :force_encoding, :encode]).each do |name, how|
      given = text.dup.public_send(how, name).freeze

      assert_equal expected, assert_raises(Sparpack::IDL::Error, name) { Sparpack::IDL.parse(given) }.message
    end
    assert_raises(TypeError) { Sparpack::IDL.parse(nil) }
  end

  private

  def parse(text) = Sparpack::IDL.parse(text, "a.thrift")

  def find(name)
    @document ||= parse(ALL)
    @document.definitions.find { |node| node.name == name }
  end

  def plain(node)
    case node
    when AST::List then node.elements.map { |element| plain(element) }
    when AST::Map then node.pairs.to_h { |key, value| [plain(key), plain(value)] }
    else node.value
    end
  end
end
