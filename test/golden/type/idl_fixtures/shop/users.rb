# frozen_string_literal: true

# Generated from shop.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "../shared/base"

module IDLFixtures
  module Shop
    class Users < ::IDLFixtures::Shared::Base
      idl "users", annotations: { "l" => "1" }

      # Pings.
      function :ping, oneway: true

      function :getUser, "Node", annotations: { "j" => "k" } do
        argument 1, :id, "UserId", default: 10
        argument 2, :end, "::IDLFixtures::Shared::Point"
        throws 1, :gone, "Gone"
      end
    end
  end
end
