# frozen_string_literal: true

require "test_helper"
require "support/random_schema"
require "support/reading"
require "support/seeded"
require "support/strange_messages"

using WireForms

# Messages with some changed bytes are refused with a DecodeError, or read. Whatever is read can be written, and reads as the
# same again. MUTATIONS=n tries more of them.
class MutationTest < Minitest::Test
  include Reading
  include Seeded
  extend Reading::Wires

  SCHEMAS = 40
  MUTATIONS = Integer(ENV.fetch("MUTATIONS", 50))

  OPTIONS = [{}, { unknown: :keep }, { freeze: true, unknown: :keep }, { mismatch: :skip, unknown: :keep },
             { utf8: :keep, validate: :none }, { unknown: :reject, validate: :recursive }].freeze

  TELLING = [0x00, 0x01, 0x02, 0x0c, 0x0f, 0x19, 0x1b, 0x1c, 0x7f, 0x80, 0xf0, 0xf9, 0xfc, 0xff,
             *'{}[],:"\un-0.e '.bytes].freeze

  each_wire "changed messages are refused or read" do |wire|
    messages(wire) do |struct_class, bytes|
      MUTATIONS.times do
        bytes = mutate(bytes) if random.rand < 0.5
        check(struct_class, mutate(bytes), wire, OPTIONS.sample(random:))
      end
    end
  end

  each_wire "noise is refused or read" do |wire|
    messages(wire) do |struct_class, _|
      20.times { check(struct_class, random.bytes(random.rand(1..40)), wire, OPTIONS.sample(random:)) }
    end
  end

  each_wire "the messages of one class are refused or read by another" do |wire|
    last = Class.new(Sparpack::Struct)
    messages(wire) do |struct_class, bytes|
      OPTIONS.each { |options| check(last, bytes, wire, options) }
      last = struct_class
    end
  end

  # Skipping has a quick way, and keeping does not. Both must find the same end, or the same fault.
  each_wire "unknown fields are skipped where they could be kept", %i[compact binary] do |wire|
    limits = [Sparpack::Limits.new, Sparpack::Limits.new(string: 6, container: 2, depth: 3)]
    none = Class.new(Sparpack::Struct)
    messages(wire) do |_, bytes|
      MUTATIONS.times do
        options = { limits: limits.sample(random:) }
        changed = random.rand < 0.2 ? bytes : mutate(bytes)
        kept, skipped = %i[keep skip].map { |unknown| fault(none, changed, wire, { **options, unknown: }) }

        kept.nil? ? assert_nil(skipped) : assert_equal(kept, skipped)
      end
    end
  end

  # Some of their lists are longer than a segment of pending values.
  each_wire "fields of another type are read as if they were not there" do |wire|
    strange(wire) do |struct_class, message, twin|
      options = { mismatch: :skip, validate: :none, freeze: random.rand < 0.5 }

      assert_equal outcome(struct_class, twin, wire, options), outcome(struct_class, message, wire, options)
      OPTIONS.each { |each| decode(struct_class, message, wire, each) }
      2.times { decode(struct_class, mutate(message), wire, { mismatch: :skip, unknown: :keep }) }
    end
  end

  def test_objects_whose_keys_differ_in_unknown_fields_are_seen
    item = Class.new(Sparpack::Struct) { field 1, :a, :i64 }
    known = Class.new(Sparpack::Struct) { field 2, :b, :i64 }
    read = Class.new(Sparpack::Struct) { field 1, :keys, map(item, :i32) and field 2, :values, list(item) }
    unknown = item.decode(known.new(b: 1).encode, unknown: :keep)

    assert merging?(read.new(keys: { unknown => 1 }))
    refute merging?(read.new(keys: { item.new(a: 1) => 1 }, values: [unknown]))
  end

  private

  # Lists of structs, because these skip fields in the middle of a list.
  def strange(wire)
    12.times do
      item = RandomSchema.new(random).struct_class(1)
      next unless WireForms.holds?(wire, item) && (wire != :thrift_json || scalar_keys?(item))

      struct_class = Class.new(Sparpack::Struct) { field 1, :list, list(item) and field 2, :map, map(:i32, item) }
      messages = StrangeMessages.new(random, wire, struct_class)
      3.times { yield struct_class, *messages.pair.map(&:b) }
    end
  end

  def scalar_keys?(struct_class)
    struct_class.schema.fields.none? { |field| field.type.kind == :map && Spelling.compound?(field.type.key) }
  end

  # @return [Sparpack::Value, Class] what was read, or the class of the error
  def outcome(struct_class, bytes, wire, options)
    struct_class.decode(bytes, wire, **options)
  rescue Sparpack::DecodeError => e
    e.class
  end

  # @return [String, nil] the message of the error
  def fault(struct_class, bytes, wire, options)
    struct_class.decode(bytes, wire, **options)
    nil
  rescue Sparpack::DecodeError => e
    e.message
  end

  def messages(wire)
    SCHEMAS.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      object = schema.object(struct_class)
      yield struct_class, object.encode(wire).b if writes?(object, wire)
    end
  end

  def mutate(bytes)
    bytes = bytes.dup
    bytes << "\0" if bytes.empty?
    place = random.rand(bytes.bytesize)
    case random.rand(7)
    when 0 then bytes.setbyte(place, random.rand(256))
    when 1 then bytes.setbyte(place, bytes.getbyte(place) ^ (1 << random.rand(8)))
    when 2 then bytes.setbyte(place, TELLING.sample(random:))
    when 3 then bytes.insert(place, random.bytes(random.rand(1..3)))
    when 4 then bytes.slice!(place, random.rand(1..3))
    when 5 then bytes.insert(place, bytes.byteslice(place, random.rand(1..8)))
    when 6 then bytes = bytes.byteslice(0, place)
    end
    bytes
  end

  def check(struct_class, bytes, wire, options)
    given = bytes.dup
    read = decode(struct_class, bytes, wire, options)

    assert_equal given, bytes
    return unless read

    assert_frozen_deep(read) if options[:freeze]
    again(struct_class, read, wire, options)
  end

  # Returns nil if the message was refused, which is allowed.
  def decode(struct_class, bytes, wire, options)
    struct_class.decode(bytes, wire, **options)
  rescue Sparpack::DecodeError => e
    assert_includes 0..bytes.bytesize, e.offset
    assert_operator e.path, :start_with?, struct_class.name.to_s
    nil
  end

  def again(struct_class, read, wire, options)
    utf8 = options.slice(:utf8)
    WireForms.of(struct_class).each do |other|
      bytes = encode(read, other, utf8, options)
      next unless bytes
      next if !THRIFT.include?(other) && merging?(read)

      options = options.merge(unknown: :keep) if other != wire

      assert_equal bytes, struct_class.decode(bytes, other, **options).encode(other, **utf8)
    end
  end

  # Unknown fields stay on the wires of Thrift. Keys and elements that differ in nothing else are equal on the others, where
  # they are read as one.
  def merging?(value, inside: false)
    case value
    when Array then value.any? { |element| merging?(element, inside:) }
    when Set then value.any? { |element| merging?(element, inside: true) }
    when Hash then value.any? { |key, element| merging?(key, inside: true) || merging?(element, inside:) }
    when Sparpack::Value
      (inside && value.unknown?) || value.schema.fields.any? { |field| merging?(value[field.name], inside:) }
    end
  end

  # Only what was left out on purpose cannot be written: a union's unknown variant, and required fields.
  def encode(read, wire, utf8, options)
    read.encode(wire, **utf8)
  rescue Sparpack::EncodeError::TypeMismatch => e
    assert_equal [:thrift_json, "a scalar as a key"], [wire, e.expected]
    nil
  rescue Sparpack::EncodeError::MissingField => e
    assert_includes [:none, nil], options[:validate]
    assert_equal "an unknown field that was not kept", e.found unless options[:validate]
    nil
  end
end
