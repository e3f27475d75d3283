# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Implicit < ::Sparpack::Struct
      field(-1, :first, :i32, implicit: true)
      field(-2, :second, :string, default: "two", implicit: true)
      field 5, :fifth, :bool
      field(-3, :third, list(:i32), implicit: true)
    end
  end
end
