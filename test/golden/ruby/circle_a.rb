# frozen_string_literal: true

# Generated from circle_a.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module CircleA
    class A < ::Sparpack::Struct
      field 1, :b, "::IDLFixtures::CircleB::B", optional: true
      field 2, :name, :string
    end

    class ServiceA < ::Sparpack::Service
      function :get, "::IDLFixtures::CircleB::B" do
        argument 1, :a, A
      end
    end
  end
end

require_relative "circle_b" unless defined?(::IDLFixtures::CircleB::Many)
