# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "support/reading"

module Contract
  # What is special about thrift-compact-protocol.md, byte by byte, and forms that readers accept although we never write
  # them.
  class CompactTest < Minitest::Test
    include Reading

    class Point < Sparpack::Struct
      field 1, :flag, :bool
      field 2, :number, :i32
      field 20, :flags, list(:bool)
      field 21, :table, map(:string, :bool)
      field 22, :numbers, list(:i32)
      field 23, :real, :double
    end

    def test_every_form
      bytes = "\x11\x15\x03\x09\x28\x31\x01\x02\x01\x1b\x01\x81\x01k\x02\x19\x15\x06\x00".b

      assert_both_ways(Point.new(flag: true, number: -2, flags: [true, false, true], table: { "k" => false },
                                 numbers: [3]), :compact, bytes)
    end

    def test_a_bool_lives_in_its_header
      assert_both_ways(Point.new(flag: true), :compact, "\x11\x00".b)
      assert_both_ways(Point.new(flag: false), :compact, "\x12\x00".b)
    end

    def test_long_headers_are_read_for_small_deltas_too
      assert_reads(Point.new(flag: true, number: 1), "\x01\x02\x05\x04\x02\x00".b, :compact)
    end

    def test_doubles_are_little_endian
      assert_both_ways(Point.new(real: 1.0), :compact, "\x07\x2e\x00\x00\x00\x00\x00\x00\xf0\x3f\x00".b)
    end

    def test_the_end_is_told_by_the_low_nibble
      ["\x11\x00", "\x11\xf0", "\x11\x50"].each { |bytes| assert_reads(Point.new(flag: true), bytes.b, :compact) }
    end

    def self.with_ids(*ids)
      type = Sparpack::Type.of(:i8)
      Reading.with_fields(Sparpack::Struct, ids.map { |id| Sparpack::Field.new(id:, name: :"f#{id.abs}", type:) })
    end

    def test_the_end_behind_a_negative_id
      type = self.class.with_ids(-1)

      ["\x00", "\x10", "\x20"].each { |stop| assert_equal 5, type.decode("\x03\x01\x05#{stop}".b, :compact)[:f1] }
    end

    # An id that is not 1 to 15 larger than the one before needs bytes of its own.
    def test_ids_that_no_difference_tells
      { [0, 1] => "\x03\x00\x05\x13\x05", [-2, -1] => "\x03\x03\x05\x13\x05", [-9, 0] => "\x03\x11\x05\x93\x05",
        [15, 30] => "\xf3\x05\xf3\x05", [16, 32] => "\x03\x20\x05\x03\x40\x05" }.each do |ids, bytes|
        type = self.class.with_ids(*ids)
        object = type.new(**ids.to_h { |id| [:"f#{id.abs}", 5] })

        assert_equal "#{bytes}\x00".b, object.encode(:compact)
        assert_equal object, type.decode("#{bytes}\x00".b, :compact)
      end
    end

    def test_bools_in_lists_are_one_and_two_and_nought_is_read_as_false
      assert_both_ways(Point.new(flags: [true, false]), :compact, "\x09\x28\x21\x01\x02\x00".b)
      assert_reads(Point.new(flags: [true, false, false]), "\x09\x28\x31\x01\x02\x00\x00".b, :compact)
      assert_reads(Point.new(flags: [true, false]), "\x09\x28\x22\x01\x02\x00".b, :compact)
      assert_refuses(Sparpack::DecodeError::Malformed, Point, "\x09\x28\x11\x03\x00".b, :compact,
                     path: ".flags[0]", offset: 3, expected: "bool", found: "a byte that is neither true nor false")
    end

    def test_an_empty_map_is_one_byte
      assert_both_ways(Point.new(table: {}), :compact, "\x0b\x2a\x00\x00".b)
    end

    def test_short_lists_may_have_long_headers
      assert_reads(Point.new(numbers: [1]), "\x09\x2c\xf5\x01\x02\x00".b, :compact)
      assert_reads(Point.new(numbers: []), "\x09\x2c\xf5\x00\x00".b, :compact)
    end

    def test_fifteen_elements_need_a_long_header
      assert_both_ways(Point.new(numbers: [0] * 14), :compact, "\x09\x2c\xe5#{"\0" * 14}\0".b)
      assert_both_ways(Point.new(numbers: [0] * 15), :compact, "\x09\x2c\xf5\x0f#{"\0" * 15}\0".b)
    end

    def test_varints_may_be_longer_than_they_need
      assert_reads(Point.new(number: 1), "\x25\x82\x80\x80\x80\x00\x00".b, :compact)
      assert_reads(one(:i64).new(v: -1), "\x16\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00\x00".b, :compact)
    end

    def test_varints_of_thirty_two_bits_have_at_most_five_bytes_and_no_bit_too_many
      too_long = ["\x82\x80\x80\x80\x80\x00", "\x80\x80\x80\x80\x10", "\xff\xff\xff\xff\x7f", "\xff" * 20, "\x80" * 5]
      too_long.product(["", "\0" * 12]) do |bytes, rest|
        assert_refuses(Sparpack::DecodeError::Malformed, Point, "\x25#{bytes}\0#{rest}".b, :compact, path: ".number",
                       offset: 1, expected: "i32", found: "a varint that is too long or too large")
      end

      assert_reads(Point.new(number: -(1 << 31)), "\x25\xff\xff\xff\xff\x0f\0".b, :compact)
    end

    class Named < Sparpack::Struct
      field 1, :number, :i32
      field 2, :name, :string
    end

    # Everything else is valid, so nothing else can refuse the message.
    def test_a_bit_too_many_is_refused_though_a_good_field_follows
      good = "\x15\xfe\xff\xff\xff\x0f\x18\x08abcdefgh\x00".b

      assert_reads(Named.new(number: (1 << 31) - 1, name: "abcdefgh"), good, :compact)
      assert_refuses(Sparpack::DecodeError::Malformed, Named, good.sub("\x0f".b, "\x1f".b), :compact,
                     path: ".number", offset: 1, expected: "i32", found: "a varint that is too long or too large")
    end

    def test_varints_of_sixty_four_bits_have_at_most_ten_bytes_and_no_bit_too_many
      too_long = ["#{"\x80" * 10}\x00", "#{"\xff" * 9}\x02", "\xff" * 30]
      too_long.product(["", "\0" * 12]) do |bytes, rest|
        assert_refuses(Sparpack::DecodeError::Malformed, one(:i64), "\x16#{bytes}\0#{rest}".b, :compact, path: ".v",
                       offset: 1, expected: "i64", found: "a varint that is too long or too large")
      end

      assert_reads(one(:i64).new(v: -(1 << 63)), "\x16#{"\xff" * 9}\x01\0".b, :compact)
    end

    def test_an_i16_out_of_its_range
      ["\x80\x80\x04", "\x81\x80\x04", "\xff\xff\xff\xff\x0f"].each do |bytes|
        assert_refuses(Sparpack::DecodeError::OutOfRange, one(:i16), "\x14#{bytes}\0".b, :compact, path: ".v", offset: 1,
                       expected: "i16", found: "an integer out of its range")
      end
    end

    def test_ids_out_of_range_are_malformed
      ids = ["\x05\x80\x80\x04\x00", "\x05\xff\xff\xff\xff\x0f\x00", "\x01\x81\x80\x04"]
      ids.each do |bytes|
        assert_refuses(Sparpack::DecodeError::Malformed, Point, "#{bytes}\0".b, :compact, path: "", offset: 0,
                       expected: "a field id from -32768 to 32767", found: "an id out of range")
      end

      assert_refuses(Sparpack::DecodeError::Malformed, Point, "\x01\xfe\xff\x03\x11\0".b, :compact, path: "", offset: 4)
    end

    # The ids that the structs in unknown fields have are checked, too, with and without deltas.
    def test_ids_out_of_range_in_what_is_skipped
      ["\x05\x80\x80\x04\x00", "\x05\xff\xff\xff\xff\x0f\x00", "\x05\xfe\xff\x03\x00\x15\x00"].each do |field|
        %i[skip keep].each do |unknown|
          assert_refuses(Sparpack::DecodeError::Malformed, Point, "\x3c#{field}\0\0".b, :compact, unknown:, path: "",
                         expected: "a field id from -32768 to 32767", found: "an id out of range")
        end
      end
      ["\xfe\xff\x03", "\xff\xff\x03"].each { |id| assert_reads(Point.new, "\x3c\x05#{id}\x00\0\0".b, :compact) }
    end

    def test_unknown_type_codes
      %w[1e 1f fe 0e 0f].each do |code|
        assert_refuses(Sparpack::DecodeError::Malformed, Point, [code].pack("H*") << "\x02\0\0", :compact, path: "",
                       offset: 0, expected: "one of Thrift's types", found: "a code that means none of them")
      end
      { 2 => %w[092c1e00 092c1000 092cfe0100], 3 => %w[0b2a01e100 0b2a011e00 0b2a010000] }.each do |offset, all|
        all.each do |bytes|
          assert_refuses(Sparpack::DecodeError::Malformed, Point, [bytes].pack("H*"), :compact, offset:,
                         found: "a code that means none of them")
        end
      end
    end
  end
end
