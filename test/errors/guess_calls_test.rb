# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"
require "zlib"
require "support/cli"
require "support/seeded"

# What bytes in a wrong format are called elsewhere: by MessagePack without a schema, from_h and the command.
class GuessCallsTest < Minitest::Test
  include CLI
  include Seeded

  MP = Sparpack::MessagePack

  class Listing < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :title, :string
  end

  LISTING = Ractor.make_shareable(Listing.new(id: 5, title: "canary"))
  TEXT = JSON.generate(LISTING.to_h).freeze
  AS_JSON = Sparpack::WIRES.include?(:json) ? "decode(bytes, :json)" : "from_h(JSON.parse(bytes))"
  PACKED = MP.pack(LISTING.to_h).freeze

  # --- MessagePack without a schema ---------------------------------------------------------------------------------------

  OTHERS = {
    TEXT => "these bytes read as JSON: #{AS_JSON}",
    Zlib.gzip(PACKED) => "these bytes are gzip data: Zlib.gunzip(bytes)",
    Zlib.deflate(PACKED) => "these bytes are zlib data: Zlib.inflate(bytes)",
    [PACKED].pack("m0") => "these bytes read as MessagePack in base64: Sparpack::MessagePack.unpack(bytes.unpack1(\"m\"))",
    LISTING.encode => "these bytes read as compact: decode(bytes, :compact)",
    LISTING.encode(:binary) => "these bytes read as binary: decode(bytes, :binary)",
    "<!doctype html><html></html>" => "these bytes are an HTML page: look at the status of the response"
  }.freeze

  def test_unpack
    OTHERS.each do |bytes, text|
      [-> { MP.unpack(bytes) }, -> { MP.load(bytes, symbolize_keys: true) },
       -> { MP::Factory.new.load(bytes) }].each do |call|
        message = assert_raises(MP::UnpackError, EOFError, &call).message

        assert_operator message, :end_with?, " (#{text})"
        refute_includes message, "canary"
      end
    end
  end

  # Values that are cut off, damaged or followed by others.
  def test_damaged_message_pack_is_not_named
    failed = named = 0
    200.times do
      bytes = MP.pack(value(3))
      30.times do
        MP.unpack(damage(bytes))
      rescue MP::UnpackError, EOFError => e
        failed += 1
        named += 1 if e.message.include?("these bytes")
      end
    end

    assert_operator failed, :>, 1000
    assert_operator named, :<=, failed / 500
  end

  # --- from_h -------------------------------------------------------------------------------------------------------------

  def test_from_h
    { TEXT => "(for JSON text, pass JSON.parse(text))", "" => "(for JSON text, pass JSON.parse(text))",
      "text" => "(for JSON text, pass JSON.parse(text))",
      LISTING.encode => "(these bytes read as compact: decode(bytes, :compact))",
      LISTING.encode(:binary) => "(these bytes read as binary: decode(bytes, :binary))",
      PACKED => "(these bytes read as MessagePack: " }.each do |given, hint|
      error = assert_raises(TypeError) { Listing.from_h(given) }

      assert_includes error.message, "expected a Hash for GuessCallsTest::Listing, got String #{hint}"
      refute_includes error.message, "canary"
    end
  end

  # --- the command --------------------------------------------------------------------------------------------------------

  def test_convert
    { "json" => { PACKED => "these bytes read as MessagePack: pass --from msgpack",
                  Zlib.gzip(TEXT) => "these bytes are gzip data",
                  TEXT.encode("UTF-16LE") => "these bytes read as JSON in UTF-16" },
      "msgpack" => { Zlib.gzip(PACKED) => "these bytes are gzip data",
                     "\xC1".b + PACKED => nil } }.each do |format, inputs|
      inputs.each do |input, reason|
        status, _, errors = run_cli("convert", "--from", format, input:)

        assert_equal 1, status
        reason ? assert_match(/\(#{reason}(: unwrap them first: .*)?\)\n\z/, errors) : refute_includes(errors, "these bytes")
      end
    end
    assert_equal 1, run_cli("convert", "--from", "json", input: "[1, 2").first
    refute_includes run_cli("convert", "--from", "json", input: "{\"a\": 1, \"b\": 2, \"c\": x}").last, "these bytes"
  end

  private

  def value(depth)
    case random.rand(depth.positive? ? 8 : 5)
    when 0 then random.rand(-200..200)
    when 1 then random.rand(1 << 40)
    when 2 then random.rand
    when 3 then [nil, true, false].sample(random:)
    when 4 then random.bytes(random.rand(20)).b
    when 5 then Array.new(random.rand(6)) { value(depth - 1) }
    else Array.new(random.rand(6)) { |i| ["key#{i}", value(depth - 1)] }.to_h
    end
  end

  def damage(bytes)
    case random.rand(4)
    when 0 then bytes.byteslice(0, random.rand(bytes.bytesize))
    when 1 then bytes + MP.pack(value(1))
    when 2 then bytes.byteslice(random.rand(bytes.bytesize)..)
    else bytes.dup.tap { |copy| copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
    end
  end
end
