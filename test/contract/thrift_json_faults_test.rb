# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "stringio"
require "support/cost"
require "support/reading"
require "support/trickle"

module Contract
  # What readers of Thrift's JSON protocol refuse, and what they say.
  class ThriftJsonFaultsTest < Minitest::Test
    include Reading

    Malformed = Sparpack::DecodeError::Malformed
    OutOfRange = Sparpack::DecodeError::OutOfRange
    TypeMismatch = Sparpack::DecodeError::TypeMismatch

    class Nest < Sparpack::Struct
      field 1, :nest, "Nest"
      field 2, :nests, list("Nest")
      field 3, :by_name, map(:string, "Nest")
      field 4, :number, :i32
    end

    def text(json, field) = "{\"1\":{\"#{field}\":#{json}}}"

    def refuse(type, json, field, error: Malformed, **expected)
      assert_refuses(error, one(type), text(json, field), :thrift_json, path: ".v", **expected)
      # Skipping notices it, too, and so does keeping.
      [:skip, :keep].each do |unknown|
        unless error == TypeMismatch
          assert_refuses(error, one(:bool), "{\"9\":{\"#{field}\":#{json}}}", :thrift_json, path: "",
unknown:)
        end
      end
    end

    def test_integers
      { "1.0" => "other text", "1e2" => "other text", "01" => "other text", "+1" => "other text", "-" => "other text",
        "abc" => "other text", "1a" => "other text", "true" => "other text", "null" => "other text", "[]" => "other text",
        '""' => "other text", '"1.0"' => "other text", '" 1"' => "other text", '"1x"' => "other text",
        "2147483648" => "an integer out of its range", "-2147483649" => "an integer out of its range",
        "9" * 40 => "an integer out of its range", "\"#{"9" * 40}\"" => "an integer out of its range" }.each do |json, found|
        error = found == "other text" ? Malformed : OutOfRange
        refuse(:i32, json, "i32", found:, error:)
        assert_equal "i32", assert_raises(error) { one(:i32).decode(text(json, "i32"), :thrift_json) }.expected
      end
      assert_refuses(Malformed, one(:i32), text('"1"2', "i32"), :thrift_json, path: "", expected: "JSON")
      refuse(:i8, "128", "i8", offset: 11, found: "an integer out of its range", error: OutOfRange)
      refuse(:i16, "-32769", "i16", found: "an integer out of its range", error: OutOfRange)
      refuse(:i64, "9223372036854775808", "i64", found: "an integer out of its range", error: OutOfRange)
    end

    def test_integers_as_keys
      { "1" => nil, '"1.0"' => "other text", '"x"' => "other text", '"128"' => "an integer out of its range",
        '""' => "other text", '"1 "' => "other text" }.each do |key, found|
        json = "[\"i8\",\"i8\",1,{#{key}:1}]"
        refused = found&.end_with?("range") ? OutOfRange : Malformed
        error = assert_raises(refused) { one(map(:i8, :i8)).decode(text(json, "map"), :thrift_json) }

        assert_equal [found || '"1"', found ? ".v.keys[0]" : ".v"],
                     [error.found, error.path[/\.v.*/]], key
      end
    end

    # Apache's library for Python writes nan and inf, which is no JSON and which it does not read either.
    def test_doubles
      ["nan", "inf", "-inf", "NaN", "Infinity", ".5", "1.", "1e", "+1.5", "0x1", "1_0", '"nan"',
       '"inf"', '"+Infinity"', '""', '"NaNs"', '"-NaN"', '"Infinite"', '"Infinitys"', '"-Infinitx"',
       '"1.5x"', '" 1"', "null", "[]"].each do |json|
        refuse(:double, json, "dbl", found: "other text")
      end
      ["1e999", "-1e400", '"1e999"', "9" * 400].each do |json|
        refuse(:double, json, "dbl", found: "a number beyond its range", error: OutOfRange)
      end
    end

    def test_strings
      { '"\ud800"' => "half of one", '"\udc00"' => "half of one", '"\ud800\ud800"' => "half of one",
        '"\ud83dx\udeb2"' => "half of one", '"\udeb2\ud83d"' => "half of one", '"\x"' => "another one",
        '"\u12"' => "another one", '"\u12g4"' => "another one", '"\U0041"' => "another one" }.each do |json, found|
        refuse(:string, json, "str", found:)
      end
      ["\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\x80"].each do |bytes|
        refuse(:string, "\"#{bytes}\"", "str", expected: "UTF-8")
      end
      ["5", "null", "'a'", " [1]"].each { |json| refuse(:string, json, "str", found: "other text") }
      assert_equal "string", assert_raises(Malformed) { one(:string).decode(text("5", "str"), :thrift_json) }.expected
      ["5", "null"].each { |json| refuse(:uuid, json, "uid", found: "other text") }
    end

    def test_base64_and_uuids
      ['"A"', '"AAAAA"', '"A==="', '"AA="', '"=AAA"', '"AA==AAAA"', '"AA A"', '"AA.A"', '"AAü="', '"="',
       '"\u00411"'].each do |json|
        next if json == '"\u00411"' # two characters, so one byte

        assert_refuses(Malformed, one(:binary), text(json, "str"), :thrift_json, path: ".v", expected: "base64")
      end
      ['"00112233445566778899aabbccddeeff"', '"00112233-4455-6677-8899-aabbccddeef"',
       '"0011223g-4455-6677-8899-aabbccddeeff"',
       '""', "\"#{"0" * 100}\""].each do |json|
        refuse(:uuid, json, "uid", found: "another string")
      end
    end

    def test_names_of_types
      ["i31", "I32", "", "i", "i322", "str ", "tfxx", "recs", "bool", "byte", "utf8", '\u0074f\u0000',
       "tf\\\""].each do |name|
        error = assert_raises(Malformed) { one(:i32).decode(text("1", name), :thrift_json) }
        assert_equal ["one of Thrift's types", 6], [error.expected, error.offset]
        refuse(list(:i32), "[\"#{name}\",1,1]", "lst", expected: "one of Thrift's types")
        refuse(map(:i32, :i32), "[\"#{name}\",\"i32\",1,{\"1\":1}]", "map", expected: "one of Thrift's types")
        refuse(map(:i32, :i32), "[\"i32\",\"#{name}\",1,{\"1\":1}]", "map", expected: "one of Thrift's types")
        assert_empty one(list(:i32)).decode(text("[\"#{name}\",0]", "lst"), :thrift_json).v
      end
    end

    def test_other_types
      refuse(:i32, "1", "i64", error: TypeMismatch, offset: 1, expected: "i32", found: "i64")
      refuse(list(:i32), '["i64",1,1]', "lst", error: TypeMismatch, expected: "i32", found: "i64")
      refuse(list(:i32), '["i32",1,1]', "set", error: TypeMismatch, expected: "list", found: "set")
      refuse(map(:i32, :i8), '["i64","i8",1,{"1":1}]', "map", error: TypeMismatch, expected: "i32", found: "i64")
      refuse(map(:i32, :i8), '["i32","i16",1,{"1":1}]', "map", error: TypeMismatch, expected: "i8", found: "i16")
      [["1", "i64"], ['["i64",1,1]', "lst"], ['["i64","i8",1,{"1":1}]', "map"]].each do |json, field|
        type = { "lst" => list(:i32), "map" => map(:i32, :i8) }.fetch(field, :i32)

        assert_nil one(type).decode(text(json, field), :thrift_json, mismatch: :skip).v
      end
    end

    def test_counts
      { '["i32",2,1]' => "another number", '["i32",0,1]' => "another number", '["i32",1,1,2]' => "another number",
        '["i32",1]' => "another number", '["i32",3000000000,1]' => "another number", '["i32",1.5,1]' => "another number",
        '["i32","x",1]' => "another number", '["i32",99999999999999999999,1]' => "another number",
        '["i32",-1]' => "a negative size" }.each do |json, found|
        refuse(list(:i32), json, "lst", found:)
        refuse(set(:i32), json, "set", found:)
      end
      { '["i32","i8",2,{"1":1}]' => "another number", '["i32","i8",0,{"1":1}]' => "another number",
        '["i32","i8",1,{"1":1,"2":1}]' => "another number", '["i32","i8",1,{}]' => "another number",
        '["i32","i8",-5,{}]' => "a negative size" }.each { |json, found| refuse(map(:i32, :i8), json, "map", found:) }
    end

    def test_a_count_costs_nothing
      ['["i32",2147483647,1]', '["i32",9223372036854775807]'].each do |json|
        bytes = text(json, "lst")
        cost = Cost.of { one(list(:i32)).decode(bytes, :thrift_json) }

        assert_instance_of Malformed, cost.result
        assert_operator cost.bytes, :<, 50_000
      end
    end

    def test_structs_and_containers_as_keys
      { "rec" => Nest, "lst" => list(:i8), "set" => set(:i8), "map" => map(:i8, :i8) }.each do |name, type|
        refuse(map(type, :i8), "[\"#{name}\",\"i8\",1,{{}:1}]", "map", expected: "a scalar as a key",
found: "a struct or a container")
        assert_both_ways(one(map(type, :i8)).new(v: {}), :thrift_json, text("[\"#{name}\",\"i8\",0,{}]", "map"))
      end
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) do
        one(list(map(list(:i8), :i8))).new(v: [{}, { [1] => 1 }]).encode(:thrift_json)
      end

      assert_equal ["a scalar as a key", "Array"], [error.expected, error.found]
      assert_match(/\.v\[1\]\.keys\[0\]\z/, error.path)
    end

    def test_syntax
      ["[]", "{1:{}}", '{"1"}', '{"1":5}', '{"1":{}}', '{"1":{"i32"}}', '{"1":{"i32":1}', '{"1":{"i32":1,"i32":2}}',
       '{"1":{"i32":1},}', '{,"1":{"i32":1}}', '{"1":{"i32":1}"2":{"i8":1}}', '{"1":{"i32":1}}}', '{"1"={"i32":1}}', "x",
       "null",
       "\xef\xbb\xbfx", '"a"', "5", "{}{}", "{}x", '{"1":{i32:1}}', '{"1":{"i32":1];}', '{"1":{"lst":["i32",1,1}}}',
       '{"1":{"lst":["i32",2,1 1]}}', '{"1":{"map":["i32","i8",1,{"1",1}]}}', '{"1":{"map":["i32","i8",1,["1",1]]}}',
       '{"1":{"map":["i32","i8",1,{"1":1}}}}'].each do |bytes|
        error = assert_raises(Sparpack::DecodeError, bytes) { one(:i32).decode(bytes, :thrift_json, mismatch: :skip) }

        assert_includes [Malformed, Sparpack::DecodeError::Truncated], error.class, bytes
      end
    end

    # A reader expects the next field. Behind the last one, nothing may look like it.
    def test_zero_bytes_behind_the_last_field
      nothing = Class.new(Sparpack::Struct)
      (1..40).to_a.product(["1", "", '"x"', "1},"], [nothing, one(:string), one(:i32)]) do |size, value, type|
        ["{", '{"1":{"str":"a"', '{"1":{"i32":1', '{"1":{"str":"a"}', '{"1":{"i32":1}'].each do |start|
          flunk type.decode("#{start}#{"\0" * size}#{value}}}", :thrift_json).inspect
        rescue Sparpack::DecodeError => e
          assert_includes [Malformed, TypeMismatch], e.class
        end
      end
    end

    def test_ids
      ids = { "an id out of range" => ["32768", "-32769", "123456", "9" * 20],
              "another name"       => ["x", "", "-", "1.0", "01", " 1", "1 ", "1\n", '\u0031'] }
      ids.flat_map { |found, list| list.map { |id| [found, id] } }.each do |found, id|
        error = assert_raises(Malformed) { one(:i32).decode("{\"#{id}\":{\"i32\":1}}", :thrift_json) }
        assert_equal ["a field id from -32768 to 32767", found, 1], [error.expected, error.found, error.offset]
      end
      assert_equal one(:i32).new, one(:i32).decode('{"-32768":{"i32":1},"32767":{"str":""}}', :thrift_json)
    end

    def test_encoding_refuses_what_is_not_utf8
      assert_raises(Sparpack::EncodeError::InvalidString) { one(:string).new(v: "\xff").encode(:thrift_json) }
    end

    # --- limits ----------------------------------------------------------------------------------------------------------

    def test_depth
      deep = (1..63).inject(Nest.new(number: 1)) { |nest, _| Nest.new(nest:) }

      assert_both_ways(deep, :thrift_json)
      assert_raises(Sparpack::EncodeError::LimitExceeded) { Nest.new(nest: deep).encode(:thrift_json) }
      deeper = "{\"1\":{\"rec\":#{deep.encode(:thrift_json)}}}"
      assert_refuses(Sparpack::DecodeError::LimitExceeded, Nest, deeper, :thrift_json,
                     expected: "at most 64 levels")
    end

    def test_depth_bombs
      { ".nest" => '{"1":{"rec":', ".nests[0]" => '{"2":{"lst":["rec",1,',
        ".by_name.values[0]" => '{"3":{"map":["str","rec",1,{"":',
        "" => '{"9":{"rec":' }.each do |piece, step|
        bytes = step * 100_000
        cost = Cost.of { Nest.decode(bytes, :thrift_json) }

        assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result
        assert_operator cost.bytes, :<, 200_000, piece
      end
      ['["lst",1,', '["str","map",1,{"":'].each do |step|
        bytes = "{\"9\":{\"#{step.include?("{") ? "map" : "lst"}\":#{step * 100_000}"
        %i[skip keep].each do |unknown|
          assert_refuses(Sparpack::DecodeError::LimitExceeded, Nest, bytes, :thrift_json, unknown:,
expected: "at most 64 levels")
        end
      end
    end

    def test_strings_are_measured_without_their_escapes
      limits = Sparpack::Limits.new(string: 3)
      { string: '"\u0061\u0062\u0063"', binary: '"YWJj"' }.each do |type, json|
        assert_equal "abc", one(type).decode(text(json, "str"), :thrift_json, limits:).v
        assert_equal one(:bool).new, one(:bool).decode('{"9":{"str":"abc"}}', :thrift_json, limits:)
      end
      { string: '"\u0061bcd"', binary: '"YWJjZA=="' }.each do |type, json|
        assert_refuses(Sparpack::DecodeError::LimitExceeded, one(type), text(json, "str"), :thrift_json, limits:)
      end
      assert_refuses(Sparpack::DecodeError::LimitExceeded, one(:bool), '{"9":{"str":"abcd"}}', :thrift_json, limits:)
    end

    def test_containers
      limits = Sparpack::Limits.new(container: 2)

      assert_equal [1, 2], one(list(:i8)).decode(text('["i8",2,1,2]', "lst"), :thrift_json, limits:).v
      [[list(:i8), "lst", '["i8",3,1,2,3]'], [set(:i8), "set", '["i8",3,1,2,3]'],
       [map(:i8, :i8), "map", '["i8","i8",3,{"1":1,"2":2,"3":3}]']].each do |type, field, json|
        assert_refuses(Sparpack::DecodeError::LimitExceeded, one(type), text(json, field), :thrift_json, limits:)
        assert_refuses(Sparpack::DecodeError::LimitExceeded, one(:bool), "{\"9\":{\"#{field}\":#{json}}}", :thrift_json,
                       limits:)
      end
    end

    # --- pieces ----------------------------------------------------------------------------------------------------------

    # Returns a few bytes at a time.
    class Trickle < StringIO
      def readpartial(_most, *buffer) = super(3, *buffer)
    end

    def test_an_unknown_field_that_arrives_in_pieces
      value = '{"4":{"i32":5},"9":{"map":["str","dbl",2,{"\ud83d\udeb2":1.5e-7,"":"NaN"}]},' \
              '"10":{"lst":["i64",2, 12345,-6 ]}}'
      payloads = value * 3

      assert_equal [5] * 3, Sparpack::Codec.new(Nest, :thrift_json).decode_each(Trickle.new(payloads)).map(&:number)
    end

    # Whatever is long and comes in small pieces is looked at once.
    def test_long_parts_that_arrive_in_pieces
      few = 12_000
      { '{"4"%s:{"i32":5}}' => " ", '{"4":{"i32":5}%s}' => " ", '{"4":%s{"i32":5}}' => "\n", '{"4":{"i32"%s:5}}' => " ",
        '{"9":{"lst":["i32"%s,1,5]}}' => " ", '{"9":{"map":["i32",%s"i8",0,{}]}}' => " ", '{"9":{"lst":["i32",%s]}}' => "1",
        '{"9":{"str":"\"%s"}}' => "x", '{"9":{"%s":5}}' => "i", '{"9":{"lst":["%s",1,5]}}' => "i" }.each do |text, part|
        short, long = [few, 8 * few].map do |count|
          io = StringIO.new(format(text, part * count))
          Cost.of { Nest.decode_from(io, :thrift_json) }.seconds
        end

        assert_operator long, :<, (16 * short) + 0.1, text
      end
    end

    # A control character may stand in a string, as Apache's library for Python writes it.
    def test_strings_with_control_characters_that_arrive_in_pieces
      without, with = ["t", "\t"].map do |character|
        io = ::Trickle.new("{\"9\":{\"str\":\"#{character}#{"x" * 2_000_000}\"}}", 100)
        Cost.of { Nest.decode_each(io, :thrift_json).to_a }
      end

      assert_equal [Nest.new], with.result
      assert_operator with.seconds, :<, (4 * without.seconds) + 0.1
    end

    # A name, a count or an id that is too long is refused before its end has come.
    def test_long_tokens_are_not_waited_for
      { '{"9":{"%s' => "i", '{"4":{"i32":5},"%s' => "1",
        '{"9":{"lst":["%s' => "i", '{"9":{"lst":["i32",%s' => "1" }.each do |text, part|
        assert_raises(Malformed) { Nest.decode(format(text, part * 50), :thrift_json) }
      end
      assert_raises(Malformed) { Nest.decode(format('{"9":{"lst":["%s",0]}}', "i" * 50), :thrift_json) }
    end

    # The message is the same whether the bytes come at once or one by one.
    def test_a_long_name_that_ends_badly
      ["\n", "\\\n", "#{"\\" * 9}\n", "\\q", "\\u12", "\\\\", "\""].product((1..30).to_a) do |ending, size|
        { "{\"9\":{\"" => "i", "{\"4\":{\"i32\":5},\"" => "1", "{\"" => "2" }.each do |before, part|
          text = "#{before}#{part * size}#{ending}"
          errors = [StringIO.new(text), ::Trickle.new(text, 1)].map do |io|
            assert_raises(Malformed, Sparpack::DecodeError::Truncated, Sparpack::DecodeError::TypeMismatch) do
              Nest.decode_from(io, :thrift_json)
            end
          end

          assert_equal(*errors.map { |error| [error.class, error.message] }, text)
        end
      end
    end
  end
end
