# frozen_string_literal: true

require "test_helper"
require "stringio"
require "timeout"
require "support/seeded"

# Converter#copy_stream with sources and targets of all kinds.
class ConverterStreamTest < Minitest::Test
  include Seeded

  class Item < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :names, list(:string)
    field 3, :parts, list("Item")
  end

  WIRES = Sparpack::WIRES
  ITEMS = Ractor.make_shareable((1..60).map do |i|
    Item.new(id: i, names: ["name #{i}" * (i % 14), "ä"], parts: [Item.new(id: -i)])
  end)
  LINES = ITEMS.map { |item| "#{item.encode(:json)}\n" }.join.b.freeze

  # Gives pieces, and then what the block says.
  class Source
    def initialize(pieces, &ending)
      @pieces = pieces.dup
      @ending = ending
    end

    def readpartial(_size) = @pieces.empty? ? @ending&.call : @pieces.shift
  end

  # Keeps what it is given, and returns what the block says.
  class Target
    attr_reader :pieces

    def initialize(&result)
      @pieces = []
      @result = result
    end

    def write(piece)
      @pieces << piece.b
      @result ? @result.call(piece) : piece.bytesize
    end

    def bytes = @pieces.join
  end

  # --- sources -----------------------------------------------------------------------------------------------------------

  def test_short_reads
    WIRES.each do |wire|
      bytes = stream(wire)
      [[1] * bytes.bytesize, Array.new(bytes.bytesize) { random.rand(4) }].each do |sizes|
        at = 0
        pieces = sizes.map { |size| bytes.byteslice(at, size).tap { at += size } } << bytes.byteslice(at..)
        target = Target.new

        assert_equal LINES.bytesize, to_json(wire).copy_stream(Source.new(pieces), target)
        assert_equal LINES, target.bytes
      end
    end
  end

  def test_a_source_that_ends_early
    WIRES.each do |wire|
      bytes = stream(wire)
      last = ITEMS.last.encode(wire).b
      before = bytes.bytesize - last.bytesize
      alone = assert_raises(Sparpack::DecodeError::Truncated) { Item.decode(last.byteslice(0, 2), wire) }
      target = Target.new
      error = assert_raises(Sparpack::DecodeError::Truncated) do
        to_json(wire).copy_stream(Source.new([bytes.byteslice(0, before + 2)]), target)
      end

      assert_equal before + alone.offset, error.offset
      assert_equal LINES.lines[0...-1].join, target.bytes
    end
  end

  def test_a_source_that_raises
    [Errno::EAGAIN, Errno::EINTR, IO::EAGAINWaitReadable, Errno::ECONNRESET, Timeout::Error, KeyError].each do |kind|
      failure = kind.new
      target = Target.new
      source = Source.new([stream(:compact).byteslice(0..-2)]) { raise failure }

      assert_same failure, assert_raises(kind) { to_json(:compact).copy_stream(source, target) }
      assert_equal LINES.lines[0...-1].join, target.bytes
    end
  end

  def test_a_source_that_has_nothing
    error = assert_raises(EOFError) { to_json(:compact).copy_stream(Source.new([]) { +"" }, Target.new) }

    assert_includes error.message, "returned \"\" 100 times in a row"
    assert_raises(TypeError) { to_json(:compact).copy_stream(Source.new([]) { 3 }, Target.new) }
    assert_equal 0, to_json(:compact).copy_stream(Source.new([]) { raise EOFError }, Target.new)
  end

  # --- targets -----------------------------------------------------------------------------------------------------------

  # Wrappers that compress return other numbers, and some targets nothing. So a target takes all, like IO#write.
  def test_what_a_target_returns_is_not_used
    [->(_) {}, ->(_) { 0 }, ->(_) { 1 }, :size.to_proc, ->(piece) { piece.bytesize * 2 }, :itself.to_proc].each do |result|
      target = Target.new(&result)

      assert_equal LINES.bytesize, to_json(:compact).copy_stream(stream(:compact), target)
      assert_equal LINES.lines, target.pieces
    end
  end

  def test_a_target_that_raises
    target = Target.new { target.pieces.size == 3 ? raise(Errno::EPIPE) : 1 }

    assert_raises(Errno::EPIPE) { to_json(:binary).copy_stream(stream(:binary), target) }
    assert_equal LINES.lines.first(3), target.pieces
  end

  # A nonblocking socket is small, so writing waits for the reader.
  def test_a_nonblocking_pipe
    many = stream(:compact) * 100
    read, write = IO.pipe(binmode: true)
    write.nonblock = true if write.respond_to?(:nonblock=)
    reader = Thread.new { read.read }

    written = Timeout.timeout(60) { to_json(:compact).copy_stream(StringIO.new(many), write) }
    write.close

    assert_equal LINES.bytesize * 100, written
    assert_equal LINES * 100, Timeout.timeout(60) { reader.value }
  ensure
    [read, write].each(&:close)
  end

  # --- compressed payloads -----------------------------------------------------------------------------------------------

  COMPRESSIONS = [nil, :lz4, :lz4_block].freeze

  # Only payloads of 64 bytes or more are compressed, so a stream has both.
  def test_both_sides_may_be_compressed
    COMPRESSIONS.product(COMPRESSIONS) do |reads, writes|
      from, to = [reads, writes].map { |compression| Sparpack::Codec.new(Item, :message_pack, compression:) }
      converter = Sparpack::Converter.new(Item, from:, to:)
      input = ITEMS.map { |item| from.encode(item) }
      output = ITEMS.map { |item| to.encode(item) }
      target = Target.new

      assert_equal(output, input.map { |bytes| converter.convert(bytes) })
      assert_equal output.sum(&:bytesize), converter.copy_stream(Source.new(input.join.b.scan(/.{1,99}/mn)), target)
      assert_equal output, target.pieces
    end
  end

  def test_compressed_payloads_and_other_wires
    COMPRESSIONS.drop(1).product(WIRES) do |compression, wire|
      packed = Sparpack::Codec.new(Item, :message_pack, compression:)
      there = Sparpack::Converter.new(Item, from: wire, to: packed)
      back = Sparpack::Converter.new(Item, from: :message_pack, to: wire)
      middle = StringIO.new(+"".b)
      there.copy_stream(stream(wire), middle)
      target = Target.new
      back.copy_stream(StringIO.new(middle.string), target)

      assert_equal ITEMS.map { |item| packed.encode(item) }.join, middle.string
      assert_equal ITEMS.map { |item| "#{item.encode(wire)}#{"\n" if wire == :json}".b }, target.pieces
    end
  end

  # They are arrays of an extension type and of binaries, which could be the fields of a struct.
  def test_compressed_payloads_are_not_taken_for_structs
    raw = Class.new(Sparpack::Struct) { field 1, :data, :binary }
    object = raw.new(data: "d" * 100)
    COMPRESSIONS.drop(1).each do |compression|
      bytes = Sparpack::Codec.new(raw, :message_pack, compression:).encode(object)
      converter = Sparpack::Converter.new(raw, from: :message_pack, to: :compact)

      assert_equal object.encode, converter.convert(bytes)
      assert_equal object.encode, converted(converter, bytes)
    end
    bytes = "\x92\xd4\x62\x61\x00".b

    assert_equal(outcome { raw.decode(bytes, :message_pack) }, outcome do
      raw.convert(bytes, from: :message_pack, to: :json)
    end)
  end

  def test_faults_of_compressed_payloads
    packed = Sparpack::Codec.new(Item, :message_pack, compression: :lz4)
    bytes = packed.encode(ITEMS.max_by { |item| item.names.first.size })
    to_json = to_json(:message_pack)
    (1...bytes.bytesize).each do |size|
      target = Target.new
      error = assert_raises(Sparpack::DecodeError::Truncated) { to_json.copy_stream(bytes + bytes.byteslice(0, size), target) }

      assert_operator error.offset, :>=, bytes.bytesize
      assert_equal 1, target.pieces.size
    end
    200.times do
      damaged = bytes.dup.tap { |copy| copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
      expected = outcome { packed.decode_each(damaged).map { |item| "#{item.encode(:json)}\n" }.join }

      assert_equal(expected, outcome { converted(to_json, damaged) })
    end
    limits = Sparpack::Limits.new(decompressed: 40)
    limited = Sparpack::Codec.new(Item, :message_pack, limits:)
    limited = Sparpack::Converter.new(Item, from: limited, to: :json)

    assert_raises(Sparpack::DecodeError::LimitExceeded) { limited.copy_stream(bytes, Target.new) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { limited.convert(bytes) }
    [bytes, packed.encode(ITEMS[0])].product([1_000, 100_000]) do |payload, decompressed|
      roomy = Sparpack::Codec.new(Item, :message_pack, compression: :lz4, limits: Sparpack::Limits.new(decompressed:))

      assert_equal to_json.convert(payload), Sparpack::Converter.new(Item, from: roomy, to: :json).convert(payload)
    end
  end

  # --- faults ------------------------------------------------------------------------------------------------------------

  # In the middle of a long stream.
  def test_the_first_fault
    path = "ConverterStreamTest::Item.parts[1].names[0]"
    written = WIRES.to_h { |wire| [wire, ITEMS.map { |item| "#{item.encode(wire)}#{"\n" if wire == :json}".b } * 8] }
    WIRES.product(WIRES) do |from, to|
      good = stream(from) * 8
      bad = Item.new(id: 7, parts: [Item.new(id: 8), Item.new(id: 9, names: ["Z"])]).encode(from).b.sub("Z", "\xff".b)
      alone = assert_raises(Sparpack::DecodeError) { Item.decode(bad, from) }
      target = Target.new
      bytes = "#{good}#{bad}\n#{good}".b
      error = assert_raises(Sparpack::DecodeError) do
        Sparpack::Converter.new(Item, from:, to:).copy_stream(Source.new(bytes.scan(/.{1,4000}/mn)), target)
      end

      assert_equal [path, good.bytesize + alone.offset], [error.path, error.offset], "#{from} #{to}"
      assert_equal written[to], target.pieces
    end
  end

  # --- who else is there -------------------------------------------------------------------------------------------------

  def test_threads_share_a_converter
    converter = to_json(:compact)
    threads = Array.new(6) do
      Thread.new do
        Array.new(10) do
          target = Target.new { Thread.pass }
          converter.copy_stream(stream(:compact), target)
          target.bytes
        end
      end
    end

    assert_equal [LINES], threads.flat_map { |thread| Timeout.timeout(60) { thread.value } }.uniq
  end

  # While one stream is converted, its source and its target use the same converter.
  def test_reentry
    converter = to_json(:compact)
    inner = []
    source = Source.new([stream(:compact)]) do
      inner << StringIO.new(+"").tap { |io| converter.copy_stream(stream(:compact), io) }.string.b
      nil
    end
    target = Target.new { inner << "#{converter.convert(ITEMS.first.encode)}\n".b }
    converter.copy_stream(source, target)

    assert_equal [LINES, LINES.lines.first], [target.bytes, inner.first]
    assert_equal LINES, inner.last
  end

  def test_garbage_collection_at_every_allocation
    short = ITEMS.first(3).map(&:encode).join
    GC.stress = true
    target = Target.new
    to_json(:compact).copy_stream(Source.new(short.scan(/.{1,9}/mn)), target)
    GC.stress = false

    assert_equal LINES.lines.first(3), target.pieces
  ensure
    GC.stress = false
  end

  def test_ractors
    before = Warning[:experimental]
    Warning[:experimental] = false
    ractors = Array.new(2) do
      Ractor.new(to_json(:compact), stream(:compact)) do |converter, bytes|
        StringIO.new(+"".b).tap { |io| converter.copy_stream(StringIO.new(bytes), io) }.string
      end
    end

    assert_equal [LINES], ractors.map { |each| each.respond_to?(:value) ? each.value : each.take }.uniq
  ensure
    Warning[:experimental] = before
  end

  private

  def stream(wire) = ITEMS.map { |item| item.encode(wire) }.join.b

  def converted(converter, bytes) = Target.new.tap { |target| converter.copy_stream(bytes, target) }.bytes

  def outcome
    yield.b
  rescue Sparpack::Error => e
    [e.class, e.message]
  end

  def to_json(wire) = Sparpack::Converter.new(Item, from: wire, to: :json)
end
