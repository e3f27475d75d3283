# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/reading"
require "stringio"
require "zlib"
require "support/trickle"

# Codecs fix a class, a wire and options once. Also reads many objects from one source.
class CodecTest < Minitest::Test
  include Reading
  extend Reading::Wires

  # The messages have no positions. MessagePack has its tests in test/contract.
  def self.each_wire(name, wires = THRIFT + [:json], &) = super

  class Listing < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :names, list(:string)
    field 3, :text, :string
  end

  class Other < Sparpack::Struct
    field 1, :id, :i64
  end

  # An io that has only `read`.
  class Reader
    def initialize(bytes) = @io = StringIO.new(bytes)

    def read(size) = @io.read(size)
  end

  def listings(count) = Array.new(count) { |id| Listing.new(id:, names: Array.new(id % 7) { |i| "name #{i}" }) }

  each_wire "a codec is frozen and shareable" do |wire|
    codec = Sparpack::Codec.new(Listing, wire, freeze: true, limits: Sparpack::Limits.new(depth: 5))

    assert_predicate codec, :frozen?
    assert Ractor.shareable?(codec)
    assert_equal [wire, Listing], [codec.wire, codec.struct_class]
    assert_equal({ freeze: true, limits: Sparpack::Limits.new(depth: 5) }, codec.options)
    assert_predicate codec.options, :frozen?
    assert_equal "#<Sparpack::Codec CodecTest::Listing #{wire}, freeze: true, limits: #{codec.options[:limits].inspect}>",
                 codec.inspect
    assert_equal "#<Sparpack::Codec CodecTest::Listing #{wire}>", Listing.codec(wire).inspect
  end

  each_wire "its options apply" do |wire|
    bytes = writer(wire, Listing).message([3, :string, "x"], [9, :i8, 1])
    base = { validate: :none }
    decode = ->(**options) { Sparpack::Codec.new(Listing, wire, **options).decode(bytes) }

    assert_raises(Sparpack::DecodeError::MissingField) { decode.call }
    assert_equal Listing.new(text: "x"), decode.call(**base)
    assert_predicate decode.call(**base, freeze: true), :frozen?
    refute_predicate decode.call(**base, freeze: nil), :frozen?
    assert_equal Listing.new(text: "x"), decode.call(**base, limits: nil)
    assert_raises(Sparpack::DecodeError::Malformed) { decode.call(**base, unknown: :reject) }
    assert_equal writer(wire, Listing).message([1, :i64, 5], [3, :string, "x"], [9, :i8, 1]),
                 decode.call(**base, unknown: :keep).with(id: 5).encode(wire)
    assert_raises(Sparpack::DecodeError::LimitExceeded) { decode.call(**base, limits: Sparpack::Limits.new(string: 0)) }
  end

  def test_wires
    assert_equal [:compact, Listing.new(id: 1).encode], [Sparpack::Codec.new(Listing).wire,
                                                         Sparpack::Codec.new(Listing).encode(Listing.new(id: 1))]
    known = "(known: #{Sparpack::WIRES.map(&:inspect).join(", ")})"
    [:compat, "compakt", nil, 1].each do |wire|
      [-> { Sparpack::Codec.new(Listing, wire) }, -> { Listing.codec(wire) }, -> { Listing.new.encode(wire) },
       -> { Listing.decode("\0", wire) }, -> { Listing.decode_each("\0", wire).to_a },
       -> { Listing.new.encode_to(StringIO.new, wire) }].each do |use|
        assert_equal "unknown wire #{wire.inspect} #{known}", assert_raises(ArgumentError, &use).message
      end
    end
  end

  # A subclass may return anything.
  def test_limits_that_are_out_of_range
    { string: -1, container: -1, message: -1, memory: -1, depth: 0, depth_: 1 << 40 }.each do |name, value|
      name = name.to_s.delete_suffix("_").to_sym
      limits = Class.new(Sparpack::Limits) { define_method(name) { value } }.new
      error = assert_raises(ArgumentError, name) { Sparpack::Codec.new(Listing, :compact, limits:) }

      assert_equal "#{name}: out of range, got #{value}", error.message
    end
  end

  def test_options_that_do_not_exist
    { { frieze: true } => "unknown option :frieze (did you mean :freeze?)",
      { validate: :all } => "validate: expected one of :none, :normal, :strict, :recursive, got :all",
      { validate: true } => "validate: expected one of :none, :normal, :strict, :recursive, got true",
      { unknown: "keep" } => "unknown: expected one of :skip, :reject, :keep, got \"keep\" (use :keep)",
      { unknown: :rejct } => "unknown: expected one of :skip, :reject, :keep, got :rejct (did you mean :reject?)",
      { utf8: nil } => "utf8: expected one of :check, :keep, got nil",
      { utf8: :keeper } => "utf8: expected one of :check, :keep, got :keeper (did you mean :keep?)",
      { mismatch: :ski } => "mismatch: expected one of :raise, :skip, got :ski (did you mean :skip?)",
      { mismatch: false } => "mismatch: expected one of :raise, :skip, got false",
      { limits: { depth: 5 } } => /\Alimits: expected a Sparpack::Limits, got \{.*depth/ }.each do |options, message|
      [-> { Sparpack::Codec.new(Listing, :compact, **options) }, -> { Listing.new(id: 1).encode(:binary, **options) },
       -> { Listing.new(id: 1).encode(**options) }, -> { Listing.decode("\0", **options) },
       -> { Listing.decode_each("\0", **options).to_a }].each do |use|
        error = assert_raises(ArgumentError, &use)

        message.is_a?(Regexp) ? assert_match(message, error.message) : assert_equal(message, error.message)
      end
    end
  end

  def test_what_is_no_struct
    { nil => "nil", Object.new => "an instance of Object", :Listing => ":Listing",
      String => "String (map a plain class first: Sparpack::Mapping.new(String, %i[…]))",
      Sparpack::Struct => "Sparpack::Struct (make a subclass of it)", Comparable => "Comparable" }.each do |given, shown|
      error = assert_raises(ArgumentError) { Sparpack::Codec.new(given) }

      assert_equal "expected a subclass of Sparpack::Struct, Union or Exception, got #{shown}", error.message
    end
  end

  def test_arguments
    [[], [1, 2, 3]].each { |arguments| assert_raises(ArgumentError) { Listing.decode(*arguments) } }
    assert_raises(ArgumentError) { Listing.new.encode(:compact, :binary) }
    [nil, :bytes, 5, []].each do |bytes|
      [-> { Listing.decode(bytes) }, -> { Listing.codec.decode(bytes) }].each do |use|
        assert_equal "bytes to decode must be a String, got #{bytes.class}", assert_raises(TypeError, &use).message
      end
    end
  end

  each_wire "encode takes objects of its class" do |wire|
    codec = Listing.codec(wire)
    [[Other.new(id: 1), "CodecTest::Other"], [nil, "nil"], [{ id: 1 }, "Hash"], ["", "String"]].each do |object, found|
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { codec.encode(object) }

      hint = " (to make one of a Hash, use CodecTest::Listing.from_h)" if found == "Hash"
      assert_equal "CodecTest::Listing: expected CodecTest::Listing, found #{found} (#{wire})#{hint}", error.message
    end

    assert_equal Listing.new(id: 1).encode(wire), codec.encode(Class.new(Listing).new(id: 1))
  end

  each_wire "bytes are not changed, whatever their encoding" do |wire|
    object = Listing.new(id: 1, text: "ü")
    [Encoding::BINARY, Encoding::UTF_8, Encoding::UTF_16LE, Encoding::US_ASCII].each do |encoding|
      bytes = object.encode(wire).force_encoding(encoding).freeze

      assert_equal object, Listing.decode(bytes, wire)
      assert_equal encoding, bytes.encoding
    end
  end

  each_wire "decode_prefix" do |wire|
    objects = listings(3)
    codec = Listing.codec(wire)
    bytes = objects.map { |object| object.encode(wire) }.join
    read = []
    offset = 0
    3.times { codec.decode_prefix(bytes, offset).then { |object, place| (read << object) && offset = place } }

    assert_equal [objects, bytes.bytesize], [read, offset]
    assert_equal [objects[0], objects[0].encode(wire).bytesize], codec.decode_prefix(bytes)
    error = assert_raises(Sparpack::DecodeError::Truncated) { codec.decode_prefix(bytes, offset) }
    assert_equal offset, error.offset
    [-1, bytes.bytesize + 1, 1 << 40].each do |place|
      error = assert_raises(ArgumentError) { codec.decode_prefix(bytes, place) }

      assert_equal "offset: expected 0..#{bytes.bytesize}, got #{place}", error.message
    end
  end

  each_wire "encode_to" do |wire|
    io = StringIO.new("".b)
    objects = listings(5)
    codec = Listing.codec(wire)
    sizes = objects.map { |object| codec.encode_to(io, object) }

    assert_equal(objects.map { |object| object.encode(wire).bytesize }, sizes)
    assert_equal objects, codec.decode_each(io.tap(&:rewind)).to_a
    before = io.string.dup
    assert_raises(Sparpack::EncodeError) { codec.encode_to(io, Listing.new) }
    assert_equal before, io.string
  end

  each_wire "decode_each reads from whatever there is" do |wire|
    objects = listings(300)
    bytes = objects.map { |object| object.encode(wire) }.join
    sources = { string: bytes, stringio: StringIO.new(bytes), reader: Reader.new(bytes), one: Trickle.new(bytes, 1),
                some: Trickle.new(bytes, 7), all: Trickle.new(bytes, 1 << 20), pipe: pipe(bytes),
                zlib: Zlib::GzipReader.new(StringIO.new(Zlib.gzip(bytes))) }
    sources.each do |name, source|
      read = []

      assert_same Listing, Listing.decode_each(source, wire) { |object| read << object }, name
      assert_equal objects, read, name
    end
  end

  each_wire "decode_each answers an Enumerator" do |wire|
    bytes = listings(10).map { |object| object.encode(wire) }.join

    assert_equal [0, 1, 2], Listing.decode_each(StringIO.new(bytes), wire).lazy.map(&:id).first(3)
    assert_equal (0..9).to_a, Listing.codec(wire).decode_each(bytes).map(&:id)
    assert_empty Listing.decode_each("", wire).to_a
    assert_empty Listing.decode_each(StringIO.new, wire).to_a
  end

  each_wire "what is yielded before a fault stays, and its offset is that of the whole input" do |wire|
    objects = listings(2000)
    good = objects.map { |object| object.encode(wire) }.join
    bad = writer(wire, Listing).message([1, :string, "no number"])
    [good + bad + good, StringIO.new(good + bad), Trickle.new(good + bad, 100), pipe(good + bad)].each do |source|
      read = []
      error = assert_raises(Sparpack::DecodeError::TypeMismatch) do
        Listing.decode_each(source, wire) { |object| read << object }
      end

      fault = good.bytesize + { json: '{"id":', thrift_json: "{" }.fetch(wire, "").bytesize

      assert_equal [objects.size, fault, "CodecTest::Listing.id"], [read.size, error.offset, error.path]
      assert_equal good.bytesize, error.message_offset
    end
  end

  each_wire "an input that ends in the middle is truncated" do |wire|
    good = listings(100).map { |object| object.encode(wire) }.join
    last = Listing.new(id: 1, text: "text").encode(wire)
    (1...last.bytesize).each do |size|
      cut = good + last.byteslice(0, size)
      [cut, StringIO.new(cut), Trickle.new(cut, 50)].each do |source|
        read = []
        error = assert_raises(Sparpack::DecodeError::Truncated) { Listing.decode_each(source, wire) { |o| read << o } }

        assert_equal 100, read.size
        assert_includes good.bytesize..cut.bytesize, error.offset
        assert_equal good.bytesize, error.message_offset
      end
    end
  end

  each_wire "an error says where its message begins" do |wire|
    good = Listing.new(id: 1, text: "text").encode(wire)
    bad = good.byteslice(0...-1) # the fault is behind the start of the message
    codec = Listing.codec(wire)
    long = Listing.codec(wire, limits: Sparpack::Limits.new(message: good.bytesize - 1))
    { 0 => -> { Listing.decode(bad, wire) }, good.bytesize => -> { codec.decode_prefix(good + bad, good.bytesize) },
      2 * good.bytesize => -> { codec.decode_each(Trickle.new((good * 2) + bad, 5)).to_a },
      0.0 => -> { long.decode_each(StringIO.new(good)).to_a } }.each do |place, read|
      error = assert_raises(Sparpack::DecodeError, &read)

      assert_equal place, error.message_offset
      assert_operator error.offset, :>, place unless place.is_a?(Float)
    end
    assert_nil assert_raises(Sparpack::EncodeError) { Listing.new.encode(wire) }.message_offset
  end

  each_wire "a large message in small pieces is not scanned again for each of them" do |wire|
    object = Listing.new(id: 1, names: ["a name"] * 10_000)
    bytes = object.encode(wire)
    direct = Cost.of { Listing.decode(bytes, wire) }
    pieces = Cost.of { Listing.decode_each(Trickle.new(bytes, 500), wire).to_a }

    assert_equal [object], pieces.result
    assert_operator pieces.objects, :<, 8 * direct.objects
  end

  each_wire "the search for an end goes on from where it was, however often" do |wire|
    bytes = writer(wire, Listing).message([15, :string, "x" * 3000])
    payload_end = Sparpack::Native.payload_end(Listing.codec(wire))
    answers = (1..bytes.bytesize).map { |size| Sparpack::Native.payload_end_find(payload_end, bytes.byteslice(0, size)) }

    assert_equal [*([nil] * (bytes.bytesize - 1)), bytes.bytesize], answers
  end

  # Each part is followed by others, so a search that ends too early or too late gives another offset.
  PARTS = [[[:map, :i8, :string], { 1 => "a", 2 => "b", 3 => "" }], [[:map, :i8, :i8], {}], [[:set, :i16], [1, 2]],
           [[:map, :string, [:map, :i8, [:list, :bool]]], { "k" => { 1 => [true], 2 => [] }, "l" => {} }],
           [[:list, :struct], [[], [[1, :bool, true], [7, [:map, :uuid, :struct], { "ab" * 16 => [[2, :i64, 3]] }]]]],
           [[:list, [:list, :double]], [[1.0], [], [2.0, 3.0]]], [:struct, [[1, :struct, []], [2, :bool, false]]],
           [:uuid, "cd" * 16]].freeze

  each_wire "a search finds the end of every type" do |wire|
    parts = PARTS.each_with_index.map { |(type, value), index| [20 + index, type, value] }
    bytes = writer(wire, Listing).message([1, :i64, 1], *parts)
    payload_end = Sparpack::Native.payload_end(Listing.codec(wire))
    answers = (1..bytes.bytesize).map { |size| Sparpack::Native.payload_end_find(payload_end, bytes.byteslice(0, size)) }

    assert_equal [*([nil] * (bytes.bytesize - 1)), bytes.bytesize], answers
    payload_end = Sparpack::Native.payload_end(Listing.codec(wire))

    assert_equal bytes.bytesize, Sparpack::Native.payload_end_find(payload_end, bytes * 2)
    [1, 3, 7].each do |size|
      assert_equal [Listing.new(id: 1)] * 3, Listing.decode_each(Trickle.new(bytes * 3, size), wire).to_a
    end
  end

  # More bytes may never come, so none are awaited after bytes that cannot be a message.
  each_wire "the search for an end stops where the bytes are wrong", THRIFT - JSONS do |wire|
    field, element = { compact: ["\x1e", 14], binary: ["\x05\0\x02", 5] }.fetch(wire) # codes of no type
    [field.b, writer(wire).fields([[15, [:list, element], [WireWriter.raw("x")]]])].each do |wrong|
      bytes = writer(wire).fields([[1, :i64, 1]]) + wrong

      assert_same false, Sparpack::Native.payload_end_find(Sparpack::Native.payload_end(Listing.codec(wire)), bytes)
      trickle = Trickle.new(bytes + ("\1" * 1000), 1)
      assert_raises(Sparpack::DecodeError::Malformed) { Listing.decode_each(trickle, wire).to_a }
      assert_operator trickle.asked.size, :<=, bytes.bytesize + 1
    end
  end

  each_wire "the search for an end goes as deep as its codec" do |wire|
    (3..40).each do |depth|
      lists = [(depth - 1).times.reduce(:i8) { |type, _| [:list, type] }, (depth - 1).times.reduce(1) { |inner, _| [inner] }]
      structs = [:struct, (depth - 2).times.reduce([]) { |inner, _| [[1, :struct, inner]] }]
      [lists, structs].each do |type, value|
        bytes = writer(wire, Listing).message([1, :i64, 1], [15, type, value])
        ends = [depth, depth - 1].map do |most|
          codec = Sparpack::Codec.new(Listing, wire, limits: Sparpack::Limits.new(depth: most))
          Sparpack::Native.payload_end_find(Sparpack::Native.payload_end(codec), bytes)
        end

        assert_equal [bytes.bytesize, false], ends
      end
    end
  end

  each_wire "a message may take as much memory from an io as from a String" do |wire|
    wide = Class.new(Sparpack::Struct) { (1..300).each { |id| field id, :"f#{id}", :bool } }
    holder = Class.new(Sparpack::Struct) do
      field 1, :wides, list(wide)
      field 2, :text, :string
    end
    bytes = holder.new(wides: [wide.new] * 9000, text: "x" * 200_000).encode(wire)

    assert_equal 9000, holder.decode(bytes, wire).wides.size
    assert_equal 9000, holder.decode_each(StringIO.new(bytes), wire).first.wides.size
  end

  each_wire "what an io raises passes through, and what stops early reads no more" do |wire|
    bytes = listings(10).map { |object| object.encode(wire) }.join
    broken = Class.new { def readpartial(_) = raise(IOError, "gone") }.new

    assert_equal "gone", assert_raises(IOError) { Listing.decode_each(broken, wire).to_a }.message
    trickle = Trickle.new(bytes, 20)
    Listing.decode_each(trickle, wire) { break }

    assert_operator trickle.asked.size, :<=, 2
    assert_raises(TypeError) { Listing.decode_each(5, wire).to_a }
  end

  private

  def pipe(bytes)
    reader, writer = IO.pipe
    Thread.new do
      writer.binmode.write(bytes)
    ensure
      writer.close
    end
    reader
  end
end
