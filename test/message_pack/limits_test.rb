# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "random/formatter"
require "stringio"

# The cost limits of unpacking and packing, and output that is the same for equal values.
class MessagePackLimitsTest < Minitest::Test
  MP = Sparpack::MessagePack
  Limits = Sparpack::Limits

  # Reads the bytes at once, in pieces, and from an io.
  def ways(bytes, options)
    pieces = MP::Unpacker.new(options)
    [-> { MP.unpack(bytes, options) }, -> { MP::Unpacker.new(options).feed(bytes).read },
     -> { bytes.each_char { |byte| pieces.feed_each(byte) { |value| return value } } && pieces.read },
     -> { MP::Unpacker.new(StringIO.new(bytes), options.merge(io_buffer_size: 1024)).read }]
  end

  def options(limit) = { limits: Limits.new(message: nil, depth: 128, **limit), allow_unknown_ext: true }

  def assert_limit(value, message = nil, error = MP::LimitExceeded, **limit)
    ways(MP.pack(value), options(limit)).each_with_index do |way, index|
      raised = assert_raises(error, "way #{index}") { way.call }

      assert_match(message, raised.message) if message
    end
  end

  def assert_within(value, **limit)
    ways(MP.pack(value), options(limit)).each { |way| assert_equal value, way.call }
  end

  def test_each_limit_at_its_edge
    assert_within(["x" * 10, { "y" * 10 => 1 }, "\xFF".b * 10], string: 10)
    assert_limit(["x" * 11], /a str or bin of more than 10 bytes.*\[0\]/, string: 10)
    assert_limit({ "y" * 11 => 1 }, string: 10)
    assert_limit(["\xFF".b * 11], string: 10)
    assert_within([1, 2, 3], container: 3)
    assert_limit([[1, 2, 3, 4]], /more than 3 elements/, container: 3)
    assert_limit({ 1 => 2, 3 => 4 }, container: 1)
    assert_within(MP::ExtensionValue.new(5, "12"), extension: 2)
    assert_limit(MP::ExtensionValue.new(5, "123"), /payload of more than 2 bytes/, extension: 2)
    assert_within([[1]], depth: 2)
    assert_limit([[[1]]], /more than 2 levels/, MP::StackError, depth: 2)
  end

  def test_the_whole_value
    value = (1..50).to_a

    assert_within(value, message: MP.pack(value).bytesize)
    assert_limit(value, /more than 52 bytes of one value/, message: MP.pack(value).bytesize - 1)
  end

  # If a stream claims more than the limit allows, no more bytes are awaited.
  def test_claims_in_streams
    unpacker = MP::Unpacker.new(limits: Limits.new(message: 1000))

    ["\xDB\x7F\xFF\xFF\xFF", "\xDD\x7F\xFF\xFF\xFF", "\xDF\x7F\xFF\xFF\xFF", "\xC9\x7F\xFF\xFF\xFF\x01"].each do |head|
      unpacker.feed(head.b)

      assert_raises(MP::LimitExceeded) { unpacker.read }
      unpacker.reset
    end
    assert_equal [1, 2], unpacker.feed(MP.pack([1, 2]) * 1000).read
  end

  def test_memory
    assert_within(Array.new(100) { [] }, memory: 10_000)
    assert_limit(Array.new(1000) { [] }, /more than 10000 bytes/, memory: 10_000)
    assert_limit(["x" * 9_000, "y" * 9_000], memory: 10_000)
  end

  # Returns the smallest limit that accepts a value.
  def least_memory(value)
    bytes = MP.pack(value)
    (0..(1 << 22)).bsearch do |memory|
      MP.unpack(bytes, options({ memory: }))
      true
    rescue MP::LimitExceeded
      false
    end
  end

  # A key costs as much as any String, once per message, even if Ruby has it already.
  def test_memory_of_keys
    short = (0...100).to_h { |i| ["k#{i}", nil] }
    least = least_memory(short)
    2.times do
      assert_within(short, memory: least)
      assert_limit(short, memory: least - 1)
    end

    assert_operator least, :>, 100 * (Cost::SLOT + 24)
    assert_in_delta least_memory([short] * 11) - least, 10 * least_memory((0...100).to_h { |i| [i, nil] }), 200
    assert_limit({ "x" * 200 => 1 }, /more than 300 bytes/, memory: 300)
    assert_limit({ "x" => 1 }, memory: 100)
    assert_raises(MP::LimitExceeded) { MP.unpack(MP.pack(short), symbolize_keys: true, **options({ memory: 5_000 })) }
  end

  # Returns what one of so many elements of an Array adds to the memory, as far as the limit goes.
  def memory_of_one(element, count = 200)
    bytes = ->(part) { [0xdc, count].pack("Cn") + (part * count) }
    least, none = [element, "\xC0".b].map do |part|
      (0..(1 << 20)).bsearch do |memory|
        MP.unpack(bytes[part], options({ memory: }))
        true
      rescue MP::LimitExceeded
        false
      end
    end
    (least - none) / count
  end

  # Each is the last object of its message, so nothing else can be refused.
  def test_memory_of_the_last_object
    [[], {}, [1], { 1 => 2 }, "x", "x".b, 2**63, -2**63, 1e300, MP::ExtensionValue.new(5, "x")].each do |value|
      assert_limit(value, memory: 10)
    end
  end

  # Small Integers, and Floats that are not very large or small, are no objects.
  def test_memory_of_numbers
    { "ce ffffffff" => 0, "cf 3fffffffffffffff" => 0, "d3 c000000000000000" => 0, "cb 3ff8000000000000" => 0,
      "ca 3fc00000" => 0, "cf 4000000000000000" => 1, "cf ffffffffffffffff" => 1, "d3 bfffffffffffffff" => 1,
      "cb 7e37e43c8800759c" => 1, "cb 7ff8000000000000" => 1, "ca 7f800000" => 1 }.each do |hex, objects|
      [1, 200].each do |count|
        assert_includes (objects * 24)..(objects * 64), memory_of_one([hex.delete(" ")].pack("H*"), count), [hex, count]
      end
    end
  end

  def test_memory_of_extension_types
    ["\xD4\x05a", "\xC7\x01\x05a", "\xC7\x00\x05"].product([1, 200]) do |bytes, count|
      assert_includes 48..300, memory_of_one(bytes.b, count)
    end
  end

  # Long keys, and those that are no str.
  def test_other_keys
    ["k" * 300, "k" * 70_000].each do |key|
      [{}, { symbolize_keys: true }].each do |more|
        bytes = MP.pack({ key => 1 })
        within, over = [0, 1].map { |less| options({ string: key.bytesize - less }).merge(more) }

        assert_equal [1], MP.unpack(bytes, within).values
        assert_raises(MP::LimitExceeded) { MP.unpack(bytes, over) }
        assert_raises(MP::LimitExceeded) { MP.unpack(bytes, options({ memory: key.bytesize }).merge(more)) }
        (1...5).each { |size| assert_raises(EOFError) { MP.unpack(bytes.byteslice(0, size), within) } }
      end
    end
    bin = MP.pack({ "\xFF".b * 200 => 1 })

    assert_equal({ "\xFF".b * 200 => 1 }, MP.unpack(bin, options({ memory: 2_000 })))
    assert_equal({ ("\xFF".b * 200).to_sym => 1 }, MP.unpack(bin, options({ memory: 2_000 }).merge(symbolize_keys: true)))
    assert_operator least_memory({ "\xFF".b * 200 => 1 }), :>=, least_memory({ 1 => "\xFF".b * 200 }) + 200
    assert_raises(MP::MalformedFormatError) { MP.unpack("\x81\xA1\xFF\x01".b, untrusted: true) }
    assert_raises(MP::MalformedFormatError) { MP.unpack("\x81\xDA\0\x01\xFF\x01".b, untrusted: true) }
    error = assert_raises(EncodingError) { MP.unpack("\x81\xA1\xFF\x01".b, symbolize_keys: true) }
    assert_match(/\Aa key .* Symbol \(byte \d, at \.keys\[0\]\)/, error.message)
  end

  # Values wait in memory until their container is made. Each limit below the least refuses this memory, too.
  def test_memory_of_what_waits
    deep = 60.times.reduce(nil) { |inner, _| [*([nil] * 300), inner] }
    wide = 60.times.reduce(nil) { |inner, _| (0..150).to_h { |i| [i, i == 150 ? inner : i] } }
    [deep, wide].each do |value|
      bytes = MP.pack(value)
      least = least_memory(value)

      assert_equal value, MP.unpack(bytes, options({ memory: least }))
      (least - 1).step(0, -1009) { |memory| assert_raises(MP::LimitExceeded) { MP.unpack(bytes, options({ memory: })) } }
    end
  end

  # All of them have the same hash.
  def test_keys_that_are_nan
    nan = "\xCB\x7F\xF8\0\0\0\0\0\0".b
    [nan, "\x91".b + nan].each do |key|
      pairs = ->(count) { [0xde, count].pack("Cn") + ("#{key}\x01" * count) }

      assert_equal 16, MP.unpack(pairs[16]).size
      [17, 1000].each { |count| assert_raises(MP::MalformedFormatError) { MP.unpack(pairs[count]) } }
    end
    [->(i) { i + 0.5 }, ->(i) { [i] }, ->(i) { (2**63) + i }, ->(i) { (i + 1) * 1e300 }].each do |key|
      assert_equal 100, MP.unpack(MP.pack((0...100).to_h { |i| [key[i], Float::NAN] })).size
    end
  end

  # Payloads of recursive types are charged to the same limit, however many there are.
  def test_memory_of_payloads
    factory = MP::Factory.new
    factory.register_type(1, Array, recursive: true, packer: lambda(&:itself), unpacker: ->(unpacker) { unpacker.each.to_a })
    payload = MP.pack("x" * 500) * 2
    bytes = "\xDC\x00\x0A".b + (([0xc8, payload.bytesize, 1].pack("CnC") + payload) * 10)
    limits = ->(memory) { { limits: Limits.new(memory:, message: nil) } }

    assert_equal [["x" * 500] * 2] * 10, factory.load(bytes, limits[30_000])
    [5_000, 12_000, 20_000].each { |memory| assert_raises(MP::LimitExceeded) { factory.load(bytes, limits[memory]) } }
  end

  def test_untrusted
    [["\xA1\xFF".b, MP::MalformedFormatError], ["\x91".b * 65, MP::StackError], [MP.pack("x" * ((8 << 20) + 1)), MP::LimitExceeded],
     [MP.pack(Array.new(1_000_001, 0)), MP::LimitExceeded], [MP.pack(Array.new(3, "x" * (6 << 20))), MP::LimitExceeded],
     [MP.pack(MP::ExtensionValue.new(1, "")), MP::UnknownExtTypeError]].each do |bytes, error|
      assert_raises(error) { MP.unpack(bytes, untrusted: true) }
      assert_raises(error) { MP::Unpacker.new(untrusted: true).feed(bytes).read }
    end
    value = { "a" => [1, "ä", nil, { "b" => 2.5 }] }

    assert_equal value, MP.unpack(MP.pack(value), untrusted: true)
    assert_equal value, MP.unpack(MP.pack(value), untrusted: true, limits: Limits.new(depth: 4))
    assert_raises(MP::StackError) { MP.unpack(MP.pack(value), untrusted: true, limits: Limits.new(depth: 2)) }
  end

  def test_packing_has_a_depth
    packer = MP::Packer.new(limits: Limits.new(depth: 2))

    assert_equal [[1]], MP.unpack(packer.write([[1]]).full_pack)
    assert_match(/more than 2 levels/, assert_raises(MP::StackError) { packer.write([[[1]]]) }.message)
  end

  def test_wrong_limits
    calls = [-> { MP.unpack("\x01", limits: 5) }, -> { MP::Packer.new(limits: {}) }, -> { MP::Unpacker.new(limits: "x") }]
    calls.each { |call| assert_match(/Sparpack::Limits/, assert_raises(ArgumentError, &call).message) }
  end

  # --- sorted keys ---------------------------------------------------------------------------------------------------

  def sorted(value) = MP.pack(value, sort_keys: true)

  def test_sorted_keys
    keys = [nil, false, true, -5, 0, 7, 2**63, -2.5, 0.5, "", "B", "a", "aa", "b", "ä"]
    hash = keys.shuffle(random: Random.new(3)).to_h { |key| [key, key] }

    assert_equal keys, MP.unpack(sorted(hash)).keys
    assert_equal MP.pack({ a: { b: 1, c: 2 }, d: [{ e: 1, f: 2 }] }), sorted({ d: [{ f: 2, e: 1 }], a: { c: 2, b: 1 } })
  end

  # The order in which the pairs were inserted does not matter.
  def test_sorted_is_one_form
    random = Random.new(9)
    200.times do
      keys = Array.new(random.rand(40)) do
        text = random.alphanumeric(random.rand(4))
        [random.rand(10), random.rand.round(2), text, text.to_sym, [random.rand(3)],
         { random.rand(3) => 1 }, 2**(60 + random.rand(4)), -(2**62) - random.rand(3), Float::NAN, -0.0, nil].sample(random:)
      end
      hash = keys.to_h { |key| [key, 1] }
      again = hash.to_a.shuffle(random:).to_h

      assert_equal sorted(hash), sorted(again)
      assert_equal hash.size, again.size
    end
  end

  def test_sorted_sets_and_types
    factory = MP::Factory.new
    factory.register_builtin(:set, 1)
    first = factory.packer(sort_keys: true).write({ Set[3, 1, 2] => 1, Set["b", "a"] => 2 }).to_s
    second = factory.packer(sort_keys: true).write({ Set["a", "b"] => 2, Set[2, 3, 1] => 1 }).to_s

    assert_equal first, second
    assert_equal({ Set[1, 2, 3] => 1, Set["a", "b"] => 2 }, factory.load(first))
  end
end
