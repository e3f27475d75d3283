# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "base"
require_relative "idl_fixtures/shop/status"
require_relative "idl_fixtures/shop/node"
require_relative "idl_fixtures/shop/value"
require_relative "idl_fixtures/shop/empty"
require_relative "idl_fixtures/shop/gone"
require_relative "idl_fixtures/shop/users"

# The shop.
module IDLFixtures
  module Shop
    # Who.
    UserId = ::Sparpack::Type.typedef("UserId", :i64, annotations: { "js.type" => "Long", "a" => "b" })

    AdminId = ::Sparpack::Type.typedef("adminId", UserId, annotations: { "js.type" => "Long", "a" => "b" })
    Nodes = ::Sparpack::Type.typedef("Nodes", ::Sparpack::Type.list(Node))
    ByStatus = ::Sparpack::Type.typedef("ByStatus", ::Sparpack::Type.map(Status, ::Sparpack::Type.list(UserId)))

    LIMIT = 10
    BYTES = "\xC3\xA4\#{1}".b.freeze
    ByName = ::Ractor.make_shareable({ "a" => [Status::Active, Status::END] })
    ROOT = ::Ractor.make_shareable(Node.new(value: Value.new(text: "x"), status: Status::END))
  end
end
