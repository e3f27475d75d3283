# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/random_schema"
require "support/seeded"
require "timeout"
require_relative "../../fuzz/convert"

# Converting gives what decoding and encoding gives: the same bytes, or the same error. SCHEMAS=n tries more classes.
class ConverterTest < Minitest::Test
  include Seeded

  SCHEMAS = Integer(ENV.fetch("SCHEMAS", 25))
  FORMS = [[:compact, {}], [:binary, {}], [:json, {}], [:thrift_json, {}], [:message_pack, { keys: :array }],
           [:message_pack, { keys: :names }], [:message_pack, { keys: :ids }]].freeze
  PAIRS = FORMS.product(FORMS).freeze

  class Point < Sparpack::Struct
    field 1, :x, :i32, required: true
    field 2, :y, :i32, default: 7
    field 4, :name, :string
    field 5, :on, :bool
    field 9, :tags, map(:string, :i64), default: {}
    field 10, :set, set(:string)
    field 11, :reals, set(:double)
    field 12, :next, "Point"
    field 13, :note, :string, default: "né"
    field 14, :points, list("Point")
  end

  # Knows fewer fields than Point.
  class Old < Sparpack::Struct
    field 2, :y, :i32
    field 10, :set, set(:string)
  end

  module Colour
    extend Sparpack::Enum

    RED = 1
  end

  class Painted < Sparpack::Struct
    field 1, :colour, Colour
    field 2, :count, :i64
    field 3, :by, map(Colour, :i64)
  end

  def test_all_pairs_of_random_objects
    fused = 0
    objects do |object|
      PAIRS.each do |from, to|
        bytes = encoded(object, from) or next
        next if encoded(object, to).nil?

        converter = converter(object.class, from, to)
        fused += 1 if Sparpack::Native.convert_payload(converter, bytes, 0)

        assert_converts(converter, bytes)
      end
    end

    assert_operator fused, :>, SCHEMAS * 3 * PAIRS.size / 4
  end

  def test_changed_bytes
    objects(1) do |object|
      PAIRS.each do |from, to|
        bytes = encoded(object, from) or next
        next if encoded(object, to).nil?

        converter = converter(object.class, from, to, **options)
        8.times { assert_converts(converter, mutate(bytes.b)) }
      end
    end
  end

  def test_bytes_of_another_class
    last = Old
    objects(1) do |object|
      PAIRS.each do |from, to|
        bytes = encoded(object, from) or next
        assert_converts(converter(last, from, to, **options), bytes)
      rescue Sparpack::SchemaError
        next
      end
      last = object.class
    end
  end

  # The error is the one that decoding raises, whichever form the payload is converted to.
  def test_every_beginning_is_refused
    FORMS.each do |from|
      bytes  = encoded(full, from)
      reader = converter(Point, from, from).from
      errors = Array.new(bytes.bytesize) { |size| outcome { reader.decode(bytes.byteslice(0, size)) } }

      assert_empty errors.grep_v(Array)
      FORMS.each { |to| assert_refuses_beginnings(errors, converter(Point, from, to), bytes) }
    end
  end

  def test_common_payloads_are_converted_without_objects
    PAIRS.each do |from, to|
      converter = converter(Point, from, to)
      [full, Point.new(x: 1, tags: nil), Point.new(x: 2, on: false, reals: Set[1.5, -2.5])].each do |point|
        bytes = encoded(point, from)

        refute_nil Sparpack::Native.convert_payload(converter, bytes, 0), "#{from} to #{to}"
        assert_converts(converter, bytes)
      end
    end
  end

  # Short texts are copied in whole blocks. The name is the last field that is set, so blocks end beyond the payload, too.
  def test_texts_of_every_length
    texts = [0, 1, 7, 8, 14, 15, 16, 17, 31, 32, 33, 47, 48, 49, 127, 128, 129].flat_map do |size|
      ["\"", "\u0001", "\u007F", "é", "\xFF"].product([0, size / 2, size]).map do |one, place|
        ("x" * size).insert(place, one)
      end
    end
    converters = PAIRS.map { |from, to| converter(Point, from, to) }
    texts.each do |text|
      if text.valid_encoding?
        inputs = [{ name: text }, { tags: { text => 1 } }].map { |fields| Point.new(x: 1, **fields) }
        converters.product(inputs) { |converter, point| assert_converts(converter, converter.from.encode(point)) }
      else
        bytes = Point.new(x: 1, name: "x" * text.bytesize).encode.sub("x" * text.bytesize, text.b)
        converters.each { |converter| assert_converts(converter, bytes) }
      end
    end
  end

  def test_fields_in_any_order
    text = '{"name":"b","x":1,"y":3,"on":true,"next":{"name":"c","x":2,"on":false,"x":5},"x":4}'
    FORMS.each do |to|
      converter = converter(Point, FORMS[2], to)

      refute_nil Sparpack::Native.convert_payload(converter, text, 0)
      assert_converts(converter, text)
    end
  end

  # The last of several counts, but each must be whole.
  def test_a_field_again
    { '"next":{},"next":{"x":1}' => "Point.next.x",
      '"next":{"points":[{}],"x":1},"next":{"x":2}' => "Point.next.points[0].x",
      '"next":{"x":1},"next":{"y":2,"x":3}' => nil }.each do |fields, missing|
      text = "{\"x\":1,#{fields}}"
      FORMS.each do |to|
        converter = converter(Point, FORMS[2], to)

        assert_converts(converter, text)
        assert_operator assert_raises(Sparpack::Error) { converter.convert(text) }.path, :end_with?, missing if missing
      end
    end
    ["\x83\x01\x01\x0c\x80\x0c\x81\x01\x01".b, "\x83\x01\x01\x04\xa1\xff\x04\xa1x".b].each do |bytes|
      FORMS.each { |to| assert_converts(converter(Point, FORMS[6], to), bytes) }
    end
  end

  # Each level would double the work if a struct were read again whenever its fields are out of order.
  def test_order_is_restored_in_linear_time
    text = '{"x":1}'
    60.times { text = "{\"next\":#{text},\"x\":1}" }

    Timeout.timeout(20) { assert_converts(converter(Point, FORMS[2], FORMS[0]), text) }
  end

  def test_duplicate_keys_and_elements
    long = (0...2000).map { |i| "\"k#{i}\":#{i}" }.join(",")
    ['{"x":1,"tags":{"a":1,"b":2,"a":3}}', '{"x":1,"set":["a","b","a"]}', '{"x":1,"reals":[0.0,-0.0,1.0]}',
     '{"x":1,"reals":["NaN","NaN"]}', "{\"x\":1,\"tags\":{#{long}}}", "{\"x\":1,\"tags\":{#{long},\"k7\":0}}",
     "{\"x\":1,\"tags\":{#{long}},\"points\":[{\"x\":1,\"tags\":{#{long}}}]}"].each do |text|
      FORMS.each { |to| assert_converts(converter(Point, FORMS[2], to), text) }
    end
  end

  # Keys that share their places in the table of hashes would take quadratic time.
  def test_chosen_keys_are_left_to_the_decode
    keys = []
    number = 0
    until keys.size == 150
      key = (number += 1).to_s.rjust(8, "k")
      keys << key if (key_hash("\x08#{key}".b) >> 20).nobits?(511)
    end
    [[keys, true], [keys.first(100), false]].each do |chosen, left|
      text = Point.new(x: 1, tags: chosen.to_h { |key| [key, 1] }).encode(:json)
      converter = converter(Point, FORMS[2], FORMS[0])

      assert_equal left, Sparpack::Native.convert_payload(converter, text, 0).nil?
      assert_converts(converter, text)
    end
  end

  def test_mappings
    plain = ::Struct.new(:x, :name)
    mapping = Sparpack::Mapping.new(plain, { 0 => :x, 1 => :name }, types: { x: :i32, name: :string })
    wires = %i[compact binary json thrift_json message_pack]
    codecs = wires.to_h { |wire| [wire, Sparpack::Codec.new(mapping, wire)] }
    wires.product(wires) do |from, to|
      bytes = codecs[from].encode(plain.new(1, "a"))
      sides = [{ from:, to: }, { from: codecs[from], to: codecs[to] }]

      sides.each do |each|
        assert_equal codecs[to].encode(plain.new(1, "a")), Sparpack::Converter.new(mapping, **each).convert(bytes)
      end
    end
    json = Sparpack::Converter.new(mapping, from: :json, to: :json)
    error = assert_raises(ArgumentError) { Sparpack::Converter.new(Point, from: codecs[:json], to: :json) }

    assert_equal '{"x":1}', json.convert('{"x":1,"z":2}')
    assert_raises(Sparpack::DecodeError::TypeMismatch) { json.convert('{"x":1,"name":2}') }
    assert_match(/\Aexpected a codec of ConverterTest::Point, got one of a mapping of /, error.message)
    assert_raises(ArgumentError) { Sparpack::Converter.new(mapping, from: :json, to: :json, unknown: :keep) }
  end

  # Members without a type hold whatever MessagePack does, and are never read without objects.
  def test_untyped_mappings
    plain = ::Struct.new(:x, :name)
    mapping = Sparpack::Mapping.new(plain, { 0 => :x, 1 => :name }, types: { x: :i32 })
    forms = %i[array ids names].map { |keys| Sparpack::Codec.new(mapping, :message_pack, keys:) }
    [plain.new(1, [1, { "a" => nil }]), plain.new(1, nil), plain.new(nil, -1.5)].each do |object|
      forms.product(forms) do |from, to|
        assert_equal to.encode(object), Sparpack::Converter.new(mapping, from:, to:).convert(from.encode(object))
      end
    end
  end

  # What Ruby's half checks before.
  def test_wrong_calls_of_the_native_half
    codecs = [Point, Class.new(Sparpack::Struct)].map { |klass| klass.codec(:json) }
    converter = converter(Point, FORMS[0], FORMS[2])
    error = assert_raises(ArgumentError) { Sparpack::Native.converter_setup(Sparpack::Converter.allocate, *codecs) }

    assert_equal "the codecs have different classes", error.message
    assert_raises(FrozenError) { Sparpack::Native.converter_setup(converter, codecs[0], codecs[0]) }
    twice = Sparpack::Converter.allocate
    Sparpack::Native.converter_setup(twice, codecs[0], codecs[0])
    error = assert_raises(TypeError) { Sparpack::Native.converter_setup(twice, codecs[0], codecs[0]) }

    assert_equal "the converter is already set up", error.message
    error = assert_raises(ArgumentError) { Sparpack::Native.convert_prefix(converter, "{}", 3, 0, nil) }

    assert_equal "the offset is past the end of the bytes", error.message
    [[0, 3], [2, 1]].each do |range|
      error = assert_raises(ArgumentError) { Sparpack::Native.encode_converted(codecs[0], Point.new, codecs[0], "{}", *range, 0) }

      assert_equal "the payload is not in the bytes", error.message
    end
  end

  def test_defaults_and_required_fields
    texts = ["{}", '{"x":1}', '{"x":null}', '{"x":1,"y":null,"tags":null}', '{"x":1,"x":null}', '{"x":"1"}', '{"x":1.0}']
    texts.each do |text|
      FORMS.each { |to| assert_converts(converter(Point, FORMS[2], to), text) }
    end

    assert_equal '{"x":1,"y":7,"tags":{},"note":"né"}', Point.convert('{"x":1}', from: :json, to: :json)
  end

  def test_enums
    texts = ['{"colour":"RED","count":"12","by":{"RED":1,"7":2}}', '{"colour":7}', '{"colour":"BLUE"}',
             '{"by":{"1":1,"RED":2}}']
    texts.each do |text|
      FORMS.each do |wire, options|
        all = [{}, { enums: :names }, { i64: :string }, { enums: :names, i64: :string, validate: :strict }]
        all.each do |own|
          own = own.slice(*Sparpack::Native::WIRE_OPTIONS[wire], :validate)
          assert_converts(converter(Painted, FORMS[2], [wire, { **options, **own }]), text)
        end
      end
    end
  end

  def test_unknown_fields
    PAIRS.each do |from, to|
      bytes = encoded(full, from)
      %i[keep skip reject].each { |unknown| assert_converts(converter(Old, from, to, unknown:), bytes) }
    end
    bytes = full.encode(:binary)

    assert_equal full.encode, Old.convert(bytes, from: :binary, to: :compact)
    refute_nil Sparpack::Native.convert_payload(Sparpack::Converter.new(Old, from: :binary, to: :compact), bytes, 0)
    assert_equal '{"y":7,"set":["a","b"]}', Old.convert(bytes, from: :binary, to: :json)
    error = assert_raises(Sparpack::DecodeError) { Old.convert(bytes, from: :binary, to: :json, unknown: :reject) }
    assert_includes error.message, "a known field"
  end

  class Short < Sparpack::Struct
    field 1, :a, :i32
    field 2, :b, :i32
    field 3, :c, :i32
  end

  # The header of a compact field is a byte that counts from the field before, so what it means depends on that field.
  def test_headers_behind_fields_that_are_not_known
    { "15 02 85 08 15 04 00" => [1, nil, nil], # 1, 9, 10
      "15 02 05 0e 08 15 04 00" => [1, nil, nil], # 1, 7, 8
      "75 08 05 04 04 15 06 00" => [nil, 2, 3],  # 7, 2, 3
      "15 02 75 08 05 04 04 00" => [1, 2, nil],  # 1, 8, 2
      "15 02 15 04 15 06 15 08 15 0a 00" => [1, 2, 3],  # 1 to 5
      "15 02 05 02 04 15 06 05 06 08 00" => [2, 3, 4],  # 1, 1, 2, 3
      "25 04 05 02 02 15 06 00" => [1, 3, nil], # 2, 1, 2
      "18 00 15 04 00" => nil }.each do |hex, values| # 1 is a string
      bytes = [hex.delete(" ")].pack("H*")
      object = values && Short.new(**%i[a b c].zip(values).to_h.compact)

      assert_equal object, Short.decode(bytes), hex if values
      FORMS.product([{}, { mismatch: :skip }, { unknown: :keep }]) do |to, options|
        assert_converts(converter(Short, FORMS.first, to, **options), bytes)
      end
    end

    assert_equal Short.new(b: 2), Short.decode(["18001504 00".delete(" ")].pack("H*"), mismatch: :skip)
  end

  def test_limits_of_both_sides
    limits = [{ depth: 3 }, { string: 3 }, { container: 1 }, { memory: 300 }].map { |limit| Sparpack::Limits.new(**limit) }
    PAIRS.each do |from, to|
      bytes = encoded(full, from)
      limits.each do |limit|
        assert_converts(converter(Point, from, to, limits: limit), bytes)
        assert_converts(converter(Point, from, [to[0], { **to[1], limits: limit }]), bytes)
      end
    end
  end

  # A decode charges for Floats that are objects and for the fields that it keeps.
  def test_the_memory_of_floats_and_kept_fields
    point = Point.new(x: 1, reals: (1..20).to_set { |i| i * 1e300 })
    PAIRS.each do |from, to|
      bytes = encoded(point, from)
      (400..4000).step(200) do |memory|
        limits = Sparpack::Limits.new(memory:)
        assert_converts(converter(Point, from, to, limits:), bytes)
        assert_converts(converter(Old, from, to, unknown: :keep, limits:), bytes)
      end
    end
  end

  def test_streams
    points = [full, Point.new(x: 1), Point.new(x: 2, name: "z" * 70_000), full]
    frames = { json: [nil, :lines, :framed] }
    PAIRS.each do |from, to|
      frames.fetch(from[0], [nil, :varint]).product(frames.fetch(to[0], [nil, :varint])) do |reads, writes|
        converter = converter(Point, from, [to[0], { **to[1], frame: writes }], frame: reads)
        input = points.each_with_object(StringIO.new("".b)) { |point, io| converter.from.encode_to(io, point) }
        output = StringIO.new("".b)
        input.rewind

        written = converter.copy_stream(input, output)

        assert_equal output.string.bytesize, written
        expected = points.each_with_object(StringIO.new("".b)) { |point, io| converter.to.encode_to(io, point) }
        assert_equal expected.string, output.string
      end
    end
  end

  def test_a_fault_in_a_stream
    bytes = full.encode
    output = StringIO.new("".b)
    converter = Sparpack::Converter.new(Point, from: :compact, to: :json)
    error = assert_raises(Sparpack::DecodeError) { converter.copy_stream(StringIO.new((bytes * 2) + "\xff".b), output) }

    assert_equal 2 * bytes.bytesize, error.offset
    assert_equal 2, output.string.lines.size
    assert_raises(Sparpack::DecodeError::Truncated) { converter.copy_stream(StringIO.new(bytes.byteslice(0, 9)), output) }
    assert_equal 0, converter.copy_stream(StringIO.new(""), output)
  end

  # A stream takes as much memory as its largest payload. Its bytes are made while they are read.
  def test_a_stream_of_any_length
    bytes = full.encode
    source = Object.new
    left = 4000
    source.define_singleton_method(:read) { |*| (left -= 1).negative? ? nil : bytes * 20 }
    target = Object.new
    written = 0
    target.define_singleton_method(:write) { |piece| piece.bytesize.tap { |size| written += size } }

    assert_equal full.encode(:json).bytesize.succ * 80_000,
                 Sparpack::Converter.new(Point, from: :compact, to: :json).copy_stream(source, target)
    assert_operator written, :>, 10_000_000
  end

  def test_wrong_arguments
    codec = Old.codec(:binary)
    [[Integer, { from: :compact, to: :json }], [Point, { from: :nope, to: :json }], [Point, { from: :compact, to: :nope }],
     [Point, { from: codec, to: :json }], [Old, { from: codec, to: :json, unknown: :keep }],
     [Old, { from: :json, to: :json, unknown: :all }]].each do |klass, sides|
      assert_raises(ArgumentError) { Sparpack::Converter.new(klass, **sides) }
    end
    converter = Sparpack::Converter.new(Old, from: :binary, to: codec)

    assert_raises(TypeError) { converter.convert(nil) }
    assert_raises(TypeError) { converter.convert(:x) }
    assert_raises(TypeError) { Sparpack::Converter.allocate.convert("") }
    assert_raises(FrozenError) { converter.send(:initialize, Old, from: :binary, to: :json) }
    assert_raises(TypeError) { converter.copy_stream(3, StringIO.new) }
    assert_raises(TypeError) { converter.copy_stream("", 3) }
    assert_raises(NoMethodError) { converter.dup }
  end

  def test_results
    converter = Sparpack::Converter.new(Point, from: :compact, to: :json)

    assert_predicate converter, :frozen?
    assert_equal "#<Sparpack::Converter ConverterTest::Point from compact to json>", converter.inspect
    assert_equal Encoding::UTF_8, converter.convert(full.encode).encoding
    assert_equal Encoding::BINARY, Point.convert(full.encode, from: :compact, to: :binary).encoding
    refute_predicate converter.convert(full.encode), :frozen?
    assert_same Sparpack::Converter.for(Point, :compact, :json, nil), Sparpack::Converter.for(Point, :compact, :json, nil)
  end

  def test_no_objects_are_made
    converter = Sparpack::Converter.new(Point, from: :compact, to: :json)
    bytes = full.encode
    converter.convert(bytes)
    GC.disable
    before = GC.stat(:total_allocated_objects)
    100.times { converter.convert(bytes) }

    assert_operator GC.stat(:total_allocated_objects) - before, :<, 110
  ensure
    GC.enable
  end

  def test_garbage_collection_at_every_allocation
    many = Point.new(x: 1, tags: (0...40).to_h { |i| ["key #{i}", i] }, points: [full] * 60)
    PAIRS.sample(12, random:).each do |from, to|
      bytes = encoded(many, from)
      converter = converter(Point, from, to)
      expected = converter.to.encode(converter.from.decode(bytes))
      GC.stress = true
      got = converter.convert(bytes)
      GC.stress = false

      assert_equal expected, got
    end
  ensure
    GC.stress = false
  end

  def test_ractors
    converter = Sparpack::Converter.new(Point, from: :compact, to: :json)

    assert Ractor.shareable?(converter)
    ractors = quietly do
      Array.new(3) do
        Ractor.new(converter, full.encode) { |shared, bytes| Array.new(200) { shared.convert(bytes) }.uniq }
      end
    end

    assert_equal [[full.encode(:json)]], ractors.map { |each| each.respond_to?(:value) ? each.value : each.take }.uniq
  end

  private

  # What convert/distinct.hpp computes of the bytes of a key. It reads words in the order of the machine.
  def key_hash(bytes)
    mix = ->(a, b) { (product = a * b) && ((product & ((1 << 64) - 1)) ^ (product >> 64)) }
    whole = bytes.bytesize / 8 * 8
    hash = bytes.byteslice(0, whole).unpack("Q*").reduce(0xa0761d6478bd642f ^ bytes.bytesize) do |sum, word|
      mix.call(sum ^ word, 0xe7037ed1a0b428db)
    end
    rest = bytes.byteslice(whole..).ljust(8, "\0").unpack1("Q<")
    mix.call(hash ^ rest, 0x8ebc6af09c88c6e3) | 1
  end

  def quietly
    before = Warning[:experimental]
    Warning[:experimental] = false
    yield
  ensure
    Warning[:experimental] = before
  end

  def full
    inner = Point.new(x: 2, on: true, name: "ä\n\"", tags: { "k" => 1 << 62 })
    Point.new(x: 1, name: "n" * 40, on: false, tags: { "a" => 1, "b" => -1 }, set: Set["a", "b"], reals: Set[1.5],
              next: inner, points: [inner] * 17)
  end

  def converter(klass, from, to, **options)
    reader = Sparpack::Codec.new(klass, from[0], **from[1], **options)
    Sparpack::Converter.new(klass, from: reader, to: Sparpack::Codec.new(klass, to[0], **to[1]))
  end

  def options
    [{}, { unknown: :keep }, { mismatch: :skip }, { unknown: :reject }, { utf8: :keep, validate: :none },
     { validate: :recursive, unknown: :keep }].sample(random:)
  end

  # Arrays have no place for some ids, and Thrift's JSON has no keys that are structs.
  def encoded(object, form)
    object.encode(form[0], **form[1])
  rescue Sparpack::EncodeError, Sparpack::SchemaError
    nil
  end

  def objects(values = 3)
    SCHEMAS.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      values.times { yield schema.object(struct_class) }
    end
  end

  def assert_converts(converter, bytes)
    expected = outcome { converter.to.encode(converter.from.decode(bytes)) }

    assert_equal expected, outcome { converter.convert(bytes) }, -> { "#{converter}: #{bytes.inspect}" }
  end

  def assert_refuses_beginnings(errors, converter, bytes)
    errors.each_with_index do |error, size|
      cut = bytes.byteslice(0, size)

      assert_nil Sparpack::Native.convert_payload(converter, cut, 0)
      assert_equal error, outcome { converter.convert(cut) }, -> { "#{converter}: #{cut.inspect}" }
    end
  end

  def outcome
    yield
  rescue Sparpack::Error => e
    [e.class, e.message, e.path, e.offset]
  end

  def mutate(bytes)
    place = random.rand(bytes.bytesize)
    case random.rand(6)
    when 0 then bytes.setbyte(place, random.rand(256))
    when 1 then bytes.setbyte(place, bytes.getbyte(place) ^ (1 << random.rand(8)))
    when 2 then bytes.setbyte(place, ConvertFuzzer::TELLING.sample(random:))
    when 3 then bytes.insert(place, random.bytes(random.rand(1..3)))
    when 4 then bytes.slice!(place, random.rand(1..3))
    when 5 then bytes.insert(place, bytes.byteslice(place, random.rand(1..8)))
    end
    bytes
  end
end
