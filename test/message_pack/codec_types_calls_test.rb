# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/child"
require "support/codec_types"
require "support/deadline"

verbose = $VERBOSE
$VERBOSE = nil # callcc is obsolete, and yet it is there
require "continuation"
$VERBOSE = verbose

# Ruby code that runs while a codec writes or reads the data of an extension type: readers and constructors that raise, use
# the packer, change the bytes, or come back after the end.
class MessagePackCodecTypesCallsTest < Minitest::Test
  include Child
  include CodecTypes
  include Deadline

  # --- Ruby code in the middle ---------------------------------------------------------------------------------------------

  def test_a_reader_that_raises
    codec = CODECS["keywords"].first
    packer = factory(codec).packer
    packer.write("before")
    reading { raise IOError, "broken" }

    assert_equal "broken", assert_raises(IOError) { packer.write([1, Point.new(x: 1)]) }.message
    packer.write("after")

    assert_equal %w[before after], MP.each(packer.to_s).to_a
  end

  def test_a_reader_that_raises_after_a_part_went_to_an_io
    codec = CODECS["keywords"].first
    io = StringIO.new("".b)
    packer = factory(codec).packer(io, io_buffer_size: 1_024)
    reading { raise IOError, "broken" }

    assert_raises(IOError) { packer.write([*["x" * 3_000] * 20, Point.new(x: 1)]) }
    assert_raises(IOError) { packer.write(1) }
    packer.reset
    io.truncate(0)
    io.rewind
    packer.write([Point.new(x: 1, text: "y" * 50_000), "z" * 50_000]).flush

    assert_equal [Point.new(x: 1, text: "y" * 50_000), "z" * 50_000], factory(codec).load(io.string)
  end

  # Nothing of an open extension type goes to the io, because its head is not known yet.
  def test_ios_get_whole_extension_types
    codec = Codec.new(POINT, :message_pack)
    made = factory(codec)
    chunks = []
    io = Object.new.tap { |one| one.define_singleton_method(:write) { |*parts| chunks.concat(parts.map(&:dup)) && 1 } }
    points = Array.new(200) { |i| Point.new(x: i, y: ["y" * 300, i], text: "x" * (i * 40)) }
    made.packer(io, io_buffer_size: 1_024).write(points).flush

    assert_equal made.dump(points), chunks.join
    assert_operator chunks.size, :>, 2
  end

  def test_a_reader_that_encodes_and_packs
    codec = CODECS["keywords"].first
    made = factory(codec)
    inner = nil
    reading { inner = made.dump([Point.new(x: 2, text: "z" * 9_000)]) }
    bytes = made.dump(["x" * 5_000, Point.new(x: 1, y: 3)])

    assert_equal ["x" * 5_000, Point.new(x: 1, y: 3)], made.load(bytes)
    assert_equal [Point.new(x: 2, text: "z" * 9_000)], made.load(inner)
  end

  # A packer's own code may write with it. A reader may not: its bytes would be in the middle of the object.
  def test_a_reader_that_writes_with_the_packer
    codec = CODECS["keywords"].first
    writes = { "a little" => 1, "more than the stack holds" => "x" * 10_000, "much" => "x" * 300_000 }
    before = ["", "b" * 3_000, "b" * 100_000]
    before.product(writes.to_a, [false, true]).each do |text, (name, value), failing|
      outer = Object.new
      outer.define_singleton_method(:to_msgpack) do |packer|
        Point.reading = lambda do |_|
          Point.reading = nil
          failing ? packer.write([value, Object.new]) : packer.write(value)
        rescue NoMethodError
          nil
        end
        packer.write([text, Point.new(x: 1, y: 2, text: "t" * 6_000)])
      rescue ArgumentError => e
        packer.write(e.message)
      end
      made = factory(codec)

      assert_equal ["the packer was used while it packed a value", "tail"], made.load(made.dump([outer, "tail"])), name
    end
  end

  # A reader in a recursive type, and an exception that its code rescues.
  def test_recursive_types_around_it
    codec = CODECS["keywords"].first
    wrapper = Struct.new(:points)
    made = factory(codec)
    made.register_type(6, wrapper, recursive: true, unpacker: ->(unpacker) { wrapper.new(unpacker.read) },
                                   packer: lambda do |value, packer|
                                     packer.write(value.points)
                                   rescue IOError
                                     packer.write([])
                                   end)
    points = Array.new(5) { |i| Point.new(x: i, y: i, text: "x" * 3_000) }

    assert_equal [wrapper.new(points), 1], made.load(made.dump([wrapper.new(points), 1]))
    calls = 0
    Point.reading = ->(_) { (calls += 1) == 4 ? raise(IOError) : nil }

    assert_equal [wrapper.new([]), 1], made.load(made.dump([wrapper.new(points), 1]))
  end

  def test_a_constructor_that_raises
    codec = CODECS["keywords"].first
    made = factory(codec)
    bytes = made.dump([Point.new(x: 1), Point.new(x: 2)])
    Point.making = ->(point) { raise IOError, "broken" if point.x == 2 }
    unpacker = made.unpacker.feed(bytes + MP.pack("next"))

    assert_raises(IOError) { unpacker.read }
    assert_equal "next", unpacker.read
  end

  def test_a_constructor_that_changes_the_bytes
    codec = CODECS["keywords"].first
    points = Array.new(20) { |i| Point.new(x: i, y: "y" * i, text: "x" * 200) }
    made = factory(codec)
    ways = { load: ->(bytes) { made.load(bytes) }, feed: ->(bytes) { made.unpacker.feed(bytes).read },
             dig: ->(bytes) { made.dig(bytes, "k") } }
    ways.each do |name, read|
      bytes = made.dump(name == :dig ? { "k" => points } : points)
      Point.making = ->(point) { bytes.replace("") && point.x == 5 && GC.start }

      assert_equal points, read.call(bytes), name
      Point.making = nil
    end
  end

  def test_a_constructor_that_uses_the_unpacker
    codec = CODECS["keywords"].first
    made = factory(codec)
    bytes = made.dump([Point.new(x: 1)]) + MP.pack("next")
    unpacker = made.unpacker.feed(bytes)
    Point.making = ->(_) { unpacker.feed("\x01".b) && unpacker.skip }

    assert_raises(ArgumentError) { unpacker.read }
  end

  # What is registered meanwhile is for later values. The codec is kept until it has done its work.
  def test_types_that_are_replaced
    found = in_child do
      points = [Point.new(x: 1, text: "x" * 200), Point.new(x: 2)]
      bytes = factory(Codec.new(POINT, :message_pack)).dump(points)
      unpacker = factory(Codec.new(POINT, :message_pack)).unpacker.feed(bytes + bytes)
      packer = factory(Codec.new(POINT, :message_pack)).packer
      Point.making = ->(_) { unpacker.register_type(5) { :other } || GC.start }
      Point.reading = ->(_) { packer.register_type(6, Point) { "other" } || GC.start }
      points.each { |point| packer.write(point) }
      [unpacker.read.first == points[0], unpacker.read, MP.each(packer.to_s, allow_unknown_ext: true).map(&:type)]
    end

    assert_equal [true, %i[other other], [5, 6]], found
  end

  def test_threads_and_fibers_in_the_middle
    codec = CODECS["keywords"].first
    made = factory(codec)
    points = Array.new(4) { |i| Point.new(x: i, y: i, text: "t" * 2_000) }
    bytes = made.dump(points)
    Point.reading = Point.making = ->(_) { Thread.pass }
    found = within("threads") { Array.new(4) { Thread.new { made.load(made.dump(points)) } }.map(&:value) }

    assert_equal [points] * 4, found
    Point.reading = ->(_) { Fiber.yield }
    fibers = Array.new(3) { Fiber.new { made.dump(points) } }
    results = fibers.cycle.lazy.filter_map { |fiber| fiber.resume if fiber.alive? }.first(3)

    assert_equal [bytes] * 3, results
  end

  # --- garbage collection, continuations --------------------------------------------------------------------------------

  def test_under_stress
    points = [Point.new(x: 1, y: [2.5, "text"], text: "ä" * 100), Point.new(x: 1 << 50, text: "x" * 5_000)]
    places = [PLACE, Choice.new(place: PLACE)]
    found = in_child do
      made = factory(CODECS["keywords"].first)
      made.register_type(6, Place, codec: Codec.new(Place, :binary))
      made.register_type(7, Choice, codec: Codec.new(Choice, :json))
      value = [points, { "places" => places }]
      bytes = made.dump(value)
      unpacker = made.unpacker.feed(bytes[0, 3_000]).feed(bytes[3_000..])
      GC.stress = true
      again = made.dump(value)
      read = made.load(bytes)
      streamed = unpacker.read
      GC.stress = false
      [again == bytes, read == value, streamed == value]
    end

    assert_equal [true] * 3, found
  end

  def test_collections_and_compaction_in_the_middle
    found = in_child do
      Point.reading = Point.making = ->(_) { GC.respond_to?(:compact) ? GC.compact : GC.start }
      made = factory(CODECS["keywords"].first)
      points = Array.new(10) { |i| Point.new(x: i, y: [i.to_s * 50], text: "x" * (400 * i)) }
      [made.load(made.dump(points)) == points, made.load(made.dump(points), freeze: true) == points]
    end

    assert_equal [true] * 2, found
  end

  # A factory keeps its codec, and the codec its class.
  def test_a_factory_keeps_the_codec
    found = in_child do
      made = Array.new(20) do |i|
        klass = Class.new { attr_accessor :x }
        one = MP::Factory.new
        one.register_type(5, klass, codec: Codec.new(Mapping.new(klass, { 0 => :x }, build: :allocate), :message_pack))
        [one, one.dump(klass.new.tap { |object| object.x = i })]
      end
      GC.start
      GC.compact if GC.respond_to?(:compact)
      made.map { |one, bytes| one.load(bytes).x }
    end

    assert_equal [*0...20], found
  end

  # A continuation returns into a reader or a constructor after the value has been packed or read.
  def test_continuations
    found = in_child do
      [10, 6_000].product([10, 6_000]).map do |before, inside|
        kept = nil
        here = ->(_) { callcc { |continuation| kept ||= continuation } }
        made = factory(CODECS["keywords"].first)
        value = ["b" * before, Point.new(x: 1, y: 2, text: "t" * inside), Point.new(x: 2, y: 3, text: "u")]
        count = 0
        returned = []
        Point.reading = here
        begin
          returned << made.dump(value)
        rescue Sparpack::EncodeError, ArgumentError => e
          returned << e.class
        end
        count += 1
        GC.start
        kept.call if count < 3
        Point.reading = kept = nil
        bytes = returned.first
        count = 0
        Point.making = here
        read = made.load(bytes)
        count += 1
        GC.start
        kept.call if count < 3
        Point.making = nil
        [returned.grep(String).uniq.size, returned.size, count, read == value]
      end
    end

    assert_equal [[1, 3, 3, true]] * 4, found
  end
end
