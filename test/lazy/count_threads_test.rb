# frozen_string_literal: true

require "test_helper"
require "pathname"
require "stringio"
require "support/deadline"
require "support/seeded"

# Codec#count on several native threads counts what it counts on one, and raises the same. What threads have in common is
# tested in test/transcode/converter_threads_test.rb.
class CountThreadsTest < Minitest::Test
  include Deadline
  include Seeded

  class Note < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :text, :string
    field 3, :parts, list("Note")
  end

  FRAMES = { compact: %i[varint framed], binary: %i[varint framed], json: %i[varint lines], thrift_json: %i[framed],
             message_pack: %i[varint framed] }.freeze

  def stream(wire, frame, count = 3000)
    io = StringIO.new("".b)
    count.times do |id|
      parts = Array.new(id % 4) { Note.new(id: -id) }
      Note.new(id:, text: "ä" * (id % 80), parts:).encode_to(io, wire, frame:)
    end
    io.string
  end

  def outcome(codec, source, **options)
    codec.count(source, **options)
  rescue Sparpack::Error, IOError => e
    [e.class, e.message, *([e.path, e.offset, e.message_offset] if e.is_a?(Sparpack::Error))]
  end

  def assert_same(codec, bytes, **options)
    [bytes, StringIO.new(bytes)].map do |source|
      one = outcome(codec, source, **options)
      [2, 5].each do |threads|
        source.rewind if source.is_a?(StringIO)

        assert_equal one, outcome(codec, source, threads:, **options), "#{codec}, #{options}, #{source.class}"
      end
      one
    end.first
  end

  def test_all_wires_and_frames
    FRAMES.each do |wire, frames|
      frames.each do |frame|
        assert_equal 3000, assert_same(Sparpack::Codec.new(Note, wire), stream(wire, frame), frame:)
        assert_equal 3000, Note.count(stream(wire, frame), wire:, frame:, threads: 3)
      end
    end
    assert_equal 0, Note.count("", frame: :varint, threads: 2)
  end

  def test_errors_and_limits
    FRAMES.each do |wire, frames|
      bytes = stream(wire, frames.first)
      codec = Sparpack::Codec.new(Note, wire)
      2.times do
        broken = bytes.dup
        broken[random.rand(bytes.bytesize), 2] = "\xFE\xFD".b

        assert_same(codec, broken, frame: frames.first)
      end
      _, message = assert_same(codec, bytes.byteslice(0...-1), frame: frames.first)

      assert_match(/found the end of the/, message)
      { string: 100, memory: 400, depth: 2, message: 120 }.each do |name, limit|
        assert_same(Sparpack::Codec.new(Note, wire, limits: Sparpack::Limits.new(name => limit)), bytes, frame: frames.first)
      end
    end
  end

  def test_frames_that_one_thread_has_to_read
    note = Note.new(id: 1, text: "a").encode(:json)
    lines = Sparpack::Codec.new(Note, :json)
    ["\t#{note}\n\r#{note}\n \t#{note}\n", "\t\n#{note}\n"].each { |text| assert_same(lines, text * 300, frame: :lines) }
    long = Note.new(id: 1, text: "a" * (2 << 20)).encode(:json)

    assert_equal 401, assert_same(lines, ("#{note}\n" * 200) + "#{long}\n" + ("#{note}\n" * 200), frame: :lines)
    varints = stream(:compact, :varint, 300)
    ["\xFF" * 12, "#{"\x80" * 9}\x01", "\xFF" * 3].each do |head|
      assert_kind_of Array, assert_same(Note.codec, "#{varints}#{head.b}#{varints}", frame: :varint), head.inspect
    end
  end

  # Only a decode can tell whether these are right.
  def test_what_needs_a_decode
    kept = Class.new(Sparpack::Struct) { field 1, :id, :i64 }
    bytes = stream(:compact, :varint, 1000)

    assert_equal 1000, assert_same(Sparpack::Codec.new(kept, unknown: :keep), bytes, frame: :varint)
    assert_same(Sparpack::Codec.new(kept, unknown: :reject), bytes, frame: :varint)
  end

  def test_deep_payloads
    deep = (1..120).inject(Note.new(id: 0)) { |below, id| Note.new(id:, parts: [below]) }
    limits = Sparpack::Limits.new(depth: 400)
    io = StringIO.new("".b)
    Sparpack::Codec.new(Note, limits:).encode_to(io, deep, frame: :varint)
    bytes = stream(:compact, :varint) + io.string + stream(:compact, :varint)

    assert_equal 6001, assert_same(Sparpack::Codec.new(Note, limits:), bytes, frame: :varint)
    assert_same(Sparpack::Codec.new(Note), bytes, frame: :varint)
  end

  class Filled < Sparpack::Struct
    field 1, :texts, list(:string), default: ["x"] * 100
  end

  def test_defaults_that_just_fit
    limited = ->(memory) { Sparpack::Codec.new(Filled, limits: Sparpack::Limits.new(memory:)) }
    least = (1..(1 << 20)).bsearch { |memory| outcome(limited[memory], "\0") == 1 }

    assert_equal 2000, assert_same(limited[least], "\1\0" * 2000, frame: :varint)
    assert_equal Sparpack::DecodeError::LimitExceeded, assert_same(limited[least - 1], "\1\0" * 2000, frame: :varint).first
  end

  class Blob < Sparpack::Struct
    field 1, :data, :binary
    field 2, :id, :i32
  end

  # They would also be Arrays of two elements: one of no field, and the data.
  def test_compressed_payloads
    codec = Sparpack::Codec.new(Blob, :message_pack, compression: :lz4)
    io = StringIO.new("".b)
    2000.times { |id| codec.encode_to(io, Blob.new(data: "d".b * 500, id:), frame: :varint) }

    assert_equal 2000, assert_same(codec, io.string, frame: :varint)
    io.string[-8..] = "\xff".b * 8

    assert_operator assert_same(codec, io.string, frame: :varint).first, :<, Sparpack::DecodeError
  end

  def test_interrupts
    bytes = stream(:compact, :varint) * 20
    work = Thread.new do
      Thread.current.report_on_exception = false
      loop { Note.count(bytes, frame: :varint, threads: 3) }
    end
    sleep 0.05
    work.raise(IOError, "enough")

    assert_raises(IOError) { within("the end") { work.value } }
  end

  def test_wrong_calls
    error = assert_raises(ArgumentError) { Note.count("", threads: 2) }

    assert_equal "threads: needs a frame, because without one finding the ends is all of the work", error.message
    assert_raises(ArgumentError) { Note.count("", frame: :varint, threads: 0) }
    assert_raises(ArgumentError) { Note.count("", frame: :lines, threads: 2) }
    assert_equal 0, Note.count("", threads: 1)
  end
end
