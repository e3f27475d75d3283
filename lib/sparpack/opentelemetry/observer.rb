# frozen_string_literal: true

module Sparpack
  module OpenTelemetry
    # Records what codecs do (see {OpenTelemetry.observer}).
    #
    # @api private
    class Observer
      NAME = "sparpack"
      OPERATION = "sparpack.operation"
      WIRE = "sparpack.wire"
      STRUCT = "sparpack.struct"
      ERROR = "error.type"

      # A class without a name would have another one in each process.
      ANONYMOUS = "anonymous"
      private_constant :NAME, :OPERATION, :WIRE, :STRUCT, :ERROR, :ANONYMOUS

      @histograms = {}.compare_by_identity
      @lock = Mutex.new

      class << self
        # A meter warns if it shall make a histogram again. That of the global provider is another object after the SDK is
        # configured, but the histograms of the first one go on to work. So they are made once for it.
        #
        # @param meter [::OpenTelemetry::Metrics::Meter, nil]
        # @return [Array(Object, Object), nil] the histograms of seconds and of bytes; nil without an API for metrics
        def histograms(meter)
          @lock.synchronize { @histograms[meter] ||= make(meter || default_meter) }
        end

        private

        def default_meter
          require "opentelemetry-metrics-api" unless ::OpenTelemetry.respond_to?(:meter_provider)
          ::OpenTelemetry.meter_provider.meter(NAME, version: VERSION)
        rescue LoadError
          nil
        end

        def make(meter)
          return unless meter

          [meter.create_histogram("sparpack.operation.duration", unit: "s", description: "Time of an encode or a decode"),
           meter.create_histogram("sparpack.payload.size", unit: "By", description: "Size of an encoded payload")].freeze
        end
      end

      # @param meter [::OpenTelemetry::Metrics::Meter, nil]
      # @param spans_from [Numeric, nil]
      # @raise [ArgumentError]
      def initialize(meter, spans_from)
        unless meter.nil? || meter.respond_to?(:create_histogram)
          raise ArgumentError, "meter: expected a meter of OpenTelemetry, got #{Quote.value(meter)}"
        end
        unless spans_from.nil? || (spans_from.is_a?(Numeric) && spans_from.real? && spans_from >= 0)
          raise ArgumentError, "spans_from: expected seconds, or nil for no spans, got #{Quote.value(spans_from)}"
        end

        @seconds, @bytes = Observer.histograms(meter)
        @spans_from = spans_from
        @tracer = ::OpenTelemetry.tracer_provider.tracer(NAME, VERSION) if spans_from
      end

      # @param event [Observed::Event]
      # @return [void]
      def call(event)
        attributes = attributes(event)
        @seconds&.record(event.seconds, attributes:)
        @bytes&.record(event.bytes, attributes:) if event.bytes
        span(event, attributes) if @tracer && event.seconds >= @spans_from
      end

      private

      def attributes(event)
        named = event.struct_class
        named = named.mapped_class if named.is_a?(Mapping)
        all = { OPERATION => event.operation.name, WIRE => event.wire.name, STRUCT => named.name || ANONYMOUS }
        all[ERROR] = event.error.class.name || ANONYMOUS if event.error
        all
      end

      # It begins when the call began, and it is over already.
      def span(event, attributes)
        finish = Time.now
        span = @tracer.start_span("#{attributes[OPERATION]} #{attributes[STRUCT]}", attributes:,
                                                                                     start_timestamp: finish - event.seconds)
        span.status = ::OpenTelemetry::Trace::Status.error(attributes[ERROR]) if event.error
        span.finish(end_timestamp: finish)
      end
    end
  end
end
