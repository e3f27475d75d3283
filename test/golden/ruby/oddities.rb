# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

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

    class Ordinary < ::Sparpack::Struct
      field 1, :x, :i32
      field 2, :nested, Ordinary, optional: true
      field 3, :words, list(:string)
    end

    STRUCT = ::Ractor.make_shareable(Ordinary.new(x: 16, nested: Ordinary.new(x: -1, words: ["a"])))

    module Colour
      extend ::Sparpack::Enum

      idl annotations: { "closed" => "1" }, value_annotations: { NEGATIVE: { "old" => "1" } }

      RED = 1
      BLUE = 2
      NEGATIVE = -5
      AFTER_NEGATIVE = -4
      CRIMSON = 1
      HEX = 32
    end

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

    module Empty
      extend ::Sparpack::Enum
    end

    class Implicit < ::Sparpack::Struct
      field(-1, :first, :i32, implicit: true)
      field(-2, :second, :string, default: "two", implicit: true)
      field 5, :fifth, :bool
      field(-3, :third, list(:i32), implicit: true)
    end

    class Keywords < ::Sparpack::Struct
      field 1, :class, :string
      field 2, :hash, :string
      field 3, :method, :string
      field 4, :send, :string
      field 5, :end, :string, default: "end"
      field 6, :self, :string
      field 7, :nil, :string
      field 8, :begin, :string, idl_name: "BEGIN"
      field 9, :encode, :string
      field 10, :list, :string
      field 11, :struct, :string
      field 12, :required, :string
      field 13, :initialize, :string
      field 14, :object_id, :string
      field 15, :capital, :string, idl_name: "Capital"
      field 16, :__private, :string
    end

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
      field 11, :k, map(:i32, set(list(Ordinary)))
      field 12, :l, set(Colour)
      field 13, :m, map(:string, :i32).annotate("cpp.type" => "m"), annotations: { "x" => "1" }
      field 14, :n, list(:i32).annotate("cpp.type" => "v")
      field 15, :o, AnotherNumber, default: 255
      field 16, :p, list(Number.annotate("a" => "b", "flag" => "1", "c.d" => "e", "y" => "z"))
      field 17, :q, Ordinary
      field 18, :r, "Failure"
      field 19, :s, "Choice"
      field 20, :t, :i32
    end

    class Defaults < ::Sparpack::Struct
      field 1, :a, :bool, default: true
      field 2, :b, :double, default: 2.0
      field 3, :c, :string, default: "single \"double\""
      field 4, :d, :binary, default: "\\x".b
      field 5, :e, list(Colour), default: [Colour::RED, Colour::BLUE]
      field 6, :f, set(:string), default: ::Set["b", "a"]
      field 7, :g, map(:i8, Ordinary), default: { 1 => Ordinary.new(x: 5) }
      field 8, :h, Ordinary, default: Ordinary.new(x: 16, nested: Ordinary.new(x: -1, words: ["a"]))
      field 9, :i, :uuid, default: "00112233-4455-6677-8899-aabbccddeeff"
      field 10, :j, Colour, required: true, default: Colour::HEX
      field 11, :k, :i64, optional: true, default: 9223372036854775807
      field 12, :l, Tint, default: Colour::BLUE
      field 13, :m, list(list(:i32)), default: [[], [1]]
    end

    class Choice < ::Sparpack::Union
      field 1, :text, :string
      field 2, :ordinary, Ordinary
      field 3, :choices, list(Choice)
      field 4, :new, :string
      field 5, :i64_value, :i64
    end

    class Failure < ::Sparpack::Exception
      field 1, :message, :string
      field 2, :code, :i32, default: 500
      field 3, :backtrace, :string
    end

    class Nameless < ::Sparpack::Exception; end

    class Parent < ::Sparpack::Service
      function :ping
    end

    class Everything < Parent
      # Nothing comes back.
      function :fire, oneway: true do
        argument 1, :id, :i32
        argument 2, :end, :string
      end

      function :forget, oneway: true

      function :find, list(Ordinary), annotations: { "deadline" => "5" } do
        argument 1, :query, map(:string, Colour), default: { "a" => Colour::RED }
        argument 2, :limit, :i32, optional: true, default: 10
        argument 3, :class, :bool, required: true
        throws 1, :failure, Failure
        throws 2, :success, Nameless
      end

      function :implicit, :i32 do
        argument(-1, :a, :i32, implicit: true)
        argument(-2, :b, :i32, implicit: true)
        throws(-1, :failure, Failure, implicit: true)
      end

      function :end

      function :class
    end
  end
end
