# frozen_string_literal: true

require "test_helper"
require "support/places"
require "support/random_schema"
require "support/seeded"
require "support/wire_forms"

# Random classes and objects, in each wire and form: dig finds what a decode finds, and patch does what a decode, a change
# and an encode do.
class PathsRandomTest < Minitest::Test
  include Seeded

  using WireForms

  ROUNDS = 25
  TRIED = 10

  def test_dig_finds_what_is_in_a_decoded_object
    each_payload do |codec, bytes, object|
      Places.of(object).each do |place|
        found = codec.dig(bytes, *place.path)

        assert_same_value(place.value, found, [codec, place.path, place.value, found].inspect)
        assert_equal place.value.class, found.class
      end
    end
  end

  def test_what_is_dug_is_as_the_options_say
    each_payload(freeze: true) do |codec, bytes, object|
      Places.of(object).each do |place|
        found = codec.dig(bytes, *place.path)

        assert Ractor.shareable?(found), "#{place.path} is not frozen"
        assert_same_value(place.value, found)
      end
    end
  end

  def test_indexes_count_from_the_end
    each_payload do |codec, bytes, object|
      Places.of(object).each do |place|
        next unless place.parent.is_a?(Array)

        *way, index = place.path

        assert_same_value(place.value, codec.dig(bytes, *way, index - place.parent.size))
        assert_nil codec.dig(bytes, *way, place.parent.size)
        assert_nil codec.dig(bytes, *way, -place.parent.size - 1)
      end
    end
  end

  def test_one_change
    each_payload do |codec, bytes, object|
      Places.of(object).sample(TRIED, random:).each do |place|
        next if place.of_union? && place.value.nil? # see PatchTest

        assert_patched(codec, bytes, { place.path => value_for(place, 0.3) })
      end
    end
  end

  def test_several_changes
    each_payload do |codec, bytes, object|
      places = Places.of(object).reject(&:of_union?).sample(TRIED, random:)
      places = places.reject { |place| places.any? { |other| !other.equal?(place) && place.inside?(other) } }

      assert_patched(codec, bytes, places.to_h { |place| [place.path, value_for(place, 0.5)] })
    end
  end

  def test_truncated_bytes
    each_payload(rounds: 6) do |codec, bytes, object|
      next if bytes.bytesize > 600

      places = Places.of(object).sample(3, random:)
      bytes.bytesize.times do |size|
        cut = bytes.byteslice(0, size)
        fault = fault_of { codec.decode(cut) } or next
        places.each { |place| assert_cut(codec, bytes, cut, place, fault) }
      end
    end
  end

  def test_damaged_bytes
    each_payload do |codec, bytes, object|
      10.times do
        damaged = bytes.dup.tap { |copy| copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
        decoded = nil
        fault = fault_of { decoded = codec.decode(damaged) }
        Places.of(object).sample(4, random:).each { |place| assert_damaged(codec, damaged, place, decoded, fault) }
      end
    end
  end

  private

  def each_payload(rounds: ROUNDS, **options)
    rounds.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      @schema = schema
      object = schema.object(struct_class)
      WireForms.of(struct_class).each do |wire|
        codec = Sparpack::Codec.new(struct_class, wire, **options)
        bytes = written(codec, object) or next
        yield codec, bytes, codec.decode(bytes)
      end
    end
  end

  def written(codec, object)
    codec.encode(object)
  rescue Sparpack::EncodeError # structs as keys in Thrift's JSON
    nil
  end

  def value_for(place, share)
    place.parent.is_a?(Sparpack::Value) && random.rand < share ? nil : @schema.value(place.type, 2)
  end

  def assert_patched(codec, bytes, changes)
    eager = codec.decode(bytes)
    changes.each { |path, value| Places.set(eager, path, value) }
    patched = result_of { codec.patch(bytes, changes) }
    expected = result_of { codec.encode(eager) }
    refused = expected.is_a?(Sparpack::Error)
    if refused
      # Of several faults, each finds another one first.
      return assert_kind_of(changes.size == 1 ? expected.class : Sparpack::EncodeError, patched)
    end

    assert_kind_of String, patched, [codec, bytes, changes].inspect
    assert_equal expected.encoding, patched.encoding
    refute_predicate patched, :frozen?
    assert_same_value(codec.decode(expected), codec.decode(patched), [codec, bytes, changes, patched].inspect)
  end

  # What stands in front of the cut is read as ever.
  def assert_cut(codec, bytes, cut, place, fault)
    found = result_of { codec.dig(cut, *place.path) }
    return assert_same_fault(fault, found) if found.is_a?(Sparpack::Error)

    assert_same_value(place.value, found, [codec, cut, bytes, place.path, place.value, found].inspect)
    return if place.of_union? || place.value.nil?

    changes = { place.path => place.value }
    patched = result_of { codec.patch(cut, changes) }
    return assert_same_fault(fault, patched) if patched.is_a?(Sparpack::Error)

    whole = codec.patch(bytes, changes)

    assert_equal whole.byteslice(0, whole.bytesize - (bytes.bytesize - cut.bytesize)), patched
  end

  def assert_damaged(codec, damaged, place, decoded, fault)
    found = result_of { codec.dig(damaged, *place.path) }
    patched = result_of { codec.patch(damaged, place.path => place.value) }
    if fault
      assert_same_fault(fault, found) if found.is_a?(Sparpack::Error)
      assert_same_fault(fault, patched) if patched.is_a?(Sparpack::DecodeError)
    else
      refute_kind_of Sparpack::Error, found
      refute_kind_of Sparpack::DecodeError, patched
      return unless written(codec, decoded) == damaged # no field comes twice

      assert_same_value(Places.dig(decoded, place.path), found, [codec, damaged, place.path].inspect)
    end
  end

  def assert_same_value(expected, found, about = nil)
    assert Places.same?(expected, found), "#{about}: #{found.inspect} instead of #{expected.inspect}"
  end

  def assert_same_fault(expected, fault)
    assert_equal [expected.class, expected.message], [fault.class, fault.message]
  end

  def result_of
    yield
  rescue Sparpack::Error => e
    e
  end

  def fault_of
    yield
    nil
  rescue Sparpack::Error => e
    e
  end
end
