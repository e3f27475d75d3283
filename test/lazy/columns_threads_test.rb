# frozen_string_literal: true

require "test_helper"
require "stringio"
require "timeout"
require "tmpdir"
require "support/command"
require "support/deadline"
require "support/fresh_ruby"
require "support/seeded"

# Packed columns of payloads in frames: on one native thread and on several they are what columns without frames are, and
# errors are the same. What threads have in common is tested in test/transcode/converter_threads_test.rb.
class ColumnsThreadsTest < Minitest::Test
  include Deadline
  include FreshRuby
  include Seeded

  class Place < Sparpack::Struct
    field 1, :lat, :double
    field 2, :open, :bool
  end

  class Shop < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :stars, :i8
    field 3, :open, :bool
    field 4, :size, :i32, default: 7
    field 5, :score, :double
    field 6, :place, Place
    field 7, :places, list(Place)
    field 8, :name, :string
    field 9, :short, :i16
    field 10, :sizes, map(:string, :i32)
    field 11, :big, :i64, default: 1 << 62
  end

  # It reads a Shop's id as something else.
  class Other < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 8, :name, :i32
  end

  FRAMES = { compact: %i[varint framed], binary: %i[varint framed], json: %i[varint lines], thrift_json: %i[framed],
             message_pack: %i[varint framed] }.freeze
  PATHS = %w[id stars open size score place.lat place.open short big].freeze

  def shop(id)
    Shop.new(id: id << random.rand(40), stars: (random.rand(256) - 128 unless random.rand(5).zero?),
             open: [true, false, nil].sample(random:), size: random.rand(100), score: (random.rand if id % 3 == 1),
             place: (Place.new(lat: 1.5, open: id.even?) if id % 7 < 5), name: "n" * random.rand(60),
             places: Array.new(random.rand(4)) { |i| Place.new(lat: i + (id / 2.0), open: [true, nil][i % 2]) },
             short: random.rand(1 << 16) - (1 << 15), sizes: { "a" => id & 1023 })
  end

  def shops = @shops ||= Array.new(1500) { |id| shop(id) }

  def stream(wire, frame, objects = shops)
    codec = Sparpack::Codec.new(Shop, wire)
    io = StringIO.new("".b)
    objects.each { |object| codec.encode_to(io, object, frame:) }
    io.string
  end

  def parts(columns)
    columns.transform_values { |column| [column.type, column.size, column.values, column.validity, column.null_count] }
  end

  def outcome(codec, source, paths, **options)
    parts(codec.columns(source, *paths, as: :packed, **options))
  rescue Sparpack::Error, IOError => e
    [e.class, e.message, *([e.path, e.offset, e.message_offset] if e.is_a?(Sparpack::Error))]
  end

  # What payloads one by one have, as columns of objects.
  def by_hand(objects, paths)
    paths.to_h do |path|
      [path, objects.map { |object| path.split(".").inject(object) { |value, name| value&.public_send(name) } }]
    end
  end

  # Some are compressed, and the short ones are not.
  def test_compressed_payloads
    Sparpack::LZ4.name
    codec = Sparpack::Codec.new(Shop, :message_pack, compression: :lz4)
    some = shops.first(300).each_with_index { |shop, index| shop.name = "n" * 400 if (index % 3).zero? }
    %i[varint framed].each do |frame|
      io = StringIO.new("".b)
      some.each { |object| codec.encode_to(io, object, frame:) }
      plain = stream(:message_pack, frame, some)
      expected = outcome(Sparpack::Codec.new(Shop, :message_pack), plain, PATHS, frame:)

      assert_operator io.string.bytesize, :<, plain.bytesize / 2
      [1, 2, 3].each do |threads|
        assert_equal expected, outcome(codec, io.string, PATHS, frame:, threads:)
        assert_equal some.size, codec.count(io.string, frame:, threads:)
      end
    end
  end

  def test_all_wires_and_frames
    FRAMES.each do |wire, frames|
      codec = Sparpack::Codec.new(Shop, wire)
      frames.product([1, 3]) do |frame, threads|
        bytes = stream(wire, frame)
        [bytes, StringIO.new(bytes)].each do |source|
          found = codec.columns(source, *PATHS, as: :packed, frame:, threads:)

          assert_equal by_hand(shops, PATHS), found.transform_values(&:to_a), "#{wire} #{frame} #{threads}"
        end
      end
    end
    assert_equal [], Shop.columns("", "id", as: :packed, frame: :varint, threads: 2)["id"].to_a
  end

  # The rows are elements, and some payloads have none.
  def test_rows_in_a_list
    bytes = stream(:compact, :varint)
    expected = shops.flat_map(&:places)
    [1, 2, 7].each do |threads|
      found = Shop.columns(bytes, "places[].lat", "places[].open", as: :packed, frame: :varint, threads:)

      assert_equal expected.map(&:lat), found["places[].lat"].to_a
      assert_equal expected.map(&:open), found["places[].open"].to_a
      assert_equal expected.count { |place| place.open.nil? }, found["places[].open"].null_count
    end
  end

  # A value of a map is decoded, which only the caller can do, and a large default is an object.
  def test_payloads_that_are_left_to_the_caller
    few = shops.each_with_index.map { |object, id| id % 500 == 250 ? object.with(big: nil) : object.with(big: id) }
    bytes = stream(:binary, :varint, few)
    absent = few.map { |object| object.big || (1 << 62) }
    [1, 2].each do |threads|
      found = Shop.columns(bytes, "big", "id", wire: :binary, as: :packed, frame: :varint, threads:)

      assert_equal absent, found["big"].to_a
      assert_equal shops.map(&:id), found["id"].to_a
      assert_equal(shops.map { |object| object.sizes["a"] },
                   Shop.columns(bytes, 'sizes["a"]', wire: :binary, as: :packed, frame: :varint, threads:).values[0].to_a)
    end
  end

  def test_errors_and_limits
    FRAMES.each do |wire, frames|
      frame = frames.first
      bytes = stream(wire, frame, shops.first(600))
      codec = Sparpack::Codec.new(Shop, wire)
      damaged = Array.new(3) { bytes.dup.tap { |broken| broken[random.rand(bytes.bytesize), 2] = "\xFE\xFD".b } }
      [*damaged, bytes.byteslice(0...-1)].each { |broken| assert_same_outcome(codec, broken, frame) }
      { string: 40, memory: 500, depth: 1, message: 60 }.each do |name, limit|
        assert_same_outcome(Sparpack::Codec.new(Shop, wire, limits: Sparpack::Limits.new(name => limit)), bytes, frame)
      end
    end
    assert_same_outcome(Sparpack::Codec.new(Other), stream(:compact, :varint), :varint, %w[id])
    assert_same_outcome(Sparpack::Codec.new(Other, mismatch: :skip), stream(:compact, :varint), :varint, %w[id name])
  end

  # One after the other, each alone.
  def assert_same_outcome(codec, bytes, frame, paths = PATHS)
    one = begin
      codec.decode_each(bytes, frame:).to_a
      outcome(codec, bytes, paths, frame:)
    rescue Sparpack::Error, IOError => e
      [e.class, e.message, *([e.path, e.offset, e.message_offset] if e.is_a?(Sparpack::Error))]
    end
    [1, 2, 5].each { |threads| assert_equal one, outcome(codec, bytes, paths, frame:, threads:), "#{codec} #{threads}" }
  end

  # Threads leave to the caller what is deeper than usual, because they cannot ask how much room their stack has.
  class Part < Sparpack::Struct
    field 1, :id, :i32
    field 2, :part, -> { Part }
  end

  def test_deep_payloads
    limits = Sparpack::Limits.new(depth: 1000)
    deep = (1..900).inject(Part.new(id: 0)) { |part, id| Part.new(id:, part:) }
    codec = Sparpack::Codec.new(Part, limits:)
    io = StringIO.new("".b)
    1.upto(200) { |id| [Part.new(id:), deep].each { |part| codec.encode_to(io, part, frame: :varint) } }
    [1, 2].each do |threads|
      found = codec.columns(io.string, "id", "part.id", as: :packed, frame: :varint, threads:)

      assert_equal [(1..200).flat_map { |id| [id, 900] }, [nil, 899] * 200], found.values.map(&:to_a)
    end
    assert_same_outcome(Sparpack::Codec.new(Part), io.string, :varint, %w[id])
  end

  def test_wrong_arguments
    { { as: :arrays, frame: :varint } => "threads: needs as: :packed, because making other objects needs Ruby's lock",
      { as: :packed } => "threads: needs a frame, because without one finding the ends is all of the work" }
      .each do |options, message|
      error = assert_raises(ArgumentError) { Shop.columns("", "id", threads: 2, **options) }

      assert_equal message, error.message
    end
    [0, 65, "2", 1.5].each do |threads|
      assert_raises(ArgumentError) { Shop.columns("", "id", as: :packed, frame: :varint, threads:) }
    end
    assert_raises(ArgumentError) { Shop.columns("", "name", as: :packed, frame: :varint, threads: 2) }
    assert_raises(ArgumentError) { Shop.columns("", "id", as: :packed, frame: :lines, threads: 2) }
  end

  def test_parts_of_other_columns_are_refused
    codec = Shop.codec
    one, two = [[[:id]], [[:id], [:stars]]].map { |paths| Sparpack::Native.columns_new(codec, paths, true, false, nil) }
    part, finish = Sparpack::Native.columns_ahead(one, codec, stream(:compact, :varint), 0, 1 << 20, 1 << 20, 2, 1)

    assert_operator finish, :>, 0
    Sparpack::Native.columns_add(one, part)
    holder, *places = part
    [[two, part], [one, [nil, *places]], [one, [holder, 9, 0, 1]], [one, [holder, -1, 0, 1]], [one, [holder, 0, 1, 1 << 40]]]
      .each { |columns, wrong| assert_raises(ArgumentError, TypeError) { Sparpack::Native.columns_add(columns, wrong) } }
    Sparpack::Native.columns_finish(one)
    assert_raises(ArgumentError) { Sparpack::Native.columns_add(one, part) }
  end

  def test_while_garbage_is_collected
    bytes = stream(:compact, :varint)
    expected = outcome(Shop.codec, bytes, PATHS, frame: :varint)
    working = true
    collector = Thread.new do
      while working
        GC.start
        GC.compact if GC.respond_to?(:compact)
      end
    end
    5.times { assert_equal expected, outcome(Shop.codec, bytes, PATHS, frame: :varint, threads: 2) }
  ensure
    working = false
    finish([collector])
  end

  def test_interrupts
    bytes = stream(:compact, :varint) * 200
    within("an interrupt") do
      assert_raises(Timeout::Error) do
        Timeout.timeout(0.05) { loop { Shop.columns(bytes, *PATHS, as: :packed, frame: :varint, threads: 2) } }
      end
    end
  end

  # Gives other threads time whenever the memory of a column has moved, before the column has its new address.
  SLOW_REALLOC = <<~C
    #include <stddef.h>
    #include <unistd.h>
    void *__libc_realloc(void *memory, size_t size);
    void *realloc(void *memory, size_t size) {
        void *moved = __libc_realloc(memory, size);
        if (memory && size > 1000000) usleep(20000);
        return moved;
    }
  C

  FORKING = File.expand_path("../support/fork_while_filling.rb", __dir__)

  # A process that another thread forks has none of the threads, and their columns in the middle of a change.
  def test_a_fork_frees_no_columns_that_threads_fill
    skip "only the C library of GNU shows its realloc" unless RUBY_PLATFORM.end_with?("linux-gnu", "linux")
    skip "the sanitizers have a realloc of their own" if ENV["SPARPACK_MODE"] == "sanitize"
    Dir.mktmpdir do |folder|
      File.write("#{folder}/slow.c", SLOW_REALLOC)
      compiler = Command.capture2e(RbConfig::CONFIG["CC"], "-shared", "-fPIC", "#{folder}/slow.c", "-o", "#{folder}/slow.so")

      assert_predicate compiler.last, :success?, compiler.first
      [1, 2].each do |threads|
        said = fresh_ruby("load ARGV.shift", FORKING, threads.to_s, environment: { "LD_PRELOAD" => "#{folder}/slow.so" })

        assert_equal "[0]", said
      end
    end
  end
end
