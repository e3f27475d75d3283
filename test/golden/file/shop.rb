# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "base"

# The shop.
module IDLFixtures
  module Shop
    # Who.
    UserId = ::Sparpack::Type.typedef("UserId", :i64, annotations: { "js.type" => "Long", "a" => "b" })

    AdminId = ::Sparpack::Type.typedef("adminId", UserId, annotations: { "js.type" => "Long", "a" => "b" })
    Nodes = ::Sparpack::Type.typedef("Nodes", ::Sparpack::Type.list("::IDLFixtures::Shop::Node"))
    ByStatus = ::Sparpack::Type.typedef("ByStatus", ::Sparpack::Type.map("::IDLFixtures::Shop::Status", ::Sparpack::Type.list(UserId)))

    # How it is.
    #
    # Really.
    module Status
      extend ::Sparpack::Enum

      idl annotations: { "closed" => "1" },
          values: { Active: "active", ActiveTwo: "activeTwo" },
          value_annotations: { END: { "old" => "1" } }

      Active = 0

      # over
      const_set(:END, 5)

      ActiveTwo = 6
    end

    LIMIT = 10
    BYTES = "\xC3\xA4\#{1}".b.freeze
    ByName = ::Ractor.make_shareable({ "a" => [Status::Active, Status::END] })

    # A node.
    class Node < ::Sparpack::Struct
      idl annotations: { "h" => "i" }

      field 1, :value, "Value", required: true

      # more
      field 2, :nodes, Nodes.annotate("c" => "d"), optional: true

      field 3, :status, Status, default: Status::END
      field 4, :userID, AdminId, default: 10, annotations: { "e" => "1", "f" => "g" }
      field 5, :class, :string
      field(-1, :origin, ::IDLFixtures::Shared::Point,
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

    class Value < ::Sparpack::Union
      field 1, :text, :string
      field 2, :node, Node
    end

    ROOT = ::Ractor.make_shareable(Node.new(value: Value.new(text: "x"), status: Status::END))

    class Empty < ::Sparpack::Struct; end

    class Gone < ::Sparpack::Exception
      idl "gone"

      field 1, :message, :string
    end

    class Users < ::IDLFixtures::Shared::Base
      idl "users", annotations: { "l" => "1" }

      # Pings.
      function :ping, oneway: true

      function :getUser, Node, annotations: { "j" => "k" } do
        argument 1, :id, UserId, default: 10
        argument 2, :end, ::IDLFixtures::Shared::Point
        throws 1, :gone, Gone
      end
    end
  end
end
