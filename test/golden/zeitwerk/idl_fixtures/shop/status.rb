# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shop
    # How it is.
    #
    # Really.
    module Status
      extend ::Sparpack::Enum

      idl annotations: { "closed" => "1" },
          values: { ACTIVE: "active", ACTIVE_TWO: "activeTwo" },
          value_annotations: { END: { "old" => "1" } }

      ACTIVE = 0

      # over
      const_set(:END, 5)

      ACTIVE_TWO = 6
    end
  end
end
