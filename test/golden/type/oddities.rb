# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"
require_relative "idl_fixtures/oddities/ordinary"
require_relative "idl_fixtures/oddities/colour"
require_relative "idl_fixtures/oddities/empty"
require_relative "idl_fixtures/oddities/implicit"
require_relative "idl_fixtures/oddities/keywords"
require_relative "idl_fixtures/oddities/types"
require_relative "idl_fixtures/oddities/defaults"
require_relative "idl_fixtures/oddities/choice"
require_relative "idl_fixtures/oddities/failure"
require_relative "idl_fixtures/oddities/nameless"
require_relative "idl_fixtures/oddities/parent"
require_relative "idl_fixtures/oddities/everything"

module IDLFixtures
  module Oddities
    HEX = 255
    NEGATIVE_HEX = -16
    LEADING_ZERO = 10
    PLUS = 7
    POINT = 0.5
    WHOLE = 1.0
    EXPONENT = -0.0015
    YES = true
    NO = false
    QUOTES = "single \"double\""
    ESCAPES = "tab\tline\nquote\"back\\slash\r"
    HASH = "\#{not} #code"
    UNICODE = "äöü €"
    BYTES = "\xC3\xA4\r".b.freeze
    SEPARATORS = ::Ractor.make_shareable([1, 2, 3, 4])
    SET = ::Ractor.make_shareable(::Set[3, 1, 2])
    EMPTY_SET = ::Ractor.make_shareable(::Set[])
    MAP = ::Ractor.make_shareable({ "a" => [1.0, 2.5], "b" => [] })
    KEYS = ::Ractor.make_shareable({ [1, 2] => ::Set["x"], [] => ::Set[] })
    STRUCT = ::Ractor.make_shareable(Ordinary.new(x: 16, nested: Ordinary.new(x: -1, words: ["a"])))
    STRUCT_KEYS = ::Ractor.make_shareable({ Ordinary.new(x: 1) => Colour::RED })

    AGAIN = ::Ractor.make_shareable([
      Ordinary.new(x: 16, nested: Ordinary.new(x: -1, words: ["a"])),
      Ordinary.new
    ])

    FAVOURITE = Colour::BLUE
    SAME = Colour::RED
    NUMBER_OF_A_COLOUR = 2
    ID = "00112233-4455-6677-8899-aabbccddeeff"

    Number = ::Sparpack::Type.typedef("number", :i32, annotations: { "a" => "b", "flag" => "1", "c.d" => "e" })
    AnotherNumber = ::Sparpack::Type.typedef("AnotherNumber", Number, annotations: { "a" => "b", "flag" => "1", "c.d" => "e" })
    Index = ::Sparpack::Type.typedef("Index", ::Sparpack::Type.map(:string, Ordinary), annotations: { "cpp.type" => "std::map" })
    Tint = ::Sparpack::Type.typedef("Tint", Colour)
  end
end
