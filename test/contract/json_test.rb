# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "json"
require "stringio"
require "support/deadline"
require "support/reading"

module Contract
  # What is special about the wire :json.
  class JsonTest < Minitest::Test
    include Deadline
    include Reading
    extend Reading::Types

    module Color
      extend Sparpack::Enum

      RED = 1
      DARK = 2

      idl values: { DARK: "dark" }
    end

    class Point < Sparpack::Struct
      field 1, :x, :i32
      field 2, :name, :string, idl_name: "pointName"
    end

    class Choice < Sparpack::Union
      field 1, :text, :string
      field 2, :number, :i32
    end

    class Usual < Sparpack::Struct
      field 1, :text, :string, default: "usual"
    end

    class Order < Sparpack::Struct
      field 1, :id, :i64, idl_name: "orderId"
      field 2, :small, :i8
      field 3, :real, :double
      field 4, :text, :string
      field 5, :blob, :binary
      field 6, :guid, :uuid
      field 7, :points, list(Point)
      field 8, :tags, set(:i32)
      field 9, :by_point, map(Point, :bool)
      field 10, :color, Color
      field 11, :choice, Choice
      field 12, :flags, map(:bool, :bool)
      field 13, :by_list, map(list(:double), :string)
      field 14, :ids, map(:i64, list(:i64))
      field 15, :colors, map(Color, Color)
      field 16, :by_keyed, map(map(Point, :i8), :i8)
    end

    OutOfRange = Sparpack::DecodeError::OutOfRange

    def read(text, **options) = Order.decode(text, :json, **options)

    def refused(text, error = Sparpack::DecodeError::Malformed, **options)
      found = assert_raises(Sparpack::DecodeError, text.inspect) { read(text, **options) }

      assert_instance_of error, found, "#{text.inspect}: #{found.message}"
      found.message
    end

    # --- names, null, duplicates, unknown fields -----------------------------------------------------------------------

    def test_names
      assert_equal '{"orderId":1}', Order.new(id: 1).encode(:json)
      ['{"orderId":1}', '{"id":1}', '{"id":2,"orderId":1}', '{"\u006frder\u0049d":1}'].each do |text|
        assert_equal Order.new(id: 1), read(text), text
      end
      assert_nil read('{"ID":1}').id
    end

    def test_null_is_absent
      assert_equal Order.new, read('{"text":null,"id": null ,"points":null,"choice":null}')
      assert_equal "usual", Usual.decode('{"text":null}', :json).text
      assert_equal '{"text":"usual"}', Usual.new.encode(:json)
      assert_equal Order.new(id: 1), read('{"text":null,"id":1}')
      assert_match(/points\[0\]: expected .*Point, found null/,
                   refused('{"points":[null]}', Sparpack::DecodeError::TypeMismatch))
      refused('{"ids":{"1":null}}', Sparpack::DecodeError::TypeMismatch)
      refused('{"text":nul}')
    end

    # Names that do not fit into the room for one without escapes.
    def test_long_names_with_escapes
      names = [1000, 1024, 1025, 1030, 5000].map { |size| ("\u00e9" * (size / 2)) + ("x" * (size % 2)) }
      klass = Class.new(Sparpack::Struct) do
        names.each_with_index { |name, i| field i + 1, :"f#{i}", :i32, idl_name: name }
      end
      names.each_with_index do |name, i|
        [name, name.gsub("\u00e9", '\u00e9'), name.sub("\u00e9", '\u00E9')].each do |written|
          assert_equal klass.new("f#{i}": 7), klass.from_json(%({"#{written}":7}), unknown: :reject)
        end
        ['\u00e8', '\u00e9\u00e9', ""].each do |other|
          assert_equal klass.new, klass.from_json(%({"#{name.sub("\u00e9", other)}":7}))
        end
      end
    end

    def test_the_last_of_a_duplicate_wins
      assert_equal 2, read('{"id":1,"orderId":2}').id
      assert_equal({ 1 => [2] }, read('{"ids":{"1":[1],"1":[2]}}').ids)
    end

    def test_unknown_fields
      text = '{"later":{"a":[1,{"b":null}],"c":"\u00fc"},"id":1,"more":-1.5e3}'

      assert_equal Order.new(id: 1), read(text)
      assert_match(/expected a known field, found a name of 5 bytes /, refused(text, unknown: :reject))
      assert_match(/found a name of 1 byte /, refused('{"x":null}', unknown: :reject))
      assert_match(/found a name of 7 bytes \(did you mean "orderId"\?\)/, refused('{"orderID":1}', unknown: :reject))
      ['{"x":"\ud800"}', "{\"x\":\"\xff\"}", '{"x":01}', '{"x":[1,]}', '{"x":{"a"}}', '{"x":tru}']
        .each { |bad| refused(bad) }
    end

    # --- numbers -------------------------------------------------------------------------------------------------------

    def test_quoted_numbers_are_only_for_i64
      assert_equal Order.new(id: -(2**63)), read('{"id":"-9223372036854775808"}')
      assert_equal '{"orderId":"7","ids":{"1":["2"]}}', Order.new(id: 7, ids: { 1 => [2] }).encode(:json, i64: :string)
      ['{"small":"1"}', '{"real":"1.5"}', '{"id":""}', '{"id":"1.0"}', '{"id":" 1"}'].each do |text|
        refused(text, Sparpack::DecodeError::TypeMismatch)
      end
      assert_match(/integer out of its range/, refused('{"id":"9223372036854775808"}', OutOfRange))
    end

    def test_integers
      %w[1.0 1e2 1E0 -0.0].each do |number|
        message = refused("{\"small\":#{number}}", Sparpack::DecodeError::TypeMismatch)

        assert_match(/expected i8, found a number with a point or an exponent/, message)
      end
      { "-0" => 0, "-128" => -128, "127" => 127 }.each do |text, value|
        assert_equal value, read("{\"small\":#{text}}").small
      end
      %w[128 -129 99999999999999999999999].each { |number| refused("{\"small\":#{number}}", OutOfRange) }
      assert_match(/Order.id: expected i64, found an integer out of its range/,
                   refused('{"id":9223372036854775808}', OutOfRange))
      assert_match(/Order.color: expected .*Color, found an integer out of its range/,
                   refused('{"color":2147483648}', OutOfRange))
      %w[01 -01 +1 -a 1a 0x1 .5 1_000].each { |number| refused("{\"small\":#{number}}") }
      refused('{"small":-', Sparpack::DecodeError::Truncated)
    end

    def test_doubles
      { "1" => 1.0, "-0" => -0.0, "1e2" => 100.0, "1E+2" => 100.0, "0.1" => 0.1, "1e-400" => 0.0, '"NaN"' => Float::NAN,
        '"Infinity"' => Float::INFINITY, '"-Infinity"' => -Float::INFINITY,
        "179769313486231570000#{"0" * 288}" => Float::MAX }.each do |text, value|
        assert_equal [value].pack("G"), [read("{\"real\":#{text}}").real].pack("G"), text unless value.nan?
        assert_predicate read("{\"real\":#{text}}").real, :nan? if value.nan?
      end
      assert_match(/a number beyond its range/, refused('{"real":1e309}', OutOfRange))
      %w[1. .1 1e 1e+ - 00 1.5.5 NaN Infinity].each { |text| refused("{\"real\":#{text}}") }
      assert_equal '{"real":"NaN"}', Order.new(real: Float::NAN).encode(:json)
      assert_equal '{"real":1.0}', Order.new(real: 1).encode(:json)
      assert_equal '{"by_list":{"[0.1,\"NaN\"]":"x"}}', Order.new(by_list: { [0.1, Float::NAN] => "x" }).encode(:json)
    end

    # --- text, binary, uuid ----------------------------------------------------------------------------------------------

    def test_text
      { '"a\"\\\\\/\b\f\n\r\tz"' => "a\"\\/\b\f\n\r\tz", '"\u00e9\ud83d\ude00"' => "é😀", "\"é😀\u007f\"" => "é😀\u007f",
        '""' => "", '"\u0000"' => "\0" }.each do |text, value|
        string = read("{\"text\":#{text}}").text

        assert_equal [value, true, value.ascii_only?], [string, string.valid_encoding?, string.ascii_only?]
      end
      ["a\x1fb", "a\nb", '\x', '\u12g4', '\ud800', '\ud800\u0041', '\udc00', "\xff", "\xed\xa0\x80"].each do |bad|
        refused("{\"text\":\"#{bad}\"}")
        refused("{\"text\":\"#{"long enough for several steps" * 3}#{bad}\"}")
      end
      (0..200).each do |size|
        text = ("abc\"é\n" * 40)[0, size]

        assert_equal text, read(Order.new(text:).encode(:json)).text
        assert_equal JSON.generate(text), Order.new(text:).encode(:json)[8...-1]
      end
    end

    def test_binary
      { "" => "", "/9g=" => "\xff\xd8", "_9g" => "\xff\xd8", "-_-_" => "\xfb\xff\xbf", '\/9g\u003d' => "\xff\xd8" }
        .each { |text, bytes| assert_equal bytes.b, read("{\"blob\":\"#{text}\"}").blob, text }
      ["a", "a===", "ab=", "ab==c", "a b", "=", "==", "====", "ab*d", "ab==ab==", 'a\u00fcbc', 'ab\u003d'].each do |bad|
        refused("{\"blob\":\"#{bad}\"}")
      end
      assert_equal '{"blob":"/9g="}', Order.new(blob: "\xff\xd8".b).encode(:json)
    end

    def test_base64_of_every_size
      (1..200).each do |size|
        bytes = Random.new(size).bytes(size)
        text = [bytes].pack("m0")
        escaped = text.gsub(%r{[/=a-p]}) { |digit| format('\u%04x', digit.ord) }
        ways = [text, text.delete("="), text.tr("+/", "-_"), text.gsub("/", '\/'), escaped, escaped.sub('\u003d', "=")]
        JSONS.product(ways) { |wire, way| assert_equal bytes, read_blob(way, wire).blob, way }
      end
    end

    # They belong to no byte. No writer sets them.
    def test_the_last_bits_of_base64
      ["AA==", "AA", "AAA=", "AAA", "#{"abcd" * 20}AAA="].each do |text|
        wrong = text.sub(/A(?==*\z)/, "B")
        [wrong, wrong.sub("B", '\u0042')].product(JSONS) do |way, wire|
          error = assert_raises(Sparpack::DecodeError::Malformed, way) { read_blob(way, wire) }

          assert_equal "base64", error.expected
        end
        JSONS.each { |wire| assert_equal text.unpack1("m"), read_blob(text, wire).blob }
      end
    end

    def read_blob(text, wire)
      Order.decode(wire == :json ? "{\"blob\":\"#{text}\"}" : "{\"5\":{\"str\":\"#{text}\"}}", wire)
    end

    def test_uuid
      guid = "00112233-4455-6677-8899-aabbccddeeff"

      assert_equal guid, read("{\"guid\":\"#{guid.upcase}\"}").guid
      assert_equal "{\"guid\":\"#{guid}\"}", Order.new(guid:).encode(:json)
      refused('{"guid":"0011"}')
    end

    # --- enums, keys, sets, unions -----------------------------------------------------------------------------------------

    def test_enums
      order = Order.new(color: 1, colors: { 1 => 7 })

      assert_equal '{"color":1,"colors":{"1":7}}', order.encode(:json)
      assert_equal '{"color":"RED","colors":{"RED":7}}', order.encode(:json, enums: :names)
      [:json].product([{}, { enums: :names }]) { |wire, options| assert_equal order, read(order.encode(wire, **options)) }
      assert_equal '{"color":"dark"}', Order.new(color: 2).encode(:json, enums: :names)
      assert_equal 2, read('{"color":"dark"}').color
      message = refused('{"color":"REED"}', Sparpack::DecodeError::TypeMismatch)

      assert_match(/did you mean :RED\?/, message)
    end

    def test_keys
      order = Order.new(by_point: { Point.new(name: "a\"b", x: 1) => true }, flags: { true => false },
                        by_list: { [] => "", [1.5] => "x" }, by_keyed: { { Point.new(x: 2) => 3 } => 4 })
      text = '{"by_point":{"{\"x\":1,\"pointName\":\"a\\\\\"b\"}":true},"flags":{"true":false},' \
             '"by_list":{"[]":"","[1.5]":"x"},"by_keyed":{"{\"{\\\\\"x\\\\\":2}\":3}":4}}'

      assert_both_ways(order, :json, text)
      assert_equal order, read(JSON.pretty_generate(JSON.parse(text)))
      assert_equal order.by_list, read('{"by_list":{" [ ] ":"","[1.5]":"x"}}').by_list
      ['{"by_list":{"[1":"x"}}', '{"by_list":{"[1] 2":"x"}}', '{"by_list":{"":"x"}}', '{"flags":{"TRUE":true}}',
       '{"ids":{"1.0":[]}}', '{"by_point":{"{\"x\":300000000000}":true}}'].each do |bad|
        assert_raises(Sparpack::DecodeError, bad) { read(bad) }
      end
      error = assert_raises(Sparpack::DecodeError::TypeMismatch) { read('{"by_list":{"[null]":"x"}}') }

      assert_equal ["#{Order}.by_list.keys[0][0]", 12], [error.path, error.offset]
    end

    # The key of an object does not depend on the order in which its fields are declared.
    def test_structs_in_keys_have_ascending_ids
      point = Class.new(Sparpack::Struct) do
        field 2, :b, :i64
        field 1, :a, :i64
      end
      keyed = Class.new(Sparpack::Struct) { field 1, :x, map(point, :i64) }

      assert_equal '{"x":{"{\"a\":1,\"b\":2}":3}}', keyed.new(x: { point.new(b: 2, a: 1) => 3 }).encode(:json)
      assert_equal '{"x":{"{\"a\":\"1\"}":"3"}}', keyed.new(x: { point.new(a: 1) => 3 }).encode(:json, i64: :string)
    end

    def test_keys_in_keys_cannot_grow_without_bounds
      node = Class.new(Sparpack::Struct) do
        field(1, :m, Sparpack::Struct.map(:string, :i8))
        field(2, :n) { Sparpack::Struct.map(self, :i8) }
      end
      deep = 20.times.reduce(node.new) { |inner, _| node.new(n: { inner => 1 }) }

      assert_raises(Sparpack::EncodeError::LimitExceeded) { deep.encode(:json) }
      fine = 8.times.reduce(node.new) { |inner, _| node.new(n: { inner => 1 }) }

      assert_equal fine, node.decode(fine.encode(:json), :json)
    end

    def test_sets_and_unions
      assert_equal Set[1, 2], read('{"tags":[1,2,1]}').tags
      assert_equal '{"tags":[1,2]}', Order.new(tags: Set[1, 2]).encode(:json)
      assert_equal '{"choice":{"text":"x"}}', Order.new(choice: Choice.text("x")).encode(:json)
      assert_equal Choice.number(1), read('{"choice":{"text":null,"number":1,"later":null}}').choice
      assert_predicate read('{"choice":{"later":{}}}').choice, :unknown?
      ['{"choice":{}}', '{"choice":{"text":null}}', '{"choice":{"text":"a","number":1}}'].each { |bad| refused(bad) }
    end

    # --- the text as a whole -------------------------------------------------------------------------------------------

    def test_white_space_and_a_byte_order_mark
      text = Order.new(id: 1, points: [Point.new(x: 1), Point.new], ids: { 1 => [2, 3] }).encode(:json)
      spread = JSON.pretty_generate(JSON.parse(text))

      ["\ufeff#{text}", " \t\r\n#{spread}\r\n ", spread.gsub(/([:,\[\]{}])/, " \\1\t")].each do |each|
        assert_equal read(text), read(each)
      end
      refused("\u00a0#{text}")
      refused("{\f}")
    end

    def test_a_byte_order_mark_at_the_beginning_of_an_io
      text = "\ufeff{\"ids\":{\"1\":[#{"2," * 20_000}3]}}"
      io = StringIO.new("#{text} rest")

      assert_equal [read(text)] * 2, [Order.decode_from(io, :json), *Order.decode_each(StringIO.new(text), :json)]
      assert_equal " rest", io.read
      (1..4).each do |size|
        assert_raises(Sparpack::DecodeError) { Order.decode_from(StringIO.new(text.byteslice(0, size)), :json) } if size != 3
      end
      assert_nil Order.decode_from(StringIO.new("\ufeff"), :json)
      assert_raises(Sparpack::DecodeError::Malformed) { Order.decode_from(StringIO.new("\ufeff#{text}"), :json) }
    end

    # A number that is cut has no other fault, even if what is there of it is out of range.
    def test_a_number_at_the_end_is_truncated
      ['{"real":1e', '{"real":-1', "{\"real\":1#{"0" * 400}", '{"small":12', '{"small":1234', '{"small":1.5', '{"id":-1e',
       "{\"id\":#{"9" * 30}", '{"ids":{"1":[99999999999999999999'].each do |text|
        error = assert_raises(Sparpack::DecodeError::Truncated, text) { read(text) }

        assert_equal text.size, error.offset
      end
      assert_in_delta(1.0, read("{\"real\":1#{"0" * 400}e-400}").real)
      refused("{\"ids\":{\"#{"9" * 30}\":[]}}", OutOfRange)
    end

    def test_what_is_not_json
      ["", " ", "\ufeff"].each { |text| refused(text, Sparpack::DecodeError::Truncated) }
      ["[]", "1", "null", '"x"'].each { |text| refused(text, Sparpack::DecodeError::TypeMismatch) }
      ["{}{}", "{} x", "{}}", "{'id':1}", "{id:1}", '{"id" 1}', '{"id":1,}', '{,"id":1}',
       '{"id":1 "small":1}',
       '{"id"::1}', "{/**/}", '{"points":[,]}', '{"points":[{},]}', '{"points":[{} {}]}',
       '{"ids":{"1":[1],}}', '{"ids":{1:[1]}}',
       '{"flags":{"true":True}}', '{"id":1]',
       '{"points":[}', "\0"].each { |text| refused(text) }
      refused("{\"x\":#{"[" * 100}", Sparpack::DecodeError::LimitExceeded)
    end

    def test_the_result_is_utf8
      text = Order.new(text: "é").encode(:json)

      assert_equal [Encoding::UTF_8, true], [text.encoding, text.valid_encoding?]
      assert_predicate Order.new(text: "e").encode(:json), :ascii_only?
    end

    def test_an_option_of_json_is_refused_elsewhere
      assert_raises(ArgumentError) { Order.new.encode(:compact, i64: :string) }
      assert_raises(ArgumentError) { Order.new.encode(:json, i64: :strings) }
    end

    def test_from_json
      assert_equal Order.new(id: 1), Order.from_json('{"id":1}')
      assert_equal Order.new(text: "é"), Order.from_json('{"text":"é"}'.encode(Encoding::UTF_16LE))
      assert_predicate Order.from_json("{}", freeze: true), :frozen?
      assert_raises(Sparpack::DecodeError::Malformed) { Order.from_json((+"\xd8").force_encoding(Encoding::UTF_16LE)) }
      assert_raises(TypeError) { Order.from_json(nil) }
    end

    def test_lines
      orders = [Order.new(id: 1, text: "a\nb"), Order.new, Order.new(id: 3)]
      io = StringIO.new
      orders.each { |order| order.encode_to(io, :json, frame: :lines) }

      assert_equal orders.map { |order| "#{order.encode(:json)}\n" }.join, io.string
      [io.string, "\n \r\n#{io.string.gsub("\n", "\r\n\n")}", io.string.chomp].each do |text|
        assert_equal orders, Order.decode_each(StringIO.new(text), :json, frame: :lines).to_a
        assert_equal orders, Order.decode_each(text, :json, frame: :lines).to_a
        assert_equal orders.first, Order.decode_from(StringIO.new(text), :json, frame: :lines)
      end
      error = assert_raises(Sparpack::DecodeError) { Order.decode_each("{}\n{\"id\":\n1}\n", :json, frame: :lines).to_a }

      assert_equal 3, error.message_offset
    end

    # The time is that of the lines: none is looked for from the start of the text again.
    def test_many_lines
      text = "{\"id\":1}\n" * 300_000
      [text, StringIO.new(text)].each do |source|
        assert_equal 300_000, within("reading lines", seconds: 20) { Order.decode_each(source, :json, frame: :lines).count }
      end
    end

    def test_numbers_and_text_at_random
      random = Random.new(7)
      500.times do
        real = random.bytes(8).unpack1("G")
        order = Order.new(real: real.finite? ? real : 0.5,
                          id: random.rand(-(2**63)...(2**63)),
                          text: Array.new(random.rand(20)) { random.rand(0x250) }.pack("U*"))
        text = order.encode(:json)

        assert_equal order, read(text)
        assert_equal({ "orderId" => order.id, "real" => order.real, "text" => order.text }, JSON.parse(text))
        assert_equal order, read(JSON.generate(JSON.parse(text)))
      end
    end
  end
end
