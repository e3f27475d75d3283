# frozen_string_literal: true

require "minitest/autorun"
require "karafka"
require "sparpack/karafka"

# What the cases read and write.
module Shop
  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
    field 2, :note, :string
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :lines, list(Line)
  end

  # The same records, but for what a consumer does not need.
  class OrderId < Sparpack::Struct
    field 1, :id, :i64, required: true
  end
end

# Records without a broker.
module Records
  def order = Shop::Order.new(id: 7, lines: [Shop::Line.new(cents: 500, note: "lamp")])

  def record(payload, key: nil, headers: {}, deserializers: nil)
    metadata = Karafka::Messages::Metadata.new(topic: "orders", partition: 3, offset: 1042, raw_key: key,
                                               raw_headers: headers, deserializers:)
    Karafka::Messages::Message.new(payload, metadata)
  end

  def with(payload: Sparpack::Karafka.raw, key: nil, headers: nil)
    Karafka::Routing::Features::Deserializers::Config.new(active: true, payload:, key:, headers:)
  end

  # @return [Sparpack::DecodeError] raised for the record
  def assert_refused(type = Sparpack::DecodeError, &block)
    error = assert_raises(type, &block)

    assert_kind_of Sparpack::Karafka::Record, error
    assert_equal ["orders", 3, 1042], [error.topic, error.partition, error.record_offset]
    assert_match(%r{\Aorders/3 at 1042: }, error.message)
    error
  end
end
