# frozen_string_literal: true

require "test_helper"
require "date"
require "support/reading"

# What errors say about JSON that is wrong.
class JsonErrorsTest < Minitest::Test
  include Reading
  extend Reading::Wires

  module Color
    extend Sparpack::Enum

    RED = 1
  end

  class Line < Sparpack::Struct
    field 1, :sku, :string, required: true
    field 2, :count, :i32
    field 3, :unit_price, :i64, idl_name: "unitPrice"
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64
    field 2, :real, :double
    field 3, :paid, :bool
    field 4, :lines, list(Line)
    field 5, :notes, map(:string, :string)
    field 6, :by_line, map(Line, :i32)
    field 7, :color, Color
    field 8, :name, :string
  end

  def refused(text, error = Sparpack::DecodeError::Malformed, **options)
    assert_raises(error, text) { Order.from_json(text, **options) }
  end

  # What stands in the text, and what is said of the byte that is wrong.
  MISTAKES = {
    '{"id":}' => ["a value", '"}"', 6],
    '{"id":]' => ["a value", '"]"', 6],
    "{'id':1}" => ["the name of a member in quotes", "\"'\" (strings are in double quotes)", 1],
    "{\"id\":'1'}" => ["a value", "\"'\" (strings are in double quotes)", 6],
    '{"id":1,}' => ["the name of a member in quotes", '"}" behind a comma (JSON has no trailing commas)', 8],
    '{"lines":[{"sku":""} ,]}' => ["a value", '"]" behind a comma (JSON has no trailing commas)', 22],
    '{"notes":{"a":"b",}}' => ["the name of a member in quotes", '"}" behind a comma (JSON has no trailing commas)', 18],
    '{"id":1 // x' => ["a comma or the end of the object or array", '"/" (JSON has no comments)', 8],
    "{/* x */}" => ["the name of a member in quotes", '"/" (JSON has no comments)', 1],
    "{# x\n}" => ["the name of a member in quotes", '"#" (JSON has no comments)', 1],
    '{"id":/**/1}' => ["a value", '"/" (JSON has no comments)', 6],
    '{"real":NaN}' => ["a value", "NaN without quotes", 8],
    '{"real":Infinity}' => ["a value", "Infinity without quotes", 8],
    '{"real":-Infinity}' => ["a number of JSON", "-Infinity without quotes", 9],
    '{"later":NaN}' => ["a value", "NaN without quotes", 9],
    '{"later":[-Infinity]}' => ["a number of JSON", "-Infinity without quotes", 11],
    '{"id":1 "real":2}' => ["a comma or the end of the object or array", '"\"" (is a comma missing?)', 8],
    '{"lines":[{"sku":""}{}]}' => ["a comma or the end of the object or array", '"{" (is a comma missing?)', 20],
    '{"later":[1 2]}' => ["a comma or the end of the object or array", '"2" (is a comma missing?)', 12],
    '{"id" 1}' => ["a colon", '"1"', 6],
    '{"id"=1}' => ["a colon", '"="', 5],
    '{"later":{"a" 1}}' => ["a colon", '"1"', 14],
    "{id:1}" => ["the name of a member in quotes", '"i" (a name without quotes)', 1],
    "{7:1}" => ["the name of a member in quotes", '"7" (a name without quotes)', 1],
    '{"later":{a:1}}' => ["the name of a member in quotes", '"a" (a name without quotes)', 10],
    '{"notes":{a:1}}' => ["the name of a member in quotes", '"a" (a name without quotes)', 10],
    '{"id":01}' => ["a number of JSON", "a number that begins with 0", 7],
    '{"later":-007}' => ["a number of JSON", "a number that begins with 0", 11],
    '{"id":+1}' => ["a value", '"+" (a number has no plus sign)', 6],
    '{"real":.5}' => ["a value", '"." (a number begins with a digit)', 8],
    '{"real":1.}' => ["a number of JSON", '"}"', 10],
    '{"id":1_000}' => ["a number of JSON", '"_"', 7],
    '{"id":0x1}' => ["a number of JSON", '"x"', 7],
    '{"paid":True}' => ["a value", '"T" (a word other than true, false and null)', 8],
    '{"paid":tru}' => ["a value", '"t" (a word other than true, false and null)', 8],
    '{"later":undefined}' => ["a value", '"u" (a word other than true, false and null)', 9],
    "{\"id\":\ufeff1}" => ["a value", "a byte order mark", 6],
    "{\ufeff}" => ["the name of a member in quotes", "a byte order mark", 1],
    "{\u201cid\u201d:1}" => ["the name of a member in quotes", "the character U+201C", 1],
    "{\"id\":\u{1f600}}" => ["a value", "the character U+1F600", 6],
    "{\"id\":\xff}" => ["a value", "a byte that is not UTF-8", 6],
    "{\"id\":\xe2\x82" => ["a value", "the beginning of a character that is not ASCII", 6],
    "{\"id\":\xff" => ["a value", "a byte that is not UTF-8", 6],
    "{\"id\":\xe2\x82}" => ["a value", "a byte that is not UTF-8", 6],
    "{\"id\":\v1}" => ["a value", "the control character U+000B", 6],
    "{\"id\":\\1}" => ["a value", '"\\\\"', 6],
    "{\"name\":\"a\nb\"}" => ["an escape sequence", "a control character in a string", 10],
    "{\"later\":\"a\tb\"}" => ["an escape sequence", "a control character in a string", 11],
    '{"later":"\x"}' => ["an escape sequence of JSON", "another one", 10],
    '{"id":1]' => ["a comma or the end of the object or array", '"]"', 7]
  }.freeze

  def test_mistakes_have_names
    MISTAKES.each do |text, (expected, found, offset)|
      error = refused(text)

      assert_equal [expected, found, offset], [error.expected, error.found, error.offset], text
      assert_equal [1, text.byteslice(0, offset).size + 1], [error.line, error.column], text
      assert_includes error.message,
                      "expected #{expected}, found #{found} (json, line 1, column #{error.column}, byte #{offset})"
    end
  end

  def test_text_after_the_end
    { "{} x" => 'trailing bytes that begin with "x"', "{}\n\n{}" => 'trailing bytes that begin with "{"',
      "{}}" => 'trailing bytes that begin with "}"',
      "{} // done" => 'trailing bytes that begin with "/" (JSON has no comments)',
      "[] 1" => 'trailing bytes that begin with "1"' }.each do |text, found|
      error = refused(text)

      assert_equal ["the end of the input", "trailing bytes"], [error.expected, error.found]
      assert_includes error.message, "found #{found} (json, line"
    end
    assert_includes refused("{}\n{}").message, "byte 3) (to read several objects, use decode_each)"
  end

  def test_line_and_column
    { "{\n  \"id\": 1,\n  \"name\": \"\u00e9\u{1f600}\" \"x\"}" => [3, 16], "\ufeff{]" => [1, 2], "\n\n]" => [3, 1],
      "{\r\n\"id\":\r\n]" => [3, 1], "{\"name\":\"\u00e9\u00e9\",]" => [1, 14] }.each do |text, place|
      error = refused(text)

      assert_equal place, [error.line, error.column], text.inspect
    end
    error = refused("{\n\"id\":1,\n", Sparpack::DecodeError::Truncated)

    assert_equal [3, 1, 10], [error.line, error.column, error.offset]
    error = refused("{\n\"id\":\"x\"}", Sparpack::DecodeError::TypeMismatch)

    assert_equal [2, 6], [error.line, error.column]
  end

  # The place of a later payload counts from its beginning.
  def test_line_and_column_in_a_stream
    text = "{\"id\":1}\n{\"id\":2}\n{\n\"id\":}"
    [text, StringIO.new(text)].each do |source|
      error = assert_raises(Sparpack::DecodeError::Malformed) { Order.decode_each(source, :json).to_a }

      assert_equal [18, 25, 2, 6], [error.message_offset, error.offset, error.line, error.column]
      assert_includes error.message, "(json, byte 25: line 2, column 6 of the object at byte 18)"
    end
    error = assert_raises(Sparpack::DecodeError::Malformed) { Order.decode_each("{}\n{]\n", :json, frame: :lines).to_a }

    assert_equal [1, 2], [error.line, error.column]
    assert_match(/\(json, byte 4: line 1, column 2 of the object at byte 3\), in the frame at byte 3/, error.message)
  end

  def test_other_wires
    error = assert_raises(Sparpack::DecodeError::Malformed) { Order.decode("{\n\"1\":{\"i64\" 1}}", :thrift_json) }

    assert_equal ["JSON", '"1"', 2, 12], [error.expected, error.found, error.line, error.column]
    error = assert_raises(Sparpack::DecodeError) { Order.decode("\x16", :compact) }

    assert_equal [nil, nil], [error.line, error.column]
    refute_includes error.message, "line"
  end

  SECRET = "GHJKMNPQWZ"

  # Messages show at most one character, and none of a string. So no two characters of one may stand in a message.
  each_wire "no part of a string is shown", JSONS do |wire|
    line = Line.new(sku: SECRET)
    order = Order.new(id: 1, real: 0.5, paid: true, lines: [line], notes: { SECRET => SECRET }, name: SECRET)
    order.by_line = { line => 1 } if wire == :json
    text = order.encode(wire).b
    text = text.sub("{", "{\"later\":{\"#{SECRET}\":[\"#{SECRET}\"]},").b if wire == :json
    pairs = SECRET.chars.each_cons(2).map(&:join)
    text.bytesize.times do |at|
      ["\"", "'", "\\", "\n", "}", "/", "x", "\xff", "0", ""].each do |byte|
        wrong = text.dup
        wrong[at, 1] = byte.b
        [:skip, :keep].each do |unknown|
          Order.decode(wrong, wire, unknown:)
        rescue Sparpack::DecodeError => e
          assert_empty pairs.select { |pair| e.message.include?(pair) }, "#{wrong}: #{e.message}"
        end
      end
    end
  end

  # --- members that are missing ------------------------------------------------------------------------------------------

  MissingField = Sparpack::DecodeError::MissingField

  def missing(text, klass = Line) = assert_raises(MissingField, text) { klass.from_json(text) }.message

  def test_an_unknown_member_with_a_similar_name
    assert_includes missing('{"skuu":"a"}'), "Line.sku: expected a required field, found none " \
                                             "(json, line 1, column 13, byte 12) " \
                                             "(did you mean \"sku\" by the unknown member at byte 1?)"
    assert_includes missing('{"count":1, "later":{"sku":[1,"}"]}, "SKU" : "a"}'), "member at byte 37?"
    assert_includes missing('[{"sku":"a"},{"sk":"a"}]'), "member at byte 14?"
    assert_includes missing('{"lines":[{"sku":"a"},{"sku_":"a","count":1}]}', Order), "member at byte 23?"
    stream = assert_raises(Sparpack::DecodeError::MissingField) { Line.decode_each('{"sku":"a"} {"skuu":"a"}', :json).to_a }

    assert_includes stream.message, "member at byte 13?"
  end

  def test_no_similar_name
    ["{}", '{"count":1}', '{"color":"sku"}', '{"\u0073kuu":1}', "{\"#{"sku" * 50}\":1}", '{"sku":null}'].each do |text|
      refute_includes missing(text), "did you mean", text
    end
    refute_includes missing('{"by_line":{"{\"skuu\":1}":1}}', Order), "did you mean"
    members = (0...5_000).map { |i| "\"sku#{i}\":1" }.join(",")

    assert_includes missing("{#{members}}"), "member at byte 1?"
  end

  # --- objects that stand for others -------------------------------------------------------------------------------------

  # A member that the class does not know is read by other code.
  def test_what_follows_a_number_is_the_same_for_every_member
    256.times do |byte|
      known, unknown = %w[real what].map do |name|
        Order.from_json("{\"#{name}\":12#{byte.chr}5}".b)
        "is read"
      rescue Sparpack::DecodeError => e
        e.message.sub("Order.real", "Order")
      end

      assert_equal known, unknown, [byte.chr, known, unknown].inspect
    end
  end

  def test_texts_that_are_nearly_infinite
    %w[Na NaNs nan Infinit Infinityx -Infinit -Infinityx +Infinity -NaN].each do |text|
      refused(%({"real":"#{text}"}), Sparpack::DecodeError::TypeMismatch)
    end
  end

  def test_a_hash_in_place_of_a_struct
    order = Order.new(lines: [{ sku: "a" }])
    calls = [-> { order.encode }, -> { order.encode(:json) }, -> { order.validate(:recursive) }]
    calls.each do |call|
      message = assert_raises(Sparpack::Error, &call).message

      assert_match(/lines\[0\]: expected JsonErrorsTest::Line, found Hash( \(\w+\))? \(to make one of a Hash, use JsonErrorsTest::Line.from_h\)\z/,
                   message)
    end
    codec = assert_raises(Sparpack::EncodeError::TypeMismatch) { Line.codec.encode({}) }

    assert_includes codec.message, "JsonErrorsTest::Line.from_h"
    refute_includes assert_raises(Sparpack::EncodeError) { Order.new(name: {}).encode }.message, "from_h"
  end

  def test_times
    { [:name, Time.at(0)] => "as text: time.iso8601(3)", [:id, Time.at(0)] => "in milliseconds: (time.to_r * 1000).floor",
      [:name, Date.new(1970)] => "as text: date.iso8601", [:id, Date.new(1970)] => "in days: (date - Date.new(1970)).to_i",
      [:name, DateTime.new(1971)] => "as text: datetime.iso8601(3)",
      [:id, DateTime.new(1971)] => "in milliseconds: (datetime.to_time.to_r * 1000).floor" }.each do |(name, value), how|
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { Order.new(name => value).encode }

      assert_includes error.message, "(write it #{how}, see docs/json.md)"
    end
    assert_includes Order.new(real: Time.at(0)).errors(:strict)[0].message,
                    "(a field for a time is an i64 or a string, see docs/json.md)"
    refute_includes assert_raises(Sparpack::EncodeError) { Order.new(name: Object.new).encode }.message, "docs"
  end
end
