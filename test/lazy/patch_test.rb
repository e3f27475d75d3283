# frozen_string_literal: true

require "json"
require "test_helper"
require "support/wire_forms"

# A payload with some values changed.
class PatchTest < Minitest::Test
  using WireForms

  class Neighborhood < Sparpack::Struct
    field 1, :neighborhood_id, :i64, required: true
    field 2, :name, :string, required: true
    field 3, :open, :bool
  end

  class Answer < Sparpack::Union
    field 1, :text, :string
    field 2, :flag, :bool
  end

  class Listing < Sparpack::Struct
    field 1, :listing_id, :i64, required: true
    field 2, :first, :bool
    field 3, :second, :bool
    field 4, :name, :string
    field 5, :neighborhoods, list(Neighborhood)
    field 6, :labels, map(:string, :i32)
    field 7, :answer, Answer
    field 8, :lat, :double
    field 9, :flags, list(:bool)
    field 25, :far, :i32
    field 26, :last, :i32
  end

  # What an older program knows of a listing.
  class Older < Sparpack::Struct
    field 1, :listing_id, :i64, required: true
    field 3, :second, :bool
    field 5, :neighborhoods, list("PatchTest::OlderNeighborhood")
    field 25, :far, :i32
  end

  class OlderNeighborhood < Sparpack::Struct
    field 2, :name, :string
  end

  LISTING = Listing.new(
    listing_id: 5, first: true, second: false, name: "x",
    neighborhoods: [Neighborhood.new(neighborhood_id: 7, name: "Mitte", open: true),
                    Neighborhood.new(neighborhood_id: 8, name: "Wedding")],
    labels: { "a" => 1, "b" => 2 }, answer: Answer.text("yes"), lat: 52.5, flags: [true, false], far: 6, last: 9
  ).freeze(deep: true)

  CHANGES = [
    { [:name] => "y" * 300 }, { [:name] => nil }, { [:first] => false }, { [:first] => nil }, { [:second] => true },
    { [:first] => nil, [:second] => true }, { [:first] => nil, [:second] => nil }, { [:listing_id] => -1 << 63 },
    { [:first] => nil, [:second] => nil, [:name] => nil, [:neighborhoods] => nil, [:labels] => nil, [:answer] => nil,
      [:lat] => nil, [:flags] => nil, [:far] => nil }, # a header in the long form becomes another one's neighbor
    { [:last] => nil }, { [:far] => nil, [:last] => nil }, { [:far] => nil }, { [:far] => 0 }, { [:flags, -1] => true },
    { [:neighborhoods, 1, :name] => "ß" }, { [:neighborhoods, 0, :open] => nil, [:neighborhoods, 1, :open] => true },
    { [:neighborhoods, -1] => Neighborhood.new(neighborhood_id: 1, name: ""), [:neighborhoods, 0, :neighborhood_id] => 3 },
    { [:neighborhoods] => [] }, { [:labels, "b"] => -5, [:labels, :a] => 1 << 30 }, { [:labels] => {} },
    { [:answer, :text] => "no" },
    { [:answer] => Answer.flag(true) }, { [:lat] => 1, [:name] => :symbol, ["far"] => 1 }
  ].freeze

  def test_each_wire
    each_wire(LISTING) do |codec, bytes|
      CHANGES.each { |changes| assert_patched(codec, bytes, changes) }
    end
  end

  def test_fields_that_were_not_there
    each_wire(Listing.new(listing_id: 1)) do |codec, bytes|
      names = Listing.schema.fields.map(&:name) - [:listing_id]
      names.each { |name| assert_patched(codec, bytes, { [name] => LISTING[name] }) }

      assert_patched(codec, bytes, names.to_h { |name| [[name], LISTING[name]] })
      assert_patched(codec, bytes, names.reverse.to_h { |name| [[name], LISTING[name]] })
      names.combination(2) { |pair| assert_patched(codec, bytes, pair.to_h { |name| [[name], LISTING[name]] }) }
      names.each { |name| assert_equal bytes.b, codec.patch(bytes, [name] => nil).b }
    end
  end

  def test_each_set_of_fields_can_be_removed
    object = LISTING.with(name: nil, lat: nil)
    names = %i[first second neighborhoods labels flags far last]
    each_wire(object) do |codec, bytes|
      (1..names.size).each do |size|
        names.combination(size) { |some| assert_patched(codec, bytes, some.to_h { |name| [[name], nil] }) }
      end
    end
  end

  def test_some_are_removed_and_others_added
    each_wire(LISTING.with(first: nil, far: nil, flags: nil)) do |codec, bytes|
      %i[second name neighborhoods labels answer lat last].combination(3) do |some|
        changes = some.to_h { |name| [[name], nil] }

        assert_patched(codec, bytes, { **changes, [:first] => true, [:far] => 1 })
        assert_patched(codec, bytes, { **changes, [:flags] => [] })
      end
    end
  end

  def test_a_value_that_is_set_again_gives_the_same_bytes
    each_wire(LISTING) do |codec, bytes|
      Listing.schema.fields.each { |field| assert_equal bytes, codec.patch(bytes, [field.name] => LISTING[field.name]) }
      assert_equal bytes, codec.patch(bytes, [:neighborhoods, 0, :open] => true, [:labels, "b"] => 2, [:flags, 1] => false)
      assert_equal bytes, codec.patch(bytes, {})
    end
  end

  def test_unknown_fields_stay
    changes = { [:second] => nil, [:neighborhoods, 0, :name] => "Pankow", [:far] => nil }
    each_wire(LISTING) do |codec, bytes|
      %i[skip reject keep].each do |unknown|
        older = Sparpack::Codec.new(Older, codec.wire, **codec.options, unknown:)
        expected = LISTING.dup(deep: true).tap { |all| all.second = all.far = nil }
        expected.neighborhoods[0].name = "Pankow"

        assert_equal expected, codec.decode(older.patch(bytes, changes))
      end
    end
  end

  def test_spaces_stay
    text = "{ \"listing_id\" : 5 ,\n  \"first\" : true,\n  \"name\" : null ,\n  " \
           "\"color\" : [ 1 , {} ],\n  \"lat\" : 1.50\n}\n"
    cases = {
      { [:listing_id] => 6 } => text.sub("5", "6"), { [:name] => "x" } => text.sub("null", '"x"'),
      { [:name] => nil } => text,
      { [:first] => nil } => text.sub(" ,\n  \"first\" : true", " "),
      { [:lat] => nil } => text.sub(",\n  \"lat\" : 1.50", ""),
      { [:far] => 3 } => text.sub("1.50", '1.50,"far":3'),
      { [:lat] => nil, [:far] => 3 } => text.sub(",\n  \"lat\" : 1.50", ',"far":3')
    }
    cases.each do |changes, expected|
      assert_equal expected, Listing.patch(text, changes, wire: :json)
      assert_equal Encoding::UTF_8, Listing.patch(text, changes, wire: :json).encoding
    end
  end

  def test_spaces_of_thrifts_json_stay
    text = " { \"1\" : { \"i64\" : 5 } , \"2\" : { \"tf\" : 1 } , \"99\" : { \"i32\" : 1 } , \"8\" : { \"dbl\" : 1.5 } } "
    cases = {
      { [:listing_id] => 6 } => text.sub("5", "6"), { [:first] => nil } => text.sub(", \"2\" : { \"tf\" : 1 }", ""),
      { [:lat] => nil } => text.sub(", \"8\" : { \"dbl\" : 1.5 }", ""),
      { [:far] => 3 } => text.sub("1.5 }", '1.5 },"25":{"i32":3}')
    }
    cases.each { |changes, expected| assert_equal expected, Listing.patch(text, changes, wire: :thrift_json) }
  end

  class Loose < Sparpack::Struct
    field 1, :a, :i32
    field 2, :b, :i32
    field 3, :c, :i32
  end

  def test_members_of_json_in_any_combination
    members = ['"a": 1', '"b":2 ', ' "x" : [] ', '"c":3', '"y":null']
    members.permutation(3) do |some|
      text = "{ #{some.join(" , ")} }"
      there = %i[a b c].select { |name| some.any? { |member| member.include?("\"#{name}\"") } }
      (0..there.size).flat_map { |size| there.combination(size).to_a }.each do |gone|
        patched = Loose.patch(text, gone.to_h { |name| [[name], nil] }, wire: :json)
        others = some.reject { |member| gone.any? { |name| member.include?("\"#{name}\"") } }

        assert_equal JSON.parse("{#{others.join(",")}}"), JSON.parse(patched), [text, gone].inspect
        added = Loose.patch(text, { **gone.to_h { |name| [[name], nil] }, **(%i[a b c] - there).to_h do |name|
          [[name], 7]
        end },
                            wire: :json)

        assert_equal JSON.parse("{#{others.join(",")}}").merge((%w[a b c] - there.map(&:name)).to_h { |name| [name, 7] }),
                     JSON.parse(added)
      end
    end
  end

  def test_each_form_of_message_pack_stays
    codecs = %i[message_pack message_pack_names message_pack_ids].map { |wire| Sparpack::Codec.new(Listing, wire) }
    codecs.product(codecs) do |writer, patcher|
      CHANGES.each do |changes|
        patched = patcher.patch(writer.encode(LISTING), changes)

        assert_equal changed(writer, writer.encode(LISTING), changes), writer.decode(patched)
      end
      bytes = writer.encode(Listing.new(listing_id: 1))

      assert_equal writer.encode(Listing.new(listing_id: 1, lat: 1.5, far: 7)),
                   patcher.patch(bytes, [:lat] => 1.5, [:far] => 7)
    end
  end

  def test_refused_values
    cases = {
      { [:far] => "x" } => [Sparpack::EncodeError::TypeMismatch,
                            "PatchTest::Listing.far: expected i32, found String (compact)"],
      { [:far] => 1 << 40 } => [Sparpack::EncodeError::OutOfRange, nil],
      { [:neighborhoods, 1, :name] => "\xff" } => [Sparpack::EncodeError::InvalidString, nil],
      { [:neighborhoods, 0, :name] => nil } =>
        [Sparpack::EncodeError::MissingField,
         "PatchTest::Listing.neighborhoods[0].name: expected a required field, found none (compact)"],
      { [:neighborhoods, -1] => nil } => [Sparpack::EncodeError::TypeMismatch, nil],
      { [:neighborhoods, 0] => Neighborhood.new(name: "a") } => [Sparpack::EncodeError::MissingField, nil],
      { [:labels, "a"] => 1.5 } => [Sparpack::EncodeError::TypeMismatch,
                                    'PatchTest::Listing.labels["a"]: expected i32, found Float (compact)'],
      { [:answer, :text] => nil } => [Sparpack::EncodeError::MissingField,
                                      "PatchTest::Listing.answer: expected one field in a union, found none (compact)"],
      { [:answer, :flag] => true } => [Sparpack::EncodeError,
                                       "PatchTest::Listing.answer.flag: expected a value to change, found none (compact)"],
      { [:neighborhoods, 2] => LISTING.neighborhoods[0] } => [Sparpack::EncodeError, nil],
      { [:neighborhoods, -3, :name] => "x" } =>
        [Sparpack::EncodeError, "PatchTest::Listing.neighborhoods[-3]: expected a value to change, found none (compact)"],
      { [:neighborhoods, 1 << 70, :name] => "x" } =>
        [Sparpack::EncodeError, "PatchTest::Listing.neighborhoods[1180591620717411303424]: expected a value to change, " \
                                "found none (compact)"],
      { [:labels, "c"] => 1 } => [Sparpack::EncodeError,
                                  'PatchTest::Listing.labels["c"]: expected a value to change, found none (compact)']
    }
    cases.each do |changes, (error, message)|
      raised = assert_raises(error) { Listing.patch(LISTING.encode, changes) }

      assert_instance_of error, raised
      assert_equal message, raised.message if message
      refute_nil raised.path
    end
  end

  def test_a_part_on_the_way_is_not_there
    each_wire(Listing.new(listing_id: 1)) do |codec, bytes|
      [[[:neighborhoods, 0, :name], "x"], [[:answer, :text], "x"], [[:labels, "x"], 1]].each do |path, value|
        error = assert_raises(Sparpack::EncodeError) { codec.patch(bytes, path => value) }

        assert_equal "PatchTest::Listing.#{path.first}", error.path
      end
    end
  end

  def test_wrong_calls
    bytes = LISTING.encode
    [{ [:names] => 1 }, { [] => 1 }, { name: "x" }, { [:name, 0] => 1 }, { [:labels] => {}, [:labels, "a"] => 1 },
     { [:labels, "a"] => 1, [:labels] => {} }, { [:name] => "x", ["name"] => "y" },
     { [:flags, 0] => true, [:flags, -2] => true },
     { [:labels, :a] => 1, [:labels, "a"] => 1 }].each do |changes|
      assert_raises(ArgumentError, changes.inspect) { Listing.codec.patch(bytes, changes) }
    end
    assert_raises(TypeError) { Listing.codec.patch(bytes, nil) }
    [[], [nil]].each { |none| assert_raises(TypeError) { Listing.patch(bytes, *none) } }

    assert_equal bytes, Listing.patch(bytes, {})
    assert_raises(TypeError) { Listing.codec.patch(nil, [:name] => "x") }
    assert_raises(ArgumentError) { Listing.patch(bytes, { [:name] => "x" }, wire: :smoke) }
    assert_raises(ArgumentError) { Listing.patch(bytes, [:name] => "x", freze: 1) }
  end

  def test_a_class_has_its_default_wire_and_options
    default = Class.new(Listing) { default_codec :binary }
    bytes = LISTING.encode(:binary)

    assert_equal "y", default.decode(default.patch(bytes, [:name] => "y")).name
    assert_equal "y", default.decode(default.patch(bytes, { [:name] => "y" })).name
    assert_equal "y", Listing.decode(Listing.patch(bytes, [:name] => "y", wire: :binary), :binary).name
    assert_equal "y", Listing.decode(Listing.patch(bytes, { [:name] => "y" }, wire: :binary, freeze: true), :binary).name
  end

  def test_what_stands_behind_the_last_change_is_not_read
    bytes = LISTING.encode
    cut = bytes.byteslice(0, bytes.index("Mitte") + 5)

    assert_equal cut.sub("Mitte", "Pankow"),
                 Listing.patch(cut, [:neighborhoods, 0, :name] => "Pankow").sub("\x06P".b, "\x05P".b)
    assert_raises(Sparpack::DecodeError::Truncated) { Listing.patch(cut, [:neighborhoods, 0, :open] => false) }
  end

  def test_the_source_stays
    bytes = LISTING.encode.freeze
    copy = bytes.dup
    patched = Listing.patch(bytes, [:name] => "z", [:far] => nil)

    assert_equal copy, bytes
    refute_predicate patched, :frozen?
    assert_equal Encoding::BINARY, patched.encoding
  end

  def test_a_field_that_comes_twice
    bytes = "\x15\x02\x05\x02\x04\x15\x06\x00".b # a, a in the long form, b

    assert_equal Loose.new(a: 2, b: 3), Loose.decode(bytes)
    assert_equal Loose.new(a: 2, b: 9), Loose.decode(Loose.patch(bytes, [:b] => 9))
    assert_equal Loose.new(a: 7, b: 9), Loose.decode(Loose.patch(bytes, [:a] => 7, [:b] => 9))
    assert_equal Loose.new(b: 9), Loose.decode(Loose.patch(bytes, [:a] => nil, [:b] => 9))
  end

  def test_a_field_that_comes_a_thousand_times
    bytes = "\x15\x02".b + ("\x05\x02\x04".b * 1000) + "\x15\x06\x00".b

    assert_equal Loose.new(b: 9), Loose.decode(Loose.patch(bytes, [:a] => nil, [:b] => 9))
    assert_equal Loose.new(a: 7, b: 9), Loose.decode(Loose.patch(bytes, [:a] => 7, [:b] => 9))
  end

  def test_text_that_is_not_utf8_stays
    object = Listing.new(listing_id: 1, name: "\xff", neighborhoods: [Neighborhood.new(neighborhood_id: 1, name: "\xfe")])
    WireForms::ALL.each do |wire|
      codec = Sparpack::Codec.new(Listing, wire, utf8: :keep, mismatch: :skip, validate: :strict)

      assert_equal object.with(last: 3), codec.decode(codec.patch(codec.encode(object), [:last] => 3))
    end
  end

  class Text < Sparpack::Struct
    field 1, :a, :string
    field 2, :b, :i32
  end

  def test_a_field_of_another_type_is_replaced
    bytes = Text.new(a: "x", b: 3).encode
    codec = Sparpack::Codec.new(Loose, :compact, mismatch: :skip)

    assert_equal Loose.new(b: 3), codec.decode(bytes)
    assert_equal Loose.new(a: 1, b: 3), Loose.decode(codec.patch(bytes, [:a] => 1))
    assert_equal Loose.new(b: 4), codec.decode(codec.patch(bytes, [:b] => 4))
    assert_raises(Sparpack::DecodeError::TypeMismatch) { Loose.patch(bytes, [:b] => 4) }
  end

  def test_a_compressed_payload
    Sparpack::LZ4.name
    codec = Sparpack::Codec.new(Listing, :message_pack, compression: :lz4)
    object = LISTING.with(name: "z" * 500)
    bytes = codec.encode(object)
    patched = codec.patch(bytes, [:far] => 1)

    assert_operator patched.bytesize, :<, 300
    assert_equal object.with(far: 1), codec.decode(patched)
    assert_equal object.with(far: 1), Listing.decode(Listing.patch(bytes, [:far] => 1, wire: :message_pack), :message_pack)
  end

  Point = Struct.new(:x, :y)

  def test_a_mapping
    types = { x: :i32, y: Sparpack::Type.list(:string) }
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Point, { 1 => :x, 2 => :y }, types:), :compact)
    bytes = codec.encode(Point.new(1, %w[a b]))

    assert_equal Point.new(1, %w[a c]), codec.decode(codec.patch(bytes, [:y, -1] => "c"))
    assert_equal Point.new(nil, %w[a b]), codec.decode(codec.patch(bytes, [:x] => nil))
    assert_equal Point.new(2, nil), codec.decode(codec.patch(bytes, [:x] => 2, [:y] => nil))
  end

  def test_members_without_a_type
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Point, { 0 => :x, 1 => :y }), :message_pack)
    bytes = codec.encode(Point.new(1, { "a" => [1, nil] }))

    assert_equal Point.new([nil], { "a" => [1, nil] }), codec.decode(codec.patch(bytes, [:x] => [nil]))
    assert_raises(ArgumentError) { codec.patch(bytes, [:y, "a"] => 1) }
  end

  def test_many_fields
    many = Class.new(Sparpack::Struct) { (1..100).each { |id| field id, :"f#{id}", :i32 } }
    object = many.new(**(1..100).step(2).to_h { |id| [:"f#{id}", id] })
    WireForms::ALL.each do |wire|
      codec = Sparpack::Codec.new(many, wire)
      changes = { [:f1] => nil, [:f2] => 2, [:f99] => nil, [:f100] => 100, [:f51] => 7 }

      assert_equal object.with(f1: nil, f2: 2, f99: nil, f100: 100, f51: 7),
                   codec.decode(codec.patch(codec.encode(object), changes))
    end
  end

  def test_ruby_code_that_runs_meanwhile
    bytes = LISTING.encode
    text = "ä".encode("ISO-8859-1")

    assert_equal "ä", Listing.decode(Listing.patch(bytes, [:name] => text)).name
  end

  def test_garbage_is_collected_meanwhile
    payloads = WireForms::ALL.map { |wire| [Sparpack::Codec.new(Listing, wire), LISTING.encode(wire)] }
    changes = CHANGES[8]
    GC.stress = true
    patched = payloads.map { |codec, bytes| codec.patch(bytes, changes) }
    GC.stress = false

    payloads.zip(patched) { |(codec, bytes), result| assert_equal changed(codec, bytes, changes), codec.decode(result) }
  ensure
    GC.stress = false
  end

  class Numbered < Sparpack::Struct
    field 1, :one, :i32
    field 200, :middle, :i32
    field 300, :last, :i32
  end

  # MessagePack writes ids in one to five bytes.
  def test_new_fields_go_by_ids_where_others_do
    ids = Sparpack::Codec.new(Numbered, :message_pack, keys: :ids)
    [{ one: 5 }, { middle: 5 }, {}].each do |fields|
      [{ [:last] => 7 }, { [:one] => 1, [:last] => 7 }].each do |changes|
        patched = ids.patch(ids.encode(Numbered.new(**fields)), changes)
        changed = Numbered.new(**fields, **changes.transform_keys(&:first))

        assert_equal Sparpack::MessagePack.unpack(ids.encode(changed)), Sparpack::MessagePack.unpack(patched)
      end
    end
  end

  private

  def each_wire(object)
    WireForms::ALL.each do |wire|
      codec = Sparpack::Codec.new(Listing, wire)
      yield codec, codec.encode(object)
    end
  end

  def changed(codec, bytes, changes)
    object = codec.decode(bytes)
    changes.each do |(*way, last), value|
      parent = object
      way.each { |step| parent = parent[parent.is_a?(Hash) && step.is_a?(Symbol) ? step.name : step] }
      last = last.name if parent.is_a?(Hash) && last.is_a?(Symbol)
      parent[last] = value
    end
    codec.decode(codec.encode(object))
  end

  def assert_patched(codec, bytes, changes)
    assert_equal changed(codec, bytes, changes), codec.decode(codec.patch(bytes, changes)), [codec.wire, changes].inspect
  end
end
