# frozen_string_literal: true

require "test_helper"
require "support/reading"

using WireForms

# Strings in any encoding are written as UTF-8. The caller's String never changes.
class StringTest < Minitest::Test
  include Reading
  extend Reading::Wires

  class Texts < Sparpack::Struct
    field 1, :text, :string
    field 2, :bytes, :binary
    field 3, :texts, list(:string)
    field 4, :table, map(:string, :string)
    field 5, :bag, set(:string)
  end

  InvalidString = Sparpack::EncodeError::InvalidString

  # A text for each encoding: "Grüße €" or, if the encoding does not have that, another one.
  TRANSCODED = {
    "UTF-8" => "Grüße €🚲", "UTF-16LE" => "Grüße €🚲", "UTF-16BE" => "Grüße €🚲", "UTF-16" => "Grüße €🚲",
    "UTF-32LE" => "Grüße €🚲", "ISO-8859-1" => "Grüße", "ISO-8859-15" => "Grüße €", "Windows-1252" => "Grüße €",
    "Shift_JIS" => "日本語カナ", "EUC-JP" => "日本語カナ", "ISO-2022-JP" => "日本語", "GB18030" => "中文€🚲", "Big5" => "中文",
    "KOI8-R" => "Привет", "US-ASCII" => "Gruesse", "IBM437" => "Grüße"
  }.freeze

  # Bytes that are invalid in their encoding, or that UTF-8 cannot express.
  BROKEN = {
    "UTF-8" => "\xffa", "UTF-16LE" => "\x00\xd8", "UTF-16BE" => "\xd8\x00\x00\x41", "UTF-32LE" => "\x00\x00\x11\x00",
    "Shift_JIS" => "\x81", "EUC-JP" => "\xa4", "US-ASCII" => "a\xe9", "BINARY" => "\xff\xfe", "ISO-2022-JP" => "\e$B\x21",
    "GB18030" => "\x81", "Windows-1252" => "\x81", "UTF-7" => "a+2AA-"
  }.freeze

  TRANSCODED.each do |encoding, text|
    each_wire "#{encoding} is transcoded" do |wire|
      given = text.encode(encoding)
      untouched(given) { assert_equal bytes(wire, text), Texts.new(text: given).encode(wire) }
      untouched(given.dup.freeze) { |frozen| assert_equal bytes(wire, text), Texts.new(text: frozen).encode(wire) }

      assert_equal text, Texts.decode(Texts.new(text: given).encode(wire), wire).text
      assert_predicate Texts.new(text: given), :valid?
      assert Texts.new(text: given).valid?(:strict)
    end
  end

  BROKEN.each do |encoding, text|
    each_wire "what is broken in #{encoding} is refused" do |wire|
      given = text.dup.force_encoding(encoding)
      untouched(given) do
        error = assert_raises(InvalidString) { Texts.new(texts: ["a", given]).encode(wire) }
        message = "StringTest::Texts.texts[1]: expected text that is valid UTF-8, " \
                  "found a String of #{size(given)} in #{given.encoding} (#{WireForms.wire(wire)})"

        assert_equal message, error.message
        refute Texts.new(text: given).valid?(:strict)
      end
    end
  end

  each_wire "everywhere that a string may stand" do |wire|
    latin = "ü".encode("ISO-8859-1")
    object = Texts.new(texts: [latin, "a"], table: { latin => latin }, bag: Set[latin])

    assert_equal Texts.new(texts: %w[ü a], table: { "ü" => "ü" }, bag: Set["ü"]), Texts.decode(object.encode(wire), wire)
    broken = "\xff"
    { { table: { broken => "a" } } => ".table.keys[0]", { table: { "a" => broken } } => ".table.values[0]",
      { bag: Set["a", broken] } => ".bag[1]" }.each do |fields, path|
      error = assert_raises(InvalidString) { Texts.new(**fields).encode(wire) }

      assert_equal "StringTest::Texts#{path}", error.path
    end
  end

  each_wire "a BINARY String is checked as UTF-8, not transcoded" do |wire|
    given = "Grüße".b

    untouched(given) { assert_equal bytes(wire, "Grüße"), Texts.new(text: given).encode(wire) }
    assert_equal "Grüße", Texts.decode(Texts.new(text: given).encode(wire), wire).text
  end

  each_wire "binary fields take bytes of any encoding as they are" do |wire|
    [*TRANSCODED.map { |encoding, text| text.encode(encoding) },
     *BROKEN.map { |encoding, text| text.dup.force_encoding(encoding) }].each do |given|
      untouched(given) do
        read = Texts.decode(Texts.new(bytes: given).encode(wire), wire).bytes

        assert_equal [given.b, Encoding::BINARY], [read, read.encoding]
      end
    end
  end

  each_wire "Symbols are text" do |wire|
    latin = "ü".encode("ISO-8859-1").to_sym

    assert_equal bytes(wire, "ü"), Texts.new(text: :ü).encode(wire)
    assert_equal bytes(wire, "ü"), Texts.new(text: latin).encode(wire)
    assert_raises(Sparpack::EncodeError::TypeMismatch) { Texts.new(bytes: :ü).encode(wire) }
  end

  each_wire "utf8: :keep lets bytes through" do |wire|
    ["\xffa", "\xff\xfe".b, (+"a\xe9").force_encoding("US-ASCII")].each do |given|
      untouched(given) do
        assert_equal bytes(wire, given), Texts.new(text: given).encode(wire, utf8: :keep)
      end
    end
    assert_equal bytes(wire, "ü"), Texts.new(text: "ü".encode("UTF-16LE")).encode(wire, utf8: :keep)
    assert_raises(InvalidString) { Texts.new(text: (+"\x00\xd8").force_encoding("UTF-16LE")).encode(wire, utf8: :keep) }
  end

  each_wire "subclasses of String are Strings" do |wire|
    given = Class.new(String).new("ü")

    assert_equal bytes(wire, "ü"), Texts.new(text: given).encode(wire)
    assert_instance_of String, Texts.decode(Texts.new(text: given).encode(wire), wire).text
  end

  each_wire "what only turns into a String is refused" do |wire|
    pretender = Class.new { def to_str = "text" }.new
    [pretender, 5, nil.to_a, 1.5, :x.to_proc].each do |given|
      %i[text bytes].each do |name|
        assert_raises(Sparpack::EncodeError::TypeMismatch) { Texts.new(name => given).encode(wire) }
      end
    end
  end

  each_wire "what was read can be changed, and keys cannot" do |wire|
    object = Texts.new(text: "a", bytes: "b".b, texts: ["c"], table: { "k" => "v" }, bag: Set["e"])
    read = Texts.decode(object.encode(wire), wire)

    [read.text, read.bytes, *read.texts, *read.table.values].each { |string| refute_predicate string, :frozen? }
    [*read.table.keys, *read.bag].each { |string| assert_predicate string, :frozen? }
    read.text << "ü"
    read.bytes << "\xff".b

    assert_equal ["aü", "b\xff".b], [read.text, read.bytes]
  end

  # Strings of any length, whether or not Ruby has scanned them already.
  each_wire "strings of all lengths, scanned and not scanned" do |wire|
    (0..130).each do |size|
      ["x", "ü"].each do |letter|
        scanned = (letter * size).tap(&:valid_encoding?)
        unscanned = (letter * size).b.force_encoding("UTF-8")

        assert_equal bytes(wire, scanned), Texts.new(text: scanned).encode(wire)
        assert_equal bytes(wire, scanned), Texts.new(text: unscanned).encode(wire)
        assert_equal scanned, Texts.decode(bytes(wire, scanned), wire).text
      end
    end
  end

  private

  def bytes(wire, text) = writer(wire, Texts).message([1, :string, text])

  def size(string) = "#{string.bytesize} byte#{"s" unless string.bytesize == 1}"

  def untouched(string)
    before = [string.dup.b, string.encoding, string.frozen?, string.valid_encoding?, string.object_id]
    yield string

    assert_equal before, [string.dup.b, string.encoding, string.frozen?, string.valid_encoding?, string.object_id]
  end
end
