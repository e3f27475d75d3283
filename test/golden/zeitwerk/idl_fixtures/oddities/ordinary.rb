# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Ordinary < ::Sparpack::Struct
      field 1, :x, :i32
      field 2, :nested, Ordinary, optional: true
      field 3, :words, list(:string)
    end
  end
end
