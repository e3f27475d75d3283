# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "support/seeded"
require "support/trickle"

using WireForms

# Valid and invalid UTF-8, at every place in a string. Ruby's own valid_encoding? is the reference.
class BadTextTest < Minitest::Test
  include Reading
  include Seeded
  extend Reading::Types
  extend Reading::Wires

  BROKEN = {
    "a lone continuation" => %w[80 bf 8080 a0a0a0],
    "a byte that never occurs" => %w[c0 c1 f5 f8 fc fe ff],
    "an overlong form" => %w[c080 c1bf e08080 e09fbf f0808080 f08fbfbf f8808080af fc80808080af],
    "a surrogate" => %w[eda080 edadbf edae80 edb080 edbfbf eda080edb080],
    "beyond U+10FFFF" => %w[f4908080 f4bfbfbf f5808080 f7bfbfbf],
    "a cut sequence" => %w[c2 df e0 e0a0 e1 e180 ef efbf f0 f090 f09080 f1 f180 f18080 f4 f48f f48fbf],
    "a sequence that goes on too long" => %w[c28080 e0a08080 f090808080],
    "a sequence that another one cuts" => %w[c2c280 e0c280 e1e18080 f0f0908080 e180f0908080 f18080c280 c261 e18061 f1808061]
  }.freeze

  FITTING = %w[00 7f c280 dfbf e0a080 e0bfbf e18080 ecbfbf ed8080 ed9fbf ee8080 efbfbf f0908080 f0bfbfbf f1808080
               f3bfbfbf f4808080 f48fbfbf].freeze

  # How many bytes surround a sequence: from none to more than any step of a check.
  AROUND = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 23, 24, 25, 29, 30, 31, 32, 33, 39, 40, 47, 48, 63, 64,
            65].freeze
  FILLS = ["a", "ü", "€", "🚲"].map(&:b).freeze

  BOUNDS = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xe0, 0xff].freeze

  BROKEN.each do |name, sequences|
    each_wire "#{name} is refused everywhere" do |wire|
      sequences.each { |hex| around([hex].pack("H*")) { |text| refute_text(text, wire) } }
    end
  end

  each_wire "the first and the last of each length are taken everywhere" do |wire|
    FITTING.each { |hex| around([hex].pack("H*")) { |text| assert_text(text, wire) } }
  end

  each_wire "every character there is" do |wire|
    [0x0..0xd7ff, 0xe000..0x10ffff].flat_map { |range| range.each_slice(4096).to_a }.each do |points|
      assert_text(points.pack("U*").b, wire)
    end
  end

  each_wire "no surrogate, wherever it stands" do |wire|
    (0xd800..0xdfff).step(3) { |point| refute_text([point].pack("U").b.rjust(1 + (point % 50), "x"), wire) }
  end

  def test_every_byte_after_every_lead
    texts = (0x80..0xff).to_a.product(BOUNDS, BOUNDS).map { |bytes| bytes.pack("C*") }
    texts += (0xf0..0xf5).to_a.product(BOUNDS, BOUNDS, BOUNDS).map { |bytes| bytes.pack("C*") }

    texts.each { |text| judge(text, Sparpack::WIRES.first) }
  end

  def test_random_bytes
    4000.times { judge(random.bytes(random.rand(0..6)), Sparpack::WIRES.first) }
  end

  def test_random_texts_with_a_byte_changed
    alphabet = "aaaaaaaaaaéß€中🚲\u07ff\u{10ffff}".chars
    4000.times do
      text = Array.new(random.rand(1..100)) { alphabet.sample(random:) }.join.b
      text.setbyte(random.rand(text.bytesize), random.rand(256)) if random.rand < 0.7
      judge(text, Sparpack::WIRES.sample(random:))
    end
  end

  each_wire "an error says where, and nothing of the text" do |wire|
    bytes = writer(wire, one(list(:string))).message([1, [:list, :string], ["fine", "secret\xff"]])
    offset = bytes.b.index("secret") - (wire == :binary ? 4 : 1) # where the string begins
    error = assert_refuses(Sparpack::DecodeError::Malformed, one(list(:string)), bytes, wire,
                           path: ".v[1]", expected: "UTF-8", found: "bytes that are not UTF-8", offset:)

    refute_includes error.message, "secret"
  end

  each_wire "keys are checked, too" do |wire|
    bytes = writer(wire, one(map(:string, :i8))).message([1, [:map, :string, :i8], { "a" => 1, "\xc0\x80" => 2 }])

    assert_refuses(Sparpack::DecodeError::Malformed, one(map(:string, :i8)), bytes, wire, path: ".v.keys[1]")
  end

  each_wire "binary strings are anything" do |wire|
    BROKEN.each_value do |sequences|
      bytes = sequences.map { |hex| [hex].pack("H*") }

      assert_both_ways(one(list(:binary)).new(v: bytes), wire)
    end
  end

  each_wire "utf8: :keep lets everything through" do |wire|
    BROKEN.values.flatten.each do |hex|
      text = [hex].pack("H*").force_encoding("UTF-8")
      bytes = one(:string).new(v: text).encode(wire, utf8: :keep)
      read = one(:string).decode(bytes, wire, utf8: :keep)

      assert_equal writer(wire, one(:string)).message([1, :string, text]), bytes
      assert_equal [text, Encoding::UTF_8, false], [read.v, read.v.encoding, read.v.valid_encoding?]
    end
  end

  # The end of each payload has to be found while its bytes come.
  each_wire "utf8: :keep lets everything through that comes in pieces" do |wire|
    all = BROKEN.values.flatten.map { |hex| one(:string).new(v: [hex].pack("H*").force_encoding("UTF-8")) }
    bytes = all.map { |object| object.encode(wire, utf8: :keep) }.join

    assert_equal all, one(:string).decode_each(bytes, wire, utf8: :keep).to_a
    [1, 2, 7, 100].each do |size|
      assert_equal all, one(:string).decode_each(Trickle.new(bytes, size), wire, utf8: :keep).to_a
    end
  end

  # A payload takes more than the memory that it is tried with, so its end is looked for, and its limit is that of its size.
  each_wire "utf8: :keep lets everything through that is large" do |wire|
    large = one(list(:string)).new(v: ["\xFF"] + Array.new(600_000, ""))
    bytes = large.encode(wire, utf8: :keep)

    assert_equal large, one(list(:string)).decode_each(bytes + bytes, wire, utf8: :keep).to_a.last
  end

  private

  def around(sequence)
    AROUND.each_with_index do |before, index|
      fill = FILLS[index % 4]
      [[fill, ""], ["a", "a"], ["", fill], [fill, "a"]].each do |left, right|
        yield (left * before) + sequence + (right * AROUND.reverse[index])
      end
    end
  end

  def judge(text, wire) = utf8?(text) ? assert_text(text, wire) : refute_text(text, wire)

  def utf8?(text) = text.dup.force_encoding("UTF-8").valid_encoding?

  # Reads and writes a text, both as UTF-8 and as bytes without an encoding. The noted code range must be Ruby's.
  def assert_text(text, wire)
    bytes = writer(wire, one(:string)).message([1, :string, text])
    utf8 = text.dup.force_encoding("UTF-8")
    read = one(:string).decode(bytes, wire).v

    assert_equal [utf8, Encoding::UTF_8, true, utf8.ascii_only?],
                 [read, read.encoding, read.valid_encoding?, read.ascii_only?]
    assert_equal bytes, one(:string).new(v: utf8).encode(wire)
    assert_equal bytes, one(:string).new(v: text.dup).encode(wire)
  end

  def refute_text(text, wire)
    refute utf8?(text), "Ruby takes #{text.dump}"
    bytes = writer(wire, one(:string)).message([1, :string, text])
    assert_kind_of Sparpack::DecodeError::Malformed, fault { one(:string).decode(bytes, wire) }, text.dump
    [text.dup, text.dup.force_encoding("UTF-8")].each do |string|
      assert_kind_of Sparpack::EncodeError::InvalidString, fault { one(:string).new(v: string).encode(wire) }, text.dump
    end
  end

  def fault
    yield
  rescue StandardError => e
    e
  end
end
