# frozen_string_literal: true

# Generated from circle_a.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "idl_fixtures/circle_a/a"
require_relative "idl_fixtures/circle_a/service_a"

module IDLFixtures
  module CircleA
  end
end

require_relative "circle_b" unless defined?(::IDLFixtures::CircleB::Many)
