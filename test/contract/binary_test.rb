# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

module Contract
  # What is special about thrift-binary-protocol.md, byte by byte, and forms that readers accept although we never write
  # them.
  class BinaryTest < Minitest::Test
    include Reading

    class Point < Sparpack::Struct
      field 1, :flag, :bool
      field 258, :number, :i32
      field 3, :flags, list(:bool)
      field 4, :table, map(:string, :i8)
    end

    def test_fields_are_a_type_an_id_and_a_value
      bytes = "\x02\x00\x01\x01\x0f\x00\x03\x02\x00\x00\x00\x02\x01\x00\x0d\x00\x04\x0b\x03\x00\x00\x00\x01" \
              "\x00\x00\x00\x01k\xff\x08\x01\x02\xff\xff\xff\xfe\x00".b

      assert_both_ways(Point.new(flag: true, number: -2, flags: [true, false], table: { "k" => -1 }), :binary, bytes)
    end

    def test_numbers_are_big_endian
      { i16: "\x06\x00\x01\x01\x02\x00", i32: "\x08\x00\x01\x00\x00\x01\x02\x00",
        i64: "\x0a\x00\x01\x00\x00\x00\x00\x00\x00\x01\x02\x00" }.each do |type, bytes|
        assert_both_ways(one(type).new(v: 258), :binary, bytes.b)
      end

      assert_both_ways(one(:double).new(v: 1.0), :binary, "\x04\x00\x01\x3f\xf0\x00\x00\x00\x00\x00\x00\x00".b)
    end

    def test_a_uuid_is_type_sixteen
      assert_both_ways(one(:uuid).new(v: "00112233-4455-6677-8899-aabbccddeeff"), :binary,
                       "\x10\x00\x01\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff\x00".b)
    end

    def test_any_byte_but_zero_is_true
      (1..255).each { |byte| assert_reads(Point.new(flag: true), "\x02\x00\x01".b << byte << 0, :binary) }

      assert_reads(Point.new(flags: [true, false, true]), "\x0f\x00\x03\x02\x00\x00\x00\x03\x80\x00\xff\x00".b, :binary)
    end

    def test_empty_maps_keep_their_types
      assert_both_ways(Point.new(table: {}), :binary, "\x0d\x00\x04\x0b\x03\x00\x00\x00\x00\x00".b)
    end

    # Seen from its second byte, the id is that of the field.
    def test_ids_have_two_bytes
      bytes = "\x08\x01\x00\x01\x02\x03\x04\x00".b

      assert_reads(one(:i32).new, bytes, :binary)
      assert_reads(one(:i32).new(v: 5), "\x08\x00\x01\x00\x00\x00\x05".b + bytes, :binary)
    end

    def test_where_a_negative_size_is
      { 3 => [:string, "\x0b\x00\x01"], 4 => [list(:i8), "\x0f\x00\x01\x03"], 5 => [map(:i8, :i8), "\x0d\x00\x01\x03\x03"] }
        .each do |offset, (type, bytes)|
          assert_refuses(Sparpack::DecodeError::Malformed, one(type), "#{bytes}\xff\xff\xff\xff\x00".b, :binary, path: ".v",
                         offset:, expected: "a size", found: "a negative size")
        end
    end

    def test_unknown_type_codes
      [1, 5, 7, 9, 17, 18, 34, 47, 66, 127, 128, 255].each do |code|
        assert_refuses(Sparpack::DecodeError::Malformed, Point, [code, 1, 0, 0].pack("Cs>CC"), :binary, path: "",
                       offset: 0, expected: "one of Thrift's types", found: "a code that means none of them")
        assert_refuses(Sparpack::DecodeError::Malformed, Point, [15, 3, code, 1, 0].pack("Cs>Cl>C"), :binary,
                       path: ".flags", offset: 3, found: "a code that means none of them")
        assert_refuses(Sparpack::DecodeError::Malformed, Point, [13, 4, 11, code, 1, 0, 0].pack("Cs>CCl>l>C"), :binary,
                       path: ".table", offset: 4, found: "a code that means none of them")
        assert_refuses(Sparpack::DecodeError::Malformed, Point, [13, 4, code, 3, 1, 0, 0].pack("Cs>CCl>l>C"), :binary,
                       path: ".table", offset: 3, found: "a code that means none of them")
      end
    end
  end
end
