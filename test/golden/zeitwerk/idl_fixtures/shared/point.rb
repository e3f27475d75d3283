# frozen_string_literal: true

# Generated from base.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shared
    class Point < ::Sparpack::Struct
      field 1, :x, :i32, default: 1
      field 2, :y, :i32
    end
  end
end
