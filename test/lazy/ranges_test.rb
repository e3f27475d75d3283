# frozen_string_literal: true

require "test_helper"
require "stringio"
require "tempfile"
require "pathname"
require "support/reading"
require "support/wire_forms"

using WireForms

# Checking, counting and finding payloads without making objects.
class RangesTest < Minitest::Test
  extend Reading::Wires

  class Note < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :text, :string
    field 3, :parts, list(:string)
  end

  # Gives a few bytes at a time.
  class Trickle
    def initialize(bytes, piece)
      @io = StringIO.new(bytes)
      @piece = piece
    end

    def read(most) = @io.read([most, @piece].min)
  end

  def notes = Array.new(7) { |id| Note.new(id:, text: "n" * (id * 5), parts: Array.new(id, &:to_s)) }

  def payloads(wire) = notes.map { |note| note.encode(wire).b }

  each_wire "payloads are counted and found in strings, ios and files" do |wire|
    bytes = payloads(wire).join
    Tempfile.create("notes") do |file|
      file.binmode
      file.write(bytes)
      file.flush
      sources = [-> { bytes }, -> { StringIO.new(bytes) }, -> { Trickle.new(bytes, 1) }, -> { Trickle.new(bytes, 9) },
                 -> { Pathname(file.path) }, -> { File.open(file.path, "rb") }]
      sources.each do |source|
        ranges = Note.each_range(source.call, wire:).to_a

        assert_equal(payloads(wire), ranges.map { |range| bytes.byteslice(range) })
        assert_equal 7, Note.count(source.call, wire:)
      end
    end
    assert_equal 0, Note.count("", wire:)
    assert_equal 0, Note.count(StringIO.new, wire:)
    assert_equal [], Note.each_range("", wire:).to_a
  end

  # Between two steps, other threads can run and interrupts are handled.
  each_wire "large Strings are counted in steps" do |wire|
    bytes = payloads(wire).join * 20_000
    _, first = Sparpack::Native.scan_ends(Sparpack::Codec.new(Note, wire), bytes, 0)

    assert_operator first, :<, 2 << 20
    assert_equal 140_000, Note.count(bytes, wire:)
  end

  # A String may be longer than a payload of an io may be.
  def test_steps_after_the_first_count_many_payloads_at_once
    bytes = notes.last.encode * 300_000
    limits = Sparpack::Limits.new(message: 1000)

    assert_operator bytes.bytesize, :>, 3 << 20
    before = GC.stat(:total_allocated_objects)

    assert_equal 300_000, Note.count(bytes, limits:)
    assert_operator GC.stat(:total_allocated_objects) - before, :<, 1000
  end

  def test_large_strings_without_a_schema_are_counted_in_steps
    bytes = packed.join * 40 # some 8 MB

    assert_operator Sparpack::Native.message_pack_count(bytes, 0).last, :<, 2 << 20
    assert_equal 40 * packed.size, Sparpack::MessagePack.count(bytes)
    assert_raises(EOFError) { Sparpack::MessagePack.count(bytes.chop) }
  end

  def test_what_stands_between_objects_of_json
    ["[{\"id\":1},{\"id\":2}]", "{\"id\":1} {\"id\":2}"].each { |text| assert_equal 2, Note.count(text, wire: :json) }
    error = assert_raises(Sparpack::DecodeError) { Note.count("[{\"id\":1} {\"id\":2}]", wire: :json) }

    assert_equal [Sparpack::DecodeError::Malformed, 10], [error.class, error.offset]
  end

  each_wire "frames are passed" do |wire|
    (wire == :json ? %i[varint framed lines] : %i[varint framed]).each do |frame|
      io = StringIO.new("".b)
      notes.each { |note| note.encode_to(io, wire, frame:) }
      [-> { io.string }, -> { StringIO.new(io.string) }, -> { Trickle.new(io.string, 3) }].each do |source|
        ranges = Note.each_range(source.call, wire:, frame:).to_a

        assert_equal(payloads(wire), ranges.map { |range| io.string.byteslice(range).chomp }) # a line ends its payload
        assert_equal 7, Note.count(source.call, wire:, frame:)
      end
    end
  end

  each_wire "skip leads from one payload to the next" do |wire|
    codec = Sparpack::Codec.new(Note, wire)
    bytes = payloads(wire).join
    offset = 0
    7.times do |index|
      before = offset
      offset = codec.skip(bytes, offset)

      assert_equal [codec.decode_prefix(bytes, before).last, payloads(wire)[index].bytesize], [offset, offset - before]
    end

    assert_equal bytes.bytesize, offset
  end

  # What is wrong is refused as decoding refuses it.
  each_wire "errors are those of decoding" do |wire|
    bytes = payloads(wire).join
    codec = Sparpack::Codec.new(Note, wire)
    damaged = [bytes.byteslice(0, bytes.bytesize - 1), bytes.byteslice(0, 20), bytes + "\xff\xff".b, "\xc1".b * 9]
    damaged.each do |wrong|
      expected = fault { codec.decode_each(wrong).to_a }

      assert_equal(expected, fault { codec.count(wrong) })
      assert_equal(expected, fault { codec.each_range(wrong).to_a })
      assert_equal(fault { codec.decode_each(StringIO.new(wrong)).to_a }, fault { codec.count(StringIO.new(wrong)) })
      assert_equal fault { codec.decode_prefix(wrong, 3) }.class, fault { codec.skip(wrong, 3) }.class
      assert_equal(fault { codec.decode(wrong) }, fault { codec.check(wrong) })
      assert_equal(fault { codec.decode(wrong) }, fault { Note.check(wrong, wire:) })
    end
  end

  each_wire "checking makes no objects, and returns true" do |wire|
    bytes = notes.last.encode(wire)

    assert_equal [true, true], [Note.check(bytes, wire:), Sparpack::Codec.new(Note, wire).check(bytes)]
    (0...bytes.bytesize).each do |size|
      cut = bytes.byteslice(0, size)

      assert_equal(fault { Note.decode(cut, wire) }, fault { Note.check(cut, wire:) })
    end
  end

  def test_checking_allocates_nothing
    codec = Sparpack::Codec.new(Note)
    bytes = notes.last.encode
    codec.check(bytes)
    before = GC.stat(:total_allocated_objects)
    100.times { codec.check(bytes) }

    assert_operator GC.stat(:total_allocated_objects) - before, :<, 10
  end

  # Payloads that follow one another may fill the buffer, which has one byte more than the limit.
  def test_a_full_buffer_of_short_payloads
    bytes = Note.new(id: 1, text: "abcd").encode * 40
    one = bytes.bytesize / 40

    (one..(one * 5)).each do |message|
      assert_equal 40, Note.count(StringIO.new(bytes), limits: Sparpack::Limits.new(message:)), message
    end
  end

  def test_options
    bytes = notes.last.encode
    limits = Sparpack::Limits.new(string: 3)

    assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.check(bytes, limits:) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.count(bytes, limits:) }
    small = Sparpack::Limits.new(message: 30)

    assert_equal 7, Note.count(payloads(:compact).join, limits: small)
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.count(StringIO.new(payloads(:compact).join), limits: small) }
    { ["x", { wire: :compat }] => /unknown wire :compat/, ["x", { farme: :varint }] => /did you mean :frame/,
      [5, {}] => /Integer/ }.each do |(source, options), message|
      error = assert_raises(ArgumentError, TypeError) { Note.count(source, **options) }
      assert_match message, error.message
    end
    error = assert_raises(ArgumentError) { Note.codec.count("", frmae: 1) }

    assert_match(/frame/, error.message)
    assert_raises(ArgumentError) { Note.codec.skip("abc", 4) }
    assert_raises(TypeError) { Note.codec.skip(nil) }
    error = assert_raises(Sparpack::DecodeError::Truncated) { Note.codec.skip(bytes, bytes.bytesize) }

    assert_match(/found the end of the input \(compact, byte \d+\)\z/, error.message)
    [nil, "1", false].each { |offset| assert_raises(TypeError, offset.inspect) { Note.codec.skip(bytes * 2, offset) } }
    [-1, 1 << 70].each { |offset| assert_raises(ArgumentError, RangeError) { Note.codec.skip(bytes, offset) } }
    longer = (bytes + ("\0" * 50)).tap { |all| all.slice!(-50, 50) } # zeros stand behind its end
    (1..49).each do |beyond|
      assert_raises(ArgumentError) { Note.codec(validate: :none).skip(longer, longer.bytesize + beyond) }
    end
    assert_raises(TypeError) { Note.check(nil) }
  end

  def test_wrong_calls_without_a_schema
    [nil, "1", -1, 3, 1.5].each do |offset|
      error = assert_raises(ArgumentError) { Sparpack::MessagePack.skip("\x92\x01", offset) }

      assert_equal "offset: expected 0..2, got #{offset.inspect}", error.message
    end
    error = assert_raises(EOFError) { Sparpack::MessagePack.skip("\x92\x01") }

    assert_equal "the bytes end too early (byte 2)", error.message
    error = assert_raises(EOFError) { Sparpack::MessagePack.count("\x01\x92\x01") }

    assert_equal "the bytes end too early (byte 3)", error.message
  end

  def test_a_count_is_that_of_decode_each_for_arrays_of_json
    text = "[#{notes.map { |note| note.encode(:json) }.join(", ")}]"

    assert_equal 7, Note.count(text, wire: :json)
    assert_equal(notes, Note.each_range(text, wire: :json).map { |range| Note.decode(text.byteslice(range), :json) })
  end

  def test_enumerators
    bytes = payloads(:compact).join

    assert_equal Note.each_range(bytes).to_a, Note.codec.each_range(bytes).first(7)
    assert_same Note, Note.each_range(bytes) { nil }
    [Note, Note.codec].each do |reader| # at once, and not when the ranges are asked for
      assert_raises(ArgumentError) { reader.each_range(bytes, frmae: 1) }
      assert_raises(TypeError) { reader.each_range(5) }
    end
  end

  # --- without a schema --------------------------------------------------------------------------------------------------

  VALUES = [1, -5, 1 << 40, nil, true, 1.5, "a", "ü" * 40, "b".b * 300, "x" * 70_000, [], {}, [1, [2, { "k" => [nil] }]],
            { "a" => 1, 5 => "x" * 40 }, Array.new(20) { |i| i }, Array.new(70_000) { 1 },
            Array.new(20) { |i| [i.to_s, i] }.to_h, Time.at(1, 5)].freeze

  def factory = Sparpack::MessagePack::DefaultFactory

  def packed
    @packed ||= VALUES.first(17).map { |value| Sparpack::MessagePack.pack(value) } +
                ["\xd4\x01x".b, "\xd8\x02#{"y" * 16}".b, "\xc7\x03\x05abc".b,
                 "\xc9\x00\x00\x00\x02\x06ab".b, "\xca\x00\x00\x00\x00".b]
  end

  def test_values_without_a_schema
    bytes = packed.join
    [-> { bytes }, -> { StringIO.new(bytes) }, -> { Trickle.new(bytes, 7) }].each do |source|
      assert_equal packed.size, Sparpack::MessagePack.count(source.call)
      assert_equal(packed, Sparpack::MessagePack.each_range(source.call).map { |range| bytes.byteslice(range) })
    end
    offset = 0
    packed.each { |value| assert_equal value.bytesize, -offset + (offset = Sparpack::MessagePack.skip(bytes, offset)) }
    assert_equal 0, Sparpack::MessagePack.count("")
  end

  def test_values_without_a_schema_that_are_cut_or_wrong
    packed.first(15).each do |value|
      next if value.bytesize > 1000

      (1...value.bytesize).each do |size|
        cut = value.byteslice(0, size)

        assert_raises(EOFError) { Sparpack::MessagePack.skip(cut) }
        assert_raises(EOFError) { Sparpack::MessagePack.count("\x01#{cut}".b) }
        assert_raises(EOFError) { Sparpack::MessagePack.each_range(StringIO.new(cut)).to_a }
      end
    end
    error = assert_raises(Sparpack::MessagePack::MalformedFormatError) { Sparpack::MessagePack.count("\x01\xc1".b) }

    assert_equal 1, error.offset
    assert_raises(Sparpack::MessagePack::StackError) { Sparpack::MessagePack.skip("\x91".b * 200) }
    assert_raises(ArgumentError) { Sparpack::MessagePack.skip("\x01", 2) }
    assert_raises(ArgumentError) { Sparpack::MessagePack.skip("\x01", -1) }
    assert_raises(TypeError) { Sparpack::MessagePack.skip(nil) }
    assert_raises(TypeError) { Sparpack::MessagePack.count(5) }
  end

  private

  def fault
    yield
  rescue Sparpack::DecodeError => e
    [e.class, e.message, e.path, e.offset, e.message_offset]
  end
end
