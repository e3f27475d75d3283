# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more
# bin/test: fresh if sanitized, for support/test_wires must come before Sparpack

require "support/test_wires"
require "test_helper"
require "stringio"
require "support/reading"

using WireForms

module Contract
  # What is special about structs in MessagePack, byte by byte. The arrays are those that MessagePack-CSharp documents for
  # classes with integer keys and for unions.
  class MessagePackTest < Minitest::Test
    include Reading
    extend Reading::Types

    MP = :message_pack
    NAMES = :message_pack_names
    IDS = :message_pack_ids
    FORMS = [MP, NAMES, IDS].freeze

    Error = Sparpack::DecodeError

    module Level
      extend Sparpack::Enum

      LOW = 1
      HIGH = 2

      idl "level_t", values: { HIGH: "high_one" }
    end

    class Point < Sparpack::Struct
      field 0, :x, :i32
      field 1, :y, :i32
    end

    class Holes < Sparpack::Struct
      field 3, :name, :string
      field 1, :point, Point
      field 6, :level, Level
    end

    class Shape < Sparpack::Union
      field 0, :point, Point
      field 1, :text, :string
      field 200, :last, :bool
    end

    class Person < Sparpack::Struct
      field 1, :given, :string, idl_name: "givenName"
      field 2, :family, :string, idl_name: "given"
      field 3, :age, :i64, default: 7
      field 4, :levels, list(Level)
    end

    class Needy < Sparpack::Struct
      field 1, :id, :i64, required: true
    end

    def test_an_array_has_a_place_for_each_id_up_to_the_last
      assert_both_ways(Point.new(x: 10, y: -1), MP, "\x92\x0a\xff".b)
      assert_both_ways(Point.new(x: 10), MP, "\x92\x0a\xc0".b)
      assert_both_ways(Point.new, MP, "\x92\xc0\xc0".b)
      assert_both_ways(Holes.new(point: Point.new(x: 1, y: 2), name: "a", level: :LOW), MP,
                       "\x97\xc0\x92\x01\x02\xc0\xa1a\xc0\xc0\x01".b)
      assert_both_ways(Holes.new(level: 2), MP, "\x97\xc0\xc0\xc0\xc0\xc0\xc0\x02".b)
    end

    def test_maps_leave_absent_fields_out
      assert_both_ways(Holes.new(name: "a"), NAMES, "\x81\xa4name\xa1a".b)
      assert_both_ways(Holes.new(name: "a", level: 2, point: Point.new(y: 300)), NAMES,
                       "\x83\xa5point\x81\xa1y\xcd\x01\x2c\xa4name\xa1a\xa5level\x02".b)
      assert_both_ways(Holes.new(name: "a", level: 2), IDS, "\x82\x03\xa1a\x06\x02".b)
      assert_both_ways(Point.new, IDS, "\x80".b)
    end

    def test_a_union_is_its_id_and_its_value_or_a_map_of_one_entry
      assert_both_ways(Shape.point(Point.new(x: 1, y: 2)), MP, "\x92\x00\x92\x01\x02".b)
      assert_both_ways(Shape.last(true), MP, "\x92\xcc\xc8\xc3".b)
      assert_both_ways(Shape.text("a"), NAMES, "\x81\xa4text\xa1a".b)
      assert_both_ways(Shape.last(false), IDS, "\x81\xcc\xc8\xc2".b)
    end

    def test_every_form_is_read_whatever_the_option_says_and_each_struct_may_have_its_own
      holes = Holes.new(point: Point.new(x: 1, y: 2), name: "a")
      texts = ["\x97\xc0\x92\x01\x02\xc0\xa1a\xc0\xc0\xc0", "\x82\x01\x92\x01\x02\xa4name\xa1a",
               "\x94\xc0\x82\xa1x\x01\x01\x02\xc0\xa1a", "\x82\xa5point\x82\x00\x01\xa1y\x02\x03\xa1a"]
      FORMS.product(texts) { |form, text| assert_reads(holes, text.b, form) }
      FORMS.product(["\x92\x01\xa1a", "\x81\x01\xa1a", "\x81\xa4text\xa1a", "\x92\xa4text\xa1a"]) do |form, text|
        assert_reads(Shape.text("a"), text.b, form)
      end
    end

    def test_arrays_may_be_shorter_or_longer
      assert_reads(Point.new(x: 1), "\x91\x01".b, MP)
      assert_reads(Point.new, "\x90".b, MP)
      assert_reads(Point.new(x: 1, y: 2), "\x95\x01\x02\x92\x01\xa1x\xc0\xc3".b, MP)
      assert_reads(Point.new(x: 1, y: 2), "\xdc\x00\x03\x01\x02\xc0".b, MP, unknown: :reject)
      assert_refuses(Error::Malformed, Point, "\x93\x01\x02\x03".b, MP, unknown: :reject, path: "", offset: 3, found: "2")
    end

    def test_nil_is_absent
      assert_reads(Person.new(family: "L"), "\x95\xc0\xc0\xa1L\xc0\xc0".b, MP)
      assert_reads(Person.new(given: "A"), "\x83\xa3age\xc0\xa9givenName\xa1A\xa5later\xc0".b, NAMES, unknown: :reject)
      FORMS.each do |form|
        ["\x92\xc0\xc0", "\x81\x01\xc0", "\x81\xa2id\xc0"].each do |bytes|
          assert_refuses(Error::MissingField, Needy, bytes.b, form, path: ".id")
        end
      end
      assert_refuses(Error::TypeMismatch, Person, "\x81\x04\x92\x01\xc0".b, MP, path: ".levels[1]", offset: 4, found: "nil")
      assert_refuses(Error::Malformed, Shape, "\x92\x01\xc0".b, MP, expected: "one field in a union", found: "none")
      assert_refuses(Error::TypeMismatch, Point, "\xc0".b, MP, path: "", offset: 0, found: "nil")
    end

    def test_names_of_the_idl_are_written_and_those_of_ruby_are_read_too
      person = Person.new(given: "A", family: "L", age: 1)

      assert_both_ways(person, NAMES, "\x83\xa9givenName\xa1A\xa5given\xa1L\xa3age\x01".b)
      assert_reads(person, "\x83\xa3age\x01\xa6family\xa1L\xa9givenName\xa1A".b, NAMES)
      assert_reads(person, "\xde\x00\x03\xd9\x03age\x01\xc4\x06family\xa1L\xda\x00\x09givenName\xa1A".b, NAMES)
    end

    def test_the_last_of_a_duplicate_wins
      assert_reads(Person.new(age: 3), "\x83\xa3age\x01\x03\x02\xa3age\x03".b, NAMES)
      assert_reads(Person.new(age: 3), "\x82\x03\x03\xa3age\xc0".b, NAMES)
    end

    # Sizes around that of each header.
    def test_wide_structs
      [1, 14, 15, 16, 17, 65, 130, 300].each do |count|
        wide = Class.new(Sparpack::Struct) { (0...count).each { |id| field id, :"f#{id}", :i16 } }
        object = wide.new(**(0...count).to_h { |id| [:"f#{id}", id * 7] })

        FORMS.each do |form|
          assert_both_ways(object, form)
          assert_both_ways(wide.new("f#{count - 1}": 1), form)
        end
      end
    end

    INTEGERS = { "\x05" => 5, "\xe0" => -32, "\xcc\x05" => 5, "\xcd\x00\x05" => 5, "\xce\x00\x00\x00\x05" => 5,
                 "\xcf#{"\0" * 7}\x05" => 5, "\xd0\xfb" => -5, "\xd0\x05" => 5, "\xd1\xff\xfb" => -5,
                 "\xd2\xff\xff\xff\xfb" => -5, "\xd3#{"\xff" * 7}\xfb" => -5, "\xcc\x80" => 128,
                 "\xd1\xff\x7f" => -129, "\xcd\x80\x00" => 32_768, "\xce\x80\x00\x00\x00" => 1 << 31,
                 "\xd2\x80\x00\x00\x00" => -(1 << 31), "\xcf\x7f#{"\xff" * 7}" => (1 << 63) - 1,
                 "\xcf\x80#{"\0" * 7}" => 1 << 63, "\xd3\x80#{"\0" * 7}" => -(1 << 63) }.freeze

    def test_integers_of_any_width_and_sign
      INTEGERS.each do |bytes, number|
        { i8: 8, i16: 16, i32: 32, i64: 64 }.each do |type, bits|
          payload = "\x92\xc0#{bytes}".b
          if number.bit_length < bits
            assert_reads(one(type).new(v: number), payload, MP)
          else
            assert_refuses(Error::OutOfRange, one(type), payload, MP, path: ".v", offset: 2, expected: type.to_s,
                                                                      found: "an integer out of its range")
          end
        end
      end
    end

    def test_floats_and_integers_are_read_for_doubles
      { "\xca\x3f\x80\x00\x00" => 1.0, "\xca\x3d\xcc\xcc\xcd" => 0.10000000149011612, "\x01" => 1.0, "\xff" => -1.0,
        "\xcd\x01\x00" => 256.0, "\xcf#{"\xff" * 8}" => 18_446_744_073_709_551_616.0,
        "\xcf\x00\x20\x00\x00\x00\x00\x00\x01" => 9_007_199_254_740_992.0,
        "\xd3\xff\xdf\xff\xff\xff\xff\xff\xff" => -9_007_199_254_740_992.0 }.each do |bytes, real|
        assert_reads(one(:double).new(v: real), "\x92\xc0#{bytes}".b, MP)
        assert_reads(one(list(:double)).new(v: [real] * 2), "\x92\xc0\x92#{bytes}#{bytes}".b, MP)
      end
      assert_refuses(Error::TypeMismatch, one(:i64), "\x92\xc0\xcb\x3f\xf0\0\0\0\0\0\0".b, MP, path: ".v", found: "a float")
    end

    def test_str_and_bin_are_read_for_text_and_for_bytes
      ["\xa1a", "\xc4\x01a", "\xd9\x01a", "\xc5\x00\x01a", "\xdb\0\0\0\x01a"].each do |bytes|
        assert_reads(one(:string).new(v: "a"), "\x92\xc0#{bytes}".b, MP)
        assert_reads(one(:binary).new(v: "a".b), "\x92\xc0#{bytes}".b, MP)
      end
      assert_refuses(Error::Malformed, one(:string), "\x92\xc0\xc4\x01\xff".b, MP, path: ".v", offset: 2, expected: "UTF-8")
    end

    def test_a_uuid_is_its_text_and_sixteen_bytes_are_read_too
      uuid = "00112233-4455-6677-8899-aabbccddeeff"

      assert_both_ways(one(:uuid).new(v: uuid), MP, "\x92\xc0\xd9\x24#{uuid}".b)
      raw = [uuid.delete("-")].pack("H*")
      ["\xd9\x24#{uuid.upcase}", "\xc4\x24#{uuid}", "\xc4\x10".b + raw].each do |bytes|
        assert_reads(one(:uuid).new(v: uuid), "\x92\xc0".b + bytes.b, MP)
      end
      ["\xa0", "\xd9\x24#{"x" * 36}", "\xb0".b + raw, "\xc4\x0f#{"x" * 15}"].each do |bytes|
        assert_refuses(Error::Malformed, one(:uuid), "\x92\xc0".b + bytes.b, MP, path: ".v", offset: 2,
                       expected: "a uuid such as 00112233-4455-6677-8899-aabbccddeeff", found: "another string")
      end
    end

    def test_enums_are_numbers_and_names_if_asked_for
      person = Person.new(levels: [1, 2, 9])

      assert_equal "\x82\x03\x07\x04\x93\x01\x02\x09".b, person.encode(IDS)
      named = person.encode(IDS, enums: :names)

      assert_equal "\x82\x03\x07\x04\x93\xa3LOW\xa8high_one\x09".b, named.b
      assert_reads(person, named, MP)
      assert_reads(Person.new(levels: [2, 2]), "\x81\x04\x92\xa4HIGH\xa8high_one".b, MP)
      error = assert_raises(Error::TypeMismatch) { Person.decode("\x81\x04\x91\xa4HIHG".b, MP) }
      assert_equal ["#{Person}.levels[0]", 3], [error.path, error.offset]
      assert_match(/HIGH/, error.message)
    end

    def test_keys_that_are_neither_ids_nor_names
      { "\x81\xc3\x01" => 1, "\x82\x00\x01\x91\x00\x01" => 3, "\x81\xca\x3f\xf0\0\0\x01" => 1 }.each do |bytes, offset|
        assert_refuses(Error::Malformed, Point, bytes.b, MP, path: "", offset:, expected: "the name or the id of a field")
      end
      ["\xce\x00\x00\x80\x00", "\xd2\xff\xff\x7f\xff", "\xcf#{"\xff" * 8}"].each do |key|
        assert_refuses(Error::Malformed, Point, "\x81#{key}\x01".b, MP, path: "", offset: 1, found: "an id out of range")
      end
      assert_refuses(Error::Malformed, Point, "\xdd\x00\x00\x80\x01#{"\xc0" * 32_768}\x01".b, MP, path: "",
                                                                                               found: "an id out of range")
    end

    def test_arrays_of_another_size_are_no_unions
      ["\x91\x01", "\x93\x01\xa1a\x01"].each do |bytes|
        assert_refuses(Error::Malformed, Shape, bytes.b, MP, path: "", offset: 0, expected: "an array of two for a union")
      end
      %W[\x90 \x80].each { |bytes| assert_refuses(Error::Malformed, Shape, bytes.b, MP, found: "none") }
      assert_refuses(Error::Malformed, Shape, "\x82\x01\xa1a\x00\x92\x01\x02".b, MP, found: "two")
    end

    # Nothing is allocated for elements that the bytes cannot hold.
    def test_claims_beyond_the_bytes
      ["\xdd\xff\xff\xff\xff", "\xdc\xff\xff", "\x9f", "\xdf\xff\xff\xff\xff", "\x8f\x01"].each do |bytes|
        assert_refuses(Error::Truncated, Point, bytes.b, MP, path: "", offset: 0)
      end
      { list(:i8) => "\xdd\xff\xff\xff\xff\x01", set(:i8) => "\xdd\x7f\xff\xff\xff",
        map(:i8, :i8) => "\xdf\xff\xff\xff\xff\x01\x01", :string => "\xdb\xff\xff\xff\xffa",
        :binary => "\xc6\xff\xff\xff\xff", list(Point) => "\xdc\x00\x03\x90\x90" }.each do |type, bytes|
        assert_refuses(Error::Truncated, one(type), "\x92\xc0#{bytes}".b, MP, path: ".v", offset: 2)
      end
    end

    class Far < Sparpack::Struct
      field 1, :near, :i32
      field 25, :far, :i32
    end

    class Farthest < Sparpack::Struct
      field 1, :near, :i32
      field 24, :far, :i32
    end

    class Holder < Sparpack::Struct
      field 1, :fars, map(:i8, list(Far))
    end

    # Four times the number of fields, and sixteen more.
    def test_an_array_has_no_places_for_ids_that_are_far_apart
      assert_both_ways(Farthest.new(near: 1, far: 2), MP)
      [Far, Holder].each do |type|
        [-> { type.new.encode(MP) }, -> { type.codec(MP) }, -> { type.codec(MP, keys: :array) }].each do |work|
          error = assert_raises(Sparpack::SchemaError, &work)

          assert_equal "#{Far}: the ids are too far apart for an array (use keys: :ids)", error.message
        end
        assert_both_ways(type.new, IDS)
        assert_both_ways(type.new, NAMES)
        assert_equal type.new, type.decode("\x80".b, MP)
        ["\x80", "\x90"].each do |bytes| # what only reads needs no form
          assert_equal type.new, type.decode_from(StringIO.new(bytes.b), MP)
          assert_equal [type.new], type.decode_each(bytes.b, MP, freeze: true).to_a
        end
      end
      assert_both_ways(one(Shape).new(v: Shape.last(true)), MP) # the ids of a union are no places
    end

    def test_unknown_names_and_ids_are_skipped_or_refused
      { "\x82\xa5later\x91\xa1x\x00\x01" => ["a name of 5 bytes", ' (known: "x", "y")'],
        "\x82\x09\x81\x01\x02\x00\x01" => ["9", ""] }.each do |bytes, (found, hint)|
        assert_reads(Point.new(x: 1), bytes.b, MP)
        assert_refuses(Error::Malformed, Point, bytes.b, MP, unknown: :reject, path: "", offset: 1, found:, hint:)
      end
    end

    def test_options_that_other_wires_do_not_know
      error = assert_raises(ArgumentError) { Point.new.encode(:compact, keys: :ids) }
      assert_includes error.message, "keys"
      assert_raises(ArgumentError) { Point.new.encode(MP, keys: :other) }
    end
  end
end
