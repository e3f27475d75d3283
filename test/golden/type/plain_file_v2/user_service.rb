# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  class User_service < ::Sparpack::Service
    idl "user_service"

    function :getUser, "User_profile" do
      argument 1, :userID, :i64
    end
  end
end
