# frozen_string_literal: true

ENV["OTEL_METRICS_EXPORTER"] = ENV["OTEL_TRACES_EXPORTER"] = "none"

require "minitest/autorun"
require "opentelemetry/sdk"
require "opentelemetry-metrics-sdk"
require "sparpack"

READER = OpenTelemetry::SDK::Metrics::Export::InMemoryMetricPullExporter.new

# The examples of docs/telemetry.md.
class PageTest < Minitest::Test
  PAGE = File.expand_path("../../../docs/telemetry.md", __dir__)
  BLOCKS = File.read(PAGE).scan(/^```ruby (\w+)\.rb\n(.*?)^```$/m).to_h

  # The page configures the SDK itself. This reads what it measures.
  CONFIGURE = "OpenTelemetry::SDK.configure\n"
  READING = "#{CONFIGURE}OpenTelemetry.meter_provider.add_metric_reader(READER)\n".freeze

  def test_examples
    assert_operator BLOCKS.size, :>, 5
    scope = TOPLEVEL_BINDING.dup
    (BLOCKS.keys - %w[Gemfile]).each { |name| scope.eval(BLOCKS[name].sub(CONFIGURE, READING), "#{PAGE} #{name}") }
    answers = BLOCKS["first"].lines.grep(/# => /).map { |line| line.split("# => ") }

    assert_operator answers.size, :>, 4
    answers.each { |call, answer| assert_equal [call, scope.eval(answer)], [call, scope.eval(call)] }
    assert_match(/\AShop::Order: 3 bytes in .* ms\n\z/, capture_io { PAID.decode(PAID.encode(Shop::Order.new(id: 7))) }[0])
    assert_kind_of Sparpack::Observed, TRACED
    TRACED.encode(Shop::Order.new(id: 7))
    READER.pull
    seconds = READER.metric_snapshots.find { |metric| metric.name == "sparpack.operation.duration" }

    bounds = seconds.data_points.first.explicit_bounds

    assert_equal [1e-6, 0.1], [bounds.first, bounds.last]
    SAMPLED.call(event)
  end

  def event
    found = nil
    Sparpack::Codec.new(Shop::Order, observe: ->(event) { found = event }).encode(Shop::Order.new(id: 7))
    found
  end
end
