# frozen_string_literal: true

require "test_helper"
require "sparpack/media"
require "sparpack/message_pack"
require "stringio"
require "support/deadline"

# Bytes that change while they are read: by another thread without the GVL, and by Ruby code in the middle of a read.
class SourcesTest < Minitest::Test
  MP   = Sparpack::MessagePack
  SIZE = 1 << 20
  TEXT = ("a" * SIZE).freeze

  class Entry < Sparpack::Struct
    field 1, :id, :i32
    field 2, :text, :string
  end

  # Its keys have a `hash` of their own.
  class Key < Sparpack::Struct
    field 1, :id, :i32

    class << self
      attr_accessor :hashed # called when a key's `hash` is
    end

    def hash
      Key.hashed&.call
      id.hash
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :text, :string
    field 2, :keys, map(Key, :i32)
  end

  Dated = Struct.new(:year)

  TYPES = MP::Factory.new.tap do |factory|
    factory.register_type(1, Dated, packer: ->(date) { date.year.to_s }, unpacker: ->(data) { Dated.new(data.to_i) })
  end

  COMPACT, JSON = %i[compact json].map { |wire| Entry.new(id: 1, text: TEXT).encode(wire).freeze }
  FRAMED  = ([COMPACT.bytesize].pack("N") << COMPACT).freeze
  KEYED   = Keyed.new(text: TEXT, keys: { Key.new(id: 1) => 2 }).encode.freeze
  PACKED  = MP.pack({ "text" => TEXT }).freeze
  NOISE   = Random.new(1).bytes(SIZE).freeze
  DEFLATED = Sparpack::LZ4.deflate(NOISE).freeze
  TO_JSON = Sparpack::Converter.new(Entry, from: :compact, to: :json)

  # A thread that reads an io into a String, and waits for it.
  class Reading
    include Deadline

    def initialize(string)
      @input, @output = IO.pipe
      @string = string
      @asked = Queue.new
      @thread = Thread.new { @asked.pop && @input.read(string.bytesize, string) }
    end

    def begin
      @asked << true
      within("a thread that reads") { Thread.pass until locked? }
    end

    def stop
      @asked.close
      @output.close
      @thread.join
      @input.close
    end

    private

    # Ruby refuses to change a String that is locked.
    def locked?
      @string.setbyte(0, @string.getbyte(0))
      false
    rescue RuntimeError
      true
    end
  end

  # Each is given a String, and returns what it has read.
  READERS = {
    "decode" => [COMPACT, ->(bytes) { Entry.decode(bytes) }],
    "decode of JSON" => [JSON, ->(text) { Entry.decode(text, :json) }],
    "decode by a codec" => [COMPACT, ->(bytes) { Entry.codec(unknown: :keep).decode(bytes) }],
    "a lazy decode" => [COMPACT, ->(bytes) { Entry.codec(lazy: true).decode(bytes) }],
    "a decode that runs Ruby code" => [KEYED, ->(bytes) { Keyed.decode(bytes) }],
    "from_json" => [JSON, ->(text) { Entry.from_json(text) }],
    "decode_each" => [COMPACT, ->(bytes) { Entry.decode_each(bytes).to_a }],
    "check" => [COMPACT, ->(bytes) { Entry.codec.check(bytes) }],
    "dig" => [COMPACT, ->(bytes) { Entry.dig(bytes, :id) }],
    "dig in bytes whose decode runs Ruby code" => [KEYED, ->(bytes) { Keyed.dig(bytes, :text) }],
    "patch" => [COMPACT, ->(bytes) { Entry.patch(bytes, [:id] => 2) }],
    "columns" => [COMPACT, ->(bytes) { Entry.columns(bytes, "id") }],
    "count" => [COMPACT, ->(bytes) { Entry.codec.count(bytes) }],
    "decode_each of frames" => [FRAMED, ->(bytes) { Entry.decode_each(bytes, frame: :framed).to_a }],
    "a body" => [JSON, ->(text) { Sparpack::Media::Bodies.decode(text, Entry, :json, {}) }],
    "count in threads" => [FRAMED, ->(bytes) { Entry.codec.count(bytes, frame: :framed, threads: 2) }],
    "convert" => [COMPACT, ->(bytes) { TO_JSON.convert(bytes) }],
    "guess" => [COMPACT, ->(bytes) { Sparpack::Native.guess(bytes, nil, true, false) }],
    "unpack" => [PACKED, ->(bytes) { MP.unpack(bytes) }],
    "unpack with types" => [PACKED, ->(bytes) { TYPES.load(bytes) }],
    "dig in MessagePack" => [PACKED, ->(bytes) { MP.dig(bytes, "text") }],
    "the end of a value of MessagePack" => [PACKED, ->(bytes) { Sparpack::Native.message_pack_end(bytes, 0) }],
    "feed" => [PACKED, ->(bytes) { MP::Unpacker.new.feed(bytes).read }],
    "deflate" => [NOISE, ->(bytes) { Sparpack::LZ4.deflate(bytes) }],
    "inflate" => [DEFLATED, ->(bytes) { Sparpack::LZ4.inflate(bytes) }],
    "inspect" => [COMPACT, ->(bytes) { Sparpack::Inspector.new(bytes, Entry, from: :compact).text }]
  }.freeze

  # If a copy is made, more memory is allocated than for a String that is not locked.
  READERS.each do |name, (bytes, read)|
    define_method("test_#{name}: a String that a thread reads into is copied") do
      plain, expected = allocated(String.new(bytes), read)
      more, found = while_locked(bytes) { |string| allocated(string, read) }

      assert_equal expected, found
      assert_operator more - plain, :>, bytes.bytesize * 9 / 10
    end
  end

  def test_one_copy_is_enough_for_many_payloads
    payloads = Entry.new(id: 1, text: "a" * 1000).encode * 1000
    codec = Entry.codec
    { "decode_each" => ->(bytes) { codec.decode_each(bytes).count },
      "each_range" => ->(bytes) { codec.each_range(bytes).count },
      "copy_stream" => ->(bytes) { TO_JSON.copy_stream(bytes, StringIO.new) } }.each do |name, read|
      plain, expected = allocated(String.new(payloads), read)
      more, found = while_locked(payloads) { |string| allocated(string, read) }

      assert_equal expected, found, name
      assert_operator more - plain, :<, payloads.bytesize * 2, name
    end
  end

  # Other processes could not see a change either.
  def test_one_process_reads_what_the_source_was_at_first
    source = [1, 2].map { |id| Entry.new(id:).encode.then { |bytes| [bytes.bytesize].pack("N") << bytes } }.join
    ids = Entry.codec.decode_each(source, frame: :framed, processes: 1) { |entry| source.clear && entry.id }

    assert_equal [1, 2], ids
  end

  # The key in the path is hashed after the call has begun.
  def test_patch_of_a_string_that_a_thread_begins_to_read_into
    changes = { [:keys, Key.new(id: 1)] => 3 }
    patch = ->(bytes) { Keyed.patch(bytes, changes) }
    plain, expected = allocated(String.new(KEYED), patch)
    string = "".b << KEYED # has memory of its own
    reading = Reading.new(string) # a new thread takes memory
    Key.hashed = -> { reading.begin }
    more, found = growth { patch.call(string) }

    assert_equal expected, found
    assert_operator more - plain, :>, SIZE * 9 / 10
  ensure
    Key.hashed = nil
    reading&.stop
  end

  # --- Ruby code in the middle of a read --------------------------------------------------------------------------------

  # Messages quote names that are long or not ASCII. That runs Ruby code.
  class Inner < Sparpack::Struct
    field 1, :größe, :i32, required: true
    field 2, :bytes, :binary
  end

  class Outer < Sparpack::Struct
    field 1, :straße, list(Inner)
  end

  CUT = %i[compact binary json thrift_json message_pack].to_h do |wire|
    [wire, Outer.new(straße: Array.new(3) { |i| Inner.new(größe: i, bytes: "b" * 100_000) }).encode(wire)[..-11].freeze]
  end
  LACKING = %({"straße":[{"grösse":1,"bytes":"#{"YWFh" * 50_000}"}]}).freeze

  CUT.each do |wire, bytes|
    define_method("test_a message with names, while the bytes change, #{wire}") do
      assert_same_fault(bytes, :quote_name) { |source| Outer.decode(source, wire) }
    end
  end

  def test_a_hint_while_the_bytes_change
    assert_same_fault(LACKING, :missing_hint) { |source| Outer.decode(source, :json) }
  end

  def test_a_key_in_a_message_while_the_bytes_change
    bytes = MP.pack({ "a" => "x" * 300_000 })[1..].then { |pair| "\x82".b + pair + "\xA1k\xD4\x05z".b }

    assert_same_fault(bytes, :quote) { |source| MP.unpack(source) }
    fed = MP::Unpacker.new.feed(bytes[..99])
    bytes[100..].each_char.each_slice(1000) { |some| fed.feed(some.join) }
    expected = assert_raises(MP::UnknownExtTypeError) { MP.unpack(bytes) }
    error = assert_raises(MP::UnknownExtTypeError) { at_call(:quote) { |call| call ? fed.feed("z" * 900_000) : fed.read } }

    assert_equal expected.message, error.message
  end

  # A reader that fails frees the keys that are not in a Hash yet.
  def test_a_key_in_a_message_outlives_the_values
    bytes = "\x81\xD9\x80".b << ("k" * 128) << "\x93\xC0\xC0\xC1".b
    expected = assert_raises(MP::MalformedFormatError) { MP.unpack(bytes) }.message

    assert_includes expected, "[\"#{"k" * 128}\"][2]"
    GC.stress = true
    error = assert_raises(MP::MalformedFormatError) { MP.unpack(bytes) }
    GC.stress = false

    assert_equal expected, error.message
  ensure
    GC.stress = false
  end

  def test_a_long_key_in_a_message
    { "k" * 2000 => "k" * 128, "ü" * 1500 => "ü" * 128, "\n" * 2000 => "\\n" * 64 }.each do |key, shown|
      error = assert_raises(MP::MalformedFormatError) { MP.unpack(MP.pack({ key => nil })[..-2] << "\xC1".b) }

      assert_includes error.message, "[\"#{shown}…\"]"
    end
  end

  def test_ends_of_what_is_no_string
    [nil, 5, :x, []].each { |bytes| assert_equal [0, 0], Sparpack::Native.scan_ends(Entry.codec, bytes, 0) }
    assert_equal [0, 0], Sparpack::Native.scan_ends(Entry.codec, COMPACT, -1)
  end

  private

  # @yieldparam string [String] a copy of the bytes, which a thread reads into
  def while_locked(bytes)
    reading = Reading.new(string = String.new(bytes))
    reading.begin
    yield string
  ensure
    reading&.stop
  end

  # @return [(Integer, Object)] the bytes that were allocated and not freed, and what was read
  def allocated(string, read)
    read.call(string) # whatever is allocated once
    growth { read.call(string) }
  end

  def growth
    GC.start
    GC.disable
    before = GC.stat(:malloc_increase_bytes)
    result = yield
    [GC.stat(:malloc_increase_bytes) - before, result]
  ensure
    GC.enable
  end

  # Ruby code that a message needs replaces the bytes. All that the message says was found before.
  def assert_same_fault(bytes, method)
    expected = assert_raises(StandardError) { yield String.new(bytes) }
    source = String.new(bytes)
    changed = false
    error = assert_raises(StandardError) do
      at_call(method) do |call|
        next yield(source) unless call

        changed = true
        source.replace("z")
        @kept = Array.new(20) { "\x0E" * bytes.bytesize }
      end
    end

    assert changed
    assert_equal [expected.class, expected.message], [error.class, error.message]
  end

  # @yieldparam call [Boolean] whether the method is called, for the first time. Otherwise the block is to do what calls it
  def at_call(method)
    called = false
    trace = TracePoint.new(:call) do |point|
      next if called || point.method_id != method

      called = true
      yield true
    end
    trace.enable { yield false }
  end
end
