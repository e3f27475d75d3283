# frozen_string_literal: true

require "test_helper"
require "set"
require "stringio"
require "support/child"
require "support/deadline"
require "support/same_reading"
require "support/reading"
require "support/wire_forms"

using WireForms

# Payloads that a scan has to leave to a decode, and those that are just what it can tell: all calls answer what an ordinary
# decode answers.
class LazyEdgesTest < Minitest::Test
  include Child
  include Deadline
  include SameReading
  extend Reading::Wires

  module Color
    extend Sparpack::Enum

    RED = 1
  end

  class Dot < Sparpack::Struct
    field 1, :id, :i32
    field 2, :name, :string
    field 3, :color, Color
    field 4, :parts, list(:string)
  end

  class Dots < Sparpack::Struct
    field 1, :dots, list(Dot)
    field 2, :dot, Dot
    field 3, :color, Color
    field 4, :colors, list(Color)
    field 5, :tiny, :i8
    field 6, :small, :i16
  end

  # What an older program knows of a dot.
  class Point < Sparpack::Struct
    field 1, :id, :i32
    field 9, :more, list(:string)
  end

  class Points < Sparpack::Struct
    field 1, :dots, list(Point)
    field 2, :dot, Point
  end

  class Strict < Sparpack::Struct
    field 1, :id, :i32
    field 2, :name, :string, required: true
    field 3, :text, :string
  end

  # A strict one that may lack its name.
  class Lenient < Sparpack::Struct
    field 1, :id, :i32
    field 2, :name, :string
    field 3, :text, :string
  end

  class Lenients < Sparpack::Struct
    field 1, :all, list(Lenient)
    field 2, :one, Lenient
  end

  class Stricts < Sparpack::Struct
    field 1, :all, list(Strict)
    field 2, :one, Strict
  end

  class Reals < Sparpack::Struct
    field 1, :set, set(:double)
    field 2, :map, map(:double, :i32)
    field 3, :list, list(:double)
    field 4, :nested, map(:string, set(:double))
  end

  # As many fields as a scan knows, and more. The last one may be required.
  def self.many(count, required)
    many = Class.new(Sparpack::Struct) do
      (1...count).each { |id| field id, :"f#{id}", :i32 }
      field count, :last, :string, required:
    end
    holder = Class.new(Sparpack::Struct) do
      field 1, :one, many
      field 2, :all, list(many)
      field 3, :id, :i32
    end
    [many, holder]
  end

  MANY = [63, 64, 65, 100].to_h { |count| [count, [many(count, false), many(count, true)]] }.freeze

  each_wire "structs of many fields" do |wire|
    MANY.each do |count, ((many, holder), strict)|
      full = many.new(**(1...count).to_h { |id| [:"f#{id}", id] }, last: "x")
      some = [full, many.new(last: "y"), many.new(f1: 1, last: "z"), many.new(f1: 1, f40: 2)]
      some.each do |one|
        holders = [holder.new(one:), holder.new(all: [*some.first(3) * 7, one], id: 1), holder.new(all: [full, one])]
        [[strict.first, one], *holders.map { |each| [strict.last, each] }].each do |struct_class, object|
          [{}, { validate: :none }].each { |options| assert_same_of struct_class, object.encode(wire), wire, **options }
        end
      end
    end
  end

  each_wire "numbers of enums that are not known" do |wire|
    [Dots.new(color: 1, colors: [1]), Dots.new(color: 9), Dots.new(colors: [1, 9]), Dots.new(dot: Dot.new(color: 9)),
     Dots.new(dots: Array.new(20) { |index| Dot.new(id: 1, color: index == 19 ? 9 : 1) })].each do |object|
      bytes = object.encode(wire)
      assert_same_of Dots, bytes, wire
      assert_same_of Dots, bytes, wire, validate: :strict
    end
  end

  each_wire "NaN" do |wire|
    next if wire == :json # has none

    nan = Float::NAN
    [Reals.new(list: [nan, 1.0, nan]), Reals.new(set: Set[nan, 1.0]), Reals.new(map: { nan => 1, 2.0 => 2 }),
     Reals.new(set: Set.new(Array.new(300) { [rand, nan].pack("E*").unpack("E*").last })),
     Reals.new(nested: { "a" => Set[nan] })].each do |object|
      assert_same_of Reals, object.encode(wire), wire
    end
  end

  # The last one counts, but a dig reads nothing behind the first one.
  DOT = { binary: "\x08\0\1\0\0\0\1".b, compact: "\x05\x02\x02".b, message_pack_names: "\xa2id\x01".b,
          json: '"id":1,' }.freeze
  AGAIN = { binary: "\x08\0\1\0\0\0\2\x0b\0\2\0\0\0\1a\x0b\0\2\0\0\0\1b\0".b,
            compact: "\x05\x02\x04\x18\x01a\x08\x04\x01b\0".b,
            message_pack_names: "\xa2id\x02\xa4name\xa1a\xa4name\xa1b".b,
            json: '"id":2,"name":"a","name":"b"' }.freeze

  def twice(wire)
    case wire
    when :message_pack_names then "\x84".b + DOT[wire] + AGAIN[wire]
    when :json then "{#{DOT[wire]}#{AGAIN[wire]}}"
    else DOT[wire] + AGAIN[wire]
    end
  end

  def dots(wire, dots)
    case wire
    when :binary then "\x0f\0\1\x0c#{[dots.size].pack("N")}#{dots.join}\0".b
    when :compact then "\x19\xfc#{dots.size.chr}#{dots.join}\0".b
    when :message_pack_names then "\x81\xa4dots\xdc".b + [dots.size].pack("n") + dots.join
    else "{\"dots\":[#{dots.join(",")}]}"
    end
  end

  each_wire "fields that come twice", DOT.keys do |wire|
    assert_equal Dot.new(id: 2, name: "b"), Dot.decode(twice(wire), wire == :message_pack_names ? :message_pack : wire)
    assert_same_of Dot, twice(wire), wire, digs: false
    once = Dot.new(id: 5, name: "c").encode(wire)
    [1, 15, 16, 17, 40].each do |count|
      [[twice(wire)] * count, ([once] * count) << twice(wire), [twice(wire), *[once] * count]].each do |all|
        assert_same_of Dots, dots(wire, all), wire
      end
    end
  end

  each_wire "unknown fields" do |wire|
    dot = Dot.new(id: 1, name: "n" * 50, color: 1, parts: %w[a b])
    [Dots.new(dot:), Dots.new(dots: [dot] * 3), Dots.new(dots: [*[dot] * 10, *[Dot.new(id: 2)] * 10], color: 3),
     Dots.new(dot: Dot.new(id: 1), color: 4)].each do |object|
      bytes = object.encode(wire)
      %i[skip keep reject].each { |unknown| assert_same_of Points, bytes, wire, unknown: }
      [40, 60].each { |size| assert_same_of Points, bytes, wire, limits: Sparpack::Limits.new(string: size) }
    end
  end

  each_wire "unknown fields take memory if they are kept" do |wire|
    dot = Dot.new(id: 1, name: "n" * 20, color: 1, parts: %w[a b] * 10)
    [Dots.new(dot:), Dots.new(dots: [dot] * 20), Dots.new(dots: [Dot.new(name: "x")] * 20)].each do |object|
      bytes = object.encode(wire)
      least = (1..(1 << 20)).bsearch { |memory| decodes?(Points, bytes, wire, memory) }
      [least - 1, least].each do |memory|
        assert_same_of Points, bytes, wire, unknown: :keep, limits: Sparpack::Limits.new(memory:)
      end
    end
  end

  # An encode checks what the decode of a lazy object was told to let pass.
  each_wire "what was let pass is written as always", WireForms::LAZY do |wire|
    { { utf8: :keep } => [Lenient.new(id: 1, name: "\xff"), Lenient.new(name: "a", text: "\xff")],
      { validate: :none } => [Lenient.new(id: 1), Lenient.new(text: "x")] }.each do |options, objects|
      objects.each do |object|
        { Strict => object, Stricts => Lenients.new(one: object, all: [object] * 20) }.each do |struct_class, each|
          bytes = each.encode(wire, utf8: :keep)
          eager, lazy = [false, true].map { |choice| struct_class.decode(bytes, wire, **options, lazy: choice) }
          name, form = WireForms.spelled(wire, {})

          assert Sparpack::Native.lazy?(lazy)
          assert_equal(*[eager, lazy].map { |one| LazyReading.encoded(one, wire) })
          assert_equal(*[eager, lazy].map { |one| outcome { one.encode(name, utf8: :keep, **form) } })
        end
      end
    end
  end

  Mapped = ::Struct.new(:x, :texts)

  # Only objects of our own classes have places where something can sleep.
  def test_objects_of_a_mapping_are_not_lazy
    types = { x: :i32, texts: Sparpack::Type.list(:string) }
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Mapped, { 1 => :x, 2 => :texts }, types:), :compact, lazy: true)

    assert_equal Mapped.new(1, %w[a b]), codec.decode(codec.encode(Mapped.new(1, %w[a b])))
  end

  class Blob < Sparpack::Struct
    field 1, :data, :binary
    field 2, :id, :i32
  end

  # A compressed payload would also be an Array of two elements: one of no field, and the data.
  def test_a_compressed_payload_is_not_read_as_it_stands
    codec = Sparpack::Codec.new(Blob, :message_pack, compression: :lz4)
    object = Blob.new(data: "d".b * 500, id: 7)
    bytes = codec.encode(object)

    assert_equal object, Blob.decode(bytes, :message_pack, lazy: true)
    assert_equal object, Blob.decode_each(bytes * 2, :message_pack, lazy: true).to_a.last
    assert_equal [object.data, 7], [codec.dig(bytes, :data), codec.dig(bytes, :id)]
    assert_equal object.with(id: 8), codec.decode(codec.patch(bytes, [:id] => 8))
    [bytes, bytes * 2].each { |each| assert_equal [object.data], codec.columns(each, "data")["data"].uniq }
    frames = StringIO.new("".b)
    3.times { codec.encode_to(frames, object, frame: :varint) }
    [1, 2].each do |threads|
      assert_equal [7] * 3, codec.columns(frames.string, "id", as: :packed, frame: :varint, threads:)["id"].to_a
    end
    damaged = bytes.byteslice(0, 12) + ("\xff".b * (bytes.bytesize - 12)) # behind the sizes
    %i[decode check count].each { |call| assert_raises(Sparpack::DecodeError) { codec.public_send(call, damaged) } }
  end

  # Behind the end of a String that was cut are the bytes that it had.
  each_wire "what stands behind the end is not read", WireForms::LAZY do |wire|
    [Dot.new(id: 1, name: "n" * 40, color: 1), Dot.new(name: "n" * 17), Dot.new(id: 1, parts: ["p" * 20, "q" * 20]),
     Dots.new(dot: Dot.new(id: 3, name: "m" * 30), tiny: 1, small: 2),
     Dots.new(dots: Array.new(5) { |id| Dot.new(id:, color: 1) }, small: 3)].each do |object|
      whole = object.encode(wire)
      codec = object.class.codec(wire)
      (1...[whole.bytesize, 45].min).each do |size|
        cut = whole.dup
        cut.slice!(-size, size)
        expected = outcome { codec.decode(cut) }
        found = [outcome { codec.check(cut) }, outcome { codec.count(cut) },
                 outcome { object.class.decode(cut, wire, lazy: true) }]

        assert_equal [expected], found.uniq, "#{object} without #{size} bytes"
      end
    end
  end

  # Each of these structs is small, and its default takes 48 KB. What follows is no part of the payload.
  class Filled < Sparpack::Struct
    field 1, :filled, list(:string), default: ["x"] * 1000
    field 3, :inner, list(self)
  end

  def test_what_follows_does_not_raise_the_limit
    bytes = "\x39\xFC\xB0\x09".b + ("\0" * 1201)
    source = bytes + ("\0" * 3_000_000)
    [-> { Filled.decode_each(source).first }, -> { Filled.decode_each(source, lazy: true).first },
     -> { Filled.codec.count(source) }].each do |work|
      assert_raises(Sparpack::DecodeError::LimitExceeded) { work.call }
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :id, :i32
    field 2, :keys, set(list(:i32))
    field 3, :name, :string
    (10..50).each { |i| field i, :"f#{i}", :i32 }
  end

  class KeyedLater < Sparpack::Struct
    field 1, :id, :i32
    field 2, :keys, set(list(:i32))
    field 3, :name, :string
    field 9, :extra, list(:string)
  end

  # Making a set of lists calls `hash` of each list. Here, `hash` reads all fields of the object that the set belongs to, and
  # then nothing keeps the codec alive. Another thread has made it, so its address is not on this stack.
  def test_a_key_wakes_the_object_that_reads_it
    bytes = KeyedLater.new(id: 1, keys: [[1], [2]].to_set, name: "x" * 100, extra: ["e" * 50]).encode
    woken = in_child do
      object = Thread.new { Sparpack::Codec.new(Keyed, :compact, lazy: true, unknown: :keep).decode(bytes) }.value
      hash = Array.instance_method(:hash)
      waking = object
      Array.define_method(:hash) do
        if waking
          waking.tap { waking = nil }.to_h
          GC.start
        end
        hash.bind_call(self)
      end
      object.to_h.slice(:id, :keys, :name)
    end

    assert_equal({ id: 1, keys: [[1], [2]].to_set, name: "x" * 100 }, woken)
  end

  # Ruby's own `freeze` leaves it lazy, and then it changes when it is read.
  def test_an_object_that_is_frozen_past_ours_is_not_shared
    [3, 20].each do |size|
      object = Dots.decode(Dots.new(dots: Array.new(size) { |id| Dot.new(id:, name: "n") }).encode, lazy: true)
      Kernel.instance_method(:freeze).bind_call(object)

      assert_raises(Ractor::Error, size) { Ractor.make_shareable(object) }
    end
  end

  class Note < Sparpack::Struct
    field 1, :id, :i32
    field 2, :text, :string
    field 3, :photo, :binary
    field 4, :dots, list(Dot)
    field 5, :dot, Dot
    field 6, :tags, map(:string, :i32)
  end

  # The io writes to the memory of the String while other threads run.
  def test_a_string_that_an_io_is_being_read_into
    WireForms::LAZY.each do |wire|
      bytes = note.encode(wire).b
      IO.pipe do |input, output|
        reader = Thread.new { input.readpartial(bytes.bytesize, bytes) }
        within("a read") { Thread.pass until reader.stop? }
        object = Note.decode(bytes, wire, lazy: true)
        output.write("\xff" * bytes.bytesize)
        finish([reader])

        assert_equal note, object
      end
    end
  end

  # IO::Buffer of Ruby 3.1 writes to memory that other Strings share. What sleeps there cannot be read any more.
  if RUBY_VERSION.start_with?("3.1.")
    def test_bytes_that_change_past_ruby
      calls = WireForms::LAZY.product(%i[text photo dots dot tags to_h encode])
      answers = in_child { calls.map { |wire, call| overwritten(wire, call) } }

      assert_includes answers, Sparpack::DecodeError::LimitExceeded
      assert_includes answers, Sparpack::EncodeError
    end
  end

  private

  def note
    Note.new(id: 1, text: "t" * 300, photo: "p".b * 300, tags: { "a" => 1 }, dot: Dot.new(id: 2, parts: ["n" * 90]),
             dots: Array.new(20) { |id| Dot.new(id:, name: "x" * 70) })
  end

  # Returns the class of the error.
  def overwritten(wire, call)
    bytes = note.encode(wire).b
    object = Note.decode(bytes, wire, lazy: true)
    IO::Buffer.for(bytes).copy(IO::Buffer.for("\xff" * bytes.bytesize), 0)
    object.id = 3
    call == :encode ? object.encode(wire) : object.public_send(call)
    nil
  rescue Sparpack::Error => e
    e.class
  end

  def decodes?(struct_class, bytes, wire, memory)
    struct_class.decode(bytes, wire, unknown: :keep, limits: Sparpack::Limits.new(memory:))
    true
  rescue Sparpack::DecodeError::LimitExceeded
    false
  end

  def assert_same(object, wire) = assert_same_of(object.class, object.encode(wire), wire)
end
