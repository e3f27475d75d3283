# frozen_string_literal: true

# Encodings of strings, both ways. test/drop_in/thrift/cases_test.rb runs these cases.

texts = {
  "utf-8" => "aü€😀", "empty" => "", "ascii" => "abc".encode("US-ASCII"), "latin 1" => "ü".encode("ISO-8859-1"),
  "utf-16" => "ü😀".encode("UTF-16LE"), "utf-16 with a mark" => "ü".encode("UTF-16"), "utf-32" => "ü".encode("UTF-32BE"),
  "ascii in binary" => "abc".b, "utf-8 in binary" => "ü".b, "binary" => "\xff\x00".b, "invalid utf-8" => "a\xff",
  "surrogate" => "\xed\xa0\x80", "cut utf-8" => "\xe2\x82", "windows" => (+"\x80").force_encoding("Windows-1252"),
  "shift_jis" => "日本".encode("Shift_JIS"), "invalid shift_jis" => (+"\xff").force_encoding("Shift_JIS"),
  "unmapped" => (+"\x81").force_encoding("Windows-1252"), "utf-7" => (+"a").force_encoding("UTF-7"), "nul" => "a\0b",
  "long" => "é" * 70
}

each_wire "texts" do |wire|
  texts.map { |name, text| "#{name}: #{written(Market::Wide.new(e: text.dup), wire)}" }
end

each_wire "texts as keys, elements, and values of unions" do |wire|
  texts.map do |name, text|
    "#{name}: #{written(Market::Answer.text(text), wire)}, " \
      "#{written(Market::Everything.new(words: [text], reals: nil, last: nil), wire)}, " \
      "#{written(Market::Everything.new(inner: { text => Market::Nothing.new }, reals: nil, last: nil), wire)}"
  end
end

each_wire "binary strings" do |wire|
  texts.map do |name, text|
    bytes = text.dup
    object = Market::Everything.new(bytes:, blobs: [bytes, text.dup.freeze], reals: nil, last: nil)
    "#{name}: #{written(object, wire)}"
  end
end

# The gem changes them. That is a fault.
each_wire "the caller's binary strings" do |wire|
  texts.map do |name, text|
    bytes = text.dup
    encode(Market::Everything.new(bytes:), wire)
    "#{name}: #{bytes.encoding}"
  end
end

each_wire "the caller's texts stay as they are" do |wire|
  texts.map do |name, text|
    text = text.dup
    before = [text.encoding, text.bytes, text.frozen?]
    outcome { encode(Market::Everything.new(text:, words: Set[text]), wire) }
    "#{name}: #{before == [text.encoding, text.bytes, text.frozen?]}"
  end
end

each_wire "frozen strings" do |wire|
  texts.map { |name, text| "#{name}: #{written(Market::Everything.new(text: text.dup.freeze, reals: nil), wire)}" }
end

each_wire "frozen binary strings" do |wire|
  texts.map { |name, text| "#{name}: #{written(Market::Everything.new(bytes: text.dup.freeze, reals: nil), wire)}" }
end

each_wire "subclasses of String, and what is no String" do |wire|
  speaking = Class.new { def to_str = "speaks" }.new
  [Class.new(String).new("sub"), :symbol, 5, nil, true, speaking, ["a"]].map do |value|
    name = value.class.name || value.class.superclass
    "#{name}: #{written(Market::Wide.new(e: value), wire)}, " \
      "#{written(Market::Everything.new(bytes: value, reals: nil), wire)}"
  end
end

each_wire "what is read is tagged and not checked" do |wire|
  data = encode(Market::Everything.new(bytes: "\xff\x00".b, blobs: ["ü".b], reals: nil), wire)
  invalid = encode(Market::Everything.new(text: "xy", words: ["xy"], inner: { "xy" => Market::Nothing.new }, reals: nil),
                   wire)
  reading(Market::Everything, data, wire) + reading(Market::Everything, invalid.gsub("xy", "\xff\xfe".b), wire) +
    reading(Market::Gone, encode(Market::Gone.new("xy"), wire).gsub("xy", "\xff\xfe".b), wire)
end

each_wire "one string in two fields" do |wire|
  text = "ü".b
  object = Market::Everything.new(text:, bytes: text, reals: nil, last: nil)
  again = Market::Everything.new(bytes: "ü", text: nil, reals: nil, last: nil)
  [written(object, wire), written(object, wire), text.encoding.to_s, written(again, wire), again.bytes.encoding.to_s]
end
