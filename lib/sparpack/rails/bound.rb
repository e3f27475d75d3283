# frozen_string_literal: true

module Sparpack
  module Rails
    # An object in a condition (see {Rails.bind}). It has no method `id`, because Active Record would search for that.
    #
    # @api private
    class Bound
      # @return [Value]
      attr_reader :object

      # @param object [Value]
      def initialize(object)
        @object = object
        freeze
      end

      # @return [String]
      def inspect = "#<#{self.class} #{object.inspect}>"
    end
  end
end
