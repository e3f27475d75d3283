# frozen_string_literal: true

require "test_helper"
require "stringio"

# Texts that a reader of JSON must accept, and texts that it must refuse: as members that the class does not know, which only
# the grammar reads, and as fields of each type, which the decoder reads itself. The cases are those of Nicolas Seriot's
# JSONTestSuite, written anew.
class JsonTextsTest < Minitest::Test
  class Row < Sparpack::Struct
    field 1, :n, :i32
    field 2, :reals, list(:double)
    field 3, :numbers, list(:i64)
    field 4, :texts, list(:string)
    field 5, :table, map(:string, :i32)
    field 6, :rows, list("Row")
    field 7, :flags, list(:bool)
    field 8, :blobs, list(:binary)
    field 9, :ids, list(:uuid)
    field 10, :by_number, map(:i64, :double)
    field 11, :by_flag, map(:bool, :i32)
    field 12, :by_list, map(list(:i32), :i32)
  end

  NUMBERS = { "0" => 0.0, "-0" => -0.0, "123" => 123.0, "-1" => -1.0, "0e+1" => 0.0, "0e1" => 0.0, "20e1" => 200.0,
              "1E22" => 1e22, "1E-2" => 0.01, "1E+2" => 100.0, "123e45" => 1.23e47, "123.456e78" => 1.23456e80,
              "1e-2" => 0.01, "123.456789" => 123.456789, "-0.#{"0" * 77}1" => -1e-78, "1.7976931348623157e308" => Float::MAX,
              "5e-324" => 5e-324, "0.1#{"0" * 400}" => 0.1, "123.456e-789" => 0.0, "#{"1" * 300}e-299" => 1.1111111111111112,
              "9007199254740993" => 9_007_199_254_740_992.0, "1e00000000000000000002" => 100.0,
              "100000000000000000000" => 1e20, "0.4e-99999999999999999999999" => 0.0 }.freeze

  # These are numbers, but no double is as large.
  TOO_LARGE = ["1e309", "-1e+9999", "123123e100000", "0.4e00669999999999999999999999999", "1#{"0" * 309}"].freeze

  NO_NUMBERS = ["-01", "-1.0.", "-2.", ".-1", ".2e-3", "0.1.2", "0.3e+", "0.3e", "0.e1", "0E", "0E+", "0e", "0e+", "1_000",
                "1.0e-", "1.0e", "1.0e+", "1 000", "1eE2", "2.e-3", "2.e+3", "2.e3", "9.e+", "Inf", "infinity", "Infinity",
                "-Infinity", "NaN", "-NaN", "+1", "+Inf", "++1234", "-foo", "- 1", "-012", "-1x", "0x1", "0x42", "1+2",
                "1ea", "\uff11", "0e+-1", ".", "-", "-.123", "1.2a-3", "1.8011670033376514H-308", "012", "00", "1e1\xe5",
                "123\xe5", "0\0", "1\u00a0", "--1", "1.", "e1", "1f", "0b1", "0o7", "1d", "1n", "1;"].freeze

  STRINGS = { '""' => "", '"asd"' => "asd", '"\u0060\u012a\u12AB"' => "`\u012a\u12ab", '"\uD801\udc37"' => "\u{10437}",
              '"\ud83d\ude39\ud83d\udc8d"' => "\u{1f639}\u{1f48d}", '"\"\\\\\/\b\f\n\r\t"' => "\"\\/\b\f\n\r\t",
              '"\\\\u0000"' => "\\u0000", '"a/*b*/c/*d//e"' => "a/*b*/c/*d//e", '"\\\\a"' => "\\a", '"\u0012"' => "\x12",
              '"\uFFFF"' => "\uffff", "\"\uffff\"" => "\uffff", '"\uDBFF\uDFFF"' => "\u{10ffff}", '"\u0000"' => "\0",
              "\"\u{10ffff}\"" => "\u{10ffff}", "\"π\u{1bfff}\"" => "π\u{1bfff}", '"\uD834\uDd1e"' => "\u{1d11e}",
              "\"\u2028\u2029\"" => "\u2028\u2029", "\"\x7f\"" => "\x7f", '"new\u000Aline"' => "new\nline",
              '"\u005C\u0022"' => "\\\"", '"\uFDD0\uFFFE\u200B"' => "\ufdd0\ufffe\u200b", '"€𝄞"' => "€𝄞", '" "' => " ",
              "\"\u0085\u00a0\"" => "\u0085\u00a0", "\"#{"ü" * 100}\\u00e9\"" => "#{"ü" * 100}é",
              '"[1,{}]"' => "[1,{}]" }.freeze

  NO_STRINGS = ['"\uD800\\"', '"\uD800\u"', '"\uD800\u1"', '"\uD800\u1x"', "\"a\0a\"", '"\\\\\\"', '"\\"', '"\u00A"',
                '"\uD834\uDd"', '"\uD800\uD800\x"', "\"\\u\xe5\"", "\"\\\xe5\"", "\"\n\"", "\"\t\"", "\"\x1f\"", '"\U0041"',
                '"\a"', "\"\\🌀\"", "'single'", '"\x00"', '"\uqqqq"', '"\u 123"', '"\u+123"', '"\u12 4"', '"\e"', '"\0"',
                "é", "asd", "\"x", 'x"', '"\u12', "\u201cx\u201d", "`x`", "\"\\\n\"", '"a""b"', '"a"b', "\"\\",
                # Half of a surrogate pair, and bytes that are not UTF-8. Others may accept these.
                '"\uDADA"', '"\uD888\u1234"', '"\uD800\n"', '"\uDd1ea"', '"\uD800\uD800\n"', '"\ud800"', '"\ud800abc"',
                '"\uDd1e\uD834"', '"\uDFAA"', "\"\xff\"", "\"\xe5\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xe0\xff\"",
                "\"\xf4\xbf\xbf\xbf\"", "\"\xfc\x80\x80\x80\x80\x80\"", "\"\x81\"", "\"\xf0\x9f\x9a\"",
                "\"\\u00e9\xe9\""].freeze

  LITERALS = %w[true false null].freeze
  NO_LITERALS = %w[nul tru fals True TRUE nULL truex falsee nulll t f n undefined None yes true1 null0 truefalse].freeze

  CONTAINERS = ["[]", "{}", "[[]]", "[[]   ]", "[ ]", "[\"\"]", "[false]", '[null, 1, "1", {}]', "[1\n]", " [1]",
                "[1,null,null,2]", "[2] ", '{"a":"b"}', '{"a":"b","a":"c"}', '{"a":"b","a":"b"}', '{"":0}',
                '{"foo\u0000bar": 42}', '{ "min": -1.0e+28, "max": 1.0e+28 }', "{\n\"a\": \"b\"\n}",
                '{"x":[{"id": "xxxxxxxx"}], "id": "xxxx"}',
                '{"\u00fc":{"\ud83d\ude39":[]}}', "[#{"[" * 40}#{"]" * 40}]"].freeze

  NO_CONTAINERS = ["[1 true]", "[a\xe5]", '["": 1]', '[""],', "[,1]", "[1,,2]", '["x",,]', '["x"]]', '["",]', '["x"',
                   "[x", "[3[4]]", "[\xff]", "[1:2]", "[,]", "[   , \"\"]", "[1,]", "[1,,]", "[\"\va\"\f]", "[*]", "[1,, ",
                   "[{}", '["x", truth]', '{[: "x"}', '{"x", null}', '{"x"::"b"}', "{🇨🇭}", '{"a":"a" 123}', "{key: 'value'}",
                   "{\"\xb9\":\"0\"}", '{"a" b}', '{:"b"}', '{"a" "b"}', '{"a":', '{"a"', "{1:1}", "{9999E9999:1}",
                   "{null:null,null:null}", '{"id":0,,,,,}', "{'a':0}", '{"id":0,}', '{"a":"b"}/**/', '{"a":"b"}/**//',
                   '{"a":"b"}#', '{"a":"b"}//', '{"a":"b",,"c":"d"}', '{a: "b"}', '{"a":"a', '{ "foo" : "bar", "a" }',
                   '{"a":/*comment*/"b"}', '{"a":true} "x"', "[}", "{]", "[1}", "{\"a\":1]", "[\u00a01]", "[\u20601]", "{,}",
                   '{"a":}', "<.>", "[<null>]", "", "[\f]", "{\"\n\":1}", '{"\ud800":1}', '{"\x":1}', "]", "}", ":",
                   ","].freeze

  FAULTS = [Sparpack::DecodeError::Malformed, Sparpack::DecodeError::Truncated, Sparpack::DecodeError::TypeMismatch,
            Sparpack::DecodeError::OutOfRange].freeze # which numbers are too large, other tests say

  # --- members that nobody knows -----------------------------------------------------------------------------------------

  AROUND = ['{"x":%s}', '{"x":[%s]}', '{"n":1,"x":{"y":%s,"z":1},"n":2}', '{"rows":[{"x":[[],%s,[]]}]}',
            "{\"x\":\r\n%s\t}"].freeze

  # Delivers one byte at a time.
  class Trickle < StringIO
    def readpartial(size, *rest) = super([size, 1].min, *rest)
  end

  def test_members_that_must_be_accepted
    [*NUMBERS.keys, *TOO_LARGE, *STRINGS.keys, *LITERALS, *CONTAINERS].each do |value|
      AROUND.each { |around| accept(around.sub("%s") { value }) }
    end
  end

  def test_members_that_must_be_refused
    [*NO_NUMBERS, *NO_STRINGS, *NO_LITERALS, *NO_CONTAINERS].each do |value|
      AROUND.each { |around| refuse(around.b.sub("%s") { value.b }) unless value.empty? && around.include?("[%s]") }
    end
  end

  # --- fields ------------------------------------------------------------------------------------------------------------

  def test_doubles
    NUMBERS.each do |text, value|
      assert_equal [value].pack("G"), [accept("{\"reals\":[#{text}]}").reals[0]].pack("G"), text
      assert_equal [value, value], accept("{\"reals\":[ #{text} ,#{text}\n]}").reals
    end
    (NO_NUMBERS + TOO_LARGE + NO_LITERALS).each do |text|
      refuse("{\"reals\":[#{text}]}")
      refuse("{\"by_number\":{\"1\":#{text}}}")
    end
  end

  def test_integers
    NUMBERS.each_key do |text|
      number = Integer(text, exception: false)
      fits = number&.bit_length&.<(64)

      assert_equal [number], accept("{\"numbers\":[#{text}]}").numbers if fits
      assert_equal [number], accept("{\"by_number\":{\"#{text}\":0}}").by_number.keys if fits
      next if fits

      refuse("{\"numbers\":[#{text}]}")
      refuse("{\"by_number\":{\"#{text}\":0}}")
    end
    (NO_NUMBERS + TOO_LARGE + NO_LITERALS).each do |text|
      refuse("{\"numbers\":[#{text}]}")
      refuse("{\"n\":#{text}}")
      refuse("{\"by_number\":{\"#{text}\":0}}")
    end
  end

  def test_strings
    STRINGS.each do |text, value|
      read = accept("{\"texts\":[#{text}, #{text}],\"table\":{#{text}:1 , \"b\":2}}")

      assert_equal [[value] * 2, { value => 1, "b" => 2 }, [Encoding::UTF_8]],
                   [read.texts, read.table, read.texts.map(&:encoding).uniq]
    end
    NO_STRINGS.each do |text|
      refuse("{\"texts\":[#{text}]}")
      refuse("{\"table\":{#{text}:1}}")
      refuse("{#{text}:1}")
      %w[blobs ids].each { |name| refuse("{\"#{name}\":[#{text}]}") }
    end
  end

  def test_bools
    assert_equal [true, false], accept('{"flags":[true, false ]}').flags
    assert_equal({ true => 1, false => 2 }, accept('{"by_flag":{"true":1,"false":2}}').by_flag)
    NO_LITERALS.each do |text|
      refuse("{\"flags\":[#{text}]}")
      refuse("{\"by_flag\":{\"#{text}\":1}}")
    end
  end

  NO_LISTS = NO_CONTAINERS.map(&:b).grep(/\A(\[|\]|,|:)/n).reject { |text| text.include?("\"") }
  NO_OBJECTS = NO_CONTAINERS.map(&:b).grep(/\A(\{|\}|,|:)/n)

  def test_containers
    assert_equal [[], {}], [accept('{"numbers":[ ]}').numbers, accept("{\"table\":{\n}}").table]
    NO_LISTS.each { |text| %w[reals numbers rows flags].each { |name| refuse("{\"#{name}\":#{text}}") } }
    NO_OBJECTS.each do |text|
      refuse("{\"table\":#{text}}")
      refuse("{\"rows\":[#{text}]}")
      refuse(text)
    end
    NO_LISTS.each { |text| refuse("{\"by_list\":{#{text.inspect}:1}}") if text.ascii_only? }
  end

  # --- whole texts -------------------------------------------------------------------------------------------------------

  def test_whole_texts
    ["\ufeff{}", " {} ", "\r\n{\t}\n"].each { |text| assert_equal Row.new, Row.decode(text, :json) }
    ["", " ", "\ufeff"].each do |text|
      assert_raises(Sparpack::DecodeError::Truncated) { Row.decode(text, :json) }
      assert_nil Row.decode_from(StringIO.new(text), :json)
    end
    ["{}{}", "{}\ufeff"].each do |text|
      assert_raises(Sparpack::DecodeError::Malformed) { Row.decode(text, :json) }
    end
    ["{", "[", "[1", '{"n"', '{"n":', "{\"n\":1", "{}x", "{},", "{}]", "{}}", "\ufeff\ufeff{}",
     "[]", "null", "1", '"x"', "{}".encode("UTF-16LE"), "\ufeff{}".encode("UTF-16BE"), "{}\0", "\0{}", "\u2060{}",
     "\u00a0{}", "{}\f", "\v{}", "(1)", "{\"n\"=1}", "{n:1}", "--{}", "{}--"].each do |text|
      refuse(text)
    end
    ['{"x":', '{"x":[', '{"rows":['].each do |text|
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Row.decode(text * 100_000, :json) }
    end
  end

  private

  # Reads a text at once, byte by byte, and with its unknown members, which are written again.
  def accept(text)
    read = Row.decode(text, :json)
    kept = Row.decode(text, :json, unknown: :keep)

    assert_equal read.inspect, Row.decode_from(Trickle.new(text.b), :json).inspect, text
    assert_equal kept.inspect, Row.decode(kept.encode(:json), :json, unknown: :keep).inspect, text
    read
  rescue Sparpack::DecodeError => e
    flunk "#{text}: #{e.message}"
  end

  def refuse(text, error = FAULTS)
    text = text.b
    [-> { Row.decode(text, :json) }, -> { Row.decode(text, :json, unknown: :keep) }, -> { stream(text) }].each do |way|
      found = assert_raises(Sparpack::DecodeError, text.inspect, &way)
      assert_includes error, found.class, "#{text.inspect}: #{found.message}"
    end
  end

  # What follows the first object is noticed only by reading on.
  def stream(text)
    Row.decode_from(Trickle.new(text), :json)
    Row.decode_each(StringIO.new(text), :json).to_a
  end
end
