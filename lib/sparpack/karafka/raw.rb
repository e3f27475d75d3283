# frozen_string_literal: true

module Sparpack
  module Karafka
    # A deserializer that gives the bytes of a payload.
    #
    # @api private
    module Raw
      # @param message [::Karafka::Messages::Message]
      # @return [String, nil]
      def self.call(message) = message.raw_payload
    end
  end
end
