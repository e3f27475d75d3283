# frozen_string_literal: true

# Generated from circle_b.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "idl_fixtures/circle_b/b"

module IDLFixtures
  module CircleB
    Many = ::Sparpack::Type.typedef("Many", ::Sparpack::Type.list("::IDLFixtures::CircleA::A"))
  end
end

require_relative "circle_a" unless defined?(::IDLFixtures::CircleA::A)
