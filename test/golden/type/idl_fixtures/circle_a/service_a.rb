# frozen_string_literal: true

# Generated from circle_a.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module CircleA
    class ServiceA < ::Sparpack::Service
      function :get, "::IDLFixtures::CircleB::B" do
        argument 1, :a, "A"
      end
    end
  end
end
