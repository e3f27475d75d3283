# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  module User_state
    extend ::Sparpack::Enum

    idl "user_state", values: { Inactive: "inactive", IsActive: "isActive" }

    Inactive = 0
    IsActive = 1
  end
end
