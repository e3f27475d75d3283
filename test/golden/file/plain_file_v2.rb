# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  class User_profile < ::Sparpack::Struct
    idl "user_profile"

    field 1, :userId, :i64
    field 2, :HTTPCode, :i32
    field 3, :first_name, :string
  end

  module User_state
    extend ::Sparpack::Enum

    idl "user_state", values: { Inactive: "inactive", IsActive: "isActive" }

    Inactive = 0
    IsActive = 1
  end

  MaxCount = 5

  class User_service < ::Sparpack::Service
    idl "user_service"

    function :getUser, User_profile do
      argument 1, :userID, :i64
    end
  end
end
