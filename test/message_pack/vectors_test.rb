# frozen_string_literal: true

require "test_helper"
require "support/message_pack_formats"

# Every format byte of the specification, in both directions, whole and cut short, at once and in pieces.
class MessagePackVectorsTest < Minitest::Test
  MP = Sparpack::MessagePack
  VECTORS = MessagePackFormats.all

  # A vector of more bytes is cut only near its ends and at some places between.
  LARGE = 1_200

  def test_each_of_the_256_bytes_has_a_vector
    assert_equal (0..255).to_a - [MessagePackFormats::NEVER_USED], VECTORS.map { |vector| vector.bytes.getbyte(0) }.uniq.sort
  end

  def test_each_is_read
    VECTORS.each { |vector| assert_same_value vector.value, read(vector.bytes), vector.hex[0, 40] }
  end

  def test_each_is_written_in_the_shortest_form
    VECTORS.each do |vector|
      bytes = write(read(vector.bytes))

      if vector.shortest
        assert_equal vector.hex, bytes.unpack1("H*"), vector.hex[0, 40]
      else
        assert_same_value vector.value, read(bytes), vector.hex[0, 40]
        assert_operator bytes.bytesize, :<=, vector.bytes.bytesize, vector.hex[0, 40] unless vector.value.is_a?(Float)
      end
    end
  end

  def test_each_is_written_by_a_packer_and_inside_an_array
    VECTORS.select(&:shortest).each do |vector|
      value = read(vector.bytes)
      bytes = vector.bytes

      assert_equal bytes * 2, put(put(MP::Packer.new, value), value).to_s, vector.hex[0, 40]
      assert_equal "\x92".b + (bytes * 2), put(put(MP::Packer.new.write_array_header(2), value), value).to_s
    end
  end

  def test_single_floats_are_written_where_that_is_asked_for
    MessagePackFormats::SINGLES.each do |hex, value|
      assert_equal hex, MP::Packer.new.write_float32(value).to_s.unpack1("H*")
    end
  end

  def test_each_cut_short_is_no_value
    VECTORS.each do |vector|
      cuts(vector.bytes) do |cut, size|
        assert_raises(EOFError, "#{vector.hex[0, 40]} cut at #{size}") { read(cut) }
      end
    end
  end

  # What comes after a value is not consumed.
  def test_each_is_skipped_and_read_where_others_follow
    VECTORS.each do |vector|
      unpacker = unpacker(vector.bytes + vector.bytes + "\x2A".b)
      unpacker.skip

      assert_same_value vector.value, unpacker.read, vector.hex[0, 40]
      assert_equal 42, unpacker.read
      assert_raises(EOFError) { unpacker.read }
      assert_raises(MP::MalformedFormatError) { MP.unpack("#{vector.bytes}\x2A".b, allow_unknown_ext: true) }
    end
  end

  def test_each_byte_by_byte
    VECTORS.each do |vector|
      next if vector.bytes.bytesize > LARGE

      unpacker = unpacker("")
      *first, last = vector.bytes.chars

      first.each { |byte| assert_empty unpacker.feed_each(byte).to_a }
      assert_same_value vector.value, unpacker.feed_each(last).to_a.fetch(0), vector.hex[0, 40]
    end
  end

  def test_each_inside_containers
    VECTORS.each do |vector|
      next if vector.value.is_a?(MessagePackFormats::Extension)

      assert_same_value [vector.value, 1], MP.unpack("\x92".b + vector.bytes + "\x01".b), vector.hex[0, 40]
      assert_same_value({ "k" => vector.value, 1 => 2 }, MP.unpack("\x82\xA1k".b + vector.bytes + "\x01\x02".b))
      assert_same_value [vector.value], [MP.dig("\x92\xC0".b + vector.bytes, 1)]
    end
  end

  # As the keys of a Hash, except NaN, which equals nothing.
  def test_each_as_a_key
    VECTORS.each do |vector|
      next if vector.bytes.bytesize > LARGE || vector.value.is_a?(Float)

      found = unpacker("\x81".b + vector.bytes + "\x01".b).read

      assert_same_value vector.value, found.keys.fetch(0)
    end
  end

  def test_the_byte_that_is_never_used
    [[0xc1], [0xc1, 0x01], [0x91, 0xc1], [0x81, 0xc1, 0x01], [0x81, 0x01, 0xc1]].each do |codes|
      bytes = codes.pack("C*")

      assert_raises(MP::MalformedFormatError) { read(bytes) }
      assert_raises(MP::MalformedFormatError) { unpacker(bytes).skip }
      assert_raises(MP::MalformedFormatError) { unpacker(bytes).each.to_a }
    end
  end

  def test_timestamps
    factory = MP::Factory.new
    factory.register_type(MP::Timestamp::TYPE, MP::Timestamp)
    MessagePackFormats::TIMESTAMPS.each do |hex, parts|
      assert_equal MP::Timestamp.new(*parts), factory.load([hex].pack("H*"))
      assert_equal hex, factory.dump(MP::Timestamp.new(*parts)).unpack1("H*")
      cuts([hex].pack("H*")) { |cut, _| assert_raises(EOFError) { factory.load(cut) } }
    end
    MessagePackFormats::LONGER_TIMESTAMPS.each do |hex, parts|
      assert_equal MP::Timestamp.new(*parts), factory.load([hex].pack("H*"))
    end
    ["d4ff00", "d5ff0000", "d8ff#{"00" * 16}", "c700ff", "c70bff#{"00" * 11}"].each do |hex|
      assert_raises(MP::MalformedFormatError) { factory.load([hex].pack("H*")) }
    end
  end

  def test_times
    factory = MP::Factory.new
    factory.register_type(MP::Timestamp::TYPE, Time, packer: MP::Time::Packer, unpacker: MP::Time::Unpacker)
    MessagePackFormats::TIMESTAMPS.each do |hex, (seconds, nanoseconds)|
      time = Time.at(seconds, nanoseconds, :nsec)

      assert_equal time, factory.load([hex].pack("H*"))
      assert_equal hex, factory.dump(time).unpack1("H*")
    end
  end

  private

  def read(bytes) = MP.unpack(bytes, allow_unknown_ext: true)

  def unpacker(bytes) = MP::Unpacker.new(allow_unknown_ext: true).feed(bytes)

  def write(value) = put(MP::Packer.new, value).to_s

  def put(packer, value) = value.is_a?(MP::ExtensionValue) ? packer.write_extension(value) : packer.write(value)

  # Also compares class, encoding and sign. NaN is like NaN.
  def assert_same_value(expected, found, message = nil)
    expected = plain(expected)
    found = plain(found)

    assert_equal expected.class, found.class, message
    expected.nil? ? assert_nil(found, message) : assert_equal(expected, found, message)
    assert_equal expected.encoding, found.encoding, message if expected.is_a?(String)
  end

  def plain(value)
    case value
    when Float then value.nan? ? "NaN" : [value].pack("G")
    when MessagePackFormats::Extension, MP::ExtensionValue then [value.type, value.payload, value.payload.encoding]
    when Array then value.any?(Float) ? value.map { |element| plain(element) } : value
    when Hash then value.value?(nil) ? value : value.transform_values { |element| plain(element) }
    else value
    end
  end

  def cuts(bytes)
    sizes = (0...bytes.bytesize).to_a
    sizes = sizes.first(20) + sizes.each_slice(1 + (sizes.size / 50)).map(&:first) + sizes.last(20) if sizes.size > LARGE
    sizes.uniq.each { |size| yield bytes.byteslice(0, size), size }
  end
end
