# frozen_string_literal: true

require "test_helper"
require "rbconfig"
require "objspace"
require "stringio"
require "support/command"

# Packer, Unpacker, Buffer and Factory with the msgpack gem's interface and, where it is installed, its bytes.
class MessagePackStreamTest < Minitest::Test
  MP = Sparpack::MessagePack
  VALUE = { "a" => [1, -2, 2.5, nil, true, "x" * 300, "\xFF".b], "b" => { "c" => (0..300).to_a }, 5 => "ü" * 20 }.freeze

  Point = Struct.new(:x, :y) do
    def to_msgpack(packer) = packer.write_array_header(2).write(x).write(y)
    def to_msgpack_ext = [x, y].pack("l>l>")
    def self.from_msgpack_ext(data) = new(*data.unpack("l>l>"))
  end

  def test_packer
    packer = MP::Packer.new
    packer.write_array_header(13).write_nil.write_true.write_false.write_float(1).write_float32(1.5).write_string("a")
    packer.write_bin("b").write_array([1]).write_hash({ "a" => 1 }).write_symbol(:s).write_int(5).write_ext(7, "xy")
    packer.write_extension(MP::ExtensionValue.new(-3, "z"))
    expected = [nil, true, false, 1.0, 1.5, "a", "b", [1], { "a" => 1 }, "s", 5, MP::ExtensionValue.new(7, "xy"),
                MP::ExtensionValue.new(-3, "z")]

    assert_equal packer.size, packer.to_s.bytesize
    refute_predicate packer, :empty?
    assert_equal expected, MP::Unpacker.new(allow_unknown_ext: true).feed(packer.full_pack).read
    assert_predicate packer, :empty?
    assert_equal MP.pack([1]), packer.write_map_header(2).tap(&:reset).pack([1]).to_str
  end

  def test_what_a_packer_refuses
    packer = MP::Packer.new

    wrong = { write_string: 1, write_array: {}, write_hash: [], write_symbol: "a", write_int: 1.5, write_bin: nil }
    wrong.each { |name, value| assert_raises(TypeError, name) { packer.public_send(name, value) } }
    assert_raises(TypeError) { packer.write_float("1") }
    assert_raises(ArgumentError) { packer.write_float32("1") }
    assert_raises(RangeError) { packer.write_ext(128, "") }
    assert_raises(RangeError) { packer.write([1, 2**64]) }
    assert_raises(NoMethodError) { packer.write([1, Object.new]) }
    assert_raises(NoMethodError) { packer.dup }
    assert_predicate packer, :empty?, "what failed left something"
  end

  def test_objects_pack_themselves
    assert_equal [[1, [2, "a"]], 3], MP.unpack(MP.pack([Point.new(1, Point.new(2, "a")), 3]))
    assert_equal MP.pack([[1, 2]]), MP::Packer.new.write([Point.new(1, 2)]).to_s
  end

  # The caller gets the errors of these objects, and they leave nothing behind.
  def test_objects_that_raise
    angry = Object.new
    def angry.to_msgpack(packer)
      packer.write("half")
      raise IOError, "no"
    end
    packer = MP::Packer.new.write(1)

    assert_raises(IOError) { packer.write(["x", angry]) }
    assert_raises(IOError) { MP.pack([angry]) }
    assert_equal MP.pack(1) + MP.pack(2), packer.write(2).to_s
  end

  def test_objects_that_change_what_is_packed
    list = [nil, 1, 2]
    list[0] = Object.new.tap do |object|
      object.define_singleton_method(:to_msgpack) do |packer|
        list.clear && packer.write(0)
      end
    end

    assert_raises(RuntimeError) { MP.pack(list) }
    hash = { 1 => nil, 2 => 3 }
    hash[1] = Object.new.tap do |object|
      object.define_singleton_method(:to_msgpack) do |packer|
        hash.delete(2) && packer.write(0)
      end
    end

    assert_raises(RuntimeError) { MP.pack(hash) }
  end

  # A packer cannot be used while another fiber has stopped in the middle of a value.
  def test_a_packer_in_two_fibers
    packer = MP::Packer.new
    stuck = Object.new
    def stuck.to_msgpack(packer)
      packer.write(1)
      Fiber.yield
      packer.write(2)
    end
    fiber = Fiber.new { packer.write_array_header(1).write(stuck) }
    fiber.resume

    assert_match(/in another fiber/, assert_raises(ArgumentError) { packer.write(5) }.message)
    fiber.resume
    assert_equal MP.pack([5]), MP::Packer.new.write([5]).to_s
  end

  def test_factory
    factory = MP::Factory.new
    factory.register_type(1, Point)
    factory.register_type(2, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
    factory.register_type(3, Set, recursive: true, packer: ->(set, packer) { packer.write(set.to_a) },
                                  unpacker: ->(unpacker) { unpacker.read.to_set })
    value = [Point.new(1, 2), 1r / 3, Set[1, Set["a"], Point.new(3, 4)], { Point.new(5, 6) => 2r }]

    assert_equal value, factory.load(factory.dump(value))
    assert_equal value, factory.pool.load(factory.pool.dump(value))
    assert_equal([1, 2, 3], factory.registered_types.map { |entry| entry[:type] })
    assert_equal [true, true, false, true],
                 [factory.type_registered?(Point), factory.type_registered?(2), factory.type_registered?(9),
                  factory.type_registered?(Set, :packer)]
    assert_raises(MP::UnknownExtTypeError) { MP.unpack(factory.dump(1r)) }
    assert_equal MP::ExtensionValue.new(2, "1/1"), MP::Unpacker.new(allow_unknown_ext: true).feed(factory.dump(1r)).read
    assert_raises(FrozenError) { factory.freeze.register_type(5, Set) }
  end

  def test_subclasses_and_integers
    factory = MP::Factory.new
    names = Class.new(Array)
    factory.register_type(1, names, packer: ->(array) { array.join(",") }, unpacker: ->(text) { names.new(text.split(",")) })
    factory.register_type(2, Integer, packer: MP::Bigint.method(:to_msgpack_ext), unpacker: MP::Bigint.method(:from_msgpack_ext),
                                      oversized_integer_extension: true)
    factory.register_type(MP::Timestamp::TYPE, Time, packer: MP::Time::Packer, unpacker: MP::Time::Unpacker)
    values = [names.new(%w[a b]), %w[a b], 5, 2**64, -(2**100), Time.at(1, 5, :nsec), Time.at(2**40), Time.at(-5)]
    again = factory.load(factory.dump(values))

    assert_equal [values, names, Array], [again, again[0].class, again[1].class]
  end

  # If the small stack of a fiber ends first, that is a StackError, too. Bytes raise no other class.
  def test_recursion_on_small_stacks
    factory = MP::Factory.new
    factory.register_type(1, Point, recursive: true, packer: ->(point, packer) { packer.write(point.x) },
                                    unpacker: ->(unpacker) { Point.new(unpacker.read) })
    deep = 120.times.reduce(nil) { |inner, _| Point.new(inner) }
    bytes = 120.times.reduce("\xC0".b) do |inner, _|
      (inner.bytesize < 256 ? [0xc7, inner.bytesize, 1].pack("CCC") : [0xc8, inner.bytesize, 1].pack("CS>C")) + inner
    end

    [-> { factory.dump(deep) }, -> { factory.load(bytes) }].each do |call|
      outcome = Fiber.new { call.call && :fine rescue $!.class }.resume # rubocop:disable Style/RescueModifier

      assert_includes [:fine, MP::StackError], outcome
    end
  end

  def test_types_of_one_packer
    packer = MP::Packer.new
    packer.register_type(1, Rational, :to_s)
    packer.register_type(2, Point, &:to_msgpack_ext)
    unpacker = MP::Unpacker.new
    unpacker.register_type(1) { |text| Rational(text) }
    unpacker.register_type(2, Point, :from_msgpack_ext)
    value = [1r / 3, Point.new(4, 5)]

    assert_equal value, unpacker.feed(packer.write(value).to_s).read
    assert_equal([[1, 2], [1, 2]], [packer, unpacker].map { |one| one.registered_types.map { |entry| entry[:type] } })
    assert_equal [true, true, false, true],
                 [packer.type_registered?(Rational), packer.type_registered?(2), packer.type_registered?(3),
                  unpacker.type_registered?(Point)]
    assert_raises(ArgumentError) { unpacker.register_type(1) }
    assert_raises(ArgumentError) { packer.register_type(1, "x", :to_s) }
  end

  def test_the_older_format
    packer = MP::Packer.new(compatibility_mode: true)
    packer.write("a" * 40).write("b".b).write_bin("c" * 300).write("d" * 70_000)

    assert_predicate packer, :compatibility_mode?
    assert_equal "da0028", packer.to_s.byteslice(0, 3).unpack1("H*")
    assert_equal "bf", MP::Packer.new(compatibility_mode: true).write_bin("a" * 31).to_s.byteslice(0, 1).unpack1("H*")
    assert_equal ["a" * 40, "b", "c" * 300, "d" * 70_000], MP.each(packer.to_s).to_a
  end

  def test_recursion_is_bounded
    factory = MP::Factory.new
    factory.register_type(1, Point, recursive: true, packer: ->(point, packer) { packer.write(point.x) },
                                    unpacker: ->(unpacker) { Point.new(unpacker.read) })
    deep = 10_000.times.reduce(nil) { |inner, _| Point.new(inner) }

    assert_raises(MP::StackError) { factory.dump(deep) }
    bytes = 10_000.times.reduce("\xC0".b) do |inner, _|
      size = inner.bytesize
      (size < 256 ? [0xc7, size, 1].pack("CCC") : [0xc9, size, 1].pack("CL>C")) + inner
    end

    assert_raises(MP::StackError) { factory.load(bytes) }
  end

  # In any pieces, even single bytes.
  def test_feeding_in_pieces
    bytes = MP.pack(VALUE) + MP.pack(1) + MP.pack([nil])
    random = Random.new(3)
    [[1] * bytes.bytesize, [7] * 200, *Array.new(20) { Array.new(bytes.bytesize) { 1 + random.rand(200) } }].each do |sizes|
      unpacker = MP::Unpacker.new
      at = 0
      values = sizes.flat_map { |size| unpacker.feed_each(bytes.byteslice(at, size) || "").to_a.tap { at += size } }

      assert_equal [VALUE, 1, [nil]], values
    end
  end

  def test_reading_goes_on_after_eof
    bytes = MP.pack(VALUE)
    unpacker = MP::Unpacker.new
    (bytes.bytesize - 1).times do |at|
      unpacker.feed(bytes.byteslice(at, 1))

      assert_raises(EOFError) { unpacker.read } if (at % 50).zero?
    end

    assert_equal VALUE, unpacker.feed(bytes.byteslice(-1, 1)).read
  end

  def test_io
    bytes = MP.pack(VALUE) + MP.pack("x" * 100_000) + MP.pack(7)
    io = StringIO.new(bytes)

    assert_equal [VALUE, "x" * 100_000, 7], MP::Unpacker.new(io, io_buffer_size: 1024).each.to_a
    reader = Class.new do
      define_method(:initialize) { @io = StringIO.new(bytes) }
      define_method(:read) { |size, buffer = nil| @io.read(size, *buffer) }
    end

    assert_equal [VALUE, "x" * 100_000, 7], MP::Unpacker.new(reader.new).each.to_a
    out = StringIO.new("".b)

    assert_nil MP::Packer.new(out).write(VALUE).write(1).full_pack
    assert_equal MP.pack(VALUE) + MP.pack(1), out.string
  end

  # The memory of packers, unpackers and buffers counts, too.
  def test_what_is_registered_counts_for_the_memory_of_a_factory
    factory = MP::Factory.new
    fresh = ObjectSpace.memsize_of(factory)
    sizes = [Symbol, Time, Range].each_with_index.map do |klass, type|
      factory.register_type(type, klass, packer: :to_s)
      ObjectSpace.memsize_of(factory)
    end

    assert_equal [fresh, *sizes].uniq.sort, [fresh, *sizes]
    assert_equal sizes.last, ObjectSpace.memsize_of(factory.dup)
    [factory.packer, factory.unpacker, factory.packer.buffer].each do |object|
      assert_operator ObjectSpace.memsize_of(object), :>, 80
    end
  end

  def test_headers_and_skipping
    unpacker = MP::Unpacker.new.feed(MP.pack([1, { "a" => nil }, VALUE, nil, 5]))

    assert_equal [5, 1], [unpacker.read_array_header, unpacker.read]
    assert_raises(MP::UnexpectedTypeError) { unpacker.read_array_header }
    assert_equal [1, "a", true, false], [unpacker.read_map_header, unpacker.read, unpacker.skip_nil, unpacker.skip_nil]
    unpacker.skip

    assert_equal [true, 5], [unpacker.skip_nil, unpacker.read]
    assert_raises(EOFError) { unpacker.skip }
    assert_raises(EOFError) { unpacker.skip_nil }
    assert_raises(MP::MalformedFormatError) { MP::Unpacker.new.feed("\x01\x02".b).full_unpack }
    assert_raises(MP::MalformedFormatError) { MP::Unpacker.new.feed("\x92\x01\xC1".b).read }
  end

  def test_options
    bytes = MP.pack([{ "a" => ["b"] }])
    symbols = MP::Unpacker.new(symbolize_keys: true).feed(bytes).read
    frozen = MP::Unpacker.new(freeze: true).feed(bytes).read

    assert_equal [[{ a: ["b"] }], [{ "a" => ["b"] }]], [symbols, frozen]
    assert Ractor.shareable?(frozen)
    assert_raises(MP::MalformedFormatError) { MP::Unpacker.new(strict_utf8: true).feed("\xA1\xFF".b).read }
    assert_equal [true, true, false],
                 [MP::Unpacker.new(freeze: true).freeze?, MP::Unpacker.new(symbolize_keys: true).symbolize_keys?,
                  MP::Unpacker.new.allow_unknown_ext?]
  end

  def test_buffer
    buffer = MP::Buffer.new
    buffer << "abc" << "\xFF".b
    buffer.write("def")

    assert_equal [7, "ab", 1], [buffer.size, buffer.read(2), buffer.skip(1)]
    assert_equal ["\xFFdef".b, ["\xFFdef".b]], [buffer.to_s, buffer.to_a]
    assert_raises(EOFError) { buffer.read_all(5) }
    assert_raises(EOFError) { buffer.skip_all(5) }
    assert_equal ["\xFFdef".b, nil, "", true], [buffer.read_all(4), buffer.read(1), buffer.read, buffer.empty?]
    buffer << "x"

    assert_equal([1, "x"], StringIO.new("".b).then { |io| [buffer.write_to(io), io.string] })
    assert_equal(%w[a bc], MP::Buffer.new(StringIO.new("abc")).then { |found| [found.read(1), found.read] })
  end

  def test_pack_and_unpack_with_ios_and_options
    io = StringIO.new("".b)

    assert_nil MP.pack(VALUE, io)
    assert_equal VALUE, MP.unpack(StringIO.new(io.string))
    assert_equal [{ a: 1 }] * 2,
                 [MP.unpack(MP.pack({ a: 1 }), symbolize_keys: true),
                  MP.load(MP.dump({ a: 1 }, {}), { symbolize_keys: true })]
    assert_raises(TypeError) { MP.unpack(nil) } # the gem raises EOFError, and so does the drop-in
  end

  # Each option alone. Some change packing, some change reading, and some change nothing.
  def test_pools_with_options
    pools = { key_cache: true, symbolize_keys: true, freeze: true, sort_keys: true, compatibility_mode: true,
              limits: Sparpack::Limits.new(depth: 1) }.to_h { |name, value| [name, MP::Factory.new.pool(1, name => value)] }
    value = { "b" => "x" * 40, "a" => 1 }
    bytes = pools.transform_values { |pool| pool.dump(value) }
    read = pools.transform_values { |pool| pool.load(MP.pack(value)) }

    assert_equal({ sort_keys: MP::Packer.new(sort_keys: true).write(value).to_s,
                   compatibility_mode: MP::Packer.new(compatibility_mode: true).write(value).to_s },
                 bytes.reject { |_, found| found == MP.pack(value) })
    assert_equal({ symbolize_keys: { b: "x" * 40, a: 1 } }, read.reject { |_, found| found == value })
    assert_equal({ freeze: true }, read.transform_values(&:frozen?).select { |_, frozen| frozen })
    assert_raises(MP::StackError) { pools[:limits].dump([[]]) }
    assert_raises(MP::StackError) { pools[:limits].load(MP.pack([[]])) }
  end

  def test_dig
    value = { "users" => [{ "name" => "a" }, { "name" => "b", "tags" => { 1 => %w[x y], nil => true } }],
              "big" => "z" * 5_000 }
    bytes = MP.pack(value)

    assert_equal ["b", { "name" => "a" }, "y", true, value],
                 [MP.dig(bytes, "users", -1, :name), MP.dig(bytes, "users", 0), MP.dig(bytes, :users, 1, "tags", 1, 1),
                  MP.dig(bytes, "users", 1, "tags", nil), MP.dig(bytes, *[])]
    [["nope"], ["users", 2], ["users", -3], ["users", "name"], ["big", 0], ["users", 0, "name", "x"]].each do |steps|
      assert_nil MP.dig(bytes, *steps)
    end
    assert_equal 2, MP.dig("\x82\xA1a\x01\xA1a\x02".b, "a")
    [MP.pack({ "ä" => 1, "ä".b => 2, "k".b => 3 }), MP.pack({ "ä" => 1 }), MP.pack({ "ä".b => 1 })].each do |map|
      ["ä", "ä".b, "k", "k".b, "ä".encode("utf-16le")].each { |key| assert_equal [MP.unpack(map)[key]], [MP.dig(map, key)] }
    end
    assert_raises(EOFError) { MP.dig(bytes.byteslice(0, 20), "big") }
    assert_raises(MP::MalformedFormatError) { MP.dig("\x92\xC1\x01".b, 1) }
  end

  # Keys that only Ruby can compare: Floats, large Integers, Arrays, Hashes, objects of extension types.
  def test_dig_by_any_key
    factory = MP::Factory.new
    factory.register_builtin(:symbol, 0)
    factory.register_type(5, Range, packer: ->(range) { MP.pack([range.begin, range.end]) },
                                    unpacker: ->(payload) { Range.new(*MP.unpack(payload)) })
    value = { 1.5 => 1, 2**63 => 2, [1, nil] => 3, { "a" => 1 } => 4, (1..2) => 5, :b => 6, -2**63 => 7, "c" => 8 }
    bytes = factory.pack(value)

    value.each { |key, inner| assert_equal [inner], [factory.dig(bytes, key)], key }
    [1, 2.5, [1], 1..3, "b"].each { |key| assert_nil factory.dig(bytes, key), key }
    assert_equal [1, 8, 8, nil], [MP.dig(bytes, 1.5), MP.dig(bytes, :c), MP.dig(bytes, "c"), MP.dig(bytes, :b)]
    assert_raises(MP::UnknownExtTypeError) { MP.dig(bytes, *[]) }
    assert_equal 5, MP.dig(bytes, MP::ExtensionValue.new(5, MP.pack([1, 2])), allow_unknown_ext: true)
  end

  # A key is found in every form that it may have.
  def test_dig_by_plain_keys
    { nil => %w[c0], true => %w[c3], false => %w[c2], 0 => %w[00 d000 d10000 cc00 cf0000000000000000],
      5 => %w[05 d005 cd0005], -1 => %w[ff d0ff d2ffffffff], "ab" => %w[a26162 d9026162 c4026162] }.each do |key, forms|
      forms.each do |form|
        bytes = ["83a178#{form}#{form}07a17908"].pack("H*")

        assert_equal [7, 8, [[key.is_a?(String) ? key.to_sym : key, 7]]],
                     [MP.dig(bytes, key), MP.dig(bytes, "y"), MP.unpack(bytes, symbolize_keys: true).to_a[1, 1]], form
        [nil, true, false, 0, 5, -1, "ab", 255, "abc"].each do |other|
          assert_nil MP.dig(bytes, other) unless other == key
        end
      end
    end
  end

  # Whatever is missing: the value, the bytes of a key that is compared, or a key or a value that comes before.
  def test_dig_in_bytes_that_are_cut_off
    bytes = MP.pack({ "k" * 300 => [1], "l" => { 70_000 => "y" }, 1.5 => [2, "z"], [1, "two"] => 3, "a" => 300 })
    (0...bytes.bytesize).each do |size|
      [["k" * 300, 0], ["l", 70_000], [1.5, 1], [[1, "two"]], ["a"], ["none"]].each do |steps|
        assert_raises(EOFError, size) { MP.dig(bytes.byteslice(0, size), *steps) }
      end
    end
  end

  def test_dig_with_options
    bytes = MP.pack({ "users" => [{ "name" => "a" }, "\xFF"], "big" => [[[1]]] })

    assert_equal({ name: "a" }, MP.dig(bytes, "users", 0, symbolize_keys: true))
    assert_predicate MP.dig(bytes, :users, 0, "name", freeze: true), :frozen?
    assert_raises(MP::MalformedFormatError) { MP.dig(bytes, "users", 1, untrusted: true) }
    assert_raises(MP::StackError) { MP.dig(bytes, "big", limits: Sparpack::Limits.new(depth: 2)) }
    assert_raises(MP::LimitExceeded) { MP.dig(bytes, "big", 0, limits: Sparpack::Limits.new(message: 4)) }
    error = assert_raises(ArgumentError) { MP.dig(bytes, "users", symbolise_keys: true) }
    assert_equal "unknown option :symbolise_keys (did you mean :symbolize_keys?)", error.message
  end

  # Only a plain String that is a valid name becomes a Symbol.
  def test_keys_that_an_extension_type_makes
    name = Class.new(String)
    factory = MP::Factory.new
    factory.register_type(1, name, packer: :to_s, unpacker: ->(text) { name.new(text) })
    factory.register_type(2, Range, packer: :to_s, unpacker: ->(text) { text.dup.force_encoding("UTF-8") })
    named, good, bad = ["\xD4\x01a", "\xD4\x02a", "\xD4\x02\xFF"].map { |key| "\x81".b.concat(key.b, 5) }

    [{}, { symbolize_keys: true }].each { |options| assert_instance_of name, factory.load(named, options).keys[0] }

    assert_equal [{ "a" => 5 }, { a: 5 }, { "\xFF" => 5 }],
                 [factory.load(good), factory.load(good, symbolize_keys: true), factory.load(bad)]
    error = assert_raises(EncodingError) { factory.load(bad, symbolize_keys: true) }
    assert_match(/\Aa key .* Symbol \(byte \d, at \.keys\[0\]\)/, error.message)
  end

  def test_dig_by_a_key_that_changes_the_bytes
    bytes = MP.pack({ MP::ExtensionValue.new(5, "b") => "x" * 5_000, MP::ExtensionValue.new(5, "a") => "y" * 5_000 })
    factory = MP::Factory.new
    factory.register_type(5, Range, packer: :to_s, unpacker: ->(payload) { bytes.replace("z" * 9) && payload.to_sym })

    assert_equal "y" * 5_000, factory.dig(bytes, :a)
    assert_equal "z" * 9, bytes
  end

  # For every part of random values, dig returns what unpack would.
  def test_dig_of_everything
    bytes = MP.pack(VALUE)
    walk = lambda do |value, steps|
      assert_equal [value], [MP.dig(bytes, *steps)]
      case value
      when Hash then value.each { |key, inner| walk.call(inner, [*steps, key]) }
      when Array then value.each_with_index { |inner, index| walk.call(inner, [*steps, index]) }
      end
    end
    walk.call(VALUE, [])
  end

  def test_each
    bytes = MP.pack(1) + MP.pack([2])

    assert_equal [[1, [2]]] * 2, [MP.each(bytes).to_a, MP.each(StringIO.new(bytes)).to_a]
    assert_nil(MP.each(bytes) { |value| assert value })
  end

  def test_in_another_ractor
    value = { "a" => [1, { "b" => nil }] }.freeze
    code = "Warning[:experimental] = false; p Ractor.new { m = Sparpack::MessagePack; " \
           "m.unpack(m.pack({ 'a' => [1, { 'b' => nil }] })) }.then { |r| r.respond_to?(:value) ? r.value : r.take }"
    output, status = Command.capture2e(RbConfig.ruby, "-rsparpack", "-e", "Sparpack::MessagePack; #{code}")

    assert_predicate status, :success?, output
    assert_equal "#{value.inspect}\n", output
  end

  def test_what_cannot_be_skipped_or_counted
    assert_raises(MP::MalformedFormatError) { MP::Unpacker.new.feed("\xC1\x01".b).skip }
    %i[write_array_header write_map_header write_bin_header].each do |name|
      [-1, 2**32, -2**63, 2**70, counted(-1), counted(2**32), -1.0].each do |size|
        packer = MP::Packer.new
        assert_raises(RangeError) { packer.public_send(name, size) }
        assert_empty packer.to_s
      end
      [nil, "1", true, counted("1")].each { |size| assert_raises(TypeError) { MP::Packer.new.public_send(name, size) } }

      assert_equal MP::Packer.new.public_send(name, 7).to_s, MP::Packer.new.public_send(name, counted(7)).to_s
    end
  end

  # Something that is not an Integer, but has `to_int`.
  def counted(size) = Struct.new(:to_int).new(size)

  # The owner may change a String after feeding it.
  def test_what_is_fed_is_not_shared
    text = MP.pack(["abc"])
    unpacker = MP::Unpacker.new.feed(text)
    text.replace("\xC1".b * 10)

    assert_equal ["abc"], unpacker.read
  end

  def test_gc_stress_with_callbacks
    factory = MP::Factory.new
    factory.register_type(1, Point, recursive: true, packer: ->(point, packer) { packer.write(point.to_a) },
                                    unpacker: ->(unpacker) { Point.new(*unpacker.read) })
    value = [Point.new("a" * 30, [1.5]), { "k" => Point.new(1, Point.new(nil, "b")) }]
    GC.stress = true
    again = factory.load(factory.dump(value))
    GC.stress = false

    assert_equal value, again
  ensure
    GC.stress = false
  end

  def test_timestamps
    {
      [0, 0] => "00000000", [(2**32) - 1, 0] => "ffffffff", [1, 2] => "0000000800000001",
      [(2**34) - 1, 999_999_999] => "ee6b27ffffffffff", [2**34, 0] => "000000000000000400000000",
      [-1, 5] => "00000005ffffffffffffffff"
    }.each do |parts, hex|
      assert_equal hex, MP::Timestamp.to_msgpack_ext(*parts).unpack1("H*")
      assert_equal MP::Timestamp.new(*parts), MP::Timestamp.from_msgpack_ext([hex].pack("H*"))
    end
    assert_raises(MP::MalformedFormatError) { MP::Timestamp.from_msgpack_ext("12345") }
  end
end
