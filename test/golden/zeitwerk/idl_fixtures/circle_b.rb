# frozen_string_literal: true

# Generated from circle_b.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module CircleB
    Many = ::Sparpack::Type.typedef("Many", ::Sparpack::Type.list(::IDLFixtures::CircleA::A))
  end
end
