# frozen_string_literal: true

# Sparpack::OpenTelemetry looks for the API, which is not in the bundle. What records nothing works without.
module OpenTelemetry
  # Makes tracers and meters that do nothing.
  module Nothing
    def self.tracer(*) = self
    def self.meter(*, **) = self
    def self.create_histogram(*, **) = self
    def self.record(*, **) = nil
  end

  def self.tracer_provider = Nothing
  def self.meter_provider = Nothing
end
