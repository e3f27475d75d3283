# frozen_string_literal: true

require "test_helper"
require "json"
require "support/random_schema"
require "support/reading"
require "support/seeded"
require "yaml"

using WireForms

# Properties that any object of any class has. SCHEMAS=n tries more classes.
class PropertyTest < Minitest::Test
  include Reading
  include Seeded
  extend Reading::Wires

  SCHEMAS = Integer(ENV.fetch("SCHEMAS", 50))
  VALUES = 5

  each_wire "what is encoded is what the specification says, and decodes to the same" do |wire|
    objects(wire) do |object|
      bytes = object.encode(wire)
      read = object.class.decode(bytes, wire)

      assert_equal Spelling.bytes(wire, object), bytes
      assert_equal object, read
      assert_operator object, :eql?, read
      assert_equal object.hash, read.hash
      assert_equal object.inspect, read.inspect
    end
  end

  each_wire "any beginning of it is truncated" do |wire|
    objects(wire, values: 2) { |object| assert_cut(object.class, object.encode(wire), wire) }
  end

  # Bytes that a class skips, keeps or refuses because it knows only half of the fields.
  each_wire "any beginning of unknown fields is truncated" do |wire|
    older(wire) do |half, object|
      bytes = object.encode(wire)
      %i[skip keep].each { |unknown| assert_cut(half, bytes, wire, unknown:) }
      cuts(bytes.bytesize).each do |size|
        error = assert_raises(Sparpack::DecodeError) { half.decode(bytes.byteslice(0, size), wire, unknown: :reject) }

        assert_includes ["more bytes", "a known field"], error.expected
      end
    end
  end

  # Delivers a few bytes at a time.
  Trickle = Struct.new(:bytes, :piece) do
    def read(most) = bytes.empty? ? nil : bytes.slice!(0, [most, piece].min)
  end

  each_wire "pieces may end anywhere" do |wire|
    older(wire) do |half, object|
      bytes = object.encode(wire).b
      [object.class, half].product([{}, { unknown: :keep }, { unknown: :reject }]) do |type, options|
        size = random.rand(1..6)
        whole = answer { [type.decode(bytes, wire, **options)] * 2 }
        io = Trickle.new(bytes * 2, size)

        one = answer { Array.new(2) { type.decode_from(io, wire, **options) } }
        each = answer { type.decode_each(Trickle.new(bytes * 2, size), wire, **options).to_a }

        assert_equal [whole, whole], [one, each]
      end
    end
  end

  # What the writer's options change does not matter to readers.
  each_wire "options of a writer do not change what is read", WireForms::ALL - THRIFT do |wire|
    each = [{ enums: :names }]
    each += [{ i64: :string }, { enums: :names, i64: :string }] if wire == :json
    objects(wire, values: 2) do |object|
      each.each do |options|
        read = object.class.decode(object.encode(wire, **options), wire)

        assert_equal object, read
        Spelling.wires(object).each { |other| assert_equal object.encode(other), read.encode(other) }
      end
    end
  end

  each_wire "frozen objects are equal and frozen deep" do |wire|
    objects(wire) do |object|
      read = object.class.decode(object.encode(wire), wire, freeze: true)

      assert_equal object, read
      assert_frozen_deep(read)
      assert_equal object.encode(wire), read.encode(wire)
    end
  end

  each_wire "a codec does what the classes do" do |wire|
    objects(wire) do |object|
      codec = Sparpack::Codec.new(object.class, wire)

      assert_equal object.encode(wire), codec.encode(object)
      assert_equal [object] * 3, codec.decode_each(codec.encode(object) * 3).to_a
      assert_equal [object, object.encode(wire).bytesize + 2], codec.decode_prefix("ab#{codec.encode(object)}cd", 2)
    end
  end

  # The wires between which unknown fields cross. Bytes that cross from or to Thrift's JSON are another string there.
  CROSSING = { compact: %i[compact binary], binary: %i[compact binary] }.freeze

  # A class that knows none of the fields keeps all of them, and one that knows half of them keeps the others.
  # Names stand in an order of their own. Arrays have no places for ids that are far beyond those of the class.
  each_wire "unknown fields survive", WireForms::ALL - [:message_pack] do |wire|
    objects(wire) do |object|
      next if object.is_a?(Sparpack::Union)

      half = half_of(object.class)
      [Class.new(Sparpack::Struct), half].each do |older|
        read = older.decode(object.encode(wire), wire, unknown: :keep)

        assert_equal object.encode(wire), read.encode(wire) unless %i[json message_pack_names].include?(wire)
        assert_equal read, older.decode(read.encode(wire), wire, unknown: :keep)
        CROSSING.fetch(wire, [wire]).each { |other| assert_equal object, object.class.decode(read.encode(other), other) }
      end
    end
  end

  # There is one JSON: what an object shows is what it is encoded as. The generator has no NaN, and floats of its own form.
  def test_json
    objects do |object|
      text = object.to_json
    rescue JSON::GeneratorError
      refute_empty object.encode(:json)
    else
      assert_equal JSON.parse(object.encode(:json)), JSON.parse(text)
      assert_equal object, object.class.from_json(text)
    end
  end

  def test_from_wire_to_wire
    objects do |object|
      Spelling.wires(object).permutation(2) do |wire, other|
        there = object.class.decode(object.encode(wire), wire)
        back = object.class.decode(there.encode(other), other)

        assert_equal object.encode(wire), back.encode(wire)
      end
    end
  end

  def test_marshal
    objects do |object|
      copy = Marshal.load(Marshal.dump(object))

      assert_equal object, copy
      assert_equal object.hash, copy.hash
      assert_equal object.encode, copy.encode
    end
  end

  def test_yaml
    objects { |object| assert_equal object, YAML.unsafe_load(YAML.dump(object)) }
  end

  def test_hashes
    objects do |object|
      deep = object.to_h(deep: true)

      refute_includes classes_in(deep), object.class
      assert_equal object, object.class.from_h(deep)
      assert_equal object, object.class.from_h(deep.transform_keys(&:to_s))
      assert_equal object, object.class.new(**object.to_h)
    end
  end

  def test_copies
    objects do |object|
      assert_equal object, object.dup
      assert_equal object, object.clone
      assert_equal object, object.with
      refute_same object, object.dup
      assert_frozen_deep(object.dup.freeze(deep: true))
    end
  end

  def test_validation
    objects do |object|
      assert_same object, object.validate
      assert_empty(object.errors(:recursive).reject { |error| error.found == "7" }) # an enum's number without a name
    end
  end

  private

  # @param wire [Symbol, nil] which must be able to write them
  def objects(wire = nil, values: VALUES)
    SCHEMAS.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      values.times do
        object = schema.object(struct_class)
        yield object if wire.nil? || writes?(object, wire)
      end
    end
  end

  # Yields some objects, each with a class that knows half of their fields.
  def older(wire)
    (SCHEMAS / 4).times do
      schema = RandomSchema.new(random)
      object = schema.object(schema.struct_class)
      next if object.is_a?(Sparpack::Union) || !writes?(object, wire)

      yield half_of(object.class), object
    end
  end

  # What a block returns, or the error that it raises.
  def answer
    yield
  rescue Sparpack::DecodeError => e
    [e.class, e.path, e.expected, e.found, e.offset]
  end

  def half_of(struct_class)
    Class.new(Sparpack::Struct) do
      struct_class.schema.fields.each_with_index { |f, i| field f.id, f.name, f.type if i.even? }
    end
  end

  def classes_in(value)
    case value
    when Hash then value.flat_map { |pair| pair.flat_map { |part| classes_in(part) } } << Hash
    when Array, Set then value.flat_map { |part| classes_in(part) }
    else [value.class]
    end
  end
end
