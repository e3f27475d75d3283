# frozen_string_literal: true

require "sparpack"

unless defined?(ActiveSupport::Notifications) || Sparpack::Loading.gem?("activesupport")
  raise LoadError, "sparpack/notifications needs Active Support 7.1 or newer: write `gem \"activesupport\"` into the Gemfile"
end

module Sparpack
  # An observer that publishes what codecs do as `encode.sparpack` and `decode.sparpack`, for the subscribers of Active
  # Support's notifications. The payload of an event has `struct:`, `wire:` and `bytes:`, as {Observed::Event} has them, and
  # `exception_object:` if the call raised. docs/telemetry.md shows it at work.
  #
  # It is loaded by `require "sparpack/notifications"`. Active Support is not loaded by that.
  #
  # @example
  #   require "sparpack/notifications"
  #
  #   ORDERS = Sparpack::Codec.new(Shop::Order, observe: Sparpack::Notifications)
  module Notifications
    NAMES = { encode: "encode.sparpack", decode: "decode.sparpack" }.freeze
    private_constant :NAMES

    class << self
      # Publishes an event, if somebody subscribes to it. Codecs call this.
      #
      # @param event [Observed::Event]
      # @return [void]
      # @example
      #   codec = Sparpack::Codec.new(Shop::Order, observe: Sparpack::Notifications)
      #   codec.encode(order) # calls it
      def call(event)
        return unless defined?(::ActiveSupport::Notifications) # nobody can have subscribed

        name = NAMES.fetch(event.operation)
        return unless ::ActiveSupport::Notifications.notifier.listening?(name)

        ::ActiveSupport::Notifications.publish_event(made(name, event))
      end

      private

      # Times are those of a monotonic clock, as in other events.
      def made(name, event)
        finish = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        payload = { struct: event.struct_class, wire: event.wire, bytes: event.bytes }
        payload[:exception_object] = event.error if event.error
        id = ::ActiveSupport::Notifications.instrumenter.id
        ::ActiveSupport::Notifications::Event.new(name, finish - event.seconds, finish, id, payload)
      end
    end
  end
end
