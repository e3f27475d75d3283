# frozen_string_literal: true

# Generated from circle_b.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module CircleB
    class B < ::Sparpack::Struct
      field 1, :as, list("::IDLFixtures::CircleA::A")
      field 2, :many, "Many"
    end
  end
end
