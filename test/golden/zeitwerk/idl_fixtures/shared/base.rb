# frozen_string_literal: true

# Generated from base.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Shared
    # All services have this.
    class Base < ::Sparpack::Service
      function :origin, "Point"
    end
  end
end
