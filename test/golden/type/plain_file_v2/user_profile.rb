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
end
