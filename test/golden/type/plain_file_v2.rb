# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "plain_file_v2/user_profile"
require_relative "plain_file_v2/user_state"
require_relative "plain_file_v2/user_service"

module PlainFileV2
  MaxCount = 5
end
