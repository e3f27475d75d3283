# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"

# JSON at its edges: the first and the last code point of each size, surrogates, numbers of all lengths, escapes in what is
# no text, null in long objects. A member that the class does not know is read by other code, and so is JSON in pieces.
class JsonEdgesTest < Minitest::Test
  DecodeError = Sparpack::DecodeError

  module Color
    extend Sparpack::Enum

    RED = 1
  end

  class Values < Sparpack::Struct
    field 1, :flag, :bool
    field 2, :big, :i64
    field 3, :real, :double
    field 4, :text, :string
    field 5, :raw, :binary
    field 6, :id, :uuid
    field 7, :list, list(:i64)
    field 8, :by_real, map(:double, :bool)
    field 9, :by_big, map(:i64, :bool)
    field 10, :by_color, map(Color, :bool)
    field 11, :color, Color
    field 12, :by_flag, map(:bool, :i64)
  end

  UUID = "00112233-4455-6677-8899-aabbccddeeff"

  def read(text) = Values.decode(text.b, :json)

  def refuse(text, error)
    assert_equal error, assert_raises(DecodeError, text) { read(text) }.class, text
  end

  # [what is escaped, what it means]
  def test_code_points
    [0x1f, 0x20, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff].each do |code|
      text = [code].pack("U")
      units = text.encode("utf-16be").unpack("n*").map { |unit| format('\u%04x', unit) }.join

      assert_equal "a#{text}b", read(%({"text":"a#{units}b"})).text
      assert_equal "a#{text}b", read(%({"text":"a#{units.upcase.tr("U", "u")}b"})).text
      assert_equal({ "k#{text}" => "a#{text}b" }, in_message_pack(%({"k#{units}":"a#{units}b"})))
    end
  end

  def test_surrogates
    bad = ['\ud800', '\ud800x', '\ud800\n', '\ud800\u0041', '\ud800\ud800\udc00', '\udc00', '\udfff\ud800', '\udbff\ue000',
           '\udbff\udbff']
    bad.product(%w[text what]).each { |text, name| assert_raises(DecodeError, text) { read(%({"#{name}":"#{text}"})) } }
    ['\ud800\udc00', '\udbff\udfff', '\ud83d\ude00'].each do |text|
      assert_equal JSON.parse("[\"#{text}\"]"), [read(%({"text":"#{text}"})).text]
      assert_equal Values.new, read(%({"what":"#{text}"}))
    end
  end

  def test_numbers
    digits = (1..25).flat_map { |size| ["1234567890123456789012345"[0, size], "9" * size, "1#{"0" * (size - 1)}"] }
    exponents = %w[1e5 1E+05 1e-5 12e0 1e-99999999999999999999999 5e-324 1.5e300 0.1e1 -1e2]
    fractions = (1..25).flat_map { |size| ["0.#{"0" * (size - 1)}123", "1.#{"1234567890123456789012345"[0, size]}"] }
    (digits + exponents + fractions + %w[-0 -0.0 18446744073709551615 18446744073709551616 -9223372036854775808
                                         -9223372036854775809]).each do |text|
      number = JSON.parse(text)

      assert_equal number.to_f, read(%({"real":#{text}})).real, text
      assert_equal Values.new, read(%({"what":#{text}})), text
      fits = number.is_a?(Integer) && number >= -(2**63) && number < 2**64

      assert_equal fits ? number : number.to_f, in_message_pack("[#{text}]")[0], text
    end
  end

  def test_exponents_that_do_not_matter
    text = "0e999999999999999999999"

    assert_equal [0.0, [0.0]], [read("{\"real\":#{text}}").real, in_message_pack("[#{text}]")]
  end

  # Decimal digits that are exactly halfway between two doubles, or nearly. At most 800 of them are looked at.
  def test_numbers_between_two_doubles
    large = [2**53, (2**53) + 2, (2**53) + 4].product([1, 40, 900]).map { |number, shift| number << shift }
    small = [1, 2, 3, (2**52) - 1, 2**52, (2**53) - 1].product([1074, 1050, 60]).map { |number, shift| number / (2r**shift) }
    (large + small).map(&:to_f).each do |lower|
      upper = lower.next_float
      middle = (lower.to_r + upper.to_r) / 2
      even = [lower].pack("G").unpack1("Q>").even? ? lower : upper
      { "" => even, "0" => even, "#{"0" * 100}1" => upper, "#{"0" * 900}1" => upper }.each do |more, expected|
        assert_equal expected, read(%({"real":#{decimal(middle)}#{more}})).real, [lower, more.size]
      end
      assert_equal lower, read(%({"real":#{decimal(middle - (1r / (2**1200)))}})).real
    end
  end

  def test_the_smallest_and_the_largest_numbers
    %w[1e-342 1e-343 4e-324 2e-324 0.000000000000000000001234567890123456789012345e-300 1e308].each do |text|
      assert_equal Float(text), read(%({"real":#{text}})).real, text
    end
    refuse('{"real":1e309}', DecodeError::OutOfRange)
  end

  # The smallest doubles have fewer digits, and powers of two are nearer to the next smaller one.
  def test_doubles_that_are_hard_to_write
    hard = (1..500).map { |i| i * 5e-324 } + (-1074..1023).map { |power| 2.0**power } +
           [Float::MIN, Float::MIN.prev_float, Float::MAX, (2.0**53) + 2, 1e23, 9e15,
            4_503_599_627_370_497.5, 1_234_567_890_123_456.8]
    hard.each do |real|
      text = Values.new(real:).encode(:json)

      assert_equal real, read(text).real, text
      assert_equal JSON.parse(JSON.generate([real])), [Float(text[/:(.*)\}/, 1])], text
    end
  end

  def test_integers_for_a_double
    largest = (2**1024) - (2**970)

    assert_equal Float::MAX, read(Values.new(real: largest - 1).encode(:json)).real
    [largest, 2**1024, 2**2000, -largest].each do |integer|
      error = assert_raises(Sparpack::EncodeError::OutOfRange) { Values.new(real: integer).encode(:json) }

      assert_match(/expected double/, error.message)
    end
  end

  def test_what_follows_a_number
    (0x20..0x7e).each do |byte|
      next if ",} eE".include?(byte.chr) || "0123456789.".include?(byte.chr)

      message = assert_raises(DecodeError) { read(%({"real":12#{byte.chr}5})) }.message

      assert_includes message, byte.chr.match?(/[A-Za-z_+-]/) ? "a number of JSON" : "a comma"
    end
    refuse('{"real":1.2.3}', DecodeError::Malformed)
  end

  def test_escapes_in_what_is_no_text
    assert_equal 12, read('{"big":"1\u0032"}').big
    assert_predicate read('{"real":"\u004eaN"}').real, :nan?
    assert_equal UUID, read(%({"id":"\\u0030#{UUID[1..]}"})).id
    assert_equal({ 1.5 => true }, read('{"by_real":{"1\u002e5":true}}').by_real)
    assert_equal({ -7 => true }, read('{"by_big":{"\u002d7":true}}').by_big)
    assert_equal({ 1 => true }, read('{"by_color":{"\u0052ED":true}}').by_color)
    assert_equal 1, read('{"color":"R\u0045D"}').color
    refuse('{"big":"1\u0078"}', DecodeError::TypeMismatch)
    refuse(%({"big":"#{'\u0031' * 30}"}), DecodeError::TypeMismatch)
    refuse(%({"real":"#{'\u0031' * 30}"}), DecodeError::TypeMismatch)
    refuse(%({"by_flag":{"#{'\u0074' * 30}":1}}), DecodeError::TypeMismatch)
    refuse(%({"by_real":{"#{'\u0031' * 1200}":true}}), DecodeError::TypeMismatch)
    refuse(%({"by_big":{"#{'\u0031' * 30}":true}}), DecodeError::TypeMismatch)
  end

  def test_keys_that_are_enums
    assert_equal({ 1 => true, 5 => false, -1 => true }, read('{"by_color":{"RED":true,"5":false,"-1":true}}').by_color)
    assert_equal({ 1 => true, 5 => false, -1 => true },
                 read('{"by_color":{"\u0052ED":true,"\u0035":false,"\u002d1":true}}').by_color)
  end

  def test_names_of_what_is_no_enum
    codec = Values.codec(:json, enums: :names)
    { 1.5 => "Float", 1 << 40 => "1099511627776", Object.new => "Object" }.each do |value, found|
      [{ color: value }, { by_color: { value => true } }].each do |fields|
        error = assert_raises(Sparpack::EncodeError) { codec.encode(Values.new(**fields)) }

        assert_match(/expected JsonEdgesTest::Color, found #{found}/, error.message)
      end
    end
    assert_equal '{"color":7}', codec.encode(Values.new(color: 7))
  end

  def test_null_in_a_long_object
    members = { flag: "true", big: "12345678901", real: "1.5", text: '"a text"', raw: '"QUJD"', id: "\"#{UUID}\"",
                list: "[1,2,3]", by_real: '{"1.5":true}', by_big: '{"5":true}', color: "1" }
    full = read("{#{members.map { |name, text| "\"#{name}\":#{text}" }.join(",")}}")
    members.each_key do |name|
      texts = members.merge(name => "null")

      assert_equal full.with(name => nil), read("{#{texts.map { |each, text| "\"#{each}\":#{text}" }.join(",")}}"), name
    end
  end

  def test_what_is_cut
    %w[t tr tru f fals].each { |text| refuse("{\"flag\":#{text}", DecodeError::Truncated) }
    %w[tx trx falx n].each { |text| refuse("{\"flag\":#{text}}", DecodeError::Malformed) }
    %w[tx trx falx].each { |text| refuse("{\"flag\":#{text}", DecodeError::Malformed) }
    refuse("\xEF\xBB", DecodeError::Truncated)
    refuse("\xEF\xBB\xBF\xEF\xBB", DecodeError::Malformed)
    refuse(" \xEF\xBB\xBF \xEF\xBB\xBF{}", DecodeError::Malformed)
  end

  def test_faults
    %w[5 -5].each do |text|
      assert_equal "a number", assert_raises(DecodeError) { read("{\"flag\":#{text}}") }.found
    end
    error = assert_raises(DecodeError) { read("{\"big\":5,\"a\xFF\":1}") }

    assert_equal 9, error.offset
    key, value = ['{"by_real":{"1e999":true}}', '{"real":1e999}'].map { |text| assert_raises(DecodeError) { read(text) } }

    assert_equal value.class, key.class
  end

  # Kept members are checked when a dump is read: white space and quotes may stand in strings only.
  def test_dumps_of_kept_members
    ['{"a b":"c d  e"}', '{"q\"x":"say \" \\\\ \""}',
     '{"\\\\":[1,"\\\\"," "]}', '{"ü":"\u0001 \n"}', '{"\u0061":" "}'].each do |text|
      object = Values.decode(text, :json, unknown: :keep)
      copy = Marshal.load(Marshal.dump(object))

      assert_equal JSON.parse(text), JSON.parse(copy.encode(:json)), text
      assert_equal object.encode(:json), copy.encode(:json)
    end
  end

  private

  # The digits of a Rational whose denominator is a power of two.
  def decimal(number)
    places = number.denominator.bit_length - 1
    digits = (number * (10**places)).to_i.to_s.rjust(places + 1, "0")
    "#{digits[0...(digits.size - places)]}.#{digits[(digits.size - places)..]}#{"0" if places.zero?}"
  end

  def in_message_pack(text)
    output = StringIO.new("".b)
    source = Sparpack::Convert::Source.new(StringIO.new(text.b), "test", piece: 3)
    Sparpack::Convert.run(source, Sparpack::Convert::StreamTarget.new(output), to: :msgpack, big_numbers: :float)
    Sparpack::MessagePack.unpack(output.string)
  end
end
