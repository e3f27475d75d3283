# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Everything < Parent
      # Nothing comes back.
      function :fire, oneway: true do
        argument 1, :id, :i32
        argument 2, :end, :string
      end

      function :forget, oneway: true

      function :find, list("Ordinary"), annotations: { "deadline" => "5" } do
        argument 1, :query, map(:string, "Colour"), default: { "a" => Colour::RED }
        argument 2, :limit, :i32, optional: true, default: 10
        argument 3, :class, :bool, required: true
        throws 1, :failure, "Failure"
        throws 2, :success, "Nameless"
      end

      function :implicit, :i32 do
        argument(-1, :a, :i32, implicit: true)
        argument(-2, :b, :i32, implicit: true)
        throws(-1, :failure, "Failure", implicit: true)
      end

      function :end

      function :class
    end
  end
end
