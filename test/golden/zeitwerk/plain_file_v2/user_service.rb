# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  class UserService < ::Sparpack::Service
    idl "user_service"

    function :get_user, "UserProfile", idl_name: "getUser" do
      argument 1, :user_id, :i64, idl_name: "userID"
    end
  end
end
