# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test and contract/test_wires_test run the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "stringio"
require "support/reading"

using WireForms

module Contract
  # What a codec does with any wire's bytes: payloads one after the other and in pieces, types that differ from the schema,
  # and limits.
  class ReadingTest < Minitest::Test
    include Reading
    extend Reading::Types
    extend Reading::Wires

    class Point < Sparpack::Struct
      field 1, :x, :i32
      field 2, :name, :string
    end

    class Shape < Sparpack::Struct
      field 1, :points, list(Point)
      field 2, :tags, set(:string)
      field 3, :weights, map(:string, :double)
      field 4, :blob, :binary
      field 5, :inner, "Shape"
      field 6, :done, :bool
    end

    # Returns a few bytes at a time.
    class Trickle < StringIO
      def initialize(bytes, size)
        super(bytes)
        @size = size
      end

      def readpartial(most, *buffer) = super([most, @size].min, *buffer)
      def read(most = nil, *buffer) = super(most && [most, @size].min, *buffer)
    end

    SHAPES = [Shape.new,
              Shape.new(points: [Point.new(x: -1, name: "ü\"\\"), Point.new], done: true),
              Shape.new(tags: Set["a", "b" * 40], weights: { "x" => 1.5, "" => -0.0 }, blob: "\x00\xff'".b,
                        inner: Shape.new(points: [], inner: Shape.new(done: false)))].freeze

    # A value of each sort, and a type that it does not have on any wire.
    OTHERS = {
      [:i32, 5] => :string, [:string, "s"] => list(:i32), [list(:i32), [1]] => :bool, [:bool, true] => map(:i32, :i32),
      [map(:i32, :i32), { 1 => 2 }] => :double, [:double, 1.0] => Point, [Point, Point.new(x: 1)] => :uuid,
      [:uuid, "00112233-4455-6677-8899-aabbccddeeff"] => :i64, [list(:string), ["s"]] => list(:i32),
      [map(:string, :i32), { "s" => 1 }] => map(:i32, :i32), [map(:i32, :string), { 1 => "s" }] => map(:i32, :i32)
    }.freeze

    each_wire "payloads one after the other" do |wire|
      codec = Sparpack::Codec.new(Shape, wire)
      bytes = SHAPES.map { |shape| codec.encode(shape) }
      ends = bytes.map(&:bytesize).inject([0]) { |sums, size| sums << (sums.last + size) }

      SHAPES.each_with_index do |shape, i|
        assert_equal [shape, ends[i + 1]], codec.decode_prefix(bytes.join, ends[i])
      end
      assert_equal SHAPES, codec.decode_each(bytes.join).to_a
    end

    each_wire "payloads in pieces of every size" do |wire|
      codec = Sparpack::Codec.new(Shape, wire)
      bytes = SHAPES.map { |shape| codec.encode(shape) }.join

      [1, 2, 3, 7, 64].each { |size| assert_equal SHAPES, codec.decode_each(Trickle.new(bytes, size)).to_a, size }
    end

    each_wire "a stream that ends in a payload" do |wire|
      codec = Sparpack::Codec.new(Shape, wire)
      bytes = codec.encode(SHAPES.last)

      (1...bytes.bytesize).step(5) do |size|
        error = assert_raises(Sparpack::DecodeError::Truncated) do
          codec.decode_each(StringIO.new(bytes.byteslice(0, size))).to_a
        end
        assert_operator error.offset, :<=, size
      end
    end

    # The bytes behind a payload belong to somebody else.
    each_wire "one payload, and nothing behind it" do |wire|
      bytes = SHAPES.map { |shape| shape.encode(wire) }.join

      [nil, 1, 3].each do |size|
        io = size ? Trickle.new("#{bytes}rest".b, size) : StringIO.new("#{bytes}rest".b)

        assert_equal SHAPES, Array.new(SHAPES.size) { Shape.decode_from(io, wire) }
        assert_equal "rest", io.string.byteslice(io.pos..)
      end
      io = StringIO.new(bytes)
      (SHAPES.size + 1).times { |i| assert_equal SHAPES[i].inspect, Shape.decode_from(io, wire).inspect }
    end

    each_wire "a payload from an io that ends in it" do |wire|
      bytes = SHAPES.last.encode(wire)

      (1...bytes.bytesize).each do |size|
        io = StringIO.new(bytes.byteslice(0, size))
        error = assert_raises(Sparpack::DecodeError::Truncated) { Shape.decode_from(io, wire) }
        assert_operator error.offset, :<=, size
      end
    end

    # How many bytes there must be at least is never more than there are, at any place in the payload.
    each_wire "the bytes that are missing at least" do |wire|
      bytes = SHAPES.last.encode(wire)
      codec = Shape.codec(wire)

      (0...bytes.bytesize).each do |size|
        payload_end = Sparpack::Native.payload_end(codec)

        assert_nil Sparpack::Native.payload_end_find(payload_end, bytes.byteslice(0, size))
        assert_includes 1..(bytes.bytesize - size), Sparpack::Native.payload_end_missing(payload_end)
        assert_equal size.zero?, Sparpack::Native.payload_end_blank?(payload_end)
      end
    end

    each_wire "payloads in frames" do |wire|
      %i[varint framed].each do |frame|
        io = StringIO.new("".b)
        sizes = SHAPES.map { |shape| shape.encode_to(io, wire, frame:) }
        bytes = io.string

        assert_equal bytes.bytesize, sizes.sum
        assert_equal SHAPES, Shape.decode_each(bytes, wire, frame:).to_a
        [1, 3, 64].each { |size| assert_equal SHAPES, Shape.decode_each(Trickle.new(bytes, size), wire, frame:).to_a }
        io = StringIO.new("#{bytes}rest".b)

        assert_equal SHAPES, Array.new(SHAPES.size) { Shape.decode_from(io, wire, frame:) }
        assert_equal "rest", io.read
        assert_raises(Sparpack::DecodeError::Truncated) { Shape.decode_from(StringIO.new("\0\0\0\0".b), wire, frame:) }
      end
    end

    each_wire "trailing bytes are refused" do |wire|
      bytes = SHAPES[1].encode(wire)

      assert_refuses(Sparpack::DecodeError::Malformed, Shape, "#{bytes}\0".b, wire,
                     path: "", offset: bytes.bytesize, found: "trailing bytes")
    end

    each_wire "another type than the schema's" do |wire|
      OTHERS.each do |(type, value), other|
        bytes = one(type).new(v: value).encode(wire)
        error = assert_refuses(Sparpack::DecodeError::TypeMismatch, one(other), bytes, wire)

        assert_match(/\A#{Regexp.escape(one(other).to_s)}\.v/, error.path)
        assert_nil one(other).decode(bytes, wire, mismatch: :skip).v
      end
    end

    each_wire "unknown fields may be refused" do |wire|
      later = Class.new(Sparpack::Struct) { field 9, :later, list(:string) }
      bytes = later.new(later: %w[a b]).encode(wire)

      assert_equal Point.new, Point.decode(bytes, wire) unless wire == :tuple # where the first position is x
      assert_raises(Sparpack::DecodeError) { Point.decode(bytes, wire, unknown: :reject) }
    end

    each_wire "limits" do |wire|
      { string: [:string, "abcd", 3], container: [list(:i8), [1] * 4, 3],
        memory: [list(:string), ["a" * 100] * 100, 5000] }.each do |limit, (type, value, most)|
        bytes = one(type).new(v: value).encode(wire)
        limits = Sparpack::Limits.new(limit => most)

        assert_raises(Sparpack::DecodeError::LimitExceeded) { one(type).decode(bytes, wire, limits:) }
        assert_equal value, one(type).decode(bytes, wire, limits: Sparpack::Limits.new(limit => most * 100)).v
      end
    end

    each_wire "limits hold for unknown fields" do |wire|
      bytes = writer(wire, Point).message([7, :string, "abcd"])

      assert_equal Point.new, Point.decode(bytes, wire)
      assert_raises(Sparpack::DecodeError::LimitExceeded) do
        Point.decode(bytes, wire, limits: Sparpack::Limits.new(string: 3))
      end
      deep = (1..70).inject([[7, :i32, 1]]) { |fields, _| [[7, :struct, fields]] }
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Point.decode(writer(wire, Point).message(*deep), wire) }
    end

    # --- wires with names ------------------------------------------------------------------------------------------------

    NAMED = Sparpack::WIRES & [:sexp]

    module Color
      extend Sparpack::Enum

      RED = 1
    end

    class Person < Sparpack::Struct
      field 1, :given, :string, idl_name: "givenName"
      field 2, :family, :string, idl_name: "given"
      field 3, :age, :i32, default: 7
      field 4, :color, Color
    end

    each_wire "names of the IDL are written, and Ruby's are read, too", NAMED do |wire|
      person = Person.new(given: "Ada", family: "Lovelace", color: :RED)

      assert_both_ways(person, wire, '{givenName:"Ada",given:"Lovelace",age:7,color:1}'.b)
      assert_reads(person, '{color:"RED",age:7,family:"Lovelace",givenName:"Ada"}'.b, wire)
      assert_equal Person.new(family: "Ada"), Person.decode('{given:"Ada"}'.b, wire)
    end

    each_wire "names of enums are read, and written if asked for", NAMED do |wire|
      person = Person.new(age: 1, color: :RED)

      assert_equal '{age:1,color:"RED"}', person.encode(wire, enums: :names)
      assert_equal "{age:1,color:5}", person.with(color: 5).encode(wire, enums: :names)
      assert_equal person.encode(wire), person.encode(wire, enums: :numbers)
    end

    each_wire "an i64 is text if asked for", NAMED do |wire|
      type = one(map(:i64, list(:i64)))
      object = type.new(v: { 1 => [2, -(2**63)] })

      assert_reads(object, '{v:<@1:["2","-9223372036854775808"]>}', wire)
      assert_equal '{v:<@1:["2","-9223372036854775808"]>}', object.encode(wire, i64: :string)
      assert_equal "{v:<@1:[2,-9223372036854775808]>}", object.encode(wire, i64: :number)
    end

    each_wire "options that only some wires know", NAMED do |wire|
      { enums: :names, i64: :string }.each do |option, value|
        message = /\Athe wire :compact does not know the option #{option.inspect} \(known to .*#{wire.inspect}\b.*\)\z/

        assert_match message, assert_raises(ArgumentError) { Person.new.encode(:compact, option => value) }.message
      end
      assert_match(/\Aenums: expected one of :numbers, :names, got :name/,
                   assert_raises(ArgumentError) { Person.new.encode(wire, enums: :name) }.message)
    end

    each_wire "a field that is nil is absent", NAMED do |wire|
      assert_reads(Person.new(given: "Ada"), '{age:~,family:~,given:~,givenName:"Ada",later:~}'.b, wire)
      assert_reads(Person.new(given: "Ada"), '{age:~,givenName:"Ada"}'.b, wire, unknown: :reject)
    end

    each_wire "names that nobody knows", NAMED do |wire|
      assert_refuses(Sparpack::DecodeError::Malformed, Person, '{age:1,later:["x"]}'.b, wire,
                     path: "", offset: 6, expected: "a known field", found: "a name of 5 bytes", unknown: :reject,
                     hint: ' (known: "givenName", "given", "age", "color")')
      error = assert_raises(Sparpack::DecodeError::TypeMismatch) { Person.decode('{color:"GREEN"}'.b, wire) }

      assert_equal ["#{Person}.color", Color.name, 7], [error.path, error.expected, error.offset]
      assert_match(/RED/, error.message)
    end

    each_wire "numbers that are too large", NAMED do |wire|
      assert_refuses(Sparpack::DecodeError::OutOfRange, Person, "{age:2147483648}".b, wire, path: ".age", offset: 5,
                                                                                            expected: "i32")
      assert_reads(Person.new(age: -2_147_483_648), "{age:-2147483648}".b, wire)
    end
  end
end
