# frozen_string_literal: true

require "sparpack"

unless defined?(OpenTelemetry) || Sparpack::Loading.gem?("opentelemetry-api")
  raise LoadError, "sparpack/opentelemetry needs OpenTelemetry: write `gem \"opentelemetry-sdk\"` and " \
                   "`gem \"opentelemetry-metrics-sdk\"` into the Gemfile"
end

module Sparpack
  # Measures codecs by OpenTelemetry: histograms of seconds and bytes, and a span for each call that is slow. There are no
  # semantic conventions for codecs, so the names are those of Sparpack. docs/telemetry.md shows them.
  #
  # It is loaded by `require "sparpack/opentelemetry"`. The API of OpenTelemetry is loaded by {observer}.
  #
  # @example
  #   require "sparpack/opentelemetry"
  #
  #   ORDERS = Sparpack::Codec.new(Shop::Order, observe: Sparpack::OpenTelemetry.observer)
  module OpenTelemetry
    autoload :Observer, "sparpack/opentelemetry/observer"

    class << self
      # Makes an observer. It may be made before the SDK is configured, and one is enough for all codecs. No value of an
      # object gets into attributes, and no message of an error.
      #
      # @param meter [Object, nil] the meter that makes the histograms; nil for the one of the name `sparpack` of the global
      #   provider. Without the gem opentelemetry-metrics-api, there are only spans
      # @param spans_from [Numeric, nil] how many seconds a call takes at least that gets a span; nil for no spans
      # @return [#call]
      # @raise [ArgumentError] for a wrong number, something that is no meter, or an unknown option
      # @example
      #   Sparpack::Codec.new(Shop::Order, observe: Sparpack::OpenTelemetry.observer(spans_from: 0.01))
      def observer(meter: nil, spans_from: 0.005, **unknown)
        Options.refuse(unknown, method(:observer)) unless unknown.empty?
        require "opentelemetry" unless defined?(::OpenTelemetry.tracer_provider)
        Observer.new(meter, spans_from)
      end
    end
  end
end
