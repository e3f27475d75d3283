# frozen_string_literal: true

# Generated from base.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "idl_fixtures/shared/point"
require_relative "idl_fixtures/shared/base"

module IDLFixtures
  module Shared
  end
end
