# typed: true

# Generated from sig/sparpack/telemetry.rbs by `rake rbi`: do not edit.

module Sparpack
  # What a codec with the option `observe:` does.
  module Observed
    # One encode or decode.
    class Event
      sig { returns(::Symbol) }
      attr_reader :operation

      sig { returns(T.nilable(::Integer)) }
      attr_reader :bytes

      sig { returns(::Float) }
      attr_reader :seconds

      sig { returns(T.nilable(::StandardError)) }
      def error; end

      sig { returns(T.any(T::Class[T.anything], ::Sparpack::Mapping)) }
      def struct_class; end

      sig { returns(::Symbol) }
      def wire; end

      sig { returns(::String) }
      def inspect; end

      sig { returns(::String) }
      def to_s; end
    end
  end

  # Publishes what codecs do by Active Support's notifications. It is there after `require "sparpack/notifications"`.
  module Notifications
    sig { params(event: ::Sparpack::Observed::Event).void }
    def self.call(event); end
  end

  # Measures codecs by OpenTelemetry. It is there after `require "sparpack/opentelemetry"`.
  module OpenTelemetry
    sig { params(meter: T.untyped, spans_from: T.nilable(::Numeric)).returns(T.untyped) }
    def self.observer(meter: T.unsafe(nil), spans_from: nil); end
  end
end
