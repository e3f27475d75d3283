# frozen_string_literal: true

module Sparpack
  module DropIn
    module Sparsam
      # Says what the drop-in does in this process.
      #
      # @api private
      class Report
        # @param classes [Array<Class>, nil] the classes that have a plan; nil if the drop-in is off
        def initialize(classes)
          @classes = classes&.to_h { |klass| [klass.name || klass.to_s, Construction.reason(klass)] }&.sort.to_h.freeze
          @on = !classes.nil?
        end

        # @return [Hash{Symbol => Object}] `:on`, and for each class in use by name why its constructor is called, or nil
        def to_h = { on: @on, classes: @classes }

        # @return [String]
        def to_s
          return "Sparsam is the gem: #{SWITCH} is off.\n" unless @on

          lines = @classes.map do |name, reason|
            "#{name}: #{"objects are made by its constructor (#{reason})" if reason}#{"native" unless reason}\n"
          end
          "Sparsam runs on Sparpack #{VERSION}.\n#{lines.join}"
        end
      end
    end
  end
end
