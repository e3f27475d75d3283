# frozen_string_literal: true

require_relative "schema"

class EncoderTest < Minitest::Test
  include Records

  def encode(message, *arguments, **options) = Sparpack::Karafka.encoder(*arguments, **options).call(message)

  def test_structs
    sent = { topic: "orders", payload: order }.freeze

    assert_equal({ topic: "orders", payload: order.encode, headers: { "content-type" => Sparpack::Media.type(:compact) } },
                 encode(sent))
    assert_equal order, Shop::Order.decode(encode(sent, :json, i64: :string)[:payload], :json)
    assert_equal order.encode.bytesize, encode(sent, frame: :framed)[:payload].unpack1("N")
  end

  # Not as what only reads would write it, which any class can have.
  def test_the_form_is_that_of_encode
    named = Class.new(Sparpack::Struct) do
      field 1, :id, :i64
      default_codec :message_pack, keys: :names
    end
    far = Class.new(Sparpack::Struct) { field 30_000, :id, :i64 }

    [order, named.new(id: 7)].each do |object|
      assert_equal object.encode(:message_pack), encode({ payload: object }, :message_pack)[:payload]
    end
    assert_raises(Sparpack::SchemaError) { encode({ payload: far.new(id: 1) }, :message_pack) }
    assert_equal far.new(id: 1).encode(:message_pack, keys: :ids),
                 encode({ payload: far.new(id: 1) }, :message_pack, keys: :ids)[:payload]
  end

  def test_plain_objects
    plain = ::Struct.new(:id)
    mapping = Sparpack::Mapping.new(plain, { 1 => :id }, types: { id: :i64 })
    sent = encode({ payload: plain.new(7) }, mapping:, frame: :framed)

    assert_equal ["\0\0\0\x03".b + Shop::Order.new(id: 7).encode, Sparpack::Media.type(:compact)],
                 [sent[:payload], sent[:headers]["content-type"]]
    assert_equal order.encode, encode({ payload: order }, mapping:)[:payload]
    assert_equal sent[:payload], encode({ payload: plain.new(7) }, mapping:, frame: :framed, keys: :names)[:payload]
    assert_equal Sparpack::Codec.new(mapping, :message_pack).encode(plain.new(7)),
                 encode({ payload: plain.new(7) }, :message_pack, mapping:)[:payload]
    message = { payload: plain.new(7) }

    assert_same message, encode(message)
    assert_raises(ArgumentError) { encode(message, mapping: plain) }
  end

  def test_what_the_caller_says_counts
    headers = { "content-type" => "x/y", "a" => "b" }

    assert_equal headers, encode({ payload: order, headers: })[:headers]
    assert_equal %w[order application/json],
                 encode({ payload: order }, :json, types: { "order" => Shop::Order })[:headers].values_at("type",
                                                                                                          "content-type")
  end

  def test_keys
    assert_equal(["7", "a", nil], [7, "a", nil].map { |key| encode({ payload: "x", key: })[:key] })
    assert_equal [7].pack("q>"), encode({ payload: nil, key: 7 }, bytes: true)[:key]
    assert_equal order.encode, encode({ payload: nil, key: order })[:key]
    assert_raises(RangeError) { encode({ key: 1 << 63 }, bytes: true) }
  end

  def test_all_else_passes
    [{ payload: nil }, { payload: "x", key: "y" }, { payload: { "a" => 1 } }, { payload: "x", key: :y }].each do |message|
      assert_same message, encode(message)
    end
  end

  def test_what_cannot_be_encoded_is_not_sent
    producer = WaterDrop::Producer.new { |config| config.kafka = { "bootstrap.servers": "127.0.0.1:1" } }
    producer.middleware.append(Sparpack::Karafka.encoder)

    assert_raises(Sparpack::EncodeError::MissingField) { producer.produce_async(topic: "orders", payload: Shop::Order.new) }
    assert_raises(WaterDrop::Errors::MessageInvalidError) { producer.produce_async(topic: "orders", payload: 5) }
  ensure
    producer&.close!
  end

  def test_wrong_calls
    assert_raises(ArgumentError) { Sparpack::Karafka.encoder(:compct) }
    assert_raises(ArgumentError) { Sparpack::Karafka.encoder(frame: :x) }
    assert_raises(ArgumentError) { Sparpack::Karafka.encoder(lasy: true) }
    assert_match(/types: expected a Hash/, assert_raises(ArgumentError) { Sparpack::Karafka.encoder(types: ["a"]) }.message)
  end
end
