# frozen_string_literal: true

ENV["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"] = "delta" # each test sees what it has recorded
ENV["OTEL_METRICS_EXPORTER"] = ENV["OTEL_TRACES_EXPORTER"] = "none"

require "minitest/autorun"
require "opentelemetry/sdk"
require "opentelemetry-metrics-sdk"
require "sparpack/opentelemetry"

# Histograms and spans, as an exporter gets them.
class MetricsTest < Minitest::Test
  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :note, :string
  end

  ORDER = Order.new(id: 7, note: "a secret").freeze
  BYTES = ORDER.encode.freeze
  SPANS = OpenTelemetry::SDK::Trace::Export::InMemorySpanExporter.new

  # Made before the SDK is configured, as a constant of a program is.
  EARLY = Sparpack::Codec.new(Order, observe: Sparpack::OpenTelemetry.observer)

  OpenTelemetry.logger = Logger.new(LOG = StringIO.new)
  OpenTelemetry::SDK.configure do |config|
    config.add_span_processor(OpenTelemetry::SDK::Trace::Export::SimpleSpanProcessor.new(SPANS))
  end
  METRICS = OpenTelemetry::SDK::Metrics::Export::InMemoryMetricPullExporter.new
  OpenTelemetry.meter_provider.add_metric_reader(METRICS)

  def setup
    SPANS.reset
    METRICS.pull
    METRICS.reset
  end

  def test_histograms
    3.times { EARLY.encode(ORDER) }
    EARLY.decode(BYTES)
    seconds, bytes = points.values_at("sparpack.operation.duration", "sparpack.payload.size")
    encode = attributes("encode")

    assert_equal [3, 1], [seconds[encode].count, seconds[attributes("decode")].count]
    assert_operator seconds[encode].sum, :>, 0
    assert_operator seconds[encode].sum, :<, 60
    assert_equal BYTES.bytesize * 3, bytes[encode].sum
  end

  def test_units_and_scope
    EARLY.encode(ORDER)
    METRICS.pull
    found = METRICS.metric_snapshots.to_h { |metric| [metric.name, metric] }

    assert_equal({ "sparpack.operation.duration" => "s", "sparpack.payload.size" => "By" }, found.transform_values(&:unit))
    assert_equal [["sparpack", Sparpack::VERSION]],
                 found.values.map { |metric| metric.instrumentation_scope.to_a.first(2) }.uniq
  end

  def test_errors
    assert_raises(Sparpack::DecodeError) { EARLY.decode("\x15\x02\x00") }
    assert_raises(Sparpack::EncodeError) { EARLY.encode(Order.new) }
    seconds, bytes = points.values_at("sparpack.operation.duration", "sparpack.payload.size")
    decode = attributes("decode", "Sparpack::DecodeError::TypeMismatch")
    encode = attributes("encode", "Sparpack::EncodeError::MissingField")

    assert_equal [1, 1], [seconds[decode].count, seconds[encode].count]
    assert_equal 3, bytes[decode].sum
    refute_includes bytes, encode
  end

  def test_quick_calls_have_no_span
    EARLY.encode(ORDER)

    assert_empty SPANS.finished_spans
  end

  # Something slow that runs while an object is encoded.
  class Slow
    def id = sleep(0.02).then { 7 }
    def note = "a secret"
  end

  def slow
    mapping = Sparpack::Mapping.new(Slow, %i[id note])
    Sparpack::Codec.new(mapping, :message_pack, observe: Sparpack::OpenTelemetry.observer)
  end

  def test_slow_calls_have_a_span
    before = now
    OpenTelemetry.tracer_provider.tracer("test").in_span("request") { slow.encode(Slow.new) }
    after = now
    span, request = SPANS.finished_spans

    assert_equal "encode MetricsTest::Slow", span.name
    assert_equal({ "sparpack.operation" => "encode", "sparpack.wire" => "message_pack",
                   "sparpack.struct" => "MetricsTest::Slow" }, span.attributes)
    assert_equal [request.span_id, request.trace_id], [span.parent_span_id, span.trace_id]
    assert_operator span.end_timestamp - span.start_timestamp, :>=, 20_000_000
    assert_operator before, :<=, span.start_timestamp + 1_000_000
    assert_operator span.end_timestamp, :<=, after
    assert_operator request.start_timestamp, :<=, span.start_timestamp + 1_000_000
  end

  def test_a_span_of_an_error
    codec = Sparpack::Codec.new(Order, observe: Sparpack::OpenTelemetry.observer(spans_from: 0))
    assert_raises(Sparpack::EncodeError) { codec.encode(Order.new(id: "a secret")) }
    span, = SPANS.finished_spans

    assert_equal OpenTelemetry::Trace::Status::ERROR, span.status.code
    assert_equal "Sparpack::EncodeError::TypeMismatch", span.attributes["error.type"]
    assert_nil span.events
  end

  # Neither an object nor the message of an error.
  def test_no_value_is_exported
    codec = Sparpack::Codec.new(Order, :json, observe: Sparpack::OpenTelemetry.observer(spans_from: 0))
    codec.decode(codec.encode(ORDER))
    assert_raises(Sparpack::EncodeError) { codec.encode(Order.new(id: "a secret")) }
    assert_raises(Sparpack::DecodeError) { codec.decode('{"id":"a secret"}') }
    METRICS.pull
    exported = [*SPANS.finished_spans, *METRICS.metric_snapshots].map { |each| Marshal.dump(each.to_a.map(&:inspect)) }.join

    assert_includes exported, "MetricsTest::Order"
    refute_includes exported, "secret"
  end

  def test_no_spans
    codec = Sparpack::Codec.new(Order, observe: Sparpack::OpenTelemetry.observer(spans_from: nil))
    codec.encode(ORDER)

    assert_empty SPANS.finished_spans
    assert_equal 1, points["sparpack.payload.size"][attributes("encode")].count
  end

  # A class without a name has another one in each process, and each name is a series of its own.
  def test_a_class_without_a_name
    klass = Class.new(Sparpack::Struct) { field 1, :id, :i64 }
    Sparpack::Codec.new(klass, observe: Sparpack::OpenTelemetry.observer).encode(klass.new)

    assert_equal 1, points["sparpack.payload.size"][attributes("encode").merge("sparpack.struct" => "anonymous")].count
  end

  def test_a_meter_of_ones_own
    reader = OpenTelemetry::SDK::Metrics::Export::InMemoryMetricPullExporter.new
    provider = OpenTelemetry::SDK::Metrics::MeterProvider.new
    provider.add_metric_reader(reader)
    codec = Sparpack::Codec.new(Order, observe: Sparpack::OpenTelemetry.observer(meter: provider.meter("shop")))
    codec.encode(ORDER)
    reader.pull

    assert_equal(%w[shop shop], reader.metric_snapshots.map { |metric| metric.instrumentation_scope.name })
  end

  def test_many_observers_share_the_histograms
    LOG.truncate(0)
    3.times { Sparpack::Codec.new(Order, observe: Sparpack::OpenTelemetry.observer).encode(ORDER) }

    assert_equal 3, points["sparpack.payload.size"][attributes("encode")].count
    refute_includes LOG.string, "duplicate"
  end

  def test_wrong_options
    { { meter: 5 } => /\Ameter: expected a meter of OpenTelemetry, got 5/,
      { spans_from: -1 } => /\Aspans_from: expected seconds/,
      { spans_from: "1" } => /\Aspans_from: /, { span_from: 1 } => /did you mean :spans_from\?/ }.each do |options, message|
      error = assert_raises(ArgumentError) { Sparpack::OpenTelemetry.observer(**options) }

      assert_match message, error.message
    end
  end

  private

  def attributes(operation, error = nil)
    { "sparpack.operation" => operation, "sparpack.wire" => "compact", "sparpack.struct" => "MetricsTest::Order",
      **(error ? { "error.type" => error } : {}) }
  end

  # What came since the last time.
  def points
    METRICS.pull
    found = METRICS.metric_snapshots.group_by(&:name)
    METRICS.reset
    found.transform_values { |metrics| metrics.flat_map(&:data_points).to_h { |point| [point.attributes, point] } }
  end

  def now = Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)
end
