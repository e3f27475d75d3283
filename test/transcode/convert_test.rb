# frozen_string_literal: true

require "test_helper"
require "support/abuse"
require "support/child"
require "support/command"
require "support/seeded"
require "json"
require "rbconfig"
require "sparpack/message_pack"
require "stringio"
require "tmpdir"

# MessagePack to JSON and back, in memory. The result is the same wherever the pieces are cut.
class ConvertTest < Minitest::Test
  include Abuse
  include Child
  include Seeded

  M = Sparpack::MessagePack
  Fault = Sparpack::Convert::Fault

  PIECES = [1, 2, 3, 5, 8, 13, 64, 1000, 1 << 18].freeze

  # --- values on both sides ----------------------------------------------------------------------------------------------

  SAME = {
    "null" => "c0", "true" => "c3", "false" => "c2", "0" => "00", "127" => "7f", "128" => "cc80", "256" => "cd0100",
    "65536" => "ce00010000", "4294967296" => "cf0000000100000000", "18446744073709551615" => "cfffffffffffffffff",
    "-1" => "ff", "-32" => "e0", "-33" => "d0df", "-129" => "d1ff7f", "-32769" => "d2ffff7fff",
    "-2147483649" => "d3ffffffff7fffffff", "-9223372036854775808" => "d38000000000000000", "1.5" => "cb3ff8000000000000",
    "-0.0" => "cb8000000000000000", "1.0" => "cb3ff0000000000000", "0.1" => "cb3fb999999999999a",
    "1.0e+300" => "cb7e37e43c8800759c", "5.0e-324" => "cb0000000000000001", "9007199254740993" => "cf0020000000000001",
    "1.7976931348623157e+308" => "cb7fefffffffffffff", '""' => "a0", '"a"' => "a161", '"é😀"' => "a6c3a9f09f9880",
    '"\"\\\\/\b\f\n\r\t\u0000\u001f"' => "aa225c2f080c0a0d09001f", "[]" => "90", "{}" => "80", "[[],{}]" => "929080",
    '{"a":[1,{"b":null}]}' => "81a1619201 81a162c0", '{"a":1,"a":2}' => "82a16101a16102"
  }.freeze

  def test_what_is_the_same_on_both_sides
    SAME.each do |json, hex|
      packed = [hex.delete(" ")].pack("H*")

      assert_equal "#{json}\n".b, to_json(packed), json
      assert_equal packed, to_message_pack(json), json
    end
  end

  # JSON that is written in another way than ours.
  OTHER = {
    '"\\u00e9\\uD83D\\ude00\\/\\u0041"' => "é😀/A", " [ 1 ,\r\n\t2 ] " => [1, 2], "1e3" => 1000.0, "1E+2" => 100.0, "-0" => 0,
    '"\\ud7ff\\ue000\\ud800\\udc00\\udbff\\udfff"' => "\u{D7FF}\u{E000}\u{10000}\u{10FFFF}",
    "12.50e-1" => 1.25, "0.30000000000000004" => 0.1 + 0.2, "123456789012345678.5" => 123_456_789_012_345_678.5,
    "1e-400" => 0.0, "2.2250738585072011e-308" => 2.2250738585072011e-308, "1#{"0" * 22}.0" => 1e22,
    "0.#{"3" * 700}" => 0.3333333333333333, "\xEF\xBB\xBF[1]" => [1], "\xEF\xBB\xBF" => nil, "" => nil, " \n" => nil
  }.freeze

  def test_json_that_is_written_otherwise
    OTHER.each { |json, value| assert_equal value.nil? ? "" : M.pack(value), to_message_pack(json), json.inspect }
  end

  # Zeros behind the point and a large exponent may cancel each other. Ruby's to_f does not add them up.
  def test_floats_with_many_digits_and_a_large_exponent
    { "0.#{"0" * 1_048_600}1e1048577" => 1e-24, "0.#{"0" * 1_200_000}1e1048576" => 0.0,
      "-0.#{"0" * 2_000_000}7e2000001" => -7.0, "0.#{"0" * 2_000_000}7e+2000308" => 7e307, "0.#{"0" * 600}1e601" => 1.0,
      "0.#{"0" * 600}" => 0.0, "1#{"0" * 30_000}e-30000" => 1.0,
      "#{"123" * 10_000}.5e-29999" => 1.231231231231231231231,
      "0.#{"0" * 30_000}#{"456" * 10_000}e30000" => 0.456456456456456456456, "5e-99999999999999999999" => 0.0,
      "0e99999999999999999999" => 0.0, "-0.0#{"0" * 600}e99999999999999999999" => -0.0 }.each do |json, float|
      value = M.unpack(converted(json, :msgpack))

      assert_equal [float].pack("G"), [value].pack("G"), "#{json[0, 20]}…#{json[-12..]}: #{value}"
    end
    ["0.#{"0" * 1_100_000}1e1100310", "1#{"0" * 2_000_000}e-1999000", "1e99999999999999999999"].each do |json|
      fault = assert_raises(Fault) { converted(json, :msgpack) }
      assert_match(/\A\(test\):1:1: expected a number that a Float can be, found a larger one/, fault.message)
    end
  end

  # A digit far behind the point decides between two doubles that are equally near without it.
  def test_floats_that_are_nearly_halfway_between_two
    { "9007199254740993.#{"0" * 600}" => 9_007_199_254_740_992.0,
      "9007199254740993.#{"0" * 600}1" => 9_007_199_254_740_994.0,
      "9007199254740992.#{"9" * 600}" => 9_007_199_254_740_992.0 }.each do |json, float|
      assert_equal float, M.unpack(converted(json, :msgpack)), "#{json[0, 20]}…#{json[-3..]}"
    end
  end

  def test_floats_of_half_the_size
    assert_equal "[0.5,0.10000000149011612]\n", to_json("\x92\xCA\x3F\x00\x00\x00\xCA\x3D\xCC\xCC\xCD")
  end

  # Forms that may be negative hold other numbers, too.
  def test_integers_in_longer_forms_than_they_need
    { "d000" => 0, "d005" => 5, "d10000" => 0, "d10100" => 256, "d200000000" => 0, "d300000000000000ff" => 255, "d0ff" => -1,
      "d3ffffffffffffff00" => -256, "cc00" => 0, "cd0001" => 1, "cf0000000000000001" => 1 }.each do |hex, number|
      packed = [hex].pack("H*")

      assert_equal "#{number}\n", to_json(packed), hex
      assert_equal %({"#{number}":#{number}}\n), to_json("\x81".b + packed + packed), hex
    end
  end

  def test_values_one_after_the_other
    assert_equal "1\n[2,3]\n{}\n\"a\"\n", to_json([1, [2, 3], {}, "a"].map { |value| M.pack(value) }.join)
    [%(1\n[2,3]\n{}\n"a"\n), %(1[2,3]{}"a"), %( 1 [2,3]{} "a" )].each do |json|
      assert_equal [1, [2, 3], {}, "a"], M.each(to_message_pack(json)).to_a
    end
    assert_equal ["", ""], [to_json(""), to_message_pack("")]
  end

  def test_pretty
    value = { "a" => [1, [], {}, { "b" => nil }], "c" => { "d" => "\n" } }

    assert_equal "#{JSON.pretty_generate(value)}\n#{JSON.pretty_generate([1])}\n",
                 to_json(M.pack(value) + M.pack([1]), pretty: true)
  end

  # Converts random documents, in pieces of every size.
  def test_round_trips
    40.times do
      values = Array.new(random.rand(1..3)) { random_value(4) }
      packed = values.map { |value| M.pack(value) }.join
      json = to_json(packed)

      assert_equal(values, json.lines.map { |line| JSON.parse(line) })
      assert_equal packed, to_message_pack(json)
      assert_equal packed, to_message_pack(to_json(packed, pretty: true))
      assert_equal packed, in_file(json, piece: random.rand(1..100), room: random.rand(1..100))
    end
  end

  # --- headers -----------------------------------------------------------------------------------------------------------

  # A container has the shortest header that holds its size, even if the converter has no memory to hold the container.
  def test_headers_of_containers
    [0, 1, 15, 16, 17, 65_535, 65_536].each do |count|
      inner = Array.new(count, 1)
      [inner, [inner, "x", { "k" => inner }], { "a" => { "b" => inner, "c" => 5 } },
       Array.new(count) { |i| ["k#{i}", i] }.to_h].each do |value|
        json   = JSON.generate(value)
        packed = M.pack(value)
        [30, 70_000, 1 << 20].product([1, 1000, 1 << 20]) do |piece, room|
          assert_equal packed, converted(json, :msgpack, piece:, room:), [count, piece, room].inspect
          assert_equal packed + M.pack(1), in_file("#{json} 1", piece:, room:), [count, piece, room].inspect
        end
      end
    end
  end

  def test_deep_nesting
    deep = (["["] * 1000) + (["]"] * 1000)
    packed = ("\x91".b * 999) << "\x90".b

    assert_equal packed, to_message_pack(deep.join)
    assert_equal "#{deep.join}\n", to_json(packed)
    expected = "expected at most 1000 levels of arrays and maps, found more (byte 1000, at $#{"[0]" * 1000})"
    assert_fault("(test):1:1001: #{expected}") { to_message_pack("[#{deep.join}]") }
    assert_fault("(test): #{expected}") { to_json("\x91".b + packed) }
    assert_fault("(test): #{expected}") { to_json(("\x91".b * 1000) << "\xC7\x01\x05a".b, ext: :object) }
    { "\x90" => "an array", "\x80" => "a map" }.each do |key, found|
      assert_fault("(test): expected a key that can be written as text, found #{found} (byte 1000, at $#{"[0]" * 999})") do
        to_json(("\x91".b * 999) << "\x81#{key}\x01".b)
      end
    end
  end

  # Lines are indented by two spaces for each level, so one byte could become 2,000.
  def test_indentation_is_limited
    deep = ->(count) { ("\x91".b * 998) << ["dc", count].pack("H*n") << ("\xC0".b * count) }
    assert_operator to_json(deep.call(7_000), pretty: true).bytesize, :>, 15 << 20
    assert_equal 998 + 998 + 2 + (5 * 16_000), to_json(deep.call(16_000)).bytesize
    expected = "expected at most 16 MiB of JSON and 64 bytes for each that was read, found more (without --pretty, it is " \
               "shorter) (byte 9168, at $#{"[0]" * 998}[8167])"
    assert_fault("(test): #{expected}") { to_json(deep.call(16_000), pretty: true) }
  end

  # More digits than a number of 64 bits has, of which the first 19 or 20 count.
  def test_integers_of_many_digits
    [1, 5, 9].product([18, 19, 20, 25, 40]) do |digit, size|
      number = (digit.to_s * size).to_i
      next assert_equal(M.pack(number), to_message_pack(number.to_s)) if number < 1 << 64

      assert_equal M.pack(number.to_f), to_message_pack(number.to_s, big_numbers: :float)
    end
    %w[184467440737095516191 18446744073709551619000].each do |text|
      assert_equal M.pack(text.to_f), to_message_pack(text, big_numbers: :float)
    end
  end

  # --- what one side lacks -----------------------------------------------------------------------------------------------

  def test_bytes
    packed = M.pack(["\xFF\x00a".b, "".b])

    assert_equal %(["/wBh",""]\n), to_json(packed)
    assert_equal %(["ff0061",""]\n), to_json(packed, binary: :hex)
    assert_fault("(test): expected a value that JSON can express, found bytes (--binary base64 or hex writes them as " \
                 "text) (byte 1, at $[0])") { to_json(packed, binary: :fail) }
  end

  def test_extension_types
    packed = packer { |to| to.write_array_header(2).write_ext(5, "abc").write_ext(-1, "abc") }

    assert_equal %([{"$ext":5,"data":"YWJj"},{"$ext":-1,"data":"YWJj"}]\n), to_json(packed)
    assert_equal %([{"$ext":5,"data":"616263"},{"$ext":-1,"data":"616263"}]\n), to_json(packed, binary: :hex)
    assert_equal %([\n  {\n    "$ext": 5,\n    "data": "YWJj"\n  },), to_json(packed, pretty: true)[/.*?\},/m]
    assert_fault("(test): expected a value that JSON can express, found a value of extension type 5 (--ext object writes " \
                 "it as an object) (byte 1, at $[0])") { to_json(packed, ext: :fail) }
    assert_fault("(test): expected a key that can be written as text, found a value of extension type 5 (byte 1, at $)") do
      to_json(packer { |to| to.write_map_header(1).write_ext(5, "abc").write(1) })
    end
  end

  def test_timestamps
    {
      [0, 0] => "1970-01-01T00:00:00Z", [1_700_000_000, 500_000_000] => "2023-11-14T22:13:20.500Z",
      [1, 1000] => "1970-01-01T00:00:01.000001Z", [1, 1] => "1970-01-01T00:00:01.000000001Z",
      [-1, 999_999_999] => "1969-12-31T23:59:59.999999999Z", [253_402_300_800, 0] => "10000-01-01T00:00:00Z"
    }.each do |(seconds, nanoseconds), text|
      packed = packer { |to| to.write_ext(-1, M::Timestamp.to_msgpack_ext(seconds, nanoseconds)) }

      assert_equal %("#{text}"\n), to_json(packed)
      assert_equal %({"#{text}":1}\n), to_json(["\x81".b, packed, "\x01"].join)
    end
    [[(2**63) - 1, 0], [-(2**63), 0]].each do |stamp|
      assert_match(/\A"-?\d{12}-.*Z"\n\z/, to_json(packer { |to| to.write_ext(-1, M::Timestamp.to_msgpack_ext(*stamp)) }))
    end
    assert_equal %({"$ext":-1,"data":"//////////8="}\n), to_json("\xD7\xFF#{"\xFF" * 8}") # too many nanoseconds
  end

  def test_paths
    nan = Float::NAN
    { { "abc" => [1, nan] } => "$.abc[1]", { 12 => { true => nan } } => '$["12"].true', [1, nan] => "$[1]",
      { "a" => "b", "k" => { 1.5 => nan } } => '$.k["1.5"]' }.each do |value, path|
      assert_fault(/, at #{Regexp.escape(path)}\)\z/) { to_json(M.pack(value)) }
    end
  end

  def test_nan_and_infinity
    packed = M.pack({ "a" => [Float::NAN, Float::INFINITY, -Float::INFINITY], Float::NAN => 1 })

    assert_fault("(test): expected a value that JSON can express, found NaN (--nan null or string writes something else) " \
                 "(byte 4, at $.a[0])") { to_json(packed) }
    assert_equal %({"a":[null,null,null],"null":1}\n), to_json(packed, nan: :null)
    assert_equal %({"a":["NaN","Infinity","-Infinity"],"NaN":1}\n), to_json(packed, nan: :string)
    assert_equal "null\n", to_json("\xCA\x7F\xC0\x00\x00", nan: :null)
  end

  def test_keys
    keys = [1, -1, (2**64) - 1, nil, true, false, 1.5, "\x01".b]
    expected = keys.map { |key| key.is_a?(String) ? "AQ==" : JSON.generate(key) }

    assert_equal expected.map { |key| %("#{key}":0) }.join(","), to_json(M.pack(keys.to_h { |key| [key, 0] }))[1..-3]
    assert_fault("(test): expected a key that can be written as text, found an array (byte 7, at $.a)") do
      to_json(M.pack({ "a" => { "b" => 1, [2] => 3 } }))
    end
    assert_fault("(test): expected a key that can be written as text, found a map (byte 1, at $)") do
      to_json(M.pack({ {} => 3 }))
    end
  end

  def test_text_that_is_not_utf8
    packed = "\x91\xA3a\xFFb".b

    assert_equal %(["a\uFFFDb"]\n).b, to_json(packed, invalid_utf8: :replace)
    assert_fault("(test): expected text that is valid UTF-8, found other bytes (--invalid-utf8 replace writes U+FFFD for " \
                 "them) (byte 1, at $[0])") { to_json(packed) }
    assert_equal %({"\uFFFD":1}\n).b, to_json("\x81\xA1\xFF\x01", invalid_utf8: :replace)
    { "[\"a\xFFb\"]" => "a\uFFFDb", '["\ud800"]' => "\uFFFD", '["\udc00\ud800x"]' => "\uFFFD\uFFFDx",
      '["\\\\ud800\ud83d\ude00\ud83d"]' => "\\ud800😀\uFFFD", '["\ud800\u0041"]' => "\uFFFDA",
      '["\ud800\ue000\ud83d\n"]' => "\uFFFD\uE000\uFFFD\n", '["\ud83d\ud83d\ude00\udbff\ud7ff"]' => "\uFFFD😀\uFFFD\uD7FF",
      '["\ud800\ue000"]' => "\uFFFD\uE000", '["\ud800\nde00"]' => "\uFFFD\nde00",
      '["\ud800\udc00\udbff\udfff\udfff"]' => "\u{10000}\u{10FFFF}\uFFFD" }.each do |json, text|
      assert_equal [text], M.unpack(to_message_pack(json, invalid_utf8: :replace))
      assert_fault(/\A\(test\):1:2: expected text that is valid UTF-8, found .* \(byte 1, at \$\[0\]\)\z/) do
        to_message_pack(json)
      end
    end
    assert_equal({ "\uFFFD" => 1 }, M.unpack(to_message_pack('{"\udfff":1}', invalid_utf8: :replace)))
  end

  def test_numbers_that_are_too_large
    { "18446744073709551616" => 2.0**64, "-9223372036854775809" => -(2.0**63), "9" * 300 => ("9" * 300).to_f }
      .each do |json, float|
      assert_equal [float, float], M.unpack(to_message_pack("[#{json}, #{json}]", big_numbers: :float))
      assert_equal [json], M.unpack(to_message_pack("[#{json}]", big_numbers: :string))
      assert_fault("(test):1:2: expected an integer of at most 64 bits, found a larger one (--big-numbers float or string " \
                   "writes something else) (byte 1, at $[0])") { to_message_pack("[#{json}]") }
    end
    ["1e400", "-1e400", "9" * 400].each do |json|
      assert_equal json, M.unpack(to_message_pack(json, big_numbers: :string))
      assert_fault(/\A\(test\):1:1: expected a number that a Float can be, found a larger one \(--big-numbers string /) do
        to_message_pack(json, big_numbers: :float)
      end
    end
  end

  # --- faults ------------------------------------------------------------------------------------------------------------

  FAULTS = {
    "[1,]" => '1:4: expected a value, found "]" (byte 3, at $[1])',
    "[1 2]" => '1:4: expected "," or "]", found a number (byte 3, at $)',
    "[}" => '1:2: expected a value or "]", found "}" (byte 1, at $[0])',
    "{]" => '1:2: expected a key in quotes or "}", found "]" (byte 1, at $)',
    "{1:2}" => '1:2: expected a key in quotes or "}", found a number (byte 1, at $)',
    '{"a":1,}' => '1:8: expected a key in quotes, found "}" (byte 7, at $)',
    '{"a" 1}' => '1:6: expected ":", found a number (byte 5, at $.a)',
    '{"a":1 "b"}' => '1:8: expected "," or "}", found a string (byte 7, at $)',
    "{\"users\": [0,\n {\"na me\": nul}]}" => '2:12: expected a value, found "n" (byte 25, at $.users[1]["na me"])',
    "1,2" => '1:2: expected a value, found "," (byte 1, at $)',
    "]" => '1:1: expected a value, found "]" (byte 0, at $)',
    "nan" => '1:1: expected a value, found "n" (byte 0, at $)', "NaN" => '1:1: expected a value, found "N" (byte 0, at $)',
    "truest" => '1:1: expected a value, found "t" (byte 0, at $)',
    "01" => "1:2: expected a number without a leading zero, found another digit (byte 1, at $)",
    '{"a": -00}' => "1:9: expected a number without a leading zero, found another digit (byte 8, at $.a)",
    "1x" => "1:2: expected the number's end, found \"x\" (byte 1, at $)",
    "1.x" => '1:3: expected a digit, found "x" (byte 2, at $)', "-" => "1:2: expected a digit, found the end of the input",
    "[-a]" => '1:3: expected a digit, found "a" (byte 2, at $[0])', "1e+" => "1:4: expected a digit, found the end",
    '["\x"]' => '1:3: expected one of JSON\'s escapes, found "\\\\" (byte 2, at $[0])',
    '["\u12g4"]' => '1:3: expected one of JSON\'s escapes, found "\\\\" (byte 2, at $[0])',
    "[\"a\nb\"]" => "1:4: expected a character that is allowed in a string, found byte 0x0a (byte 3, at $[0])",
    "\xFF\xFE[" => "1:1: expected a value, found byte 0xff (byte 0, at $)",
    "[1,\n2" => '2:2: expected "," or "]", found the end of the input (byte 5, at $)',
    "[\"ab" => '1:5: expected the end of a string ("), found the end of the input (byte 4, at $[0])',
    '{"a":' => "1:6: expected a value, found the end of the input (byte 5, at $.a)",
    "{\"#{"k" * 60}\":x}" => "1:65: expected a value, found \"x\" (byte 64, at $.#{"k" * 55}…)"
  }.freeze

  def test_json_that_is_wrong
    FAULTS.each { |json, message| assert_fault(/\A#{Regexp.escape("(test):#{message}")}/) { to_message_pack(json) } }
  end

  def test_message_pack_that_is_wrong
    {
      "\x92\x01\xC1" => "expected a format byte, found 0xc1, which no value begins with (byte 2, at $[1])",
      "\x92\x01" => "expected a value, found the end of the input (byte 2, at $[1])",
      "\x81" => "expected a key, found the end of the input (byte 1, at $)",
      "\x81\xA1a\xDA\x00" => "expected the rest of a value, found the end of the input (byte 3, at $.a)",
      "\x81\xA1a\xA5bc" => "expected 5 bytes, found 2 and the end of the input (byte 3, at $.a)",
      "\xC6\xFF\xFF\xFF\xFFab" => "expected 4294967295 bytes, found 2 and the end of the input (byte 0, at $)"
    }.each { |packed, message| assert_fault("(test): #{message}") { to_json(packed.b) } }
  end

  # Wherever the bytes are cut, the fault says so, for pieces of any size.
  def test_truncated
    value = { "a" => [1, -500, 2.5, "text é\n", nil], "b" => { "c" => [true, { "d" => 70_000 }] } }
    packed = M.pack(value)
    json = JSON.generate(value)

    (1...packed.bytesize).each { |at| assert_fault(/found .*the end of the input/) { to_json(packed.byteslice(0, at)) } }
    (1...json.bytesize).each { |at| assert_fault(/found the end of the input/) { to_message_pack(json.byteslice(0, at)) } }
  end

  # Any bytes give a result or a fault, and the same one for pieces of every size. Only the hint at another format depends
  # on how many bytes have come.
  def test_mutated
    300.times do
      packed = M.pack(random_value(4))
      json = to_json(packed)
      [[packed, :json], [json, :msgpack]].each do |bytes, to|
        bytes = bytes.b
        random.rand(1..4).times { bytes.setbyte(random.rand(bytes.bytesize), random.rand(256)) }
        bytes = bytes.byteslice(0, random.rand(bytes.bytesize)) if random.rand(3).zero?
        results = PIECES.map { |piece| result(bytes, to, piece:) }.uniq

        assert_equal 1, results.size, [bytes, results].inspect
      end
    end
  end

  TOKENS = ["[", "]", "{", "}", ",", ":", "1", "-2", "0.5", "1e5", '"a"', '"\\n"', "true", "null", " "].freeze

  # Accepts JSON exactly where Ruby's own parser does.
  def test_what_is_json
    1500.times do
      text = Array.new(random.rand(1..6)) { TOKENS.sample(random:) }.join
      expected = begin
        [M.pack(JSON.parse(text))]
      rescue JSON::ParserError
        :none
      end
      found = begin
        [converted(text, :msgpack)]
      rescue Fault
        :none
      end
      found = :none if found != :none && M.each(found[0]).count != 1
      next if text.match?(/"a".*"a"|"\\n".*"\\n"|e5\d/) # keys may occur twice, and numbers may be too large

      assert_equal expected, found, text.inspect
    end
  end

  # --- the native part ---------------------------------------------------------------------------------------------------

  %i[MessagePackToJson JsonToMessagePack].each do |name|
    define_method("test_wrong_arguments_of_#{name}") do
      alive = in_child do
        klass = Sparpack::Native.const_get(name)
        random = Random.new(1)
        klass.instance_methods(false).each do |method|
          made = [klass.new, klass.allocate, klass.new.dup]
          Abuse.bombard(random, 400, klass.instance_method(method).arity) do |arguments|
            made.sample(random:).public_send(method, *arguments)
          end
          Abuse.odd_values.each do |value|
            klass.instance_method(method).bind_call(value)
          rescue TypeError, ArgumentError
            nil
          end
        end
        Abuse.survive
      end

      assert_equal ALIVE, alive
    end
  end

  # Runs in a process of its own, which has few objects.
  def test_under_the_garbage_collector
    program = <<~'RUBY'
      require "sparpack/convert"
      require "stringio"
      convert = lambda do |bytes, to|
        output = StringIO.new("".b)
        source = Sparpack::Convert::Source.new(StringIO.new(bytes), "x", piece: 7)
        Sparpack::Convert.run(source, Sparpack::Convert::StreamTarget.new(output), to:)
        output.string
      end
      json = '{"a":[1.5,"x\\n",{"b":[]}],"c":12345678901}'.b << 10
      convert.call(convert.call(json, :msgpack), :json)
      GC.stress = true
      packed = convert.call(json, :msgpack)
      again = convert.call(packed, :json)
      GC.stress = false
      print again == json
    RUBY
    output, = Command.capture2e(RbConfig.ruby, "-e", program)

    assert_equal "true", output
  end

  private

  # These convert in pieces of every size.
  def to_json(packed, **options) = everywhere(packed, :json, **options)

  def to_message_pack(json, **options) = everywhere(json, :msgpack, **options)

  def everywhere(bytes, to, **options)
    results = PIECES.map { |piece| result(bytes, to, piece:, **options) }

    assert_equal 1, results.uniq.size, "pieces change the result of #{bytes.inspect}: #{results.uniq.inspect}"
    results[0].is_a?(Array) ? throw(:fault, results[0][0]) : results[0]
  end

  # Returns the bytes, or the message of the fault.
  def result(bytes, to, **options)
    converted(bytes, to, **options)
  rescue Fault => e
    [e.message[/.*?(?= \(these bytes |\z)/m]]
  end

  def converted(bytes, to, piece: 1 << 18, room: nil, **options)
    output = StringIO.new("".b)
    target = Sparpack::Convert::StreamTarget.new(output)
    options[:room] = room || (piece * 2) if to == :msgpack
    Sparpack::Convert.run(source(bytes, piece), target, to:, **options)
    output.string
  ensure
    target.abort
  end

  def in_file(bytes, piece:, room:)
    Dir.mktmpdir do |folder|
      moves = []
      target = Sparpack::Convert::FileTarget.new("#{folder}/x", piece:) { |*move| moves << move }
      Sparpack::Convert.run(source(bytes, piece), target, to: :msgpack, room:)
      target.commit

      assert_equal %w[x], Dir.children(folder)
      assert_empty(moves.reject { |moved, size| moved.between?(0, size) })
      File.binread("#{folder}/x")
    end
  end

  def source(bytes, piece) = Sparpack::Convert::Source.new(StringIO.new(bytes.b), "(test)", piece:)

  def packer
    to = M::Packer.new
    yield to
    to.to_s
  end

  def assert_fault(expected, &)
    assert_operator expected, :===, catch(:fault, &).to_s
  end

  def random_value(depth)
    case random.rand(depth.positive? ? 11 : 8)
    when 0 then [nil, true, false].sample(random:)
    when 1 then random.rand(200) - 100
    when 2 then random.rand(1 << 64) >> random.rand(64)
    when 3 then -(random.rand(1 << 63) >> random.rand(63))
    when 4 then random.rand
    when 5 then [random.bytes(8).unpack1("E")].find(&:finite?) || 0.5
    when 6 then Array.new(random.rand(40)) { ["a", "\n", "\"", "\\", "é", "😀", "\0"].sample(random:) }.join
    when 7 then "x" * random.rand(300)
    when 8, 9 then Array.new(random.rand(random.rand(4).zero? ? 40 : 5)) { random_value(depth - 1) }
    else Array.new(random.rand(random.rand(4).zero? ? 40 : 5)) { [random_value(0).to_s.scrub, random_value(depth - 1)] }.to_h
    end
  end
end
