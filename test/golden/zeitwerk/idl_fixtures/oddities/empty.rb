# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    module Empty
      extend ::Sparpack::Enum
    end
  end
end
