# frozen_string_literal: true

require "test_helper"

# The first bytes of values, and where fields stand, in structs over MessagePack. What MessagePack without a schema reads is
# the model.
class MessagePackHeadsTest < Minitest::Test
  DecodeError = Sparpack::DecodeError

  module Color
    extend Sparpack::Enum

    RED = 1
  end

  class Values < Sparpack::Struct
    field 1, :i8, :i8
    field 2, :i16, :i16
    field 3, :i32, :i32
    field 4, :i64, :i64
    field 5, :double, :double
    field 6, :bool, :bool
    field 7, :binary, :binary
    field 8, :list, list(:i32)
    field 9, :map, map(:string, :i32)
    field 10, :color, Color
  end

  BITS = { i8: 8, i16: 16, i32: 32, i64: 64 }.freeze

  # What a field of each type takes. Integers are rounded to doubles.
  TAKES = {
    **BITS.to_h { |name, bits| [name, ->(value) { value if value.is_a?(Integer) && value.bit_length < bits }] },
    double: ->(value) { value.to_f if value.is_a?(Numeric) },
    bool: ->(value) { value if [true, false].include?(value) },
    binary: ->(value) { value.b if value.is_a?(String) },
    list: ->(value) { value if value.is_a?(Array) && value.all?(Integer) },
    map: ->(value) { value if value == {} }
  }.freeze

  def test_first_bytes
    256.times do |byte|
      value, bytes = model(byte)
      TAKES.each do |name, takes|
        expected = takes[value]
        expected = DecodeError if expected.nil? && !value.nil?

        assert_equal [expected], [read(name, bytes)], "#{name} from #{bytes.inspect}" unless value.nil? && byte != 0xC0
      end
    end
  end

  class Many < Sparpack::Struct
    field 1, :doubles, list(:double)
    field 2, :integers, list(:i64)
    field 3, :by_double, map(:double, :i64)
    field 4, :by_text, map(:string, :double)
  end

  # It is no value only where a field may be absent.
  def test_nil_in_containers
    { 1 => [1.5, nil], 2 => [1, nil], 3 => { nil => 1 }, 4 => { "a" => nil } }.each do |id, value|
      error = assert_raises(DecodeError::TypeMismatch) { Many.decode(pack({ id => value }), :message_pack) }

      assert_includes error.message, "found nil"
    end
  end

  # A name of any length may have any head.
  def test_names_of_enums
    ["\xA3RED", "\xD9\3RED", "\xDA\0\3RED", "\xDB\0\0\0\3RED"].each { |bytes| assert_equal 1, read(:color, bytes.b) }
    ["\xC4\3RED", "\x93\1\1\1", "\xD8\0", "\xDC\0\0"].each { |bytes| assert_equal DecodeError, read(:color, bytes.b) }
  end

  # Values at all places of an array, for classes with gaps between their ids.
  def test_places
    [[1, 5], [2], [1, 2, 3], [3, 6], [0, 7], [1, 3, 4]].each do |ids|
      struct_class = Class.new(Sparpack::Struct) { ids.each { |id| field id, :"f#{id}", :i32 } }
      codec = Sparpack::Codec.new(struct_class, :message_pack, keys: :array)
      256.times do |bits|
        values = Array.new(8) { |id| id + 1000 if bits[id] == 1 }

        assert_equal ids.map { |id| values[id] }, values_of(codec.decode(pack(values))), values
      end
    end
  end

  def test_ids_at_the_ends
    struct_class = Class.new(Sparpack::Struct) { [127, 128, 255, 256, 32_767].each { |id| field id, :"f#{id}", :i32 } }
    ids = Sparpack::Codec.new(struct_class, :message_pack, keys: :ids)
    full = struct_class.new(f127: 1, f128: 2, f255: 3, f256: 4, f32767: 5)

    %i[ids names].each do |keys|
      codec = Sparpack::Codec.new(struct_class, :message_pack, keys:)

      assert_equal full, codec.decode(codec.encode(full)), keys
    end
    assert_equal 5, ids.decode(pack({ 32_767 => 5, -32_768 => 6 })).f32767
    [32_768, -32_769, 2**63].each { |key| assert_raises(DecodeError, key) { ids.decode(pack({ key => 5 })) } }
    first = Sparpack::Codec.new(Class.new(Sparpack::Struct) { field 128, :f128, :i32 }, :message_pack, keys: :ids)
    assert_raises(DecodeError) { first.decode(pack({ {} => 5 })) } # the head of the key is the byte 128
  end

  class Inner < Sparpack::Struct
    field 1, :value, :i32
  end

  class Outer < Sparpack::Struct
    field 1, :inners, list(Inner)
  end

  # A hole at the end of an array, behind which another array begins.
  def test_holes_at_the_end
    codec = Sparpack::Codec.new(Outer, :message_pack, keys: :array)
    read  = codec.decode(pack([nil, [[nil], [nil, 500], [], [nil, nil], [nil]]]))

    assert_equal [nil, 500, nil, nil, nil], read.inners.map(&:value)
  end

  # Names are compared in words, which overlap.
  def test_names_that_differ_in_one_byte
    (1..40).each do |size|
      name = ("a".."z").cycle.first(size).join
      codec = Sparpack::Codec.new(Class.new(Sparpack::Struct) { field 1, name.to_sym, :i32 }, :message_pack, keys: :names)

      assert_equal [5], values_of(codec.decode(pack({ name => 5 })))
      size.times do |place|
        other = name.dup.tap { |text| text[place] = "_" }

        assert_equal [nil], values_of(codec.decode(pack({ other => 5, "pad" => "x" * 40 }))), other
      end
    end
  end

  private

  def values_of(object) = object.class.schema.fields.map { |field| object.public_send(field.name) }

  def pack(value) = Sparpack::MessagePack.pack(value)

  # @return [Object] what a field holds that is read from these bytes, or DecodeError
  def read(name, bytes)
    id = Values.schema[name].id
    Values.decode("\x81".b + pack(id) + bytes, :message_pack).public_send(name)
  rescue DecodeError
    DecodeError
  end

  # @return [Array(Object, String)] a value that begins with this byte, and its bytes; nil if there is none
  def model(byte)
    (0..20).each do |zeros|
      bytes = byte.chr + ("\0" * zeros).b
      return [Sparpack::MessagePack.unpack(bytes, allow_unknown_ext: true), bytes]
    rescue EOFError, Sparpack::MessagePack::UnpackError
      next
    end
    [nil, byte.chr]
  end
end
