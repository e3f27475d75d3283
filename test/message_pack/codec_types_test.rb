# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/child"
require "support/codec_types"

# Extension types whose objects a codec writes between the head and the end of their data, and reads where they are. All is
# as if Procs called the codec.
class MessagePackCodecTypesTest < Minitest::Test
  include Child
  include CodecTypes

  class Route < Sparpack::Struct
    field 1, :stops, list(list(:i64))
  end

  # Sizes at which the head of the data is another one.
  SIZES = [*0..20, *249..259, 4000, 4096, 65_531, 65_532, 65_535, 65_536, 70_000, 1_200_000].freeze

  # --- what Procs make, too -----------------------------------------------------------------------------------------------

  def test_bytes_and_objects_are_those_of_procs
    CODECS.each do |name, (codec, objects)|
      one = factory(codec)
      other = by_procs(codec)
      [objects.first, objects, { "k" => objects, objects.last => [1] }].each do |value|
        bytes = one.dump(value)

        assert_equal other.dump(value), bytes, name
        assert_equal value, one.load(bytes), name
        assert_equal value, other.load(bytes), name
      end
    end
  end

  def test_every_size_of_data
    codec = Codec.new(BYTES, :message_pack)
    one = factory(codec)
    other = by_procs(codec)
    values = SIZES.map { |size| Bytes.new("b" * size) }

    values.each { |value| assert_equal other.dump([value, 1]), one.dump([value, 1]), value.bytes.bytesize }
    assert_equal other.dump(values), one.dump(values)
    assert_equal values, one.load(one.dump(values))
  end

  # Types that consist of values leave room for the same head.
  def test_every_size_of_sets_and_recursive_types
    wrapper = Struct.new(:value)
    made = MP::Factory.new
    made.register_builtin(:set, 1)
    made.register_type(2, wrapper, packer: ->(value, packer) { packer.write(value.value) },
                                   unpacker: ->(unpacker) { wrapper.new(unpacker.read) }, recursive: true)
    SIZES.each do |size|
      [Set[("b" * size).b], wrapper.new(Set[wrapper.new("b" * size)])].each do |value|
        assert_equal [value, 1], made.load(made.dump([value, 1])), size
      end
    end
  end

  def test_the_msgpack_gem_reads_them
    require "msgpack"
    codec = CODECS["by name"].first
    gems = ::MessagePack::Factory.new
    gems.register_type(5, Point, packer: ->(point) { ::MessagePack.pack(%w[x y text].zip(point.to_a).to_h) },
                                 unpacker: ->(data) { Point.new(**::MessagePack.unpack(data, symbolize_keys: true)) })
    points = [Point.new(x: 1, y: 2, text: "x" * 300), Point.new(x: 1 << 40, y: [nil, 2.5], text: "ä")]

    assert_equal gems.dump(points), factory(codec).dump(points)
    assert_equal points, gems.load(factory(codec).dump(points))
    assert_equal points, factory(codec).load(gems.dump(points))
  end

  def test_compressed_payloads
    codec = Codec.new(Place, :message_pack, compression: :lz4)
    place = Place.new(id: 1, name: "x" * 70_000)

    [codec, Codec.new(Place, :message_pack)].each do |reading|
      bytes = factory(codec).dump([place, 1])

      assert_equal by_procs(codec).dump([place, 1]), bytes
      assert_operator bytes.bytesize, :<, 1_000
      assert_equal [place, 1], factory(reading).load(bytes)
    end
  rescue LoadError
    skip "the library for LZ4 is missing"
  end

  def test_lazy_objects_outlive_the_bytes
    codec = Codec.new(Place, :compact, lazy: true)
    bytes = factory(codec).dump([PLACE, PLACE])
    places = MP::Unpacker.new.then { |_| factory(codec).unpacker.feed(bytes).read }
    bytes.replace("\0" * bytes.bytesize)

    assert_equal [PLACE, PLACE], places
    assert_equal factory(codec).dump(places), by_procs(codec).dump(places)
  end

  def test_frozen_objects_are_not_lazy
    made = factory(Codec.new(Place, :compact, lazy: true))
    places = made.load(made.dump([PLACE]), freeze: true)

    assert_predicate places[0], :frozen?
    assert_predicate Ractor.make_shareable(places)[0].name, :frozen?
    assert_equal [PLACE], places
  end

  # --- wherever extension types work -------------------------------------------------------------------------------------

  def test_packers_and_unpackers
    codec, points = CODECS["keywords"]
    made = factory(codec)
    bytes = by_procs(codec).dump(points)
    io = StringIO.new("".b)
    made.packer(io, io_buffer_size: 1_024).write(points).flush

    assert_equal bytes, made.packer.write(points).to_s
    assert_equal bytes, io.string
    assert_equal points, made.unpacker(StringIO.new(bytes)).read
    assert_equal points, made.pool.load(made.pool.dump(points))
    assert_equal points.last, made.dig(bytes, -1)
    assert_equal 7, made.dig(made.dump({ points[0] => 7, 1 => 2 }), points[0])
    assert_predicate made.load(bytes, freeze: true).first, :frozen?
  end

  def test_the_default_factory
    found = in_child do
      MP::DefaultFactory.register_type(6, Point, codec: CODECS["keywords"].first)
      MP.unpack(MP.pack(Point.new(x: 7, y: 1))).to_a
    end

    assert_equal [7, 1, nil], found
  end

  def test_pieces
    codec, points = CODECS["keywords"]
    bytes = factory(codec).dump([points, "tail"])
    made = 0
    Point.making = ->(_) { made += 1 }
    (1..7).each do |size|
      unpacker = factory(codec).unpacker
      values = bytes.scan(/.{1,#{size}}/mn).flat_map { |piece| unpacker.feed_each(piece).to_a }

      assert_equal [[points, "tail"]], values
    end
    assert_equal 7 * points.size, made, "an object is made once"
  end

  def test_sorted_keys
    codec = Codec.new(PLAIN, :message_pack)
    made = MP::Factory.new
    made.register_type(5, Plain, codec:)
    made.register_builtin(:set, 6)
    points = [Plain.new(3, 1, "c"), Plain.new(1, 1, "x" * 5_000), Plain.new(2, nil, "b")]
    sorted = ->(value) { made.packer(sort_keys: true).write(value).to_s }

    assert_equal sorted[points.to_h { |point| [point, 1] }], sorted[points.reverse.to_h { |point| [point, 1] }]
    assert_equal sorted[points.to_set], sorted[points.reverse.to_set]
    assert_equal points.sort_by(&:x), made.load(sorted[points.to_set]).sort_by(&:x)
  end

  def test_what_is_registered
    codec = CODECS["keywords"].first
    made = factory(codec)
    entry = made.registered_types.first
    point = Point.new(x: 1)

    assert_equal({ type: 5, class: Point }, entry.slice(:type, :class))
    assert_equal point, entry[:unpacker].call(entry[:packer].call(point))
    { packer: made.packer, unpacker: made.unpacker }.each do |way, user|
      [made.registered_types(way), user.registered_types].each { |types| assert_kind_of Proc, types.first[way] }
    end
    assert made.type_registered?(Point)
    assert_equal Point.new(x: 2), made.dup.load(made.dump(Point.new(x: 2)))
  end

  # A subclass of Codec may have methods of its own.
  def test_methods_of_a_subclass_are_called
    counting = Class.new(Codec) do
      def decode(bytes) = super.tap { |point| point.instance_variable_set(:@x, 99) }
    end
    made = factory(counting.new(POINT, :message_pack))

    assert_equal 99, made.load(made.dump(Point.new(x: 1))).x
  end

  def test_ractors_share_a_factory
    shared = in_child do
      Warning[:experimental] = false
      made = Ractor.make_shareable(factory(CODECS["struct, compact"].first).freeze)
      bytes = made.dump([PLACE])
      Array.new(3) { Ractor.new(made, bytes) { |one, given| one.dump(one.load(given)) == given } }.map(&:take)
    end

    assert_equal [true] * 3, shared
  end

  # --- errors --------------------------------------------------------------------------------------------------------------

  # Each beginning, and each changed byte: the same value, or the same error at the same place.
  def test_damaged_bytes_are_what_they_are_by_procs
    CODECS.each do |name, (codec, objects)|
      one = factory(codec)
      other = by_procs(codec)
      bytes = one.dump([objects, 1])
      damaged = (0...bytes.bytesize).map { |size| bytes[0, size] }
      bytes.bytesize.times.to_a.product([0, 1, 0x7F, 0x80, 0xC1, 0xDD, 0xFF]) do |place, byte|
        damaged << bytes.dup.tap { |changed| changed.setbyte(place, byte) }
      end
      damaged.each do |each|
        same(outcome { other.load(each) }, outcome { one.load(each) }, "#{name}: #{each.unpack1("H*")}")
      end
    end
  end

  # Data of each length, cut off in the middle and with bytes behind it, is read as if it stood alone.
  def test_data_ends_where_its_head_says
    CODECS.each do |name, (codec, objects)|
      one = factory(codec)
      other = by_procs(codec)
      data = codec.encode(objects.first).b
      [*(0...data.bytesize).map { |size| data[0, size] }, "#{data}\0".b, data * 2].each do |each|
        bytes = MP::Packer.new.write_array_header(2).write_ext(5, each).write("\0" * 40).to_s

        same(outcome { other.load(bytes) }, outcome { one.load(bytes) }, "#{name}: #{each.bytesize}")
        same(outcome { codec.decode(each) }, outcome { one.load(bytes).first }, name)
      end
    end
  end

  def test_an_unpacker_goes_on_behind_what_cannot_be_decoded
    codec = CODECS["struct, compact"].first
    bytes = MP::Packer.new.write_array_header(2).write_ext(5, "\0").write(1).write("next").to_s
    unpacker = factory(codec).unpacker.feed(bytes)
    error = assert_raises(Sparpack::DecodeError::MissingField) { unpacker.read }

    assert_equal 1, error.offset
    assert_equal "next", unpacker.read
  end

  def test_objects_that_are_refused
    CODECS.slice("struct, compact", "struct, json").each_value do |codec, _|
      one = factory(codec)
      other = by_procs(codec)
      [Place.new, Place.new(id: 1, name: 5), Place.new(id: 1, marks: { "a" => ["x"] }), Place.new(id: 2**70)].each do |place|
        same(outcome { other.dump([1, place]) }, outcome { one.dump([1, place]) })
      end
    end
    deep = 70.times.reduce(Place.new(id: 1)) { |inner, _| Place.new(id: 1, inner:) }

    assert_raises(Sparpack::EncodeError::LimitExceeded) { factory(CODECS["struct, compact"].first).dump([deep]) }
  end

  # The levels around an object do not count for its codec, nor those in it for the value around it.
  def test_levels
    codec, objects = CODECS["struct, compact"]
    deep = 128.times.reduce(objects.first) { |inner, _| [inner] }
    made = factory(codec)

    assert_equal deep, made.load(made.dump(deep))
    assert_raises(MP::StackError) { made.dump([deep]) }
    assert_raises(MP::StackError) { made.load("\x91".b + made.dump(deep)) }
  end

  def test_what_is_not_a_codec
    made = MP::Types.allocate
    row = [[Place, 5, Object.new, :codec, false, true]]
    made.send(:setup, row, [[5, Place, nil, :codec, false]])
    packer = MP::Packer.new.tap { |one| one.send(:use, made) }

    assert_raises(TypeError) { packer.write(PLACE) }
    assert_raises(TypeError) { MP::Unpacker.new.tap { |one| one.send(:use, made) }.feed("\xD4\5\0".b).read }
  end

  # --- limits --------------------------------------------------------------------------------------------------------------

  def limits(memory) = { limits: Sparpack::Limits.new(memory:, message: nil, depth: 128) }

  # What a codec makes counts for the memory of the value around it.
  def test_memory
    codec = Codec.new(PLAIN, :message_pack)
    made = factory(codec)
    bytes = made.dump(Array.new(100) { |i| Plain.new(i, nil, "x" * 100) })
    least = (1_000..100_000).step(100).find { |memory| outcome { made.load(bytes, limits(memory)) }.size == 100 }

    assert_operator least, :>, 100 * 140
    error = assert_raises(MP::LimitExceeded) { made.load(bytes, limits(least / 2)) }

    assert_match(/\[(4|5)\d\]/, error.message)
    assert_equal 100, made.unpacker(limits(least)).feed(bytes).read.size
    assert_equal 100, made.unpacker(StringIO.new(bytes), limits(least)).read.size
  end

  def test_memory_of_the_codec
    small = Sparpack::Limits.new(memory: 100)
    bytes = factory(Codec.new(PLAIN, :message_pack)).dump([Plain.new(1, nil, "x" * 500)])
    codec = Codec.new(PLAIN, :message_pack, limits: small)

    assert_raises(Sparpack::DecodeError::LimitExceeded) { factory(codec).load(bytes) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { factory(codec).load(bytes, limits(1 << 20)) }
    assert_raises(MP::LimitExceeded) { factory(codec).load(bytes, limits(50)) }
    assert_raises(MP::LimitExceeded) { factory(codec).load(bytes, { limits: Sparpack::Limits.new(extension: 100) }) }
  end

  def test_memory_of_what_needs_a_string
    bytes = factory(Codec.new(Place, :compact)).dump([Place.new(id: 1, name: "x" * 500)] * 3)
    lazy = factory(Codec.new(Place, :compact, lazy: true))

    assert_raises(MP::LimitExceeded) { lazy.load(bytes, limits(1_000)) }
    assert_equal 3, lazy.load(bytes, limits(10_000)).size
  end

  # A lazy object makes its fields later, when nobody asks for the limit any more.
  def test_memory_of_lazy_objects
    bytes = MP::Factory.new.dump(Array.new(10_000) { MP::ExtensionValue.new(5, "\x90".b) })
    most, least = [true, false].map do |lazy|
      made = factory(Codec.new(Place, :message_pack, lazy:))
      (100_000..10_000_000).bsearch { |memory| outcome { made.load(bytes, limits(memory)) }.is_a?(Array) }
    end

    assert_operator most, :>=, least
    assert_operator most, :<, 3 * least
  end

  # Compressed bytes may become many objects.
  def test_memory_of_compressed_payloads
    bytes = factory(Codec.new(Route, :message_pack, compression: :lz4)).dump([Route.new(stops: [[]] * 20_000)] * 10)

    assert_operator bytes.bytesize, :<, 5_000
    [{}, { compression: :lz4 }, { lazy: true }].each do |options|
      made = factory(Codec.new(Route, :message_pack, **options))

      assert_match(/\[[45]\]/, assert_raises(MP::LimitExceeded) { made.load(bytes, limits(5_000_000)) }.message, options)
      assert_equal([20_000] * 10, made.load(bytes, limits(50_000_000)).map { |route| route.stops.size })
    end
    made = factory(Codec.new(Route, :message_pack))
    error = assert_raises(MP::LimitExceeded) { made.load(bytes, limits(15_000)) }

    assert_match(/more than 15000 bytes .*\[0\]/, error.message, "not even what is decompressed")
    small = factory(Codec.new(Route, :message_pack, limits: Sparpack::Limits.new(memory: 100_000)))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { small.load(bytes, limits(50_000_000)) }
  rescue LoadError
    skip "the library for LZ4 is missing"
  end

  # Sizes in the data are believed as little as elsewhere.
  def test_hostile_sizes
    ["\x1A\xFF\xFF\xFF\xFF\x0F", "\x1B\xFF\xFF\xFF\xFF\x0F\x88", "\x16\x02\x18\xFF\xFF\xFF\xFF\x07"].each do |data|
      bytes = MP::Packer.new.write_ext(5, data.b).to_s
      before = GC.stat(:malloc_increase_bytes)
      assert_raises(Sparpack::DecodeError) { factory(CODECS["struct, compact"].first).load(bytes) }

      assert_operator GC.stat(:malloc_increase_bytes) - before, :<, 1 << 20
    end
  end
end
