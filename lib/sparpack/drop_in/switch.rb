# frozen_string_literal: true

module Sparpack
  module DropIn
    # Reads the environment variables that turn drop-ins off.
    #
    # @api private
    module Switch
      STATES = { nil => true, "" => true, "on" => true, "off" => false }.freeze
      private_constant :STATES

      # @param name [String] of the variable
      # @return [Boolean]
      # @raise [Error] if it has another value
      def self.on?(name)
        value = ENV.fetch(name, nil)
        STATES.fetch(value) { raise Error, "#{name}: expected on or off, got #{Quote.value(value)}" }
      end
    end
  end
end
