# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/patience"
require "random/formatter"

# Ruby's own values and their MessagePack bytes. The msgpack gem, where it is installed, agrees.
class MessagePackTest < Minitest::Test
  MP = Sparpack::MessagePack

  # The specification's formats, each with its smallest and its largest value.
  FORMATS = {
    nil => "c0", false => "c2", true => "c3", 0 => "00", 127 => "7f", 128 => "cc80", 255 => "ccff", 256 => "cd0100",
    65_535 => "cdffff", 65_536 => "ce00010000", (2**32) - 1 => "ceffffffff", 2**32 => "cf0000000100000000",
    (2**63) - 1 => "cf7fffffffffffffff", 2**63 => "cf8000000000000000", (2**64) - 1 => "cfffffffffffffffff",
    -1 => "ff", -32 => "e0", -33 => "d0df", -128 => "d080", -129 => "d1ff7f", -32_768 => "d18000", -32_769 => "d2ffff7fff",
    -(2**31) => "d280000000", -(2**31) - 1 => "d3ffffffff7fffffff", -(2**63) => "d38000000000000000",
    1.5 => "cb3ff8000000000000", "" => "a0", "a" => "a161", "ä" => "a2c3a4", [] => "90", [1] => "9101", {} => "80",
    { "a" => 1 } => "81a16101", "\xFF".b => "c401ff"
  }.freeze

  def test_formats
    FORMATS.each do |value, hex|
      bytes = [hex].pack("H*")

      assert_equal bytes, MP.pack(value)
      assert_equal([value, value.class], MP.unpack(bytes).then { |found| [found, found.class] })
      (0...bytes.bytesize).each { |size| assert_raises(EOFError) { MP.unpack(bytes.byteslice(0, size)) } }
    end
  end

  def test_sizes
    [15, 16, 31, 32, 255, 256, 257, 65_535, 65_536, 70_000].each do |size|
      [("x" * size), ("x" * size).b, Array.new(size) { |i| i - 100 }, (0...size).to_h { |i| [i, "v#{i}"] },
       (0...size).to_h { |i| ["key#{i}", nil] }].each { |value| assert_equal value, MP.unpack(MP.pack(value)) }
    end
  end

  # Short Strings are copied with what is behind them in their slot, which the next value overwrites. They are in a slot, in
  # memory of their own, in that of another String, or were longer once, at each place of an output of growing capacity.
  def test_short_strings
    (0..40).each do |size|
      text = ("a".."z").cycle.first(size).join
      long = "#{"x" * 100}#{text}"
      forms = [text, text.dup.freeze, String.new(text, capacity: 100), long[100..], long.dup.clear << text, :"#{text}"]
      value = [*forms, { text => text }]
      packed = MP.pack(text)
      whole = "\x97".b + (packed * 6) + "\x81".b + (packed * 2)

      assert_equal whole, MP.pack(value)
      assert_equal "\xDC\x01\x90".b + (whole * 400), MP.pack([value] * 400)
    end
  end

  def test_short_strings_at_the_end_of_the_room
    (4000..4110).each do |size|
      bytes = "y" * size
      text = "z" * (size % 24)

      assert_equal MP.pack(bytes) + MP.pack(text), MP.pack([bytes, text]).byteslice(1..)
    end
  end

  # Values in longer formats than needed.
  LONGER = {
    "ca3fc00000" => 1.5, "d90161" => "a", "da000161" => "a", "db0000000161" => "a", "c5000161" => "a".b,
    "c60000000161" => "a".b, "dc000101" => [1], "dd0000000101" => [1], "de0001a16101" => { "a" => 1 },
    "df00000001a16101" => { "a" => 1 }, "cf0000000000000001" => 1, "d30000000000000001" => 1, "d001" => 1
  }.freeze

  def test_other_formats_are_read
    LONGER.each { |hex, value| assert_equal value, MP.unpack([hex].pack("H*")) }
  end

  def test_strings
    assert_equal(["a2c3a4", "a161", "c401ff", "a161"],
                 ["ä".encode("UTF-16LE"), "a".encode("UTF-16BE"), "\xFF".b, "a".encode("US-ASCII")]
                   .map { |text| MP.pack(text).unpack1("H*") })
    assert_equal [Encoding::UTF_8, Encoding::BINARY], MP.unpack(MP.pack(["a", "a".b])).map(&:encoding)
    assert_equal "sym", MP.unpack(MP.pack(:sym))
    refute_predicate MP.unpack(MP.pack("a")), :frozen?
    refute_predicate MP.unpack("\xA1\xFF".b), :valid_encoding?
  end

  def test_keys_are_one_frozen_string
    first, second = MP.unpack(MP.pack([{ "some_key" => 1 }, { "some_key" => 2, "\xFF".b => 3 }]))

    assert_same first.keys[0], second.keys[0]
    assert(second.keys.all?(&:frozen?))
    assert_equal({ "a" => 2 }, MP.unpack("\x82\xA1a\x01\xA1a\x02".b))
    assert_equal({ [1] => nil, nil => 1, 1.5 => 2 }, MP.unpack(MP.pack({ [1] => nil, nil => 1, 1.5 => 2 })))
  end

  # More keys than the table has places, in any order and size.
  def test_many_keys
    random = Random.new(5)
    keys = Array.new(5_000) { random.alphanumeric(random.rand(90)) }.uniq
    hash = keys.shuffle(random:).to_h { |key| [key, key.size] }

    3.times { assert_equal hash, MP.unpack(MP.pack(hash)) }
  end

  def test_errors
    deep = 129.times.reduce(1) { |inner, _| [inner] }
    {
      -> { MP.unpack("\x81\xA1a\x93\x01\x02".b) } => [EOFError, 'the bytes end too early (byte 6, at ["a"][2])'],
      -> { MP.unpack("\x92\x01\xC1".b) } => [MP::MalformedFormatError, "no value begins with this byte (byte 2, at [1])"],
      -> { MP.unpack("\xD4\xFFa".b) } => [MP::UnknownExtTypeError, "extension type -1 is not registered (register it, "],
      -> { MP.unpack("\x01\x02".b) } =>
        [MP::MalformedFormatError, "bytes are left after the value (byte 1) (to read several values, use each)"],
      -> { MP.unpack("\xDD\xFF\xFF\xFF\xFF\x01".b) } => [EOFError, "the bytes end too early (byte 6, at [1])"],
      -> { MP.unpack("#{"\x91" * 129}\x01".b) } => [MP::StackError, "more than 128 levels of Arrays and Hashes (byte 128"],
      -> { MP.pack(deep) } => [MP::StackError, "more than 128 levels of Arrays and Hashes"],
      -> { MP.pack([2**64]) } => [RangeError, "an Integer of more than 64 bits at [0]"],
      -> { MP.pack({ a: [Object.new] }) } => [NoMethodError, "undefined method `to_msgpack'"],
      -> { MP.pack([Time.now]) } =>
        [NoMethodError, "undefined method `to_msgpack' for an instance of Time at [0]: register an extension type for it: " \
                        "factory.register_builtin(:time)"],
      -> { MP.pack(Set[1]) } =>
        [NoMethodError, "undefined method `to_msgpack' for an instance of Set: register an extension type for it: " \
                        "factory.register_builtin(:set, 1)"]
    }.each do |call, (error, message)|
      raised = assert_raises(error) { call.call }

      assert_operator raised.message, :start_with?, message
    end
    assert_equal deep[0], MP.unpack(MP.pack(deep[0]))
    object = Object.new
    error = assert_raises(NoMethodError) { MP.pack(object) }

    assert_equal [:to_msgpack, object], [error.name, error.receiver]
  end

  # Ruby adds the source line to a NoMethodError. A line of this library would tell users nothing.
  def test_an_error_shows_no_source_of_the_library
    [-> { MP.pack(Object.new) }, -> { MP::Packer.new.write([Object.new]) }, -> { MP::Factory.new.dump(self) }].each do |call|
      error = assert_raises(NoMethodError) { call.call }

      assert_equal 1, (error.respond_to?(:detailed_message) ? error.detailed_message : error.message).lines.size
      assert_includes error.backtrace.join, __FILE__
    end
  end

  def test_random_values
    random = Random.new(Integer(ENV.fetch("SEED", 7)))
    500.times do
      value = value(random, 5)

      assert_equal [value], [MP.unpack(MP.pack(value))]
      next unless gem?

      assert_equal ::MessagePack.pack(value), MP.pack(value)
    end
  end

  # Any bytes give the same value or the same sort of error as the gem.
  def test_random_and_mutated_bytes
    skip "the msgpack gem is missing: bundle install" unless gem?
    random = Random.new(Integer(ENV.fetch("SEED", 9)))
    4_000.times do
      bytes = random.rand < 0.5 ? random.bytes(1 + random.rand(30)) : mutated(MP.pack(value(random, 4)), random)

      assert_equal([outcome { ::MessagePack.unpack(bytes) }], [outcome { MP.unpack(bytes) }], bytes.inspect)
    end
  end

  def test_gc_stress
    value = { "a" => [1, 2.5, "text", { "b" => nil }], "c" => (0..300).to_a, "d" => (0..200).to_h { |i| ["k#{i}", i] } }
    bytes = MP.pack(value)
    GC.stress = true
    again = MP.unpack(bytes)
    packed = MP.pack(again)
    GC.stress = false

    assert_equal [value, bytes], [again, packed]
  ensure
    GC.stress = false
  end

  # The memory of this String is never touched.
  def test_a_string_whose_size_has_no_header_is_refused
    huge = "\0".b * (2**32)

    assert_raises(ArgumentError) { MP.pack(huge) }
    assert_raises(ArgumentError) { MP.pack([huge]) }
  end

  # No two NaNs are the same key, but all have the same hash.
  def test_keys_that_are_nan_are_limited
    nan = "\xCB\x7F\xF8\0\0\0\0\0\0\xC0".b

    assert_equal 16, MP.unpack(["de", 16].pack("H2n") + (nan * 16)).size
    assert_raises(MP::MalformedFormatError) { MP.unpack(["de", 17].pack("H2n") + (nan * 17)) }
  end

  def test_a_large_map_takes_no_longer_for_each_of_its_pairs
    hash = (0...200_000).to_h { |key| [key, key] }
    bytes = MP.pack(hash)
    cost = Cost.of { MP.unpack(bytes) }

    assert_equal hash, cost.result
    assert_operator cost.seconds, :<, Patience.of(1)
  end

  # Ruby keeps one String of the same bytes. If there is one already, nothing is made.
  def test_long_keys_and_texts_that_are_frozen
    costs = [[60, "a"], [60, "b"], [900, "c"], [3000, "d"], [900, "c"]].map do |size, letter|
      packed = MP.pack({ letter * size => (letter * size).succ })
      Cost.of { MP.unpack(packed, freeze: true) }
    end
    _, short, long, longer, known = costs.map(&:objects)

    assert_equal costs[2].result, costs[4].result
    assert_in_delta short, long, 1 # one may be of the measurement
    assert_in_delta short, longer, 1
    assert_operator known, :<, long
  end

  def test_errors_say_where
    error = assert_raises(MP::MalformedFormatError) { MP.unpack("\x81\xA1a\x92\x01\xC1".b) }

    assert_equal ['["a"][1]', 5], [error.path, error.offset]
    unpacker = MP::Unpacker.new.feed("\x01\x92\x02\xC1".b)
    unpacker.read
    error = assert_raises(MP::MalformedFormatError) { unpacker.read }

    assert_equal ["[1]", 3, 1], [error.path, error.offset, error.message_offset], "of a stream, all of its bytes count"
    assert_nil MP::StackError.new("deep").path
    [Object.new, BasicObject.new, Time.now].each do |odd|
      error = assert_raises(NoMethodError) { MP.pack({ "a" => [1, odd] }) }

      assert_match(/to_msgpack.* at \["a"\]\[1\]/, error.message)
      assert_equal [:to_msgpack, odd.__id__], [error.name, error.receiver.__id__]
    end
    error = assert_raises(MP::UnpackError) { MP.unpack("\x81\xA1a\x91\xC1", symbolize_keys: true) }

    assert_equal "[:a][0]", error.path
  end

  def test_wrong_arguments_of_the_native_part
    factory = MP::Factory.new
    row = [0, nil, nil, nil, nil, nil, 128, nil, 0]

    assert_equal 1, factory.load_by("\x01", row)
    assert_raises(TypeError) { factory.send(:hold, "types") }
    [-1, 129].each { |depth| assert_raises(ArgumentError) { factory.load_by("\x01", [*row[..5], depth, nil, 0]) } }
  end

  # The registered proc runs before the packer is in use, so two fibers can get that far.
  def test_a_packer_that_two_fibers_use_refuses_the_second
    factory = MP::Factory.new
    factory.register_type(1, Rational, packer: ->(_) { Fiber.yield && "" })
    factory.register_type(2, Range, packer: ->(_, packer) { Fiber.yield || packer.write(1) }, recursive: true)
    packer = factory.packer
    first = Fiber.new { packer.write([1r, 1..2]) }
    second = Fiber.new { packer.write(1..2) }
    first.resume
    second.resume

    assert_match(/in another fiber/, assert_raises(ArgumentError) { first.resume("") }.message)
    second.resume
    packer.write(1)

    assert_equal "\xD4\x02\x01\x01".b, packer.to_s
  end

  # What was found for a class is not kept if a module is registered, because the class may include it later.
  def test_a_module_that_is_included_later
    mark = Module.new
    factory = MP::Factory.new
    factory.register_type(1, mark, packer: ->(_) { "m" }, unpacker: :itself.to_proc)
    list = Class.new(Array)
    packer = factory.packer

    assert_equal MP.pack([1]), packer.write(list.new([1])).to_s
    packer.reset
    list.include(mark)

    assert_equal "\xD4\x01m".b, packer.write(list.new([1])).to_s
  end

  private

  def gem?
    require "msgpack"
    true
  rescue LoadError
    false
  end

  # A NaN is never equal, so it is replaced here.
  def outcome
    value = yield
    value.inspect.include?("NaN") ? :other : value
  rescue EOFError then EOFError
  rescue StandardError => e
    e.class.name[/\w+\z/]
  end

  def mutated(bytes, random)
    bytes.setbyte(random.rand(bytes.bytesize), random.rand(256)) unless bytes.empty?
    bytes.byteslice(0, 1 + random.rand(bytes.bytesize))
  end

  def value(random, depth)
    case random.rand(depth.positive? ? 10 : 8)
    when 0 then nil
    when 1 then random.rand < 0.5
    when 2 then random.rand(200) - 100
    when 3 then (random.rand(2**64) >> random.rand(64)) * (random.rand < 0.3 ? -1 : 1) / 2
    when 4 then random.rand * (10**random.rand(20))
    when 5 then random.alphanumeric(random.rand(80))
    when 6 then "ä€🚲" * random.rand(20)
    when 7 then random.bytes(random.rand(300))
    when 8 then Array.new(random.rand(20)) { value(random, depth - 1) }
    else Array.new(random.rand(20)) { [random.alphanumeric(random.rand(40)), value(random, depth - 1)] }.to_h
    end
  end
end
