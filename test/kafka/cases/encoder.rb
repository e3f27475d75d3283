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
