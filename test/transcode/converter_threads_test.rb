# frozen_string_literal: true

require "test_helper"
require "fixtures/everything"
require "objspace"
require "pathname"
require "stringio"
require "support/child"
require "support/deadline"
require "support/random_schema"
require "support/seeded"
require "tempfile"

# Converter#copy_stream on several native threads does what it does on one.
class ConverterThreadsTest < Minitest::Test
  include Child
  include Deadline
  include Seeded

  module Level
    extend Sparpack::Enum

    LOW = 1
    HIGH = 200
    NEGATIVE = -3
  end

  class Part < Sparpack::Struct
    field 1, :name, :string
    field 2, :parts, list("Part")
  end

  # Absent fields have defaults of all kinds, of which some need Ruby.
  class Item < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :text, :string, default: "none"
    field 3, :level, Level, default: :LOW
    field 4, :bytes, :binary, default: "\xff".b
    field 5, :real, :double, default: 1.1
    field 6, :big, :i64, default: 1 << 62
    field 7, :list, list(:i32), default: []
    field 8, :map, map(:string, Level), default: {}
    field 9, :set, set(:i32)
    field 10, :part, Part
  end

  class Rare < Sparpack::Struct
    field 1, :id, :i64
    field 2, :set, set(:i32), default: Set[]
    field 3, :list, list(:i32), default: [1]
  end

  # A payload of three bytes becomes a long one. Without a set, it needs Ruby.
  class Padded < Sparpack::Struct
    field 1, :id, :i64
    field 2, :text, :string, default: "x" * 500
    field 3, :set, set(:i32), default: Set[]
  end

  # Threads read these defaults, which are objects.
  class Absent < Sparpack::Struct
    field 1, :id, :i64
    field 2, :real, :double, default: 1e300
    field 3, :list, list(:i32), default: []
    field 4, :map, map(:string, :i32), default: {}
  end

  # More names than a table has room for at first.
  module Many
    extend Sparpack::Enum

    (1..40).each { |number| const_set("NAME_#{number}", number * 1000) }
    const_set(:ÄNDERUNG, 0x7fffffff)
    const_set("ÖFFNUNG".encode(Encoding::ISO_8859_1), -0x80000000)
  end

  module None
    extend Sparpack::Enum
  end

  class Named < Sparpack::Struct
    field 1, :one, Many
    field 2, :levels, list(Level)
    field 3, :map, map(Many, set(Level))
    field 4, :none, None
  end

  # Making its table takes long enough for two Ractors to do it at the same time.
  module Numbers
    extend Sparpack::Enum

    (1..3000).each { |number| const_set("NAME_#{number}", number) }
  end

  class Long < Sparpack::Struct
    field 1, :number, Numbers
  end

  # Enough for several threads.
  BYTES = 300_000

  # Text has no end of its own that threads could find.
  PAIRS = Sparpack::WIRES.product(Sparpack::WIRES).reject { |from, to| from == to || from == :json }.freeze

  # Keeps what it is given.
  class Target
    attr_reader :pieces

    def initialize
      @pieces = []
    end

    def write(piece)
      @pieces << piece.b
      piece.bytesize
    end

    def bytes = @pieces.join
  end

  # Gives what a file would, in pieces, and then does what the block says.
  class Source
    def initialize(bytes, piece, &ending)
      @io = StringIO.new(bytes)
      @piece = piece
      @ending = ending
    end

    def readpartial(most)
      @io.readpartial([most, @piece].min)
    rescue EOFError
      @ending ? @ending.call : raise
    end
  end

  def item(id)
    level = [nil, :LOW, :HIGH, -3, 77][id % 5]
    Item.new(id:, text: id.odd? ? "ä#{"x" * (id % 70)}\n" : nil, level:, list: Array.new(id % 9) { |i| (i + id) % 100_000 },
             map: { "a#{id}" => :HIGH }, set: Set[id % 7, id % 11], part: part(id % 4))
  end

  def part(depth) = Part.new(name: "p", parts: depth.zero? ? nil : Array.new(depth) { part(depth - 1) })

  def items = @items ||= Array.new(400) { |i| item(i) }

  # @return [String] payloads, again and again, in frames
  def stream(objects, wire, frame = nil, least: BYTES, **options)
    io = StringIO.new("".b)
    objects.each { |object| object.encode_to(io, wire, frame:, **options) }
    io.string * ((least / io.string.bytesize) + 1)
  end

  # @return [Array] what was written, and what the call returned or raised
  def outcome(converter, source, **options)
    target = Target.new
    result = begin
      converter.copy_stream(source, target, **options)
    rescue Sparpack::Error, IOError => e
      [e.class, e.message, *([e.path, e.offset, e.message_offset] if e.is_a?(Sparpack::Error))]
    end
    [target.bytes, result]
  end

  # @return [Array] the outcome, which is the same with any number of threads and from any source
  def assert_same_outcome(converter, bytes, threads: [2, 3], **options)
    one = outcome(converter, bytes, **options)
    threads.each do |count|
      [bytes, StringIO.new(bytes), Source.new(bytes, 70_000)].each do |source|
        several = outcome(converter, source, threads: count, **options)

        assert_equal one.last, several.last, "#{converter}, #{options}, #{source.class}"
        assert_equal one.first.hash, several.first.hash, "#{converter}, #{options}, #{source.class}: other bytes"
      end
    end
    one
  end

  # Lets threads convert what they can, without what Ruby converts afterwards.
  #
  # @return [Array<Array>] what was made of them, or nil for one that was left; and where they end
  def look(converter, bytes, frame: nil, threads: 2)
    code = Sparpack::Frame::CODES.fetch(frame)
    Sparpack::Native.convert_many(converter, bytes, 0, *[bytes.bytesize] * 2, threads, code, 0).each_slice(2).to_a
  end

  # @return [Array<Array>] how many bytes each piece became, or nil if it was left; and where it ends
  def sizes(...) = look(...).map { |made, finish| [made&.bytesize, finish] }

  # @return [String] a payload without its defaults
  def bare(klass, **fields)
    object = klass.new(**fields)
    (object.members - fields.keys).each { |name| object[name] = nil }
    object.encode
  end

  def test_all_wires_and_frames
    frames = [nil, :varint, :framed]
    PAIRS.each_with_index do |(from, to), index|
      converter = Sparpack::Converter.new(Item, from:, to:)
      frame = frames[index % 3]
      written, size = assert_same_outcome(converter, stream(items, from, frame), frame:, to_frame: frames[(index / 3) % 3])

      assert_equal size, written.bytesize
    end
  end

  # An io of another encoding converts text, and an io of text takes it as it is.
  def test_text_stays_text
    bytes = stream(items, :compact)
    Sparpack::WIRES.product([nil, :varint, :framed, :lines]).each do |to, to_frame|
      next if to == :compact || (to_frame == :lines && to != :json)

      converter = Sparpack::Converter.new(Item, from: :compact, to:)
      one, several = [1, 3].map { |threads| encodings(converter, bytes, to_frame:, threads:) }

      assert_equal one, several, "#{to} #{to_frame}"
    end
  end

  # @return [Array<Encoding>] of what is written
  def encodings(converter, source, **options)
    seen = Set.new
    target = Object.new
    target.define_singleton_method(:write) { |piece| seen.add(piece.encoding) && piece.bytesize }
    converter.copy_stream(source, target, **options)
    seen.to_a
  end

  def test_lines_of_json
    bytes = stream(items, :json, :lines)
    %i[compact message_pack].each do |to|
      assert_same_outcome(Sparpack::Converter.new(Item, from: :json, to:, frame: :lines), bytes, to_frame: :framed)
    end
    assert_same_outcome(Sparpack::Converter.new(Item, from: :json, to: :compact), bytes)
    blank = bytes.lines.each_slice(100).map { |lines| "#{lines.join}  \n\n" }.join

    assert_same_outcome(Sparpack::Converter.new(Item, from: :json, to: :compact, frame: :lines), blank)
  end

  def test_names_of_enums
    [{ enums: :names }, { validate: :strict }, { enums: :names, limits: Sparpack::Limits.new(string: 80) }].each do |options|
      assert_same_outcome(Sparpack::Converter.new(Item, from: :compact, to: :json, **options), stream(items, :compact))
      known = items.reject { |item| item.level == 77 }

      assert_same_outcome(Sparpack::Converter.new(Item, from: :compact, to: :json, **options), stream(known, :compact))
    end
    converter = Sparpack::Converter.new(Item, from: :json, to: :compact, frame: :lines)

    assert_same_outcome(converter, stream(items, :json, :lines, enums: :names))
    assert_same_outcome(converter, stream(items, :json, :lines, enums: :names).sub("HIGH", "NONE"))
  end

  def test_names_of_several_enums
    objects = Array.new(80) do |i|
      many = Many.values[i % Many.values.size]
      Named.new(one: many, levels: [:LOW, -3, many], map: { many => Set[:HIGH, 5] }, none: i)
    end
    bytes = stream(objects, :compact)
    text = stream(objects, :json, :lines, enums: :names)
    write = Sparpack::Converter.new(Named, from: :compact, to: :json, enums: :names)
    read = Sparpack::Converter.new(Named, from: :json, to: :compact, frame: :lines)

    assert_includes text, "ÖFFNUNG".b
    [[write, bytes, {}], [read, text, { frame: :lines }]].each do |converter, source, options|
      assert_same_outcome(converter, source, **options)
      assert look(converter, source, **options).all?(&:first), "#{converter}: threads found no names"
    end
    assert_same_outcome(read, text.gsub("NAME_7\"", "NAME_\"").gsub('"none":', '"none":"A","n":'), frame: :lines)
  end

  # The size that ObjectSpace tells of a converter includes the tables of names that it has made for threads.
  def test_memory_of_names
    converter = Sparpack::Converter.new(Named, from: :compact, to: :json)
    before = ObjectSpace.memsize_of(converter)
    converter.copy_stream(bare(Named) * 2, Target.new, threads: 2)

    assert_operator ObjectSpace.memsize_of(converter), :>, before + (2 * Many.names.sum(&:size))
  end

  # Threads pass over a name that is no String and a number that is no i32. They write the number instead of such a name, and
  # leave text with such a number to Ruby.
  def test_tables_of_enums_that_lie
    table = { lookup: { a: 1, large: 1 << 70, b: :a, wide: 1 << 40 }, written: { 1 => "a", 1 << 70 => "large", 2 => 3 } }
    target = Object.new.tap { |enum| enum.define_singleton_method(:enum_table) { table } }.freeze
    klass = Class.new(Sparpack::Struct) { field 1, :level, Sparpack::Type.new(:enum, target:) }
    write = Sparpack::Converter.new(klass, from: :compact, to: :json, enums: :names)
    read = Sparpack::Converter.new(klass, from: :json, to: :compact, frame: :lines)
    lines = %w[a large b wide].map { |name| "{\"level\":\"#{name}\"}\n" }

    assert_equal [['{"level":"a"}{"level":2}{"level":5}', 9]], look(write, [1, 2, 5].map { |n| bare(klass, level: n) }.join)
    assert_equal [3, nil, nil, nil], sizes(read, lines.join, frame: :lines).map(&:first)
  end

  def test_random_classes
    8.times do
      schema = RandomSchema.new(random)
      klass = schema.struct_class
      objects = Array.new(60) { schema.object(klass) }
      from, to = PAIRS.find_all { |pair| pair.first != :thrift_json }.sample(random:)
      ids = ->(wire) { wire == :message_pack ? { keys: :ids } : {} }
      bytes = stream(objects, from, least: 150_000, **ids.call(from))
      bytes.setbyte(random.rand(bytes.bytesize), random.rand(256)) if random.rand(2).zero?

      assert_same_outcome(Sparpack::Converter.new(klass, from:, to:, **ids.call(to)), bytes, threads: [2])
    end
  end

  # What threads leave stands between what they convert.
  def test_what_needs_objects
    bytes = stream(Array.new(40) { |id| Rare.new(id:) }, :compact, least: 60_000)
    bare = ->(struct) { struct.new(id: 1).tap { |made| made.set = made.list = nil }.encode }
    unlike = [*Array.new(30) { |id| item(id).encode }, bare.call(Rare)].join * 30

    assert_same_outcome(Sparpack::Converter.new(Rare, from: :compact, to: :json), bytes)
    assert_same_outcome(Sparpack::Converter.new(Rare, from: :compact, to: :json), bare.call(Rare) * 2_000)
    assert_same_outcome(Sparpack::Converter.new(Item, from: :compact, to: :json, unknown: :skip), unlike)
    assert_same_outcome(Sparpack::Converter.new(Item, from: :compact, to: :json), unlike)
  end

  def test_defaults_that_are_objects
    converter = Sparpack::Converter.new(Absent, from: :compact, to: :json)
    text = '{"id":1,"real":1.0e+300,"list":[],"map":{}}'

    assert_equal [[text * 3, 9]], look(converter, bare(Absent, id: 1) * 3)
    assert_same_outcome(converter, bare(Absent, id: 1) * 30_000)
  end

  # Text of JSON may have blanks between the payloads.
  def test_blanks_between_payloads
    texts = items.map { |item| item.encode(:thrift_json) }
    ["\n", " ", "\r\n\t "].each do |blank|
      bytes = (texts * 4).map { |text| text + blank }.join
      converter = Sparpack::Converter.new(Item, from: :thrift_json, to: :compact)

      assert_same_outcome(converter, bytes, threads: [2])
      assert look(converter, bytes).all?(&:first)
    end
  end

  # What is compressed needs Ruby.
  def test_threads_do_not_compress
    converter = Sparpack::Converter.new(Item, from: :compact, to: :message_pack, compression: :lz4)

    assert_empty look(converter, stream(items, :compact))
    assert_same_outcome(converter, stream(items, :compact), threads: [2])
  end

  # --- the memory of threads -----------------------------------------------------------------------------------------------

  # A thread whose output is full stops. The next call goes on behind what it has converted.
  def test_many_payloads_fill_an_output
    converter = Sparpack::Converter.new(Padded, from: :compact, to: :json)
    payload = bare(Padded, id: 1, set: [1])
    bytes = payload * 17_000
    (size, finish), *others = sizes(converter, bytes, threads: 1)

    assert_empty others
    assert_equal converter.convert(payload).bytesize * (finish / payload.bytesize), size
    assert_in_delta (8 << 20) - 2048, size, 2048
    assert_same_outcome(converter, bytes, threads: [2])
  end

  # @return [String] a payload that becomes more than the memory of a thread
  def large = @large ||= Padded.new(id: 1, text: "\u0001" * 1_400_000, set: [1]).encode

  def test_a_payload_fills_an_output
    converter = Sparpack::Converter.new(Padded, from: :compact, to: :json)
    small = Padded.new(id: 1, text: "x" * 100_000, set: [1]).encode
    one = converter.convert(small).bytesize
    bytes = [small * 3, large, small].join

    assert_equal [[one, small.bytesize]], sizes(converter, small + large, threads: 1)
    assert_equal [[nil, large.bytesize], [one, large.bytesize + small.bytesize]], sizes(converter, large + small, threads: 1)
    assert_same_outcome(converter, bytes, threads: [2])
  end

  # A thread stops as soon as it has left 32 payloads more to Ruby than it has converted.
  def test_a_payload_that_is_left_may_be_the_last_one
    converter = Sparpack::Converter.new(Padded, from: :compact, to: :json)
    bare = bare(Padded, id: 1)
    ends = (1..32).map { |count| [nil, count * bare.bytesize] }
    bytes = (bare * 32) + large

    assert_equal [*ends, [nil, bytes.bytesize]], look(converter, bytes + bare, threads: 1)
    assert_equal 33, look(converter, (bare * 31) + large + (bare * 2), threads: 1).size
    assert_same_outcome(converter, bytes + (bare * 9), threads: [2])
  end

  # The values of a payload take memory, too, if the pair of wires is not fused. A thread keeps that for the next payload.
  def test_values_fill_the_memory_of_a_thread
    converter = Sparpack::Converter.new(Rare, from: :compact, to: :binary)
    few, many = [2000, 600_000].map { |size| Rare.new(id: 1, list: Array.new(size, 1), set: [1]).encode }
    one = converter.convert(few).bytesize
    bytes = [few, few, many, few].join

    assert_equal [[one * 2, few.bytesize * 2], [nil, bytes.bytesize - few.bytesize], [one, bytes.bytesize]],
                 sizes(converter, bytes, threads: 1)
    assert_same_outcome(converter, bytes, threads: [2])
  end

  # Ruby converts payloads of more than 4 MiB, however many threads there are.
  def test_payloads_that_are_too_large_for_a_thread
    converter = Sparpack::Converter.new(Item, from: :compact, to: :binary)
    small, long, larger = [500, (4 << 20) - 5000, 4 << 20].map { |size| Item.new(id: 1, text: "x" * size) }
    bytes = stream([*[small] * 20, long], :compact, least: 0)
    all = converter.convert(long.encode).bytesize + (20 * converter.convert(small.encode).bytesize)

    assert_equal [[all, bytes.bytesize]], sizes(converter, bytes + larger.encode, threads: 1)
    assert_same_outcome(converter, bytes + larger.encode + small.encode, threads: [5])
    framed = stream([small, larger, small], :compact, :varint, least: 0)

    assert_equal [small.encode(:binary).bytesize, nil, small.encode(:binary).bytesize],
                 sizes(converter, framed, frame: :varint, threads: 6).map(&:first)
    assert_same_outcome(converter, framed, frame: :varint, threads: [6])
  end

  # --- errors ------------------------------------------------------------------------------------------------------------

  def test_errors_come_where_they_come_on_one_thread
    [nil, :varint].each do |frame|
      %i[compact binary message_pack].each do |from|
        bytes = stream(items, from, frame)
        # By default, a message of an io may not be as long as a broken length says, but one of a String may.
        converter = Sparpack::Converter.new(Item, from:, to: :json, limits: Sparpack::Limits.new(message: 1 << 60))
        3.times do
          broken = bytes.dup
          broken[random.rand(bytes.bytesize), 3] = "\xFE\xFD\xFC".b

          assert_same_outcome(converter, broken, frame:)
        end
        _, error = assert_same_outcome(converter, bytes.byteslice(0...-3), frame:)

        assert_equal Sparpack::DecodeError::Truncated, error.first
      end
    end
  end

  def test_limits
    bytes = stream(items, :compact)
    large = bytes + Item.new(id: 1, text: "x" * 9000).encode + bytes
    { string: 60, message: 3000, memory: 20_000, depth: 3 }.each do |name, limit|
      converter = Sparpack::Converter.new(Item, from: :compact, to: :json, limits: Sparpack::Limits.new(name => limit))

      assert_same_limits(converter, large)
      assert_same_limits(converter, stream(items.first(20), :compact, :varint) + stream([item(69)], :compact, :varint),
                         frame: :varint)
    end
  end

  # A String has no limit of its own, so it is not compared with ios.
  def assert_same_limits(converter, bytes, **options)
    [-> { bytes }, -> { StringIO.new(bytes) }].each do |source|
      one = outcome(converter, source.call, **options)

      assert_equal one.map(&:hash), outcome(converter, source.call, threads: 3, **options).map(&:hash), converter.inspect
    end
  end

  def test_deep_and_large_payloads
    deep = (1..150).inject(Part.new) { |below, _| Part.new(parts: [below]) }
    limits = Sparpack::Limits.new(depth: 400)
    bytes = [*Array.new(300) { part(3).encode }, deep.encode(limits:), *Array.new(300) { part(3).encode }].join
    long = Item.new(id: 1, text: "\u0001" * 5_000_000)
    many = Item.new(id: 1, list: Array.new(1_300_000) { |i| i })

    assert_same_outcome(Sparpack::Converter.new(Part, from: :compact, to: :json, limits:), bytes)
    assert_same_outcome(Sparpack::Converter.new(Part, from: :compact, to: :json), bytes)
    [long, many].each do |object|
      bytes = [stream(items, :compact), object.encode, stream(items, :compact)].join

      assert_same_outcome(Sparpack::Converter.new(Item, from: :compact, to: :json), bytes, threads: [2])
    end
  end

  def test_a_source_that_raises
    bytes = stream(items, :compact)
    converter = Sparpack::Converter.new(Item, from: :compact, to: :json)
    broken = -> { Source.new(bytes, 70_000) { raise IOError, "broken" } }

    assert_equal outcome(converter, broken.call), outcome(converter, broken.call, threads: 2)
    assert_equal [IOError, "broken"], outcome(converter, broken.call, threads: 2).last
  end

  def test_a_target_that_raises
    target = Object.new
    target.define_singleton_method(:write) { |_| raise IOError, "full" }
    converter = Sparpack::Converter.new(Item, from: :compact, to: :json)

    assert_raises(IOError) { converter.copy_stream(stream(items, :compact), target, threads: 4) }
    assert_no_threads_left
  end

  def test_wrong_numbers
    converter = Sparpack::Converter.new(Item, from: :compact, to: :json)
    [0, -1, 65, 1.5, nil, "2"].each do |threads|
      error = assert_raises(ArgumentError) { converter.copy_stream("", Target.new, threads:) }

      assert_equal "threads: expected an Integer from 1 to 64, got #{threads.inspect}", error.message
    end
    [1, 2, 64].each { |threads| assert_equal 0, converter.copy_stream("", Target.new, threads:) }
    assert_same_outcome(converter, stream(items, :compact), threads: [64])
  end

  # --- other threads and processes ---------------------------------------------------------------------------------------

  # @return [Integer, nil] how many threads the process has
  def native_threads = (Dir["/proc/self/task/*"].size if File.directory?("/proc/self/task"))

  def assert_no_threads_left
    within("native threads to end") { sleep 0.001 until native_threads.to_i <= Thread.list.size + 2 }
  end

  # @return [Array(Object, Float)] what the block raised, and after how many seconds
  def interrupted(seconds = 0.05)
    bytes = stream(items, :compact, least: 4 << 20)
    converter = Sparpack::Converter.new(Item, from: :compact, to: :json)
    started = Queue.new
    work = Thread.new do
      Thread.current.report_on_exception = false
      started << true
      loop { converter.copy_stream(bytes, Target.new, threads: 3) }
    end
    within("the start") { started.pop }
    sleep seconds
    yield work
    before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    result = begin
      within("the end") { work.value }
    rescue StandardError => e
      e
    end
    [result, Process.clock_gettime(Process::CLOCK_MONOTONIC) - before]
  end

  # In seconds. Other processes may take the processor meanwhile, so not each interrupt has to be that quick.
  PROMPT = 0.1

  def test_interrupts
    times = [0.01, 0.03, 0.1].map do |seconds|
      raised, took = interrupted(seconds) { |work| work.raise(IOError, "enough") }

      assert_equal "enough", raised.message
      assert_operator took, :<, Patience.of(10 * PROMPT)
      assert_no_threads_left
      took
    end

    assert_operator times.min, :<, Patience.of(PROMPT)
    killed, = interrupted(&:kill)

    assert_nil killed
    assert_no_threads_left
  end

  def test_timeout
    bytes = stream(items, :compact, least: 4 << 20)
    converter = Sparpack::Converter.new(Item, from: :compact, to: :json)
    3.times do |i|
      assert_raises(Timeout::Error) do
        Timeout.timeout(0.02 + (0.01 * i)) { loop { converter.copy_stream(bytes, Target.new, threads: 2) } }
      end
    end
    assert_no_threads_left
    assert_same_outcome(converter, stream(items, :compact))
  end

  def test_signals
    raised, handled = in_child do
      handled = 0
      trap(:USR1) { handled += 1 }
      trap(:INT, "DEFAULT") # what runs in the background may ignore it
      bytes = stream(items, :compact, least: 4 << 20)
      converter = Sparpack::Converter.new(Item, from: :compact, to: :json)
      one = outcome(converter, bytes)
      sender = Thread.new do
        loop { Process.kill(:USR1, Process.pid) && sleep(0.002) }
      end
      same = Array.new(3) { outcome(converter, bytes, threads: 3) }.all?(one)
      sender.kill.join
      Thread.new { sleep(0.02) && Process.kill(:INT, Process.pid) }
      begin
        loop { converter.copy_stream(bytes, Target.new, threads: 3) }
      rescue Interrupt => e
        [[same, e.class], handled]
      end
    end

    assert_equal [true, Interrupt], raised
    assert_operator handled, :>, 0
  end

  def test_fork_in_another_thread
    bytes = stream(items, :compact, least: 4 << 20)
    converter = Sparpack::Converter.new(Item, from: :compact, to: :json)
    expected = outcome(converter, bytes).map(&:hash)
    work = Thread.new { Array.new(4) { outcome(converter, bytes, threads: 3).map(&:hash) } }
    children = Array.new(4) do
      sleep 0.01
      in_child { outcome(converter, bytes, threads: 3).map(&:hash) == expected }
    end

    assert_equal [true] * 4, children
    assert_equal([expected], finish([work]).first.uniq)
  end

  def test_ractors
    text = in_child do
      Warning[:experimental] = false
      shared = Sparpack::Converter.new(Item, from: :compact, to: :json)
      bytes = stream(items, :compact).freeze
      Pathname("x") # loaded before
      ractors = Array.new(2) do
        Ractor.new(shared, bytes) do |converter, input|
          target = StringIO.new
          converter.copy_stream(input, target, threads: 2)
          target.string.hash
        end
      end
      one = outcome(shared, bytes).first.force_encoding(Encoding::UTF_8).hash
      ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }.uniq == [one]
    end

    assert text
  end

  # Two Ractors need the tables of enums' names at the same moment. Both make them, and the tables of one are dropped.
  def test_ractors_that_make_the_same_tables
    same = in_child do
      Warning[:experimental] = false
      shared = Array.new(8) { Sparpack::Converter.new(Long, from: :compact, to: :json, enums: :names) }.freeze
      Ractor.make_shareable(shared)
      first = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 0.02
      ractors = Array.new(2) do
        Ractor.new(shared, first) do |converters, start|
          converters.each_with_index.map do |converter, index|
            nil until Process.clock_gettime(Process::CLOCK_MONOTONIC) >= start + (index * 0.01)
            Sparpack::Native.convert_many(converter, "\x15\x04\0", 0, 3, 3, 2, 0, 0)
          end
        end
      end
      ractors.flat_map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
    end

    assert_equal [['{"number":"NAME_2"}', 3]] * 16, same
  end

  # Threads read defaults and the source, while others compact the heap and change the source.
  def test_compaction_and_changes
    skip "this Ruby does not compact" unless GC.respond_to?(:compact)
    same = in_child do
      bytes = stream(items, :compact, least: 2 << 20)
      converter = Sparpack::Converter.new(Item, from: :compact, to: :json, enums: :names)
      one = outcome(converter, bytes)
      stop = false
      others = [Thread.new { GC.compact until stop }, Thread.new { Array.new(100) { "x" * 50 } until stop }]
      all = Array.new(4) do
        mine = bytes.dup
        others << Thread.new { sleep(0.003) && mine.replace("y" * 100) }
        outcome(converter, mine, threads: 3)
      end
      stop = true
      others.each(&:join)
      all.all?(one)
    end

    assert same
  end
end
