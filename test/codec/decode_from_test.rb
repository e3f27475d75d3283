# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/deadline"
require "support/reading"
require "socket"
require "stringio"
require "tempfile"
require "timeout"
require "zlib"

using WireForms

# Reading one object from an io, and nothing behind it. test/contract/reading_test.rb has what only the wire decides.
class DecodeFromTest < Minitest::Test
  include Deadline
  include Reading
  extend Reading::Types
  extend Reading::Wires

  class Entry < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :text, :string
    field 3, :numbers, list(:i64)
    field 4, :pairs, map(:string, list(:string))
    field 5, :next, "Entry"
  end

  # Remembers how many bytes it was asked for.
  class Counted < StringIO
    attr_reader :asked

    def readpartial(size, *rest) = (@asked ||= []).push(size) && super
  end

  # The io has only `read`.
  Reader = Struct.new(:io) { def read(size) = io.read(size) }

  # Returns the given answers one after another, and raises those that are exceptions.
  Script = Struct.new(:answers) do
    def readpartial(_size) = answers.shift.then { |answer| answer.is_a?(Exception) ? raise(answer) : answer }
  end

  ENTRY = Entry.new(id: 7, text: "ü" * 40, numbers: [1, -2, 1 << 60], pairs: { "a" => %w[b c], "" => [] },
                    next: Entry.new(id: 8))
  REST = "somebody else's\r\n\0".b

  # What each io reads after the object must be the rest.
  IOS = {
    "StringIO" => ->(bytes) { StringIO.new(bytes) },
    "StringIO of text" => ->(bytes) { StringIO.new(bytes.dup.force_encoding("utf-16le")) },
    "read" => ->(bytes) { Reader.new(StringIO.new(bytes)) },
    "gzip" => ->(bytes) { Zlib::GzipReader.new(StringIO.new(Zlib.gzip(bytes))) },
    "Tempfile" => ->(bytes) { Tempfile.new.tap { |io| io.binmode.write(bytes) && io.rewind } },
    "text file" => ->(bytes) { File.open(path(bytes), "r:utf-16le:utf-8") },
    "line ends" => ->(bytes) { File.open(path(bytes), "rt") },
    "pipe" => ->(bytes) { IO.pipe.then { |one, other| one.tap { other.binmode.write(bytes) && other.close } } },
    "socket" => ->(bytes) { UNIXSocket.pair.then { |one, other| one.tap { other.write(bytes) && other.close } } },
    "process" => ->(bytes) { IO.popen(["cat", path(bytes)], "rb") },
    "byte by byte" => ->(bytes) { UNIXSocket.pair.then { |one, other| one.tap { trickle(bytes, other) } } }
  }.freeze

  def self.trickle(bytes, io)
    Thread.new do
      bytes.each_char { |byte| io.write(byte) && Thread.pass }
      io.close
    end
  end

  FILES = [] # rubocop:disable Style/MutableConstant -- so that they are not collected

  def self.path(bytes) = FILES.push(Tempfile.new.tap { |file| file.binmode.write(bytes) && file.close }).last.path

  IOS.each do |name, open|
    each_wire "nothing behind the object is read from a #{name}" do |wire|
      within("reading") do
        [nil, :varint, :framed].each do |frame|
          bytes = framed(ENTRY, wire, frame)
          io = open.call((bytes * 2) + REST)

          assert_equal [ENTRY] * 2, Array.new(2) { Entry.decode_from(io, wire, frame:) }, frame
          assert_equal REST, io.read(100).b
        end
      end
    end
  end

  # Other processes read the same socket, so not even Ruby's buffer may hold what follows.
  each_wire "the descriptor is behind the object" do |wire|
    [nil, :varint, :framed].each do |frame|
      one, other = UNIXSocket.pair
      other.write(framed(ENTRY, wire, frame) + REST)

      assert_equal ENTRY, Entry.decode_from(one, wire, frame:)
      assert_equal REST, one.sysread(100)
    end
  end

  each_wire "the end of the io" do |wire|
    [nil, :varint, :framed].each do |frame|
      bytes = framed(ENTRY, wire, frame)
      io = StringIO.new(bytes * 2)

      assert_equal [ENTRY, ENTRY, nil, nil], Array.new(4) { Entry.decode_from(io, wire, frame:) }
      [nil, EOFError.new].each { |answer| assert_nil Entry.decode_from(Script.new([answer]), wire, frame:) }
    end
  end

  each_wire "every truncation" do |wire|
    [nil, :varint, :framed].each do |frame|
      bytes = framed(ENTRY, wire, frame)
      (1...bytes.bytesize).each do |size|
        error = assert_raises(Sparpack::DecodeError::Truncated, "#{frame} #{size}") do
          Entry.decode_from(StringIO.new(bytes.byteslice(0, size)), wire, frame:)
        end

        assert_equal 0, error.message_offset
        assert_includes 0..size, error.offset
      end
    end
  end

  # What a pair needs at least decides how much is read before its value has come.
  each_wire "maps of keys and values of any size" do |wire|
    (0..5).to_a.product((0..5).to_a, [{}, { "another" => [] }]) do |key, value, others|
      object = Entry.new(id: 1, pairs: { "k" * key => ["v" * value], **others })
      bytes = object.encode(wire)
      io = Counted.new(bytes + REST)

      assert_equal object, Entry.decode_from(io, wire)
      assert_equal bytes.bytesize, io.pos
    end
  end

  # Each read asks for as many bytes as there must be at least. In JSON these are few, because a string does not say how long
  # it is.
  each_wire "reads are few", WireForms::ALL - JSONS do |wire|
    { Entry.new(id: 1, text: "x" * 50_000) => 12, Entry.new(id: 1, numbers: [1 << 40] * 5_000) => 70,
      Entry.new(id: 1, pairs: (1..2_000).to_h { |i| [i.to_s, ["y"] * 3] }) => 60 }.each do |object, most|
      io = Counted.new(object.encode(wire))

      assert_equal object, Entry.decode_from(io, wire)
      assert_operator io.asked.size, :<=, most
    end
  end

  def test_reads_of_frames
    { varint: 2, framed: 2 }.each do |frame, most|
      io = Counted.new(framed(ENTRY, :compact, frame))

      assert_equal ENTRY, Entry.decode_from(io, frame:)
      assert_equal most, io.asked.size
    end
  end

  # They are read many at once, and not one byte behind the line that follows.
  def test_blank_lines
    { "\n" => 20_000, "  \r\n" => 5_000, "#{" " * 9_999}\n" => 2 }.each do |blank, count|
      bytes = "#{blank * count}{\"id\":1}\n#{REST}"
      [StringIO.new(bytes), socket = IOS["socket"].call(bytes)].each do |io|
        cost = Cost.of { Entry.decode_from(io, :json, frame: :lines) }

        assert_equal [Entry.new(id: 1), REST], [cost.result, io.read]
        assert_operator cost.objects, :<, 2_000
      end
      socket.close
    end
  end

  # What was skipped is forgotten. The io gets back the rest.
  def test_blank_lines_before_an_error_of_the_io
    io = StringIO.new("#{"\n" * 500}{\"id\"")
    io.define_singleton_method(:readpartial) { |size| eof? ? raise(Errno::ECONNRESET) : super(size) }
    assert_raises(Errno::ECONNRESET) { Entry.decode_from(io, :json, frame: :lines) }

    assert_equal 500, io.pos
    io.string << ":1}\n"

    assert_equal Entry.new(id: 1), Entry.decode_from(io, :json, frame: :lines)
  end

  # Nothing that the bytes claim is believed, so memory grows only as bytes come.
  each_wire "claims of a size", WireForms::ALL - JSONS do |wire|
    w = writer(wire, Entry)
    huge = [[2, :string, WireWriter.raw(w.string((1 << 31) - 1, "x" * 1000))],
            [3, %i[list i64], WireWriter.raw(w.list(:i64, 100_000_000, "x" * 1000))]]
    huge.each do |field|
      whole = w.message([1, :i64, 1], field)
      bytes = whole.byteslice(0, whole.rindex("x") + 1)
      io = Counted.new(bytes)
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Entry.decode_from(io, wire) }

      assert_operator io.asked.sum, :<, 100
      unlimited = { limits: Sparpack::Limits.new(message: nil) }
      io = Counted.new(bytes)
      assert_raises(Sparpack::DecodeError::Truncated) { Entry.decode_from(io, wire, **unlimited) }

      assert_operator io.asked.max, :<=, 64 * 1024
    end
  end

  each_wire "limits" do |wire|
    bytes = ENTRY.encode(wire)
    exact, short = [0, 1].map { |less| Entry.codec(wire, limits: Sparpack::Limits.new(message: bytes.bytesize - less)) }

    assert_equal ENTRY, exact.decode_from(StringIO.new(bytes))
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { short.decode_from(StringIO.new(bytes)) }

    assert_match(/expected at most #{bytes.bytesize - 1} bytes, found a longer message/, error.message)
    small = Entry.codec(wire, limits: Sparpack::Limits.new(memory: 200))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { small.decode_from(StringIO.new(bytes)) }
    deep = (1..10).reduce(Entry.new(id: 0)) { |inner, id| Entry.new(id:, next: inner) }.encode(wire)
    flat = Entry.codec(wire, limits: Sparpack::Limits.new(depth: 5))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { flat.decode_from(StringIO.new(deep)) }
  end

  # More bytes may never come, so none are awaited.
  WRONG = {
    compact: "\x16\x02\x1e", binary: "\x0a\0\x01\0\0\0\0\0\0\0\x01\x05\0\x02", json: '{"id":1,x',
    thrift_json: '{"1":{"i64":1},x',
    message_pack: "\x92\xc0\xc1", message_pack_names: "\x81\xa2id\xc1", message_pack_ids: "\x81\x01\xc1"
  }.freeze

  each_wire "reading stops where the bytes are wrong", WRONG.keys do |wire|
    one, other = UNIXSocket.pair
    other.write(WRONG[wire].b)
    error = within("reading") { assert_raises(Sparpack::DecodeError::Malformed) { Entry.decode_from(one, wire) } }

    assert_operator error.offset, :>, 0
  end

  # --- ios that behave badly --------------------------------------------------------------------------------------------

  def test_an_io_that_returns_too_much
    bytes = ENTRY.encode
    [bytes, "#{bytes}rest"].each do |answer|
      error = assert_raises(IOError) { Entry.decode_from(Script.new([answer])) }

      assert_equal "DecodeFromTest::Script#readpartial returned #{answer.bytesize} bytes, although at most 1 were asked for",
                   error.message
    end
  end

  def test_odd_answers
    odd = ->(byte) { ["", byte.dup.force_encoding("utf-16le").freeze] }

    assert_equal ENTRY, Entry.decode_from(Script.new(ENTRY.encode.each_char.flat_map(&odd)))
    assert_match(/returned "" 100 times/, assert_raises(EOFError) { Entry.decode_from(Script.new([""] * 100)) }.message)
    assert_match(/returned Integer/, assert_raises(TypeError) { Entry.decode_from(Script.new([5])) }.message)
  end

  def test_what_is_no_io
    { "x" => /got String \(for bytes: StringIO/, Pathname("x") => /got Pathname \(for a file: path\.open\("rb"\)\)/,
      nil => /got NilClass/, 5 => /IO\.for_fd/ }.each do |io, message|
      [-> { Entry.decode_from(io) }, -> { Entry.codec.decode_from(io) },
       -> { Entry.decode_from(io, frame: :varint) }].each do |use|
        assert_match message, assert_raises(TypeError, &use).message
      end
    end
    File.open(self.class.path(""), "ab") { |io| assert_raises(IOError) { Entry.decode_from(io) } }
  end

  # --- interrupts -------------------------------------------------------------------------------------------------------

  def test_an_interrupt_before_anything_is_read
    early = Class.new(Sparpack::ExactBuffer) { define_method(:initialize) { |*| raise Timeout::Error, "early" } }

    assert_raises(Timeout::Error) { early.open(StringIO.new) { flunk } }
  end

  # The io is where it was, so the call can be repeated.
  each_wire "an interrupt while waiting" do |wire|
    [nil, :varint, :framed].each do |frame|
      bytes = framed(ENTRY, wire, frame)
      [0, 1, 4, bytes.bytesize - 1].each do |size|
        one, other = UNIXSocket.pair
        other.write(bytes.byteslice(0, size))
        2.times { assert_raises(Timeout::Error) { Timeout.timeout(0.02) { Entry.decode_from(one, wire, frame:) } } }
        other.write(bytes.byteslice(size..) + REST)

        assert_equal ENTRY, within("reading") { Entry.decode_from(one, wire, frame:) }
        assert_equal REST, one.readpartial(100)
      end
    end
  end

  # However many interrupts there are, and whenever they come, no byte is lost.
  def test_many_interrupts
    one, other = UNIXSocket.pair
    entries = Array.new(200) { |id| Entry.new(id:, text: "x" * id) }
    sender = Thread.new { entries.each { |entry| entry.encode_to(other) && (entry.id % 7).zero? && sleep(0.001) } }
    read = []
    interrupted = 0
    started = Thread::Queue.new
    reader = Thread.new do
      Thread.handle_interrupt(RuntimeError => :never) do
        started << true
        while read.size < entries.size
          read << Thread.handle_interrupt(RuntimeError => :on_blocking) { Entry.decode_from(one) }
        end
      rescue RuntimeError
        interrupted += 1
        retry
      end
    end
    reader.report_on_exception = false
    within("reading") do
      started.pop
      while read.size < entries.size
        reader.raise("interrupt")
        sleep 0.0005
      end
      sender.join
    end

    assert_equal entries, read
    assert_operator interrupted, :>, 5
  end

  # The caller decides which interrupts it wants.
  def test_interrupts_that_the_caller_holds_back
    one, other = UNIXSocket.pair
    reader = Thread.new do
      Thread.handle_interrupt(RuntimeError => :never) { Thread.current[:read] = Entry.decode_from(one) }
    end
    reader.report_on_exception = false
    within("reading") { sleep 0.001 until reader.stop? }
    reader.raise("interrupt")
    sleep 0.02
    other.write(ENTRY.encode)

    assert_raises(RuntimeError) { within("reading") { reader.join } }
    assert_equal ENTRY, reader[:read]
  end

  def test_a_thread_that_waits_can_be_killed
    one, other = UNIXSocket.pair
    other.write(ENTRY.encode.byteslice(0, 5))
    reader = Thread.new { Entry.decode_from(one) }
    within("reading") { sleep 0.001 until reader.stop? }
    reader.kill

    assert reader.join(20)
    assert_equal ENTRY.encode.byteslice(0, 5), one.read(5) # it may have been killed before it had read all of them
  end

  # An io that raises gets its bytes back, too.
  def test_an_io_that_raises
    [IOError, Errno::ECONNRESET, IO::EAGAINWaitReadable].each do |error|
      io = StringIO.new(ENTRY.encode)
      calls = 0
      io.define_singleton_method(:readpartial) { |size| (calls += 1) == 5 ? raise(error) : super(size) }
      assert_raises(error) { Entry.decode_from(io) }

      assert_equal [0, ENTRY, nil], [io.pos, Entry.decode_from(io), Entry.decode_from(io)]
    end
  end

  # Ruby's buffer does not grow once it is in use.
  def test_an_io_that_has_no_room
    one, other = UNIXSocket.pair
    other.write("line\n", Entry.new(id: 1, text: "x" * 20_000).encode.byteslice(0, 15_000))

    assert_equal "line\n", one.gets
    reader = Thread.new { Entry.decode_from(one) }
    reader.report_on_exception = false
    within("reading") { sleep 0.001 until !one.wait_readable(0) && reader.stop? }
    reader.raise("interrupt")
    error = assert_raises(IOError) { within("reading") { reader.join } }

    assert_equal "UNIXSocket cannot take back 15000 bytes, which are lost (close it): ungetbyte failed", error.message
  end

  # Only Ruby's own ios take back a String.
  def test_an_io_that_takes_back_bytes
    gzip = Zlib::GzipReader.new(StringIO.new(Zlib.gzip(ENTRY.encode)))
    calls = 0
    gzip.define_singleton_method(:readpartial) { |size| (calls += 1) == 5 ? raise(IOError, "gone") : super(size) }
    assert_raises(IOError) { Entry.decode_from(gzip) }

    assert_equal ENTRY, Entry.decode_from(gzip)
    script = Script.new([*ENTRY.encode.byteslice(0, 3).chars, IOError.new("gone")])

    assert_equal "gone", assert_raises(IOError) { Entry.decode_from(script) }.message
  end

  # What could be read was used, so that the error is not met again.
  def test_bytes_of_an_error_are_not_given_back
    io = StringIO.new("\x18\x01x\x00".b + ENTRY.encode)
    assert_raises(Sparpack::DecodeError::TypeMismatch) { Entry.decode_from(io) }

    assert_equal ENTRY, Entry.decode_from(io)
  end

  def test_garbage_collection_at_every_allocation
    io = StringIO.new(%i[varint framed].map { |frame| framed(ENTRY, :compact, frame) }.join + ENTRY.encode)
    GC.stress = true
    read = [Entry.decode_from(io, frame: :varint), Entry.decode_from(io, frame: :framed), Entry.decode_from(io)]
    GC.stress = false

    assert_equal [ENTRY] * 3, read
  ensure
    GC.stress = false
  end

  def test_a_subclass_and_the_default_codec
    made = Class.new(Entry) { default_codec :binary, frame: :varint }
    object = made.new(id: 5)
    io = StringIO.new("".b)
    2.times { object.encode_to(io) }
    object.encode_to(io, frame: nil)
    io.rewind

    assert_equal [object, object], [made.decode_from(io), made.decode_from(io, frame: :varint)]
    assert_equal object, made.decode_from(io, frame: nil)
    assert_equal object.encode(:binary), object.encode
    assert_equal object, made.decode(object.encode)
    assert_equal object, made.decode(object.encode(validate: :strict), validate: :none)
  end

  private

  def framed(object, wire, frame) = StringIO.new("".b).tap { |io| object.encode_to(io, wire, frame:) }.string
end
