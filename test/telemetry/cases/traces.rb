# frozen_string_literal: true

require "minitest/autorun"
require "opentelemetry/sdk"
require "sparpack/opentelemetry"

# Without the gems for metrics there are only spans.
class TracesTest < Minitest::Test
  class Order < Sparpack::Struct
    field 1, :id, :i64
  end

  def test_spans
    codec = Sparpack::Codec.new(Order, observe: Sparpack::OpenTelemetry.observer(spans_from: 0))
    exporter = OpenTelemetry::SDK::Trace::Export::InMemorySpanExporter.new
    OpenTelemetry::SDK.configure do |config|
      config.add_span_processor(OpenTelemetry::SDK::Trace::Export::SimpleSpanProcessor.new(exporter))
    end
    codec.encode(Order.new(id: 7))

    refute_respond_to OpenTelemetry, :meter_provider
    assert_equal ["encode TracesTest::Order"], exporter.finished_spans.map(&:name)
  end
end
