# frozen_string_literal: true

# Generated from plain-file.v2.thrift by sparpack generate: do not edit.

require "sparpack"

module PlainFileV2
  MAX_COUNT = 5
end
