# frozen_string_literal: true

# bin/test: not sanitized, for it installs other gems, and other tests run the same native code

require "test_helper"
require "support/side_bundle"

# Sparpack::OpenTelemetry with the real SDK, and the examples of docs/telemetry.md. The gems are not in the bundle, so each
# file of cases runs in a process of its own.
class TelemetryTest < Minitest::Test
  GEMS = { "opentelemetry-sdk" => "~> 1.10", "opentelemetry-metrics-sdk" => "~> 0.12", "minitest" => "~> 5.25",
           "activesupport" => "~> 7.2.3" }.freeze
  TRACES = { "opentelemetry-sdk" => "~> 1.10", "minitest" => "~> 5.25" }.freeze

  SideBundle.define_cases(self, Dir[File.join(__dir__, "cases/*.rb")]) do |file|
    run_ruby(file.end_with?("/traces.rb") ? TRACES : GEMS, "-W1", file)
  end

  def test_missing_gems
    { "opentelemetry" => "`gem \"opentelemetry-sdk\"`", "notifications" => "`gem \"activesupport\"`" }.each do |name, advice|
      output, status = run_ruby({ "minitest" => "~> 5.25" }, "-e", "require \"sparpack/#{name}\"")

      refute_predicate status, :success?
      assert_match(%r{sparpack/#{name} needs .*#{advice}}, output)
    end
  end

  def test_what_is_loaded
    script = 'require "sparpack/opentelemetry"; p defined?(OpenTelemetry), Sparpack::OpenTelemetry.autoload?(:Observer)'
    output, = run_ruby(GEMS, "-e", script)

    assert_equal ["nil", '"sparpack/opentelemetry/observer"'], output.lines.map(&:chomp)
  end

  private

  def run_ruby(gems, *arguments)
    name = { GEMS => "telemetry", TRACES => "traces" }.fetch(gems, "nothing")
    SideBundle.capture(name, gems, RbConfig.ruby, *arguments) { |reason| skip reason }
  end
end
