# frozen_string_literal: true

require "test_helper"
require "sparpack/lz4"
require "stringio"
require "support/cost"

# Small payloads that would become large ones in the other wire. What a converter writes stays within the memory limit of the
# codec that reads, for each payload.
class OutputLimitTest < Minitest::Test
  FORMS = [[:compact, {}], [:binary, {}], [:json, {}], [:thrift_json, {}], [:message_pack, { keys: :array }],
           [:message_pack, { keys: :names }], [:message_pack, { keys: :ids }]].freeze
  PAIRS = FORMS.product(FORMS).freeze
  DEFAULT = 10_000

  # The classes come in pairs: the same fields, but only one gives absent fields a default.
  class Large < Sparpack::Struct
    field 1, :text, :string, default: "x" * DEFAULT
    field 2, :real, set(:double)
    field 3, :first, :i8
  end

  class Small < Sparpack::Struct
    field 1, :text, :string
    field 2, :real, set(:double)
    field 3, :first, :i8
  end

  class Larges < Sparpack::Struct
    field 1, :items, list(Large)
  end

  class Smalls < Sparpack::Struct
    field 1, :items, list(Small)
  end

  class Wide < Sparpack::Struct
    (1..60).each { |id| field id, :"a_name_as_long_as_names_are_#{id}", :i32, default: id }
  end

  class Wides < Sparpack::Struct
    field 1, :items, list(Wide)
  end

  module Status
    extend Sparpack::Enum

    const_set("A#{"B" * 3000}", 1)
  end

  class Named < Sparpack::Struct
    field 1, :"name_#{"x" * 3000}", list(Status)
    field 2, :status, Status, default: 1
  end

  class Nameds < Sparpack::Struct
    field 1, :items, list(Named)
  end

  Limits = Sparpack::Limits.new(memory: 1 << 20)

  # A default of 10 KB in each of many structs that hold nothing.
  def test_all_pairs
    PAIRS.each do |from, to|
      bytes = bomb(from, 1000)
      error = assert_refused(converter(Larges, from, to, limits: Limits), bytes, 1 << 20)

      assert_equal "#{Larges}: expected at most 1048576 bytes, found output that is longer (#{from[0]}, byte 0) " \
                   "(Limits#memory of the codec that reads also limits what a converter writes)", error.message
      assert_equal [Larges.name, "at most 1048576 bytes", "output that is longer", 0, 0],
                   [error.path, error.expected, error.found, error.offset, error.message_offset]
    end
  end

  def test_the_usual_limit
    many = bomb(FORMS[0], 20_000)
    FORMS.each do |to|
      [converter(Larges, FORMS[0], to), Sparpack::Converter.for(Larges, :compact, to[0], nil)].each do |each|
        assert_refused(each, many, (16 << 20) + (64 * many.bytesize))
      end
    end
    empty = Smalls.new(items: [Small.new] * 25_000).encode

    assert_refused(converter(Wides, FORMS[0], FORMS[2]), empty, (16 << 20) + (64 * empty.bytesize))
  end

  # Names of fields and of an enum's values.
  def test_long_names
    bytes = Nameds.new(items: [Named.new(Named.schema.fields.first.name => [1] * 1000)]).encode
    [[:json, { enums: :names }], [:message_pack, { keys: :names, enums: :names }]].each do |to|
      assert_refused(converter(Nameds, FORMS[0], to, limits: Limits), bytes, 1 << 20)
    end
    bytes = Nameds.new(items: [Named.new(Named.schema.fields.first.name => [])] * 1000).encode
    [FORMS[2], FORMS[5]].each { |to| assert_refused(converter(Nameds, FORMS[0], to, limits: Limits), bytes, 1 << 20) }
  end

  # One byte decides, whether objects are made or not.
  def test_the_limit_is_exact
    # 0.0 in a set makes a converter decode and encode.
    [Small.new, Small.new(real: Set[0.0])].product(PAIRS) do |item, (from, to)|
      bytes = encoded(Smalls.new(items: [item] * 3), from)
      whole = converter(Larges, from, to).convert(bytes)
      size = whole.bytesize

      assert_equal item.real.nil?, !Sparpack::Native.convert_payload(converter(Larges, from, to), bytes, 0).nil?
      assert_equal whole, converter(Larges, from, to, limits: Limits.with(memory: size)).convert(bytes)
      assert_refused(converter(Larges, from, to, limits: Limits.with(memory: size - 1)), bytes, size - 1)
    end
  end

  # A payload whose fields come in another order is put in order in the same memory.
  def test_fields_in_another_order
    item = '{"first":1,"real":[1.5]}'
    bytes = "{\"items\":[#{([item] * 200).join(",")}]}"
    FORMS.each do |to|
      assert_refused(converter(Larges, FORMS[2], to, limits: Limits), bytes, 1 << 20)
      whole = converter(Larges, FORMS[2], to).convert(bytes)

      refute_nil Sparpack::Native.convert_payload(converter(Larges, FORMS[2], to), bytes, 0)
      assert_equal whole, converter(Larges, FORMS[2], to, limits: Limits.with(memory: whole.bytesize)).convert(bytes)
    end
  end

  class Row < Sparpack::Struct
    (1..500).each { |id| field id, :"f#{id}", :bool }
    field 501, :row, "Row"
  end

  # Fields in another order take no more memory than fields in order. If the limit is too small for the objects, converting
  # raises.
  def test_wide_structs_in_another_order
    deep = "{}"
    60.times { deep = "{\"row\":#{deep},\"f1\":true}" }
    [[600_000, true], [200_000, false]].each do |memory, fits|
      each = converter(Row, FORMS[2], FORMS[0], limits: Limits.with(memory:))

      assert_equal fits, !Sparpack::Native.convert_payload(each, deep, 0).nil?
      assert_equal Row.from_json(deep).encode, each.convert(deep) if fits
      assert_raises(Sparpack::DecodeError::LimitExceeded) { each.convert(deep) } unless fits
    end
  end

  def test_memory_and_time
    bytes = bomb(FORMS[0], 20_000)
    to_json = converter(Larges, FORMS[0], FORMS[2], limits: Limits)
    cost = Cost.of { to_json.convert(bytes) }

    assert_kind_of Sparpack::DecodeError::LimitExceeded, cost.result
    assert_operator cost.bytes, :<, 5 << 20
  end

  # --- streams -----------------------------------------------------------------------------------------------------------

  def test_each_payload_of_a_stream_has_the_limit
    PAIRS.each do |from, to|
      codec = Sparpack::Codec.new(Smalls, from[0], **from[1])
      converter = converter(Larges, from, to, limits: Limits)
      fine = codec.encode(Smalls.new(items: [Small.new] * 90)).b
      stream = (fine * 3) + bomb(from, 1000).b + fine
      [stream, StringIO.new(stream)].each do |source|
        target = StringIO.new("".b)
        error = assert_raises(Sparpack::DecodeError::LimitExceeded) { converter.copy_stream(source, target) }

        assert_equal [3 * fine.bytesize] * 2, [error.offset, error.message_offset]
        assert_equal 3, target.string.scan("items").size if to[0] == :json
        assert_operator target.string.bytesize, :>, 3 * 90 * DEFAULT
      end
      assert_operator converter.copy_stream(fine * 4, StringIO.new("".b)), :>, 4 << 19
    end
  end

  def test_frames
    [nil, :varint, :framed].each do |frame|
      writer = Sparpack::Codec.new(Smalls, :compact, frame:)
      stream = StringIO.new("".b)
      writer.encode_to(stream, Smalls.new(items: [Small.new] * 90))
      place = stream.pos
      writer.encode_to(stream, Smalls.new(items: [Small.new] * 1000))
      [stream.string, StringIO.new(stream.string)].each do |source|
        target = StringIO.new("".b)
        error = assert_raises(Sparpack::DecodeError::LimitExceeded) do
          converter(Larges, [:compact, { frame: }], FORMS[2], limits: Limits).copy_stream(source, target)
        end

        assert_equal place, error.message_offset
        assert_operator target.string.bytesize, :>, 90 * DEFAULT
      end
    end
  end

  # The size of a payload in a stream is not known when it begins. One that becomes larger than the least limit is converted
  # again, with the limit that its size allows.
  def test_a_large_payload_of_a_stream
    large = Small.new(text: "y" * (17 << 20))
    expected = "#{large.encode(:json)}\n".b
    codec = Sparpack::Converter.new(Small, from: :compact, to: :json)
    [large.encode + Small.new(first: 1).encode, StringIO.new(large.encode + Small.new(first: 1).encode)].each do |source|
      target = StringIO.new("".b)
      codec.copy_stream(source, target)

      assert_equal expected.bytesize + "{\"first\":1}\n".bytesize, target.string.bytesize
      assert target.string.start_with?(expected)
    end
  end

  # Other payloads in the same String do not raise the limit of one.
  def test_a_bomb_before_a_large_payload
    bomb = bomb(FORMS[0], 20_000)
    bytes = bomb + Smalls.new(items: [Small.new(text: "y" * (4 << 20))]).encode
    to_json = converter(Larges, FORMS[0], FORMS[2])
    cost = Cost.of { to_json.copy_stream(bytes, StringIO.new) }

    assert_kind_of Sparpack::DecodeError::LimitExceeded, cost.result
    assert_match "at most #{(16 << 20) + (64 * bomb.bytesize)} bytes", cost.result.message
    assert_operator cost.bytes, :<, 150 << 20
  end

  # --- with objects ------------------------------------------------------------------------------------------------------

  class Plain
    attr_accessor :items
  end

  def test_mappings
    mapping = Sparpack::Mapping.new(Plain, { 1 => :items }, types: { items: Sparpack::Type.list(Large) })
    PAIRS.each do |from, to|
      bytes = bomb(from, 1000)
      assert_refused(converter(mapping, from, to, limits: Limits), bytes, 1 << 20)
    end
  end

  def test_compressed_payloads
    bytes = bomb(FORMS[4], 1000)
    packed = Sparpack::LZ4.deflate(bytes)

    assert_operator packed.bytesize, :<, 200
    compressed = [:message_pack, { keys: :array, compression: :lz4 }]
    [FORMS[2], FORMS[4], compressed].each do |to|
      assert_refused(converter(Larges, FORMS[4], to, limits: Limits), packed, 1 << 20)
      assert_refused(converter(Larges, compressed, to, limits: Limits), packed, 1 << 20)
      assert_refused(converter(Larges, compressed, to, limits: Limits), bytes, 1 << 20)
    end

    # A reader of compressed payloads allows what their decompressed size allows.
    whole = Smalls.new(items: [Small.new(text: "y" * (20 << 20))])
    packed = whole.encode(:message_pack, keys: :array, compression: :lz4)

    assert_equal whole.encode(:json), converter(Smalls, compressed, FORMS[2]).convert(packed)
  end

  def test_encode_has_no_such_limit
    assert_operator Larges.new(items: [Large.new] * 2000).encode(:json, limits: Limits).bytesize, :>, 20_000_000
  end

  private

  def bomb(form, count) = encoded(Smalls.new(items: [Small.new] * count), form)

  def encoded(object, form) = object.encode(form[0], **form[1])

  def converter(klass, from, to, **options)
    Sparpack::Converter.new(klass, from: Sparpack::Codec.new(klass, from[0], **from[1], **options),
                                   to: Sparpack::Codec.new(klass, to[0], **to[1]))
  end

  # @return [Sparpack::DecodeError]
  def assert_refused(converter, bytes, limit)
    error = assert_raises(Sparpack::DecodeError::LimitExceeded, converter) { converter.convert(bytes) }

    assert_match "at most #{limit} bytes, found output that is longer", error.message, converter
    error
  end
end
