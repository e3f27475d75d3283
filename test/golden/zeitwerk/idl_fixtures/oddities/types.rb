# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Types < ::Sparpack::Struct
      idl annotations: { "final" => "1" }

      field 1, :a, :bool, required: true
      field 2, :b, :i8
      field 3, :c, :i8
      field 4, :d, :i16
      field 5, :e, :i32
      field 6, :f, :i64
      field 7, :g, :double
      field 8, :h, :string
      field 9, :i, :binary
      field 10, :j, :uuid
      field 11, :k, map(:i32, set(list("Ordinary")))
      field 12, :l, set("Colour")
      field 13, :m, map(:string, :i32).annotate("cpp.type" => "m"), annotations: { "x" => "1" }
      field 14, :n, list(:i32).annotate("cpp.type" => "v")
      field 15, :o, "AnotherNumber", default: 255
      field 16, :p, list(::Sparpack::Type.of("Number").annotate("a" => "b", "flag" => "1", "c.d" => "e", "y" => "z"))
      field 17, :q, "Ordinary"
      field 18, :r, "Failure"
      field 19, :s, "Choice"
      field 20, :t, :i32
    end
  end
end
