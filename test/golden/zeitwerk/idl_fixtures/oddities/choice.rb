# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Choice < ::Sparpack::Union
      field 1, :text, :string
      field 2, :ordinary, "Ordinary"
      field 3, :choices, list(Choice)
      field 4, :new, :string
      field 5, :i64_value, :i64
    end
  end
end
