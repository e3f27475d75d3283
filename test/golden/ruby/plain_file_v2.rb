# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  class UserProfile < ::Sparpack::Struct
    idl "user_profile"

    field 1, :user_id, :i64, idl_name: "userId"
    field 2, :http_code, :i32, idl_name: "HTTPCode"
    field 3, :first_name, :string
  end

  module UserState
    extend ::Sparpack::Enum

    idl "user_state", values: { INACTIVE: "inactive", IS_ACTIVE: "isActive" }

    INACTIVE = 0
    IS_ACTIVE = 1
  end

  MAX_COUNT = 5

  class UserService < ::Sparpack::Service
    idl "user_service"

    function :get_user, UserProfile, idl_name: "getUser" do
      argument 1, :user_id, :i64, idl_name: "userID"
    end
  end
end
