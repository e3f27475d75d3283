# frozen_string_literal: true

module Sparpack
  # Refuses to copy an object to another Ractor. Before Ruby 3.3, such a copy is shallow if the fields are native, so both
  # Ractors would hold the same mutable Strings and Arrays. From Ruby 3.3 on, Ruby itself refuses.
  #
  # @api private
  module RactorCopy
    RUBY = "<internal:ractor>"
    private_constant :RUBY

    private

    def initialize_clone(source, freeze: nil)
      caller = ::Kernel.caller_locations(1, 3).find { |frame| frame.label != "initialize_clone" }
      if caller&.path == RUBY && !Native.fields(source).each_value.all? { |value| ::Ractor.shareable?(value) }
        ::Kernel.raise ::Ractor::Error, "can not copy a #{source.class} to a Ractor: freeze(deep: true) makes it shareable"
      end

      super
    end
  end

  private_constant :RactorCopy
  Value.include(RactorCopy) if RUBY_VERSION < "3.3"
end
