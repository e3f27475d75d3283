# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/deadline"
require "support/random_thrift"
require "support/seeded"

# The one layout of .thrift texts, and what formatting must not change.
class IDLFormatTest < Minitest::Test
  include Seeded
  include Deadline

  IDL = Sparpack::IDL

  LAYOUT = {
    "a text of everything" => [<<~SOURCE, <<~RESULT],
      /** The program. */
      namespace rb Foo.Bar (a.b='c')
      namespace   *   foo
      namespace smalltalk.category "a category"


      include 'shared.thrift'
      cpp_include "a.h";
      // A comment
      const i32 HEX=-0x1F, const i64 ZEROS = 007
      const map<string,list<double>> MAP={"a":[1 2;3,],'b':[-.5 1e3]} (flag)
      const uuid ID={ "00000000-0000-0000-0000-000000000001" }
      typedef list < i32 >(a.b="x",flag) Ints(c) enum Status{ON,OFF=-5;GONE(x="y"),}
      /**
         * Doc of Point.
         *   indented
        */
      struct Point xsd_all {
      \t/** x */
      \t1:required i32 class=3(a="b")


      \t2:optional map cpp_type "x"<i32,set<Point>>&m;
      \tlist<i32>cpp_type 'y' y
      \t-4:shared.Other end xsd_optional xsd_nillable xsd_attrs{1:i32 a}
      }(end)
      exception Gone{1:string message}union Value{1:i32 a}
      service Points extends shared.Base
      {
        oneway void ping(), // trailing

        async void pong()
        i32 add(1:i32 a=1;2:i32 end)throws(1:Gone gone)(x);
        /** Many. */
        list<Point>all()
      }
    SOURCE
      /** The program. */
      namespace rb Foo.Bar (a.b = "c")
      namespace * foo
      namespace smalltalk.category "a category"

      include "shared.thrift"
      cpp_include "a.h"

      // A comment
      const i32 HEX = -0x1F
      const i64 ZEROS = 007
      const map<string, list<double>> MAP = {"a": [1, 2, 3], "b": [-.5, 1e3]} (flag)
      const uuid ID = {"00000000-0000-0000-0000-000000000001"}
      typedef list<i32> (a.b = "x", flag) Ints (c)

      enum Status {
        ON,
        OFF = -5,
        GONE (x = "y"),
      }

      /**
       * Doc of Point.
       *   indented
       */
      struct Point xsd_all {
        /** x */
        1: required i32 class = 3 (a = "b"),

        2: optional map cpp_type "x" <i32, set<Point>> & m,
        list<i32> cpp_type "y" y,
        -4: shared.Other end xsd_optional xsd_nillable xsd_attrs {
          1: i32 a,
        },
      } (end)

      exception Gone {
        1: string message,
      }

      union Value {
        1: i32 a,
      }

      service Points extends shared.Base {
        oneway void ping(), // trailing

        oneway void pong(),
        i32 add(1: i32 a = 1, 2: i32 end) throws (1: Gone gone) (x),
        /** Many. */
        list<Point> all(),
      }
    RESULT
    "nothing" => [" \r\n\t\n", ""],
    "empty bodies" => [<<~SOURCE, <<~RESULT],
      struct A{

      }service B{void a(
      )}enum C { }const list<i32> D=[ ]const map<i32,i32> E={ }
    SOURCE
      struct A {}

      service B {
        void a(),
      }

      enum C {}

      const list<i32> D = []
      const map<i32, i32> E = {}
    RESULT
    "blank lines" => [<<~SOURCE, <<~RESULT],


      include "a"
      include "b"



      include "c"
      const i32 A = 1
      const i32 B = 1

      typedef i32 C
      typedef i32 D
      struct E {

        1: i32 a


        2: i32 b

      }
      // of E

      // of F
      struct F {}
    SOURCE
      include "a"
      include "b"

      include "c"

      const i32 A = 1
      const i32 B = 1

      typedef i32 C
      typedef i32 D

      struct E {
        1: i32 a,

        2: i32 b,
      }
      // of E

      // of F
      struct F {}
    RESULT
    "strings" => [%q(const list<string> A = ['a', 'it\'s', '"', "b", 'ä', '\\n']), <<~'RESULT'],
      const list<string> A = ["a", "it\'s", '"', "b", "ä", "\n"]
    RESULT
    "lists and maps that fit, and that do not" => [<<~SOURCE, <<~RESULT],
      const list<string> A = ["#{"a" * 35}", "#{"b" * 34}"]
      const list<string> B = ["#{"a" * 35}", "#{"b" * 35}"]
      const i32 C = 1
      const map<string, list<i32>> D = {"#{"a" * 50}": [1, 2], "#{"b" * 50}": [#{"1" * 40}, #{"2" * 40}]}
      const uuid E = {"#{"a" * 100}"}
    SOURCE
      const list<string> A = ["#{"a" * 35}", "#{"b" * 34}"]

      const list<string> B = [
        "#{"a" * 35}",
        "#{"b" * 35}",
      ]

      const i32 C = 1

      const map<string, list<i32>> D = {
        "#{"a" * 50}": [1, 2],
        "#{"b" * 50}": [
          #{"1" * 40},
          #{"2" * 40},
        ],
      }

      const uuid E = {
        "#{"a" * 100}"
      }
    RESULT
    "long functions" => [<<~SOURCE, <<~RESULT],
      service A {
        i32 a(1: i32 #{"a" * 40}, 2: i32 #{"b" * 8}) throws (1: Gone gone) (x)
        i32 a(1: i32 #{"a" * 40}, 2: i32 #{"b" * 9}) throws (1: Gone gone) (x)
        i32 a(1: i32 #{"a" * 40}, 2: i32 #{"b" * 40}) throws (1: Gone gone)
        i32 a(1: i32 #{"a" * 40}) throws (1: Gone #{"a" * 40}, 2: Gone #{"b" * 40})
      }
    SOURCE
      service A {
        i32 a(1: i32 #{"a" * 40}, 2: i32 #{"b" * 8}) throws (1: Gone gone) (x),
        i32 a(1: i32 #{"a" * 40}, 2: i32 #{"b" * 9})
            throws (1: Gone gone) (x),
        i32 a(
          1: i32 #{"a" * 40},
          2: i32 #{"b" * 40},
        ) throws (1: Gone gone),
        i32 a(1: i32 #{"a" * 40})
            throws (
              1: Gone #{"a" * 40},
              2: Gone #{"b" * 40},
            ),
      }
    RESULT
    "long annotations" => ["struct A { 1: i32 a = 1 (a = \"#{"a" * 40}\", b = \"#{"b" * 40}\") }", <<~RESULT]
      struct A {
        1: i32 a = 1 (
          a = "#{"a" * 40}",
          b = "#{"b" * 40}",
        ),
      }
    RESULT
  }.freeze

  COMMENTS = {
    "at the start and the end" => ["\n# a\n\n/* b */ // c", "# a\n\n/* b */ // c\n"],
    "at the ends of lines" => [<<~SOURCE, <<~RESULT],
      include "a"; // a
      struct A // b
      { 1: i32 a   // c
        2: i32 b;  /* d */ # e
        3: i32 c /** of d */ 4: i32 d
      } // f
      const i32 B = 1 // g
      ; // h
    SOURCE
      include "a" // a

      struct A { // b
        1: i32 a, // c
        2: i32 b, /* d */ # e
        3: i32 c,
        /** of d */ 4: i32 d,
      } // f

      const i32 B = 1 // g
      // h
    RESULT
    "before commas" => [<<~SOURCE, <<~RESULT],
      struct A {
          1: i32 a // of a
        , 2: i32 b /* of b */
        , 3: i32 c /** of the comma */, /** of d */ 4: i32 d
        // end
        ,
      }
    SOURCE
      struct A {
        1: i32 a, // of a
        2: i32 b /* of b */,
        3: i32 c /** of the comma */,
        /** of d */ 4: i32 d,
        // end
      }
    RESULT
    "on lines of their own" => [<<~SOURCE, <<~RESULT],
      enum A {

        // a

        // b
        B
        /* c */

        // d
      }
      struct E { /* none */ }
      struct F {
        # none
      }
    SOURCE
      enum A {
        // a

        // b
        B,
        /* c */

        // d
      }

      struct E {
        /* none */
      }

      struct F {
        # none
      }
    RESULT
    "in brackets" => [<<~SOURCE, <<~RESULT],
      const list<i32> A = [/* a */ 1, 2 /* b */ 3, /* c */]
      const list<i32> B = [1, // a
        2]
      const list<i32> C = [ // a
        // b
        1, 2 ]
      const list<i32> D = [ /* none */ ]
      service E { void a(/* none */) void b(/* a */ 1: i32 a, // b
        2: i32 b) throws ( # d
        1: F f)
      }
    SOURCE
      const list<i32> A = [/* a */ 1, 2, /* b */ 3 /* c */]

      const list<i32> B = [
        1, // a
        2,
      ]

      const list<i32> C = [ // a
        // b
        1,
        2,
      ]

      const list<i32> D = [/* none */]

      service E {
        void a(/* none */),
        void b(
          /* a */ 1: i32 a, // b
          2: i32 b,
        ) throws ( # d
          1: F f,
        ),
      }
    RESULT
    "between words" => [<<~SOURCE, <<~RESULT],
      const /* a */ map</* b */ i32 /* c */, /* d */ i32 /* e */> A /* f */ = /* g */ {/* h */ 1 /* i */ : /* j */ 2}
      const i32 B = // a
      // b
      1
      struct C {
        1 // a
        : i32 /* b
           c */ a
      }
    SOURCE
      const /* a */ map</* b */ i32 /* c */, /* d */ i32 /* e */> A /* f */ = /* g */ {
        /* h */ 1 /* i */: /* j */ 2,
      }

      const i32 B = // a
          // b
          1

      struct C {
        1 // a
            : i32 /* b
           c */ a,
      }
    RESULT
    "of several lines" => [<<~SOURCE, <<~RESULT],
      struct A {
            /*
              moves \t

                along
             */
            /**
               * is
             * aligned
               */
            /**
                says what
              its blanks say
             */
            1: i32 a
      \t\t/* a
      \t\t\tb */
            2: i32 b /* stays
          so */
      }
    SOURCE
      struct A {
        /*
          moves

            along
         */
        /**
         * is
         * aligned
         */
        /**
                says what
              its blanks say
             */
        1: i32 a,
        /* a
        \tb */
        2: i32 b, /* stays
          so */
      }
    RESULT
    "of docs before separators" => ["const i32 A = 1 /** of none */; struct B {}", <<~RESULT]
      const i32 A = 1 /** of none */,

      struct B {}
    RESULT
  }.freeze

  { "layout" => LAYOUT, "comments" => COMMENTS }.each do |topic, cases|
    cases.each do |name, (source, result)|
      define_method("test_#{topic}: #{name}") do
        assert_equal result, IDL.format(source)
        assert_laws source
      end
    end
  end

  # --- laws ----------------------------------------------------------------------------------------------------------------

  EVERYTHING = LAYOUT.fetch("a text of everything").first

  # The lines that begin a definition, a header or a comment before one.
  BEGINNING = %r{^(?=namespace|include|cpp_include|//|const|typedef|/\*\*|exception|service)}
  private_constant :BEGINNING

  # What is further away than the definition before or behind the comment does not matter for it.
  def test_a_comment_between_any_two_tokens
    parts = EVERYTHING.split(BEGINNING)

    assert_operator parts.size, :>, 12
    ["", *parts, ""].each_cons(3) do |before, part, after|
      text = [before, part, after].join
      lexer = IDL::Lexer.new(IDL::Source.new(text)).run
      places = lexer.starts.zip(lexer.ends).flatten.uniq.grep(before.bytesize..(before + part).bytesize)
      places.each do |place|
        RandomThrift::COMMENTS.sample(6, random:).each do |comment|
          assert_laws "#{text.byteslice(0, place)} #{comment}#{text.byteslice(place..)}"
        end
      end
    end
  end

  def test_comments_between_all_tokens
    lexer = IDL::Lexer.new(IDL::Source.new(EVERYTHING)).run
    tokens = lexer.starts.zip(lexer.ends).map { |start, finish| EVERYTHING.byteslice(start...finish) }
    30.times do
      assert_laws(tokens.map { |token| " #{RandomThrift::COMMENTS.sample(random:)}#{token}" }.join)
    end
  end

  def test_random_texts
    [0, 0.02, 0.2, 0.6].each do |comments|
      50.times { assert laws?(RandomThrift.new(random, comments).text) }
    end
  end

  TELLING = (["\xFF".b, "", "\n", " ", "\t", "\r"] + %w[/* */ " ' // , { } ( ) /**a*/ 1 :]).freeze

  # Only mutated texts that still parse; some are not UTF-8.
  def test_mutated_texts
    parsing = Array.new(600) do
      text = RandomThrift.new(random, 0.5).text.b
      (1 + random.rand(3)).times { mutate(text) }
      laws?(text.force_encoding(Encoding::UTF_8))
    end

    assert_includes parsing, true
  end

  def test_texts_that_do_not_parse
    error = assert_raises(IDL::Error) { IDL.format("struct A {", "a.thrift") }

    assert_equal "a.thrift", error.file
  end

  def test_encodings
    assert_equal Encoding::UTF_8, IDL.format("// ä".b).encoding
    assert_equal "// ä\n", IDL.format("// ä".b)
    assert_equal "// ä\n", IDL.format("\uFEFF// ä")
    assert_empty IDL.format("\uFEFF")
    assert_equal "const string A = \"\xFF\" // \xE4\n", IDL.format("const string A='\xFF' // \xE4")
    assert_laws "struct A { /* \xFF \n ä */ 1: string a = '\xFF' // \xE4\n }"
    assert_equal "const string A = \"a\"\n", IDL.format("const string A = 'a'".encode(Encoding::US_ASCII).freeze)
  end

  LARGE = [
    EVERYTHING.sub(/.*cpp_include.*?;/m, "") * 100,
    "const list<list<i32>> A = [#{"[[1, 2], [3]], " * 10_000}]",
    "service A { void a(#{"1: i32 a (b) " * 10_000}) }",
    "struct A { 1: i32#{" /* a */" * 50_000} a }",
    "struct A { 1: i32#{" // a\n" * 50_000} a }",
    "struct A { #{"/*\n * a\n */ " * 50_000} }",
    "struct A { #{"/*\na */ " * 50_000} }",
    "struct A { /* #{" " * 1_000_000}a\n#{" \t" * 500_000}a */ #{" " * 1_000_000} #{"\n" * 1_000_000} }",
    "/* ä#{"\nä" * 100_000} */ const list<string> A = [#{"'ä' /* ä */, " * 10_000}]"
  ].freeze

  # Takes far less than a minute. If the time were quadratic, it would take far more.
  def test_large_texts
    within("the formatter", seconds: 60) { LARGE.each { |text| IDL.format(text) } }
  end

  private

  def assert_laws(text)
    assert laws?(text), "#{text.inspect} does not parse"
  end

  # Returns nil for a text that does not parse.
  def laws?(text)
    document = IDL.parse(text)
    result = IDL.format(text)

    assert_equal document, IDL.parse(result), -> { "says something else: #{text.inspect}" }
    assert_equal result, IDL.format(result), -> { "formats to something else again: #{text.inspect}" }
    assert_equal comments(text), comments(result), -> { "has other comments: #{text.inspect}" }
    assert_tidy result, text
    true
  rescue IDL::Error
    flunk "does not parse again: #{text.inspect}" if document
  end

  # @return [Array<String>] without indentation and trailing blanks
  def comments(text)
    source = IDL::Source.new(text)
    IDL::Lexer.new(source).run.comments.map do |start, finish|
      source.text.byteslice(start...finish).b.lines.map(&:strip).join("\n")
    end
  end

  def assert_tidy(result, text)
    return assert_empty result if result.empty?

    assert_match(/[^\n]\n\z/, result.b, -> { "does not end in one line break: #{text.inspect}" })
    refute_match(/[\t\r]| \n|\n\n\n|\A\n/, without_strings_and_comments(result), -> { "is not tidy: #{text.inspect}" })
  end

  def without_strings_and_comments(text)
    source = IDL::Source.new(text)
    lexer = IDL::Lexer.new(source).run
    strings = lexer.kinds.each_index.select { |index| lexer.kinds[index] == :string }
    masked = text.b
    [*strings.map { |index| [lexer.starts[index], lexer.ends[index]] }, *lexer.comments].each do |start, finish|
      masked[start...finish] = "x" * (finish - start)
    end
    masked
  end

  def mutate(bytes)
    bytes[random.rand(bytes.size + 1), random.rand(2)] = TELLING.sample(random:)
  end
end
