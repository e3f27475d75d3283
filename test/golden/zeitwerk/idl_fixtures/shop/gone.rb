# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shop
    class Gone < ::Sparpack::Exception
      idl "gone"

      field 1, :message, :string
    end
  end
end
