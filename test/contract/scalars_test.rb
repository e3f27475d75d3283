# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test and contract/test_wires_test run the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

using WireForms

module Contract
  # Every type at its extremes, as a field and in every container.
  class ScalarsTest < Minitest::Test
    include Reading
    extend Reading::Wires

    module Color
      extend Sparpack::Enum

      RED = 1
      GREEN = -5
      LOWEST = -2_147_483_648
      HIGHEST = 2_147_483_647
    end

    # Numbers around each power of two, where varints grow.
    def self.integers(bits)
      edges = (0...bits).flat_map { |bit| [1 << bit, -(1 << bit)].flat_map { |edge| [edge - 1, edge, edge + 1] } }
      edges.uniq.grep(-(1 << (bits - 1))...(1 << (bits - 1))).sort
    end

    EXTREMES = {
      bool: [true, false],
      i8: (-128..127).to_a,
      i16: integers(16),
      i32: integers(32),
      i64: integers(64),
      double: [0.0, -0.0, 1.0, -1.5, 0.1, Float::MAX, -Float::MAX, Float::MIN, Float::EPSILON, 5e-324, -5e-324,
               Float::INFINITY, -Float::INFINITY, 2.0**53, 1e308, 1e-308],
      string: ["", "a", "\0", "ü", "€", "🚲", "a\u0301", "\u{10ffff}", "\ufeff", "x" * 127, "x" * 128, "ß" * 64,
               "y" * 16_384],
      binary: ["", "\0", "\xff", (0..255).to_a.pack("C*"), "\x80" * 128, "z" * 5000].map(&:b),
      uuid: ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
             "00112233-4455-6677-8899-aabbccddeeff"],
      Color => [1, -5, 0, 7, -2_147_483_648, 2_147_483_647]
    }.freeze

    def self.name_of(type) = type.is_a?(Symbol) ? type : :enum

    EXTREMES.each do |type, values|
      each_wire("#{name_of(type)} as a field") do |wire|
        values.each { |value| assert_both_ways(one(type).new(v: value), wire) }
      end

      each_wire("#{name_of(type)} in a list") do |wire|
        assert_both_ways(one(list(type)).new(v: values), wire)
        assert_both_ways(one(list(type)).new(v: values * 3), wire)
      end

      each_wire("#{name_of(type)} in a set") do |wire|
        assert_both_ways(one(set(type)).new(v: values.to_set), wire)
      end

      each_wire("#{name_of(type)} as key and value of a map") do |wire|
        assert_both_ways(one(map(type, type)).new(v: values.zip(values.reverse).to_h), wire)
      end
    end

    each_wire "doubles keep every bit" do |wire|
      patterns = %w[7ff8000000000000 fff8000000000000 7ff8000000000001 7fffffffffffffff 8000000000000000
                    0000000000000001 3ff0000000000001]
      patterns = patterns.drop(4) if JSONS.include?(wire) # which have one NaN
      patterns.each do |hex|
        number = [hex].pack("H*").unpack1("G")
        bytes = writer(wire, one(:double)).message([1, :double, number])

        assert_equal hex, [one(:double).decode(bytes, wire).v].pack("G").unpack1("H*")
        assert_equal bytes, one(:double).new(v: number).encode(wire)
      end
    end

    each_wire "an Integer is written for a double" do |wire|
      [0, 1, -7, 1 << 53, (1 << 62) + 1, -(1 << 70), 10**300, 1 << 1023].each do |integer|
        assert_equal one(:double).new(v: integer.to_f).encode(wire), one(:double).new(v: integer).encode(wire)
      end
    end

    each_wire "a Symbol is written for a string" do |wire|
      assert_equal one(:string).new(v: "grün").encode(wire), one(:string).new(v: :grün).encode(wire)
    end

    each_wire "the names of an enum are written as its numbers" do |wire|
      type = one(list(Color))

      assert_equal type.new(v: [1, -5]).encode(wire), type.new(v: %i[RED GREEN]).encode(wire)
      assert_equal [1, -5], type.decode(type.new(v: %i[RED GREEN]).encode(wire), wire).v
    end

    each_wire "uuids are written from either case and read in lowercase" do |wire|
      upper = one(:uuid).new(v: "00112233-4455-6677-8899-AABBCCDDEEFF")

      assert_equal "00112233-4455-6677-8899-aabbccddeeff", one(:uuid).decode(upper.encode(wire), wire).v
    end

    each_wire "strings have the encodings of their types" do |wire|
      { string: Encoding::UTF_8, binary: Encoding::BINARY, uuid: Encoding::UTF_8 }.each do |type, encoding|
        value = type == :uuid ? "00112233-4455-6677-8899-aabbccddeeff" : "text"
        read = one(type).decode(one(type).new(v: value).encode(wire), wire).v

        assert_equal encoding, read.encoding
        refute_predicate read, :frozen?
      end
    end

    each_wire "what is encoded is unfrozen, and ASCII-8BIT unless it is text" do |wire|
      [one(:string).new(v: "ü"), one(:string).new(v: "ü" * 5000), one(:bool).new].each do |object|
        bytes = object.encode(wire)

        assert_equal text?(wire) ? Encoding::UTF_8 : Encoding::BINARY, bytes.encoding
        refute_predicate bytes, :frozen?
        assert_predicate bytes, :valid_encoding?
      end
    end
  end
end
