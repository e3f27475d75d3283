# frozen_string_literal: true

module Sparpack
  # Refuses options that a call does not have, with a hint at those that it has.
  #
  # @api private
  module Options
    module_function

    # @param given [Hash] options by name
    # @param known [Array<Symbol>]
    # @return [void]
    # @raise [ArgumentError] for the first one that is not known
    def check(given, known)
      given.each_key do |name|
        next if known.include?(name)

        meant = known.find { |other| name == other.name } # it is a String
        hint = meant ? " (did you mean #{Quote.value(meant)}?)" : Names.hint(name, known)
        raise ArgumentError, "unknown option #{Quote.value(name)}#{hint}"
      end
    end

    # For a method that takes what is left of its keywords only to refuse it.
    #
    # @param unknown [Hash]
    # @param method [Method] whose own keywords are the options that there are
    # @return [void]
    # @raise [ArgumentError] unless it is empty
    def refuse(unknown, method)
      check(unknown, method.parameters.filter_map { |kind, name| name if kind == :key })
    end
  end
end
