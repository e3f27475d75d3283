# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"
require "support/cost"
require "support/reading"
require "support/seeded"
require "support/trickle"

using WireForms

# Where payloads end. In a frame, the bytes of the next one stand behind it, which may seem to go on with it. From an io,
# they come in pieces.
class PayloadEndsTest < Minitest::Test
  include Seeded
  extend Reading::Wires

  DecodeError = Sparpack::DecodeError

  class Part < Sparpack::Struct
    field 1, :name, :string
    field 2, :number, :i32
    field 3, :real, :double
  end

  class Whole < Sparpack::Struct
    field 1, :flag, :bool
    field 2, :real, :double
    field 3, :big, :i64
    field 4, :text, :string
    field 5, :raw, :binary
    field 6, :id, :uuid
    field 7, :numbers, list(:i32)
    field 8, :parts, list(Part)
    field 9, :reals, map(:double, :bool)
    field 10, :flags, map(:bool, :i64)
    field 11, :raws, map(:binary, :uuid)
    field 12, :inner, "PayloadEndsTest::Whole"
    field 13, :words, set(:string)
  end

  # Long ids are compared in pieces.
  class Named < Sparpack::Struct
    field 12_345, :long, :i32
    field 12_346, :other, :i32
  end

  # Passes over all that it reads.
  class Nothing < Sparpack::Struct
    field 99, :nothing, :bool
  end

  UUID  = "00112233-4455-6677-8899-aabbccddeeff"
  WHOLE = Whole.new(flag: true, real: -1.5e-10, big: 2**40, text: "aü\"\\b", raw: "\xFF\0abc".b, id: UUID,
                    numbers: [1, 22, 333], parts: [Part.new(name: "n", number: 5), Part.new, Part.new(real: 2.5)],
                    reals: { 1.25 => true, 2.0 => false }, flags: { true => 5, false => 77 }, raws: { "abcd".b => UUID },
                    inner: Whole.new(flag: false), words: Set["a", "bc"])

  # What the same values may look like in JSON.
  JSON_TEXTS = ['{"real":1.25e+10}', '{ "real" : -0.5 , "flag":false }', '{"text":"a\u00fc\ud83d\ude00\\\\b"}',
                '{"numbers":[1 , 22 ,333]}', '{"big":"-123","real":null}', "\u{feff} {\"real\": \"-Infinity\"}",
                '{"unknown":[true,false,null,{"a":[-12.5e-3,"\""]}],"fl\u0061g":true}', '{"raw":"QUJD\u0051UQ="}',
                '{"reals":{"1.5":true , "Infinity" : false}}', '{"flags":{"true":1}}'].freeze

  SMALL = [{ inner: Whole.new }, { flag: true }, { text: "" }, { numbers: [0] }, { parts: [Part.new] }, { reals: {} },
           { real: 1.0 }, { big: 2**62 }, { text: "x" * 20, raw: "abc" }, { text: "x" * 20, inner: Whole.new },
           { parts: [Part.new(name: "long name", number: 5)] }, { parts: [Part.new(name: "long name", real: 1.5)] }]
          .map { |values| Whole.new(**values) }.freeze

  each_wire "bytes behind a frame are not read" do |wire|
    texts = [WHOLE, *SMALL].map { |object| object.encode(wire) }
    texts += JSON_TEXTS if WireForms.wire(wire) == :json
    texts.each do |text|
      text = text.b

      assert_equal Whole.decode(text, wire), Whole.decode_each([text.bytesize].pack("N") + text, wire, frame: :framed).first
      (1...text.bytesize).each do |size|
        alone = error_of { Whole.decode(text.byteslice(0, size), wire) }
        framed = error_of { Whole.decode_each([size].pack("N") + text, wire, frame: :framed).first }

        assert_equal described(alone), described(framed), "#{size} bytes of #{text.inspect}"
      end
    end
  end

  each_wire "payloads come in pieces" do |wire|
    texts = [WHOLE.encode(wire)]
    texts += JSON_TEXTS.map(&:b) if WireForms.wire(wire) == :json
    texts.map! { |text| spaced(text) } if %i[json thrift_json].include?(WireForms.wire(wire))
    bytes = texts.join * 2
    (1..9).each do |size|
      read = Whole.decode_each(Trickle.new(bytes, size), wire).to_a

      assert_equal texts.map { |text| Whole.decode(text, wire) } * 2, read, "pieces of #{size} bytes"
    end
  end

  REPEATED = [" ", "\n", "\t", "x", "1", "é", "\\n", "\\u0041", "[", '"",'].freeze

  # Each run tries some parts at some places. A long part is refused, or each of its bytes is read only once.
  each_wire "whatever is long and comes in pieces is read once", %i[json thrift_json] do |wire|
    text = WHOLE.encode(wire)
    usual = cost_in_pieces(text, text.index("aü") + 1, "x", wire)
    40.times do
      place = random.rand(text.size)
      part = REPEATED.sample(random:)
      seconds = cost_in_pieces(text, place, part, wire)

      assert_operator seconds, :<, (5 * usual) + 0.1, "#{part.inspect} at #{place} of #{text}"
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :by_part, map(Part, list(:i32))
    field 2, :by_numbers, map(list(:i32), Part)
  end

  # Nothing is read beyond the payload, however little of a key has come.
  each_wire "containers as keys come in pieces", WireForms::ALL - [:thrift_json] do |wire|
    parts = [Part.new(name: "n", number: 5, real: 1.5), Part.new(number: 7)]
    object = Keyed.new(by_part: parts.to_h { |part| [part, [part.number, 1]] }, by_numbers: { [1, 2, 3] => parts[0] })
    bytes = object.encode(wire)
    (1..9).each do |size|
      source = Trickle.new(bytes + bytes, size)

      assert_equal [object, object], Keyed.decode_each(source, wire).to_a, "pieces of #{size} bytes"
      source = StringIO.new(bytes + ("\n" * size))

      assert_equal object, Keyed.decode_from(source, wire)
      assert_operator source.pos, :<=, bytes.bytesize + 1
    end
  end

  # Names are compared in blocks, which overlap.
  def test_names_that_differ_in_one_byte
    (1..40).each do |size|
      name = ("a".."z").cycle.first(size).join
      struct_class = Class.new(Sparpack::Struct) { field 1, name.to_sym, :i32 }

      assert_equal [5], struct_class.decode(%({"#{name}":5}), :json).to_h.values
      size.times do |place|
        other = name.dup.tap { |text| text[place] = "_" }

        assert_empty struct_class.decode(%({"#{other}":5, "pad":"#{"x" * 40}"}), :json).to_h.compact, other
      end
    end
  end

  # An io that waits for all bytes that it is asked for.
  class Waiting
    def initialize(bytes)
      @bytes = bytes
      @place = 0
    end

    def read(size)
      raise "would wait for #{size} bytes" if size > @bytes.bytesize - @place

      @bytes.byteslice(@place, size).tap { @place += size }
    end
  end

  each_wire "no byte behind a payload is waited for" do |wire|
    texts = [WHOLE, WHOLE.with(words: nil, inner: nil), WHOLE.inner, Whole.new(numbers: [1]), Whole.new(flags: {})]
            .map { |object| object.encode(wire) }
    texts += JSON_TEXTS.map(&:b) if WireForms.wire(wire) == :json
    texts += texts.map { |text| spaced(text) } if %i[json thrift_json].include?(WireForms.wire(wire))
    texts.each do |text|
      assert_equal Whole.decode(text, wire), Whole.decode_from(Waiting.new(text), wire), text
    end
  end

  # The first container claims more than has come when the search meets what is wrong.
  each_wire "a fault comes before the end of a container", %i[message_pack message_pack_ids message_pack_names] do |wire|
    ["\xDE\x04\x00\xA1z".b, "\xDC\x04\x00".b].each do |head|
      bytes = head + ("\x91".b * 600) + ("\xC0".b * 3000)
      known = described(error_of { Nothing.decode(bytes, wire) })

      [1, 7, 1000].each do |size|
        came = described(error_of { Nothing.decode_each(Trickle.new(bytes, size), wire).first })

        assert_equal known, came, "pieces of #{size} bytes"
      end
    end
  end

  # Another byte in the place of each one. What the json gem refuses is refused.
  %i[json thrift_json].each do |wire|
    define_method("test_changed_bytes_in_#{wire}") do
      [WHOLE, Named.new(long: 123, other: 1)].each do |object|
        payload = object.encode(wire).b
        payload.bytesize.times { |place| assert_refused([object.class, Nothing], payload, place, wire) }
      end
    end
  end

  private

  def cost_in_pieces(text, place, part, wire)
    long = text.dup.insert(place, part * (300_000 / part.bytesize)).b
    Cost.of { Whole.decode_each(Trickle.new(long, 50), wire).to_a }.seconds
  end

  def assert_refused(classes, payload, place, wire)
    %w(" \\ { } [ ] , : 0 7 - + . e x t).each do |byte|
      changed = payload.dup.tap { |text| text[place] = byte }
      next if json?(changed)

      classes.each { |struct_class| refute_nil error_of { struct_class.decode(changed, wire) }, changed }
    end
  end

  def json?(text)
    JSON.parse(text.dup.force_encoding("utf-8"), allow_duplicate_key: true)
    true
  rescue JSON::ParserError
    false
  end

  # Puts white space between the tokens of JSON.
  def spaced(text)
    text.b.gsub(/"(?:\\.|[^"\\])*"|[\[\]{}:,]/) do |token|
      token.size > 1 ? token : [" ", "\n\t"].sample(random:) + token + ["", "  ", "\r\n"].sample(random:)
    end
  end

  def error_of
    yield
    nil
  rescue DecodeError => e
    e
  end

  # Both find the same fault, and one says "frame" where the other says "input".
  def described(error)
    [error.class, error&.path, error&.expected.to_s.sub("the end of the frame", "the end of the input")]
  end
end
