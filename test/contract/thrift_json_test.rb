# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "json"
require "support/reading"

module Contract
  # What is special about Thrift's JSON protocol: its forms byte by byte, and what its readers accept although we never write
  # it. thrift_json_faults_test.rb has what they refuse.
  class ThriftJsonTest < Minitest::Test
    include Reading

    class Point < Sparpack::Struct
      field 1, :x, :i32
      field 258, :name, :string
    end

    class Shape < Sparpack::Struct
      field 1, :flag, :bool
      field 2, :tiny, :i8
      field 3, :small, :i16
      field 4, :large, :i64
      field 5, :real, :double
      field 6, :blob, :binary
      field 7, :id, :uuid
      field 8, :points, list(Point)
      field 9, :tags, set(:string)
      field 10, :weights, map(:i32, :double)
    end

    FULL = Shape.new(flag: true, tiny: -1, small: 300, large: -(2**63), real: 0.5, blob: "\xff\x00a".b,
                     id: "00112233-4455-6677-8899-aabbccddeeff",
                     points: [Point.new(x: 1, name: "ü"), Point.new], tags: Set["a", "b"], weights: { 1 => 1.0, -2 => 1e20 })
    TEXT = '{"1":{"tf":1},"2":{"i8":-1},"3":{"i16":300},"4":{"i64":-9223372036854775808},"5":{"dbl":0.5},' \
           '"6":{"str":"/wBh"},"7":{"uid":"00112233-4455-6677-8899-aabbccddeeff"},' \
           '"8":{"lst":["rec",2,{"1":{"i32":1},"258":{"str":"ü"}},{}]},"9":{"set":["str",2,"a","b"]},' \
           '"10":{"map":["i32","dbl",2,{"1":1.0,"-2":1.0e+20}]}}'

    def text(json, field = "str") = "{\"1\":{\"#{field}\":#{json}}}"

    def read(type, json, field = "str", **options) = one(type).decode(text(json, field), :thrift_json, **options).v

    def test_every_form
      assert_both_ways(FULL, :thrift_json, TEXT)
      assert_both_ways(Shape.new(points: [], tags: Set[], weights: {}), :thrift_json,
                       '{"8":{"lst":["rec",0]},"9":{"set":["str",0]},"10":{"map":["i32","dbl",0,{}]}}')
      assert_both_ways(Shape.new, :thrift_json, "{}")
    end

    def test_it_is_json
      assert_equal({ "1" => { "tf" => 1 }, "6" => { "str" => "/wBh" } },
                   JSON.parse(Shape.new(flag: true, blob: "\xff\x00a".b).encode(:thrift_json)))
    end

    # Spaces, tabs and line ends may stand between any two tokens, and around the payload.
    def test_white_space
      spaced = TEXT.gsub(/"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+|[{}\[\],:]/) { |token| " \t\r\n#{token}" }

      assert_equal FULL, Shape.decode("#{spaced}\n \n", :thrift_json)
      assert_equal FULL,
                   Shape.decode(JSON.pretty_generate(JSON.parse(TEXT)).sub("100000000000000000000.0", "1e20"), :thrift_json)
      assert_equal Point.new, Point.decode(spaced, :thrift_json, mismatch: :skip).with(x: nil)
      assert_equal [FULL] * 3, Sparpack::Codec.new(Shape, :thrift_json).decode_each("#{spaced}\n#{TEXT} #{spaced}\n").to_a
    end

    def test_fields_in_any_order
      assert_reads(Point.new(x: 5, name: "a"), '{"258":{"str":"a"},"1":{"i32":5}}', :thrift_json)
      assert_reads(Point.new(x: 6), '{"1":{"i32":5},"1":{"i32":6}}', :thrift_json)
    end

    def test_names_of_types_may_have_escapes
      assert_equal 7, Point.decode('{"1":{"\u0069\u00332":7}}', :thrift_json).x
      assert_equal [true], one(list(:bool)).decode('{"1":{"lst":["\u0074f",1,1]}}', :thrift_json).v
    end

    # --- numbers ---------------------------------------------------------------------------------------------------------

    def test_integers_are_exact
      [(2**53) + 1, (2**63) - 1, -(2**63)].each do |number|
        assert_both_ways(one(:i64).new(v: number), :thrift_json, "{\"1\":{\"i64\":#{number}}}")
        assert_both_ways(one(map(:i64, :i64)).new(v: { number => number }), :thrift_json,
                         "{\"1\":{\"map\":[\"i64\",\"i64\",1,{\"#{number}\":#{number}}]}}")
      end
    end

    # Apache's library for Go reads both.
    def test_numbers_may_stand_in_quotes
      assert_equal(-5, read(:i32, '"-5"', "i32"))
      assert_equal 2**62, read(:i64, "\"#{2**62}\"", "i64")
      assert_equal [1.5], [read(:double, '"1.5"', "dbl")]
      assert read(:bool, '"1"', "tf")
    end

    def test_any_number_but_zero_is_true
      { "1" => true, "0" => false, "-1" => true, "2" => true, "-0" => false }.each do |number, expected|
        assert_equal expected, read(:bool, number, "tf"), number
      end
      keys = one(map(:bool, :i8)).decode('{"1":{"map":["tf","i8",2,{"1":5,"0":6}]}}', :thrift_json)

      assert_both_ways(keys, :thrift_json, '{"1":{"map":["tf","i8",2,{"1":5,"0":6}]}}')
      assert_equal({ true => 5, false => 6 }, keys.v)
    end

    def test_doubles_that_are_not_finite
      { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.each do |name, number|
        json = "{\"1\":{\"map\":[\"dbl\",\"dbl\",1,{\"#{name}\":\"#{name}\"}]}}"
        read = one(map(:double, :double)).decode(json, :thrift_json).v.to_a.flatten

        assert_equal [number.to_s] * 2, read.map(&:to_s)
        assert_equal json, one(map(:double, :double)).new(v: { number => number }).encode(:thrift_json)
      end
    end

    # Apache's libraries write doubles differently.
    def test_other_texts_of_doubles
      { "1" => 1.0, "-0" => -0.0, "0.10000000000000001" => 0.1, "1e+22" => 1e22, "1E5" => 1e5, "1.5e-7" => 1.5e-7,
        "12345678901234567890123" => 12_345_678_901_234_567_890_123.0, "1e-999" => 0.0 }.each do |text, number|
        assert_equal [number].pack("G"), [read(:double, text, "dbl")].pack("G"), text
      end
    end

    # --- strings ---------------------------------------------------------------------------------------------------------

    def test_what_is_escaped
      all = (0..0x7f).map(&:chr).join
      plain = [*" ".."~", "\x7f"].join.delete("\"\\")
      json = one(:string).new(v: all).encode(:thrift_json)

      assert_equal all, JSON.parse(json)["1"]["str"]
      assert_equal text("\"#{plain}\""), one(:string).new(v: plain).encode(:thrift_json)
      assert_equal text('"\b\t\n\f\r\"\\\\\u0000\u001f"'), one(:string).new(v: "\b\t\n\f\r\"\\\0\x1f").encode(:thrift_json)
      assert_equal text("\"\u2028/ü🚲\""), one(:string).new(v: "\u2028/ü🚲").encode(:thrift_json)
    end

    def test_every_escape
      assert_reads(one(:string).new(v: "\"\\/\b\f\n\r\tA\u00fc\uffff"), text('"\"\\\\\/\b\f\n\r\t\u0041\u00FC\uffff"'),
                   :thrift_json)
      assert_reads(one(list(:string)).new(v: ["a\n", ""]), '{"1":{"lst":["str",2,"\u0061\n",""]}}', :thrift_json)
    end

    def test_surrogates
      assert_reads(one(:string).new(v: "🚲x\u{10ffff}"), text('"\ud83d\uDEB2x\uDBFF\udfff"'), :thrift_json)
      keys = one(map(:string, :i8)).new(v: { "🚲" => 1 })

      assert_reads(keys, '{"1":{"map":["str","i8",1,{"\ud83d\udeb2":1}]}}', :thrift_json)
    end

    # JSON forbids them, but Apache's library for Python writes them.
    def test_control_characters_as_they_are
      assert_reads(one(:string).new(v: "a\n\0\x1f\"b"), text("\"a\n\0\x1f\\\"b\""), :thrift_json)
      assert_reads(one(:string).new(v: "\t" * 100), text("\"#{"\t" * 100}\""), :thrift_json)
    end

    def test_strings_of_every_length
      (0..70).each do |size|
        ["x" * size, "#{"x" * size}ü\"", "\u0001#{"y" * size}"].each do |value|
          assert_both_ways(one(:string).new(v: value), :thrift_json)
          assert_both_ways(one(:binary).new(v: value.b), :thrift_json)
        end
      end
    end

    def test_a_long_text_of_escapes
      assert_both_ways(one(:string).new(v: "\u0001\"" * 200_000), :thrift_json)
    end

    def test_invalid_text_may_be_kept
      assert_equal "\xff", read(:string, "\"\xff\"", utf8: :keep)
      assert_equal '{"1":{"str":"/w=="}}', one(:binary).new(v: "\xff".b).encode(:thrift_json)
    end

    # --- base64 and uuids ------------------------------------------------------------------------------------------------

    # Writers differ in the padding, and PHP's escapes slashes.
    def test_base64
      { '""' => "", '"/w=="' => "\xff", '"/w"' => "\xff", '"\/w=="' => "\xff", '"//8="' => "\xff\xff", '"__8"' => "\xff\xff",
        '"\/\/\u0038="' => "\xff\xff", '"-_-_"' => "\xfb\xff\xbf", '"\u0041AAA\u003d\u003d"' => nil,
        '"+/+/"' => "\xfb\xff\xbf", "\"#{["z" * 5000].pack("m0")}\"" => "z" * 5000 }.each do |json, bytes|
        next assert_refuses(Sparpack::DecodeError::Malformed, one(:binary), text(json), :thrift_json) unless bytes

        assert_reads(one(:binary).new(v: bytes.b), text(json), :thrift_json)
      end
    end

    def test_base64_as_keys
      keys = one(map(:binary, :i8)).new(v: { "\xff".b => 1, "".b => 2 })

      assert_both_ways(keys, :thrift_json, '{"1":{"map":["str","i8",2,{"/w==":1,"":2}]}}')
      assert_reads(keys, '{"1":{"map":["str","i8",2,{"\/w":1,"":2}]}}', :thrift_json)
    end

    def test_uuids
      expected = one(:uuid).new(v: "00112233-4455-6677-8899-aabbccddeeff")
      ['"00112233-4455-6677-8899-AABBCCDDEEFF"',
       '"\u003000112233-4455-6677-8899-aabbccddeeff"'.sub("000", "00")].each do |json|
        assert_equal expected, one(:uuid).decode(text(json, "uid"), :thrift_json), json
      end
    end

    # --- unknown fields --------------------------------------------------------------------------------------------------

    class Nothing < Sparpack::Struct
    end

    def test_unknown_fields_cross_to_every_wire_of_thrift
      THRIFT.permutation(2) do |from, to|
        kept = Nothing.decode(FULL.with(blob: nil).encode(from), from, unknown: :keep)

        assert_equal FULL.with(blob: nil), Shape.decode(kept.encode(to), to)
        again = Nothing.decode(kept.encode(to), to, unknown: :keep)
        assert_equal FULL.with(blob: nil).encode(from), again.encode(from)
      end
    end

    # Only the schema knows whether a string is text or the base64 of bytes.
    def test_unknown_bytes
      kept = Nothing.decode(FULL.encode(:binary), :binary, unknown: :keep)

      assert_equal FULL, Shape.decode(kept.encode(:thrift_json), :thrift_json)
      text = Nothing.decode(TEXT, :thrift_json, unknown: :keep)

      assert_equal FULL, Shape.decode(text.encode(:thrift_json), :thrift_json)
      assert_equal "/wBh", Shape.decode(text.encode(:binary), :binary).blob
    end

    def test_unknown_strings_are_kept_without_their_escapes
      kept = Nothing.decode(text('"\ud83d\udeb2\n"'), :thrift_json, unknown: :keep)

      assert_equal "🚲\n", one(:string).decode(kept.encode, :compact).v
      assert_equal text('"🚲\n"'), kept.encode(:thrift_json)
    end

    def test_unknown_keys_are_quoted
      maps = { map(:i32, :i8) => { -1 => 1, 2 => 3 }, map(:double, :i8) => { 1.5 => 1, Float::INFINITY => 2 },
               map(:bool, :string) => { true => "a", false => "" },
               map(:uuid, :bool) => { "00112233-4455-6677-8899-aabbccddeeff" => true },
               map(:string, list(map(:i64, :i64))) => { "\"" => [{ 2**62 => -1 }, {}] } }
      maps.each do |type, value|
        THRIFT.permutation(2) do |from, to|
          kept = Nothing.decode(one(type).new(v: value).encode(from), from, unknown: :keep)

          unless from == :compact && value.to_s.include?("{}")
            assert_equal one(type).new(v: value).encode(to),
                         kept.encode(to)
          end
          assert_equal value, one(type).decode(kept.encode(to), to).v
        end
      end
    end

    def test_unknown_fields_between_known_ones
      kept = Point.decode('{"1":{"i32":1},"2":{"i8":2},"258":{"str":"a"},"300":{"rec":{}}}', :thrift_json, unknown: :keep)

      assert_equal '{"1":{"i32":1},"2":{"i8":2},"258":{"str":"a"},"300":{"rec":{}}}', kept.encode(:thrift_json)
      assert_equal '{"2":{"i8":2},"258":{"str":"a"},"300":{"rec":{}}}', kept.with(x: nil).encode(:thrift_json)
    end

    def test_an_unknown_struct_as_a_key_cannot_be_written
      kept = Nothing.decode(one(map(Point, :i8)).new(v: { Point.new(x: 1) => 1 }).encode, :compact, unknown: :keep)
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { kept.encode(:thrift_json) }

      assert_equal "a scalar as a key", error.expected
    end
  end
end
