# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  module UserState
    extend ::Sparpack::Enum

    idl "user_state", values: { INACTIVE: "inactive", IS_ACTIVE: "isActive" }

    INACTIVE = 0
    IS_ACTIVE = 1
  end
end
