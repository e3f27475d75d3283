# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shop
    # A node.
    class Node < ::Sparpack::Struct
      idl annotations: { "h" => "i" }

      field 1, :value, "Value", required: true

      # more
      field 2, :nodes, ::Sparpack::Type.of("Nodes").annotate("c" => "d"), optional: true

      field 3, :status, "Status", default: Status::END
      field 4, :user_id, "AdminId", default: 10, idl_name: "userID", annotations: { "e" => "1", "f" => "g" }
      field 5, :class, :string
      field(-1, :origin, "::IDLFixtures::Shared::Point",
            default: ::IDLFixtures::Shared::Point.new(x: 1),
            implicit: true)
      field 7, :texts, list(::Sparpack::Type.of(:string).annotate("a" => "b")),
            default: [
              "a long text to make the line long",
              "and another one so that it must be broken",
              "and a third"
            ]
      field 8, :ids, set(:uuid), default: ::Set["00112233-4455-6677-8899-aabbccddeeff"]
      field 9, :self, Node
    end
  end
end
