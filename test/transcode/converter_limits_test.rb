# frozen_string_literal: true

require "test_helper"
require "json"

# A converter refuses what a decode and an encode refuse, with the same error, at the very value where a limit begins. It
# also gives absent fields the same defaults.
class ConverterLimitsTest < Minitest::Test
  FORMS = [[:compact, {}], [:binary, {}], [:json, {}], [:thrift_json, {}], [:message_pack, { keys: :array }],
           [:message_pack, { keys: :names }], [:message_pack, { keys: :ids }]].freeze
  PAIRS = FORMS.product(FORMS).freeze

  module Colour
    extend Sparpack::Enum

    RED = 1
    ULTRAMARINE = 2
  end

  class Leaf < Sparpack::Union
    field 1, :text, :string
    field 2, :number, :i64
  end

  DEFAULTS = {
    bool: [:bool, true], i8: [:i8, -5], i16: [:i16, 300], i32: [:i32, -70_000], i64: [:i64, 1 << 62],
    double: [:double, 1.5e300], string: [:string, "grün"], binary: [:binary, "\xFF\x00".b],
    uuid: [:uuid, "00112233-4455-6677-8899-aabbccddeeff"], colour: [Colour, Colour::ULTRAMARINE], unknown: [Colour, 9],
    list: [[:list, :i64], []], set: [[:set, :string], Set.new], map: [[:map, :string, :i32], {}],
    filled: [[:list, :i64], [1]], members: [[:set, :string], Set["a"]], pairs: [[:map, :string, :i32], { "a" => 1 }]
  }.freeze

  # Has each kind of field.
  class Full < Sparpack::Struct
    DEFAULTS.each_with_index do |(name, (type, _)), index|
      type = send(*type) if type.is_a?(Array)
      field index + 1, name, type
    end
    field 20, :leaf, Leaf
    field 21, :inner, "Full"
    field 22, :inners, list("Full")
    field 23, :many, map(Colour, list(:i16))
    field 24, :ids, set(:uuid)
  end

  VALUES = DEFAULTS.transform_values(&:last).freeze
  OBJECT = Ractor.make_shareable(
    Full.new(**VALUES, string: "\u0001\"ü", inner: Full.new(**VALUES, leaf: Leaf.new(number: 1 << 61)),
                       leaf: Leaf.new(text: "\n"), inners: [Full.new(**VALUES), Full.new(double: 2.5)],
                       many: { Colour::RED => [1, 2], Colour::ULTRAMARINE => [] },
                       ids: Set["00112233-4455-6677-8899-aabbccddeeff", "10112233-4455-6677-8899-aabbccddeeff"])
  )

  class Nothing < Sparpack::Struct
  end

  # What may be said to codecs that write.
  WRITES = [{}, { enums: :names }, { i64: :string }, { validate: :strict }, { enums: :names, validate: :strict }].freeze

  # Each class has one field, and nobody has written it.
  DEFAULTS.each do |name, (type, value)|
    define_method("test_a_default_of_#{name}") do
      klass = Class.new(Sparpack::Struct) do
        field 1, name, type.is_a?(Array) ? send(*type) : type, default: value
        field 2, :last, :bool
      end
      [klass.new(name => nil, last: true), klass.new(name => nil)].product(FORMS, FORMS, WRITES) do |object, from, to, more|
        next unless takes?(to, more)

        limits = [{}, { string: 0 }, { string: 3 }, { string: 4 }, { string: 5 }, { string: 11 }, { depth: 1 },
                  { memory: 140 }]
        limits.each { |limit| assert_converts(klass, encoded(object, from), from, to, more, **limit) }
      end
    end
  end

  # The limits of the codec that writes hold for defaults, too.
  def test_limits_of_defaults
    klass = Class.new(Sparpack::Struct) do
      field 1, :text, :string, default: "grün"
      field 2, :raw, :binary, default: "\xFF\x00".b
    end
    PAIRS.product([1, 2, 4, 5]) do |(from, to), string|
      assert_converts(klass, encoded(Nothing.new, from), from, to, { limits: Sparpack::Limits.new(string:) })
    end
  end

  # Defaults that a declaration accepts, but that no encode writes, and those that need an encode.
  def test_defaults_that_a_converter_leaves_to_an_encode
    { double: 1 << 2000, string: "\xFFa".b, Leaf => Leaf.new(number: 5), Nothing => Nothing.new,
      [:list, Nothing] => [Nothing.new] }.each do |type, default|
      klass = Class.new(Sparpack::Struct) do
        field 1, :value, type.is_a?(Array) ? send(*type) : type, default:
      end
      PAIRS.each do |from, to|
        result, = assert_converts(klass, encoded(Nothing.new, from), from, to, {})

        assert_equal type.is_a?(Symbol), result.is_a?(Class), [type, from, to].inspect
      end
    end
  end

  ENUM_NAMES = ["RED", "ULTRAMARINE", "R\\u0045D", "GREEN", "\xFF", "R\\x", "RED\\u00e9", "7"].freeze

  # Names that are escaped, unknown, or no text are left to a decode.
  def test_names_of_enums
    texts = ENUM_NAMES.map { |name| "{\"colour\":\"#{name}\"}".b } + ['{"colour":"RED', '{"many":{"RED":[1],"RE'] +
            ENUM_NAMES.map { |name| "{\"many\":{\"#{name}\":[1]}}".b }
    results = texts.product(FORMS).map { |text, to| assert_converts(Full, text, [:json, {}], to, {}) }
    packed = ENUM_NAMES.map { |name| Sparpack::MessagePack.pack({ "colour" => name.b }) }
    packed.product(FORMS) { |bytes, to| assert_converts(Full, bytes, [:message_pack, { keys: :names }], to, {}) }

    assert_equal 7 * FORMS.size, results.grep(String).size
  end

  class Lists < Sparpack::Struct
    field 1, :inners, list(Full)
    field 2, :many, map(:i8, list(Leaf))
    field 3, :sets, map(:i8, list(Full))
  end

  def test_empty_lists_of_structs
    [Lists.new(inners: []), Lists.new(many: { 1 => [] }, sets: { 1 => [], 2 => [Full.new] })].each do |object|
      PAIRS.each do |from, to|
        assert_equal encoded(object, to), assert_converts(Lists, encoded(object, from), from, to, {})
      end
    end
  end

  # Thrift's JSON has no containers as keys, nor have unknown fields then.
  def test_unknown_fields_that_a_wire_cannot_write
    keyed = Class.new(Sparpack::Struct) { field 30, :by_list, map(list(:i8), :i8) }
    object = keyed.new(by_list: { [1] => 2 })
    FORMS.first(2).product(FORMS.first(2) + [FORMS[3]]) do |from, to|
      result = assert_converts(Nothing, encoded(object, from), from, to, {}, unknown: :keep)

      assert_equal to == FORMS[3], result.is_a?(Array), [from, to].inspect
    end
  end

  # A union is one level, too.
  def test_levels_of_unions_in_containers
    object = Lists.new(many: { 1 => [Leaf.new(number: 5)] })
    PAIRS.each do |from, to|
      written = encoded(object, to)
      fine = (1..5).select { |depth| assert_converts(Lists, encoded(object, from), from, to, {}, depth:) == written }

      assert_equal [4, 5], fine
    end
  end

  # No kind of value needs objects, whatever the order of the fields.
  def test_each_kind_without_objects
    PAIRS.each do |from, to|
      converter = Sparpack::Converter.new(Full, from: codec(from), to: codec(to))

      refute_nil Sparpack::Native.convert_payload(converter, encoded(OBJECT, from), 0), converter
    end
    turned = OBJECT.to_json.then { |text| JSON.generate(JSON.parse(text).to_a.reverse.to_h) }
    FORMS.each do |to|
      converter = Sparpack::Converter.new(Full, from: codec([:json, {}]), to: codec(to))

      assert_equal encoded(OBJECT, to), Sparpack::Native.convert_payload(converter, turned, 0), to
    end
    names = Sparpack::Converter.new(Full, from: codec([:json, {}]), to: codec([:compact, {}]))

    refute_nil Sparpack::Native.convert_payload(names, OBJECT.encode(:json, enums: :names), 0)
  end

  # One container after the other, so that no other one is refused first.
  def test_a_container_at_its_limit
    { filled: [1, 2, 3], members: Set["a", "b", "c"], pairs: { "a" => 1, "b" => 2, "c" => 3 },
      inners: [Full.new] * 3 }.each do |name, value|
      PAIRS.product([2, 3]) do |(from, to), container|
        bytes = encoded(Full.new(name => value), from)
        result = assert_converts(Full, bytes, from, to, {}, container:)

        assert_equal container == 3, result.is_a?(String), name
      end
    end
  end

  # A decode fills in such a default, and an encode refuses it.
  def test_defaults_that_cannot_be_written
    { i8: 300, i32: 1 << 40, string: "\xFF", uuid: "no uuid", list: [1, nil], map: { "a" => "b" } }.each do |name, value|
      type = DEFAULTS[name][0]
      klass = Class.new(Sparpack::Struct) { field 1, name, type.is_a?(Array) ? send(*type) : type, default: value }
      PAIRS.each do |from, to|
        result = assert_converts(klass, encoded(Nothing.new, from), from, to, {})

        assert_equal Sparpack::EncodeError, result.first.superclass, "#{name}: #{result}"
      end
    rescue Sparpack::SchemaError => e
      assert_match(/default/, e.message, name)
    end
  end

  %i[string container depth].each do |limit|
    define_method("test_each_#{limit}_limit") do
      most = { string: 40, container: 4, depth: 5 }.fetch(limit)
      least = limit == :depth ? 1 : 0
      PAIRS.product(WRITES) do |(from, to), more|
        next unless takes?(to, more)

        bytes = encoded(OBJECT, from)
        (least..most).each do |value|
          assert_converts(Full, bytes, from, to, more, limit => value)
          assert_converts(Full, bytes, from, to, { **more, limits: Sparpack::Limits.new(limit => value) })
        end
      end
    end
  end

  # What a payload costs depends on the wire that is read.
  FORMS.each do |from|
    define_method("test_each_memory_limit_of_#{from.join("_").delete("{:}>= ")}") do
      bytes = encoded(OBJECT, from)
      refused = (0..8000).step(8).count do |memory|
        assert_converts(Full, bytes, from, FORMS.first, {}, memory:).is_a?(Array)
      end

      assert_operator refused, :>, 100
      assert_operator refused, :<, 1000
    end
  end

  # Fields that the class does not know are charged where they are kept.
  class Less < Sparpack::Struct
    field 5, :i64, :i64
    field 21, :inner, "Less"
    field 22, :inners, list("Less")
  end

  def test_each_memory_limit_of_unknown_fields
    FORMS.product(%i[keep skip]) do |from, unknown|
      bytes = encoded(OBJECT, from)
      (0..6000).step(40) do |memory|
        assert_converts(Less, bytes, from, FORMS[memory % FORMS.size], {}, unknown:, memory:)
      end
    end
  end

  # An encode writes unknown fields in order of their ids, and the last of duplicates.
  def test_unknown_fields_in_any_order
    [[9, 7], [9, 9], [7, 9], [1, 9, 6], [9, 1], [32_767, 1, 2]].each do |ids|
      known = [10, 5, 77].pack("Cs>q>") # an i64
      fields = ids.each_with_index.map { |id, value| [8, id, value].pack("Cs>l>") }
      [[*fields, known], [known, *fields], [fields.first, known, *fields.drop(1)]].each do |parts|
        FORMS.each { |to| assert_converts(Less, "#{parts.join}\0".b, FORMS[1], to, {}, unknown: :keep) }
      end
    end
  end

  # Beyond 100 levels each level looks at the stack.
  def test_many_levels
    object = nested(120)
    PAIRS.each do |from, to|
      bytes = object.encode(from[0], **from[1], limits: Sparpack::Limits.new(depth: 200))
      [100, 101, 120, 121, 122, 1000].each { |depth| assert_deep(bytes, from, to, depth) }
    end
  end

  def test_more_levels_than_there_are
    limits = Sparpack::Limits.new(depth: 1000)
    PAIRS.each do |from, to|
      converter = Sparpack::Converter.new(Full, from: codec(from, limits:), to: codec(to, limits:))

      assert_equal codec(to).encode(OBJECT), converter.convert(codec(from).encode(OBJECT)), [from, to].inspect
    end
  end

  # As many levels as the stack of a thread has room for, and then in a fiber, whose stack is smaller.
  def test_a_full_stack
    limits = Sparpack::Limits.new(depth: 1000)
    object = [995, 500, 250].lazy.map { |levels| nested(levels) }.find { |each| Thread.new { deep?(each) }.value }
    PAIRS.each do |from, to|
      bytes = object.encode(from[0], **from[1], limits:)
      converter = Sparpack::Converter.new(Full, from: codec(from, limits:), to: codec(to, limits:))
      expected = converter.convert(bytes)
      Fiber.new do
        assert_equal expected, converter.convert(bytes)
      rescue Sparpack::DecodeError::LimitExceeded, Sparpack::EncodeError::LimitExceeded => e
        assert_match(/levels/, e.message)
      end.resume
    end
  end

  private

  def nested(levels) = (1..levels).reduce(Full.new(bool: true)) { |inner, _| Full.new(inner:) }

  # @return [Boolean] whether the stack of this thread has room for all levels
  def deep?(object)
    limits = Sparpack::Limits.new(depth: 1000)
    FORMS.each { |form| Full.decode(object.encode(form[0], **form[1], limits:), form[0], limits:) }
    true
  rescue Sparpack::EncodeError::LimitExceeded, Sparpack::DecodeError::LimitExceeded
    false
  end

  # @return [Boolean] whether the wire knows the options
  def takes?(form, options)
    return false if options.key?(:enums) && !%i[json message_pack].include?(form[0])

    !options.key?(:i64) || form[0] == :json
  end

  def encoded(object, form) = object.encode(form[0], **form[1])

  def codec(form, klass = Full, **options) = Sparpack::Codec.new(klass, form[0], **form[1], **options)

  def assert_deep(bytes, from, to, depth)
    limits = Sparpack::Limits.new(depth:)
    assert_converts(Full, bytes, from, to, { limits: }, depth:)
    assert_converts(Full, bytes, from, to, { limits: }, depth: 1000)
    assert_converts(Full, bytes, from, to, { limits: Sparpack::Limits.new(depth: 1000) }, depth:)
  end

  # @return [String, Array] the bytes, or the error
  def assert_converts(klass, bytes, from, to, writes, unknown: :skip, **limit)
    reads = { unknown:, **(limit.empty? ? {} : { limits: Sparpack::Limits.new(**limit) }) }
    converter = Sparpack::Converter.new(klass, from: codec(from, klass, **reads), to: codec(to, klass, **writes))
    expected = outcome { converter.to.encode(converter.from.decode(bytes)) }

    assert_equal expected, outcome { converter.convert(bytes) }, "#{converter}, #{limit}, #{writes}"
    expected
  end

  def outcome
    yield
  rescue Sparpack::Error => e
    [e.class, e.message, e.path, e.offset]
  end
end
