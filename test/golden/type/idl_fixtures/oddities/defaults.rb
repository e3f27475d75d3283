# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "colour"
require_relative "ordinary"

module IDLFixtures
  module Oddities
    class Defaults < ::Sparpack::Struct
      field 1, :a, :bool, default: true
      field 2, :b, :double, default: 2.0
      field 3, :c, :string, default: "single \"double\""
      field 4, :d, :binary, default: "\\x".b
      field 5, :e, list("Colour"), default: [Colour::RED, Colour::BLUE]
      field 6, :f, set(:string), default: ::Set["b", "a"]
      field 7, :g, map(:i8, "Ordinary"), default: { 1 => Ordinary.new(x: 5) }
      field 8, :h, "Ordinary", default: Ordinary.new(x: 16, nested: Ordinary.new(x: -1, words: ["a"]))
      field 9, :i, :uuid, default: "00112233-4455-6677-8899-aabbccddeeff"
      field 10, :j, "Colour", required: true, default: Colour::HEX
      field 11, :k, :i64, optional: true, default: 9223372036854775807
      field 12, :l, "Tint", default: Colour::BLUE
      field 13, :m, list(list(:i32)), default: [[], [1]]
    end
  end
end
