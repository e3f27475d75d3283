# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    module Colour
      extend ::Sparpack::Enum

      idl annotations: { "closed" => "1" }, value_annotations: { NEGATIVE: { "old" => "1" } }

      RED = 1
      BLUE = 2
      NEGATIVE = -5
      AFTER_NEGATIVE = -4
      CRIMSON = 1
      HEX = 32
    end
  end
end
