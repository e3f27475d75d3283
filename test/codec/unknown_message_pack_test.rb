# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "yaml"

using WireForms

# Unknown fields of structs in MessagePack: by ids and by names, kept as bytes and written again where a form has a place.
class UnknownMessagePackTest < Minitest::Test
  include Reading
  extend Reading::Wires

  FORMS = %i[message_pack message_pack_names message_pack_ids].freeze
  MP, NAMES, IDS = FORMS

  # Other wires keep unknown fields in the binary protocol: see unknown_test.rb.
  def self.each_wire(name, wires = FORMS, &) = super

  class Newer < Sparpack::Struct
    field 1, :id, :i32
    field 2, :flag, :bool
    field 3, :names, list(:string)
    field 5, :real, :double
    field 6, :table, map(:string, set(:i16))
    field 7, :nested, "Newer"
    field 9, :uuid, :uuid
    field 20, :last, :bool
  end

  class Older < Sparpack::Struct
    field 3, :names, list(:string)
    field 7, :nested, "Older"
  end

  class Oldest < Sparpack::Struct
  end

  class Choice < Sparpack::Union
    field 1, :number, :i32
  end

  class NewerChoice < Sparpack::Union
    field 1, :number, :i32
    field 8, :text, :string
  end

  class Needy < Sparpack::Struct
    field 3, :names, list(:string)
    field 7, :nested, Older, required: true
  end

  FULL = Newer.new(id: 1, flag: true, names: %w[a b], real: 0.5, table: { "k" => Set[1, 2] },
                   nested: Newer.new(id: 2, last: false), uuid: "00112233-4455-6677-8899-aabbccddeeff", last: true)

  each_wire "keep carries them, at any depth" do |wire|
    [Older, Oldest].each do |older|
      kept = older.decode(FULL.encode(wire), wire, unknown: :keep)

      assert_predicate kept, :unknown?
      assert_equal FULL, Newer.decode(kept.encode(wire), wire)
      assert_equal FULL.encode(wire), kept.encode(wire) unless wire == NAMES
      assert_cut(older, FULL.encode(wire), wire, unknown: :keep)
    end
  end

  def test_ids_go_from_arrays_to_maps_and_back
    kept = Older.decode(FULL.encode(MP), MP, unknown: :keep)

    assert_equal FULL.encode(IDS), kept.encode(IDS)
    assert_equal FULL, Newer.decode(kept.encode(NAMES), NAMES)
    assert_equal FULL.encode(MP), Older.decode(FULL.encode(IDS), IDS, unknown: :keep).encode(MP)
  end

  def test_an_array_has_no_places_for_names_and_far_ids
    named = Older.decode("\x83\xa5later\x01\xa5names\x91\xa1a\x0b\x02".b, MP, unknown: :keep)

    assert_equal "\x83\x03\x91\xa1a\x0b\x02\xa5later\x01".b, named.encode(IDS)
    assert_equal "\x83\xa5names\x91\xa1a\x0b\x02\xa5later\x01".b, named.encode(NAMES)
    assert_equal "\x9c\xc0\xc0\xc0\x91\xa1a#{"\xc0" * 7}\x02".b, named.encode(MP)
    # Two fields, and two that were kept: 4 * 4 + 16.
    [[32, 33], [33, 8], [-1, 8]].each do |id, size|
      far = Older.decode(Sparpack::MessagePack.pack({ id => 1, 4 => 2 }), MP, unknown: :keep)

      assert_equal size, Sparpack::MessagePack.unpack(far.encode(MP)).size
      assert_equal far, Older.decode(far.encode(IDS), IDS, unknown: :keep)
    end
  end

  # An entry that is not written makes no room for another one, because a reader of what was written would not have it.
  def test_what_an_array_keeps_it_keeps_again
    entries = { 40 => 1, **(1..9).to_h { |i| ["name#{i}", i] } }
    bytes = Older.decode(Sparpack::MessagePack.pack(entries), MP, unknown: :keep).encode(MP)

    assert_equal 8, Sparpack::MessagePack.unpack(bytes).size
    assert_equal bytes, Older.decode(bytes, MP, unknown: :keep).encode(MP)
  end

  # Keys are as small as they can be, ids come before names, and the last of a duplicate wins.
  def test_what_is_kept_does_not_depend_on_how_it_was_written
    bytes = ["\x86\x09\x01\xcc\x09\x02\xa1b\x03\xd9\x01a\x04\x08\x05\xa1a\x06",
             "\x84\xa1a\x06\x08\x05\xa1b\x03\xd1\x00\x09\x02"]
    first, second = bytes.map { |each| Oldest.decode(each.b, MP, unknown: :keep) }

    assert_equal first, second
    assert_operator first, :eql?, second
    assert_equal first.hash, second.hash
    refute_equal first, Oldest.new
    assert_equal "\x84\x08\x05\x09\x02\xa1a\x06\xa1b\x03".b, first.encode(NAMES)
  end

  each_wire "nil is no field to keep" do |wire|
    assert_equal Oldest.new, Oldest.decode("\x82\x01\xc0\xa1a\xc0".b, wire, unknown: :keep)
    assert_equal Oldest.new, Oldest.decode("\x93\xc0\xc0\xc0".b, wire, unknown: :keep)
  end

  each_wire "known fields may change beside them" do |wire|
    kept = Older.decode(FULL.encode(wire), wire, unknown: :keep)
    kept.names = ["c"]
    kept.nested.names = ["d"]

    assert_equal FULL.with(names: ["c"], nested: FULL.nested.with(names: ["d"])), Newer.decode(kept.encode(wire), wire)
    kept.nested = nil
    kept.names = nil

    assert_equal FULL.with(names: nil, nested: nil), Newer.decode(kept.encode(wire), wire)
  end

  each_wire "copies carry them" do |wire|
    kept = Older.decode(FULL.encode(wire), wire, unknown: :keep)
    copies = [kept.dup, kept.clone, kept.with, Marshal.load(Marshal.dump(kept)), YAML.unsafe_load(kept.to_yaml),
              Older.decode(FULL.encode(wire), wire, unknown: :keep, freeze: true)]
    copies.each do |copy|
      assert_equal kept, copy
      assert_equal kept.encode(wire), copy.encode(wire)
    end
    assert_frozen_deep(copies.last)
  end

  each_wire "they never cross to the wires of Thrift or back" do |wire|
    kept = Older.decode(FULL.encode(wire), wire, unknown: :keep)
    plain = Older.decode(FULL.encode(wire), wire)
    THRIFT.each do |other|
      assert_equal plain.encode(other), kept.encode(other)
      assert_equal plain.encode(wire), Older.decode(FULL.encode(other), other, unknown: :keep).encode(wire)
    end
  end

  each_wire "an unknown variant is kept" do |wire|
    newer = NewerChoice.text("new")
    kept = Choice.decode(newer.encode(wire), wire, unknown: :keep)

    assert_equal [nil, nil, true], [kept.field, kept.value, kept.unknown?]
    assert_equal newer.encode(wire), kept.encode(wire)
    assert_equal kept, Marshal.load(Marshal.dump(kept))
    FORMS.each { |other| assert_equal newer, NewerChoice.decode(kept.encode(other), other) }
    error = assert_raises(Sparpack::EncodeError::MissingField) { kept.encode(:binary) }
    assert_equal "an unknown field that was not kept", error.found
    thrift = Choice.decode(newer.encode, unknown: :keep)
    assert_raises(Sparpack::EncodeError::MissingField) { thrift.encode(wire) }
  end

  each_wire "a field that a later version knows goes by what is set" do |wire|
    cached = Marshal.dump(Older.decode(Newer.new(id: 1).encode(wire), wire, unknown: :keep))
    loaded = Marshal.load(cached.sub("Older", "Newer")) # rubocop:disable Security/MarshalLoad

    assert_equal Newer.new(id: 7).encode(wire), loaded.with(id: 7).encode(wire)
    assert_equal 1, Newer.decode(loaded.encode(wire), wire).id
  end

  each_wire "faults of known fields beside kept ones" do |wire|
    kept = Needy.decode(FULL.encode(wire), wire, unknown: :keep)
    error = assert_raises(Sparpack::EncodeError::MissingField) { kept.with(nested: nil).encode(wire) }
    assert_equal "UnknownMessagePackTest::Needy.nested", error.path
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { kept.with(names: ["a", 1]).encode(wire) }
    assert_equal "UnknownMessagePackTest::Needy.names[1]", error.path
  end

  each_wire "limits hold for what is kept, both ways" do |wire|
    bytes = Newer.new(id: 1, names: ["abcdef"], table: { "k" => Set[1, 2, 3] }).encode(wire)
    { string: [6, 5], container: [3, 2], depth: [3, 2] }.each do |limit, (enough, less)|
      kept = Oldest.decode(bytes, wire, unknown: :keep, limits: Sparpack::Limits.new(limit => enough))
      limits = Sparpack::Limits.new(limit => less)

      assert_raises(Sparpack::DecodeError::LimitExceeded) { Oldest.decode(bytes, wire, unknown: :keep, limits:) }
      assert_raises(Sparpack::EncodeError::LimitExceeded) { kept.encode(wire, limits:) }
    end
    many = "\xdc\x03\xe8#{"\x01" * 1000}".b
    assert_raises(Sparpack::DecodeError::LimitExceeded) do
      Oldest.decode(many, wire, unknown: :keep, limits: Sparpack::Limits.new(memory: 10_000))
    end
  end

  # The limits of the codec that writes hold for what was kept, too.
  def test_a_kept_variant_beyond_a_limit
    kept = Choice.decode(Sparpack::MessagePack.pack({ 8 => "a long text" }), MP, unknown: :keep)
    %i[array ids names].each do |keys|
      error = assert_raises(Sparpack::EncodeError::LimitExceeded) do
        Sparpack::Codec.new(Choice, :message_pack, keys:, limits: Sparpack::Limits.new(string: 5)).encode(kept)
      end

      assert_includes error.message, "expected at most 5 bytes, found a longer string"
    end
  end

  # Dumps may hold anything.
  def test_damaged_ones_are_refused
    good = Sparpack::Native.unknown(Oldest.decode("\x82\x01\x05\xa1a\x06".b, MP, unknown: :keep))

    assert_equal "\x82\x01\x05\xa1a\x06".b, good
    ["\x80", "\x81\x01", "\x82\x01\x05", "\x82\x01\x05\x01\x05", "\x82\xa1a\x06\x01\x05", "\x81\x01\xc0", "\x81\xc3\x01",
     "\x90", "\x81\x01\x05\x00", "\x81\x01\xc1", "\x81\xcd\x80\x00\x01", "\x82\xa1b\x01\xa1a\x01"].each do |bad|
      assert_raises(ArgumentError, bad.inspect) { Oldest.allocate.marshal_load([{}, bad.b]) }
    end
    Oldest.allocate.marshal_load([{}, good])
    assert_raises(ArgumentError) { Choice.allocate.marshal_load([{}, good]) }
  end
end
