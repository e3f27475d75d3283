# frozen_string_literal: true

module Sparpack
  module DropIn
    module Thrift
      # What a generated `validate` checks.
      #
      # `required` has the names of the fields that must not be nil. `enums` has the values that are allowed for a field, by
      # its name. The `validate` of a union also checks that the union has a field and a value.
      #
      # @api private
      Checks = ::Struct.new(:required, :enums)
    end
  end
end
