# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Failure < ::Sparpack::Exception
      field 1, :message, :string
      field 2, :code, :i32, default: 500
      field 3, :backtrace, :string
    end
  end
end
