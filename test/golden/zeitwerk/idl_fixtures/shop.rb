# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shop
    # Who.
    UserId = ::Sparpack::Type.typedef("UserId", :i64, annotations: { "js.type" => "Long", "a" => "b" })

    AdminId = ::Sparpack::Type.typedef("adminId", UserId, annotations: { "js.type" => "Long", "a" => "b" })
    Nodes = ::Sparpack::Type.typedef("Nodes", ::Sparpack::Type.list(Node))
    ByStatus = ::Sparpack::Type.typedef("ByStatus", ::Sparpack::Type.map(Status, ::Sparpack::Type.list(UserId)))

    LIMIT = 10
    BYTES = "\xC3\xA4\#{1}".b.freeze
    BY_NAME = ::Ractor.make_shareable({ "a" => [Status::ACTIVE, Status::END] })
    ROOT = ::Ractor.make_shareable(Node.new(value: Value.new(text: "x"), status: Status::END))
  end
end
