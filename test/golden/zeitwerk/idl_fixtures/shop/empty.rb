# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shop
    class Empty < ::Sparpack::Struct; end
  end
end
