# frozen_string_literal: true

# bin/test: not sanitized, for it installs other gems, and other tests run the same native code
# bin/test: first, for it waits for other processes

require "test_helper"
require "support/side_bundle"

# Sparpack::Karafka with the real Karafka and WaterDrop, and with librdkafka's mock cluster. They are not in the bundle, so
# each file of cases runs in a process of its own.
class KafkaTest < Minitest::Test
  GEMS = { "karafka" => "~> 2.5.0", "minitest" => "~> 5.25" }.freeze

  SideBundle.define_cases(self, Dir[File.join(__dir__, "cases/*.rb")].select { |file| SideBundle.cases?(file) }) do |file|
    SideBundle.capture("kafka", GEMS, RbConfig.ruby, "-W1", file) { |reason| skip reason }
  end

  def test_a_missing_framework
    script = 'require "sparpack/karafka"'
    output, status = SideBundle.capture("nothing", { "minitest" => "~> 5.25" }, RbConfig.ruby, "-e", script) do |reason|
      skip reason
    end

    refute_predicate status, :success?
    assert_match(/needs Karafka 2\.4 or newer, or WaterDrop alone to produce: write `gem "karafka"`/, output)
  end

  def test_what_is_loaded
    script = 'require "sparpack/karafka"; p defined?(WaterDrop), defined?(Rdkafka), Sparpack::Karafka.autoload?(:Payload)'
    output, = SideBundle.capture("kafka", GEMS, RbConfig.ruby, "-e", script) { |reason| skip reason }

    assert_equal ["nil", "nil", '"sparpack/karafka/payload"'], output.lines.map(&:chomp)
  end
end
