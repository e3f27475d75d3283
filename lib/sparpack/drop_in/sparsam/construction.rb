# frozen_string_literal: true

module Sparpack
  module DropIn
    module Sparsam
      # Tells whether the objects of a class can be made without calling Ruby code.
      #
      # @api private
      module Construction
        # Where Sparsam's own methods are.
        PLACE = File.join(__dir__, "library.rb").freeze
        private_constant :PLACE

        class << self
          # @param klass [Class]
          # @return [Boolean]
          def plain?(klass) = reason(klass).nil?

          # @param klass [Class]
          # @return [String, nil] why the constructor has to be called
          def reason(klass)
            return overridden(klass, :initialize) unless original?(klass, :initialize)
            return if klass <= ::Sparsam::Union

            return "it has no DEFAULT_VALUES" unless klass.const_defined?(:DEFAULT_VALUES)

            defaults = klass::DEFAULT_VALUES
            defaults && reason_of_defaults(klass, defaults)
          end

          private

          def reason_of_defaults(klass, defaults)
            called = %i[assign_defaults name_to_accessors send] + defaults.keys.map { |name| :"#{name}=" }
            changed = called.find { |name| !original?(klass, name) }
            return overridden(klass, changed) if changed

            name, = defaults.find { |_, value| !::Ractor.shareable?(value) }
            "the default of #{name} can be changed" if name
          end

          # A method is the original if it is defined where Sparsam's own methods are, or in Ruby.
          def original?(klass, name)
            place = klass.instance_method(name).source_location
            place.nil? ? name == :send : place.first == PLACE
          rescue NameError
            false
          end

          def overridden(klass, name) = "#{klass}##{name} is overridden"
        end
      end
    end
  end
end
