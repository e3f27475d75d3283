# frozen_string_literal: true

# bin/test: not sanitized, for contract/adopted_test runs the same tests, and more

require "test_helper"
require "support/reading"
require "pp"

# Fields that this version of a class does not know: they are skipped, refused or kept.
class UnknownTest < Minitest::Test
  include Reading
  extend Reading::Wires

  # Other wires skip unknown fields.
  def self.each_wire(name, wires = THRIFT, &) = super

  class Newer < Sparpack::Struct
    field 1, :id, :i32
    field 2, :flag, :bool
    field 3, :names, list(:string)
    field 5, :real, :double
    field 16, :table, map(:string, set(:i16))
    field 17, :nested, "Newer"
    field 40, :uuid, :uuid
    field 300, :last, :bool
  end

  class Older < Sparpack::Struct
    field 3, :names, list(:string)
    field 17, :nested, "Older"
  end

  class Oldest < Sparpack::Struct
  end

  class Holder < Sparpack::Struct
    field 1, :older, list(Older)
    field 2, :keyed, map(Older, Older)
  end

  class Gone < Sparpack::Exception
    field 9, :message, :string
  end

  FULL = Newer.new(id: 1, flag: true, names: %w[a b], real: 0.5, table: { "k" => Set[1, 2] },
                   nested: Newer.new(id: 2, last: false), uuid: "00112233-4455-6677-8899-aabbccddeeff", last: true)

  # Where the first field begins.
  FIRST = { compact: 0, binary: 0, thrift_json: 1 }.freeze

  each_wire "skip is the default" do |wire|
    assert_reads(Older.new(names: %w[a b], nested: Older.new), FULL.encode(wire), wire)
    assert_reads(Older.new(names: %w[a b], nested: Older.new), FULL.encode(wire), wire, unknown: :skip)
  end

  each_wire "reject says where, and which" do |wire|
    error = assert_refuses(Sparpack::DecodeError::Malformed, Older, FULL.encode(wire), wire,
                           unknown: :reject, path: "", offset: FIRST.fetch(wire), expected: "a known field")

    assert_match(/\b1\b/, error.found)
    bytes = writer(wire).message([17, :struct, [[3, [:list, :string], []], [9, :i8, 1]]])
    assert_refuses(Sparpack::DecodeError::Malformed, Older, bytes, wire, unknown: :reject, path: ".nested",
                                                                         expected: "a known field")
    assert_reads(FULL, FULL.encode(wire), wire, unknown: :reject)
  end

  each_wire "keep carries them, at any depth, in the order of ids" do |wire|
    [Older, Oldest].each do |older|
      THRIFT.each do |other|
        kept = older.decode(FULL.encode(wire), wire, unknown: :keep)

        assert_equal FULL.encode(other), kept.encode(other)
        assert_equal FULL, Newer.decode(kept.encode(other), other)
      end
      assert_cut(older, FULL.encode(wire), wire, unknown: :keep)
    end
  end

  class Large < Sparpack::Struct
    field 1, :string, :string
    field 2, :numbers, list(:i32)
    field 3, :lists, list(list(:bool))
  end

  # What is kept is written to a buffer, which has to grow for each of these.
  each_wire "kept values may be large" do |wire|
    [{ string: "x" * 100_000 }, { numbers: [-7] * 50_000 }, { lists: [[]] * 50_000 }].each do |values|
      large = Large.new(**values)
      kept = Oldest.decode(large.encode(wire), wire, unknown: :keep)

      THRIFT.each { |other| assert_equal large.encode(other), kept.encode(other) }
    end
  end

  class Paired < Sparpack::Struct
    field 1, :pairs, map(list(:i32), :i32)
  end

  def test_kept_keys_that_are_containers_have_no_place_in_json
    kept = Oldest.decode(Paired.new(pairs: { [1] => 2 }).encode, unknown: :keep)
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { kept.encode(:thrift_json) }

    assert_equal ["a scalar as a key", "a struct or a container"], [error.expected, error.found]
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

  each_wire "whatever their order was, they are written by ascending ids, and the last of a duplicate" do |wire|
    fields = [[300, :bool, true], [-5, :i8, 1], [3, [:list, :string], ["n"]], [16, :i32, 1], [0, :bool, false],
              [16, :string, "x"], [-5, :i16, 2], [2, :bool, true]]
    sorted = [[-5, :i16, 2], [0, :bool, false], [2, :bool, true], [3, [:list, :string], ["n"]], [16, :string, "x"],
              [300, :bool, true]]
    kept = Older.decode(writer(wire).message(*fields), wire, unknown: :keep)

    assert_equal writer(wire).message(*sorted), kept.encode(wire)
  end

  each_wire "what is kept is a part of equality and hash" do |wire|
    kept, same, other = [1, 1, 2].map do |id|
      Older.decode(Newer.new(id:).encode(wire), wire, unknown: :keep)
    end

    assert_equal kept, same
    assert_operator kept, :eql?, same
    assert_equal kept.hash, same.hash
    refute_equal kept, other
    refute_equal kept.hash, other.hash
    refute_equal kept, Older.new
    refute_equal Older.new, kept
    assert_equal 2, [kept, same, other].uniq.size
  end

  each_wire "copies carry it" do |wire|
    kept = Older.decode(FULL.encode(wire), wire, unknown: :keep)
    [kept.dup, kept.clone, kept.with, Marshal.load(Marshal.dump(kept)), kept.dup.freeze(deep: true)].each do |copy|
      assert_equal kept, copy
      assert_equal FULL.encode(wire), copy.encode(wire)
    end

    assert_equal FULL.with(names: ["c"]).encode(wire), kept.with(names: ["c"]).encode(wire)
  end

  each_wire "hashes do not carry it" do |wire|
    kept = Older.decode(Newer.new(id: 1, names: ["a"]).encode(wire), wire, unknown: :keep)

    assert_equal({ names: ["a"], nested: nil }, kept.to_h)
    assert_equal({ names: ["a"], nested: nil }, kept.to_h(deep: true))
    assert_equal Older.new(names: ["a"]), Older.from_h(kept.to_h)
    assert_equal({ "names" => ["a"] }, kept.as_json)
    assert_equal "#<UnknownTest::Older names=[\"a\"], unknown fields>", kept.inspect
  end

  each_wire "frozen objects carry it, and are shareable" do |wire|
    kept = Older.decode(FULL.encode(wire), wire, unknown: :keep, freeze: true)

    assert_frozen_deep(kept)
    assert_equal FULL.encode(wire), kept.encode(wire)
  end

  each_wire "in containers and in keys", THRIFT - [:thrift_json] do |wire|
    w = writer(wire)
    newer = [[1, :i32, 5], [3, [:list, :string], []]]
    bytes = w.message([1, [:list, :struct], [newer, []]], [2, [:map, :struct, :struct], [[newer, newer], [[], []]]])
    kept = Holder.decode(bytes, wire, unknown: :keep)

    assert_equal bytes, kept.encode(wire)
    assert_equal 2, kept.keyed.size
    assert_equal Holder.new(older: [Older.new(names: []), Older.new], keyed: { Older.new(names: []) => Older.new(names: []),
                                                                               Older.new => Older.new }),
                 Holder.decode(bytes, wire)
  end

  each_wire "in exceptions" do |wire|
    bytes = writer(wire).message([1, :i32, 5], [9, :string, "text"])
    kept = Gone.decode(bytes, wire, unknown: :keep)

    assert_equal ["text", bytes], [kept.message, kept.encode(wire)]
    assert_equal bytes, Marshal.load(Marshal.dump(kept)).encode(wire)
  end

  each_wire "every type is kept from wire to wire" do |wire|
    values = { bool: [true, false], i8: [-128, 127], i16: [-32_768, 300], i32: [-(1 << 31), 5], i64: [1 << 62, -1],
               double: [0.1, -Float::INFINITY], string: ["", "x" * 300], uuid: ["01" * 16],
               [:list, :bool] => [[true, false], [true] * 20, []], [:set, :double] => [[1.0]],
               [:map, :i8, [:list, :struct]] => [{ 1 => [[[1, :bool, false]], []] }],
               [:list, [:map, :string, :uuid]] => [[{ "k" => "ff" * 16 }]],
               struct: [[[1, :bool, true], [200, :struct, [[3, :bool, false]]]], []] }
    fields = values.flat_map do |type, all|
      all.map do |value|
        [type, value]
      end
    end.each_with_index.map { |(t, v), i| [i * 9, t, v] }
    kept = Oldest.decode(writer(wire).message(*fields), wire, unknown: :keep)
    THRIFT.each { |other| assert_equal writer(other).message(*fields), kept.encode(other) }
  end

  each_wire "empty maps are kept, though a wire may not tell their types" do |wire|
    kept = Oldest.decode(writer(wire).message([16, [:map, :string, [:set, :i16]], {}], [40, :uuid, "ff" * 16]), wire,
                         unknown: :keep)

    THRIFT.each { |other| assert_empty Newer.decode(kept.encode(other), other).table }
  end

  each_wire "a field that a later version knows goes by what is set" do |wire|
    cached = Marshal.dump(Older.decode(Newer.new(id: 1).encode(wire), wire, unknown: :keep))
    loaded = Marshal.load(cached.sub("Older", "Newer")) # rubocop:disable Security/MarshalLoad

    assert_equal 7, Newer.decode(loaded.with(id: 7).encode(wire), wire).id
    assert_equal Newer.new(id: 7).encode(wire), loaded.with(id: 7).encode(wire)
  end

  def test_kept_fields_are_in_order
    w = WireWriter.for(:binary)
    [[5, 4], [4, 4], [4, 6, 5]].each do |ids|
      bytes = w.fields(ids.map { |id| [id, :i8, 1] })

      assert_raises(ArgumentError, ids.inspect) { Oldest.allocate.marshal_load([{}, bytes]) }
    end
  end

  class Choice < Sparpack::Union
    field 1, :number, :i32
    field 2, :text, :string
  end

  # A union is set or has one unknown field. Nobody could read the bytes of anything else.
  def test_loaded_unions_hold_one_field
    one, two = [[[8, :i64, 9]], [[8, :i64, 9], [9, :i8, 1]]].map { |fields| WireWriter.for(:binary).fields(fields) }
    [one, true].each do |unknown|
      assert_raises(TypeError) { Choice.allocate.marshal_load([{ 1 => 1 }, unknown]) }
      assert_raises(TypeError) { Sparpack::Native.set_unknown(Choice.number(1), unknown) }
      assert_raises(TypeError) { from_yaml("number" => 1, "(unknown)" => unknown) }
    end
    assert_raises(ArgumentError) { Choice.allocate.marshal_load([{}, two]) }
    assert_raises(ArgumentError) { Choice.allocate.marshal_load([{ 1 => 1, 2 => "x" }, nil]) }

    [-> { Choice.allocate.tap { |choice| choice.marshal_load([{ 7 => 1 }, one]) } },
     -> { from_yaml("old" => 1, "(unknown)" => one) }].each do |load|
      assert_equal Choice.decode("#{one}\0", :binary, unknown: :keep), load.call
      assert_equal Choice.number(1), Sparpack::Native.fill(load.call, { number: 1 })
      assert_equal "#{one}\0".b, load.call.encode(:binary)
    end
  end

  # Stands for Psych's coder.
  YamlFields = ::Struct.new(:fields) { alias_method :map, :fields }

  def from_yaml(map) = Choice.allocate.tap { |choice| choice.init_with(YamlFields.new(map)) }

  class Needy < Sparpack::Struct
    field 3, :names, list(:string)
    field 17, :nested, Older, required: true
  end

  # Known fields beside kept ones are checked as usual.
  each_wire "faults of known fields beside kept ones" do |wire|
    kept = Needy.decode(FULL.encode(wire), wire, unknown: :keep)

    assert_predicate kept, :valid?
    error = assert_raises(Sparpack::EncodeError::MissingField) { kept.with(nested: nil).encode(wire) }
    assert_equal "UnknownTest::Needy.nested", error.path
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { kept.with(names: ["a", 1]).encode(wire) }
    assert_equal "UnknownTest::Needy.names[1]", error.path
  end

  # A walk over an unknown value stops at its first fault, wherever that is, and reads nothing after it.
  each_wire "faults in the middle of unknown values", THRIFT - [:thrift_json] do |wire|
    w = writer(wire)
    negative = w.string(-1 & 0xffff_ffff)
    good = w.string(1, "x")
    strings = %i[list string]
    { :string => w.list(:string, 3, good + negative + good),
      strings => w.list(strings, 2, w.list(:string, 2, negative + good) + w.list(:string, 1, good)) }.each do |type, list|
      assert_bad(w.message([9, [:list, type], WireWriter.raw(list)], [17, :struct, []]), wire)
    end
    [good + negative, negative + good].each do |pair|
      map = w.map(:string, :string, 2, pair + good + good)
      assert_bad(w.message([9, %i[map string string], WireWriter.raw(map)], [17, :struct, []]), wire)
    end
    struct = WireWriter.raw(w.fields([[1, :string, WireWriter.raw(negative)]]) + w.stop)
    assert_bad(w.message([9, :struct, struct], [17, :struct, []]), wire)
  end

  def assert_bad(bytes, wire)
    %i[skip keep].each do |unknown|
      assert_refuses(Sparpack::DecodeError::Malformed, Older, bytes, wire, unknown:, path: "", expected: "a size",
                                                                           found: "a negative size")
    end
  end

  def test_unknown_fields_are_visible
    kept = Older.decode(FULL.encode, unknown: :keep)
    skipped = Older.decode(FULL.encode)

    assert_equal [true, true, false, false], [kept.unknown?, kept.nested.unknown?, skipped.unknown?, Older.new.unknown?]
    assert_equal [true, false], [Sparpack.unknown?(kept), Sparpack.unknown?(skipped)]
    assert_equal [true, false], [kept.with(names: []).unknown?, Older.from_h(kept.to_h(deep: true)).unknown?]
    assert_equal "#<UnknownTest::Oldest unknown fields>\n", Oldest.decode(FULL.encode, unknown: :keep).pretty_inspect
    assert_equal kept.inspect, kept.pretty_inspect.gsub(/\n */, " ").strip
    assert_equal skipped.inspect, skipped.pretty_inspect.gsub(/\n */, " ").strip
    gone = Gone.decode(FULL.with(flag: nil).encode, unknown: :keep)

    assert_equal [true, "#<UnknownTest::Gone unknown fields>"], [gone.unknown?, gone.pretty_inspect.chomp]
    assert_raises(TypeError) { Sparpack.unknown?("x") }
  end

  # Also before and between known ones.
  each_wire "kept fields beyond a limit of what is written" do |wire|
    text = "a long text"
    { Older => { 1 => text }, Oldest => { 1 => text }, Newer => { 4 => text } }.each do |type, fields|
      later = Class.new(Sparpack::Struct) { fields.each_key { |id| field id, :text, :string } }
      kept = type.decode(later.new(text:).encode(wire), wire, unknown: :keep)
      error = assert_raises(Sparpack::EncodeError::LimitExceeded) do
        kept.encode(wire, limits: Sparpack::Limits.new(string: 5))
      end

      assert_includes error.message, "expected at most 5 bytes, found a longer string"
    end
  end

  each_wire "what is too deep is not kept" do |wire|
    deep = (1..64).reduce([]) { |fields, _| [[1, :struct, fields]] }
    %i[skip keep].each do |unknown|
      assert_refuses(Sparpack::DecodeError::LimitExceeded, Oldest, writer(wire).message(*deep), wire, unknown:)
      assert_instance_of Oldest, Oldest.decode(writer(wire).message(*deep[0][2]), wire, unknown:)
    end
  end
end
