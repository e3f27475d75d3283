# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shop
    class Value < ::Sparpack::Union
      field 1, :text, :string
      field 2, :node, "Node"
    end
  end
end
