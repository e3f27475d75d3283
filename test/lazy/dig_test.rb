# frozen_string_literal: true

require "test_helper"
require "support/wire_forms"

# One value of a payload, by the path that leads to it.
class DigTest < Minitest::Test
  using WireForms

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
    GONE = 2
  end

  class Neighborhood < Sparpack::Struct
    field 1, :neighborhood_id, :i64, required: true
    field 2, :name, :string, required: true
    field 3, :open, :bool
  end

  class Place < Sparpack::Struct
    field 1, :x, :i32
    field 2, :y, :i32
  end

  class Answer < Sparpack::Union
    field 1, :text, :string
    field 2, :place, Place
  end

  class Listing < Sparpack::Struct
    field 1, :listing_id, :i64, required: true
    field 2, :offset_lat, :double
    field 3, :active, :bool
    field 4, :neighborhoods, list(Neighborhood)
    field 5, :labels, map(:string, set(:i32)), default: { "new" => [1] }
    field 6, :by_number, map(:i64, Neighborhood)
    field 7, :by_status, map(Status, list(:string))
    field 8, :by_real, map(:double, :i32)
    field 9, :by_uuid, map(:uuid, :i32)
    field 10, :by_bytes, map(:binary, :i32)
    field 11, :by_flag, map(:bool, :i32)
    field 12, :answer, Answer
    field 13, :limit, :i32, default: 10
    field 14, :status, Status
    field 15, :id_, :uuid
    field 16, :matrix, list(list(:i32))
    field 17, :image, :binary
    field 18, :nested, map(:string, map(:string, :string))
  end

  class ByPlace < Sparpack::Struct
    field 1, :names, map(Place, :string)
    field 2, :more, map(list(:i32), :i32)
    field 3, :by_set, map(set(:i32), :i32)
    field 4, :by_map, map(map(:i32, :i32), :i32)
    field 5, :by_answer, map(Answer, :i32)
  end

  class Smaller < Sparpack::Struct
    field 1, :listing_id, :i64
    field 13, :limit, :i32
  end

  UUID = "00112233-4455-6677-8899-aabbccddeeff"

  LISTING = Listing.new(
    listing_id: 1 << 40, active: true,
    neighborhoods: [Neighborhood.new(neighborhood_id: 7, name: "Mitte", open: true),
                    Neighborhood.new(neighborhood_id: 8, name: "Größe", open: false),
                    Neighborhood.new(neighborhood_id: 9, name: "W" * 100)],
    by_number: { -5 => Neighborhood.new(neighborhood_id: 1, name: "a"),
                 1 << 50 => Neighborhood.new(neighborhood_id: 2, name: "b") },
    by_status: { 1 => %w[x y], 5 => [] }, by_real: { 0.5 => 1, 2.0 => 2 }, by_uuid: { UUID => 3 },
    by_bytes: { "\xff\0".b => 4 }, by_flag: { true => 5, false => 6 }, answer: Answer.place(Place.new(x: 3)),
    status: 2, id_: UUID, matrix: [[1, 2], [], [3]], image: "\xff\xfe".b,
    nested: { "a\"\\ü" => { "b" => "c" }, "" => {} }
  ).freeze(deep: true)

  PATHS = {
    [:listing_id] => 1 << 40, ["listing_id"] => 1 << 40, [:offset_lat] => nil, [:active] => true, [:limit] => 10,
    [:neighborhoods, 1, :name] => "Größe", [:neighborhoods, -1, :name] => "W" * 100, [:neighborhoods, 1, :open] => false,
    [:neighborhoods, 2, :open] => nil, [:neighborhoods, 3] => nil, [:neighborhoods, -4, :name] => nil,
    [:neighborhoods, 1 << 70] => nil, [:neighborhoods, 0] => LISTING.neighborhoods[0],
    [:labels, "new"] => Set[1], [:labels, :new] => Set[1], [:labels, "old"] => nil,
    [:by_number, -5, :name] => "a", [:by_number, 1 << 50, :neighborhood_id] => 2, [:by_number, 3, :name] => nil,
    [:by_number, 1 << 80] => nil, [:by_status, 1, -1] => "y", [:by_status, :ACTIVE, 0] => "x",
    [:by_status, "ACTIVE"] => %w[x y],
    [:by_status, 5] => [], [:by_status, :GONE] => nil, [:by_real, 0.5] => 1, [:by_real, 2] => 2, [:by_real, 7.5] => nil,
    [:by_uuid, UUID.upcase] => 3, [:by_bytes, "\xff\0"] => 4, [:by_flag, false] => 6, [:answer, :place, :x] => 3,
    [:answer, :place, :y] => nil, [:answer, :text] => nil, [:answer] => LISTING.answer, [:status] => 2, [:id_] => UUID,
    [:matrix, 0, 1] => 2, [:matrix, 1, 0] => nil, [:matrix, -1, -1] => 3, [:matrix, 0, 2] => nil, [:image] => "\xff\xfe".b,
    [:nested, "a\"\\ü", "b"] => "c", [:nested, ""] => {}, [:nested, "", "b"] => nil, [:nested] => LISTING.nested
  }.freeze

  def test_each_wire
    WireForms::ALL.each do |wire|
      codec = Sparpack::Codec.new(Listing, wire)
      bytes = codec.encode(LISTING)
      PATHS.each do |path, value|
        found = codec.dig(bytes, *path)

        value.nil? ? assert_nil(found, path.inspect) : assert_equal(value, found, [wire, path].inspect)
        assert_equal value.encoding, found.encoding if value.is_a?(String)
      end
    end
  end

  def test_keys_that_are_structs_or_lists
    object = ByPlace.new(names: { Place.new(x: 1) => "a", Place.new(y: 2) => "b" }, more: { [1, 2] => 3, [] => 4 },
                         by_set: { Set[1, 2] => 5 }, by_map: { { 1 => 2 } => 6 }, by_answer: { Answer.text("a") => 7 })
    (WireForms::ALL - %i[thrift_json]).each do |wire|
      codec = Sparpack::Codec.new(ByPlace, wire)
      bytes = codec.encode(object)

      assert_equal "b", codec.dig(bytes, :names, Place.new(y: 2))
      assert_nil codec.dig(bytes, :names, Place.new(y: 3))
      assert_equal([3, 4], [[1, 2], []].map { |key| codec.dig(bytes, :more, key) })
      assert_equal([5, 6, 7], [codec.dig(bytes, :by_set, Set[2, 1]), codec.dig(bytes, :by_map, { 1 => 2 }),
                               codec.dig(bytes, :by_answer, Answer.text("a"))])
    end
  end

  def test_a_class_has_its_default_wire_and_options
    default = Class.new(Listing) { default_codec :binary, freeze: true }
    bytes = LISTING.encode(:binary)

    assert_equal "Mitte", default.dig(bytes, :neighborhoods, 0, :name)
    assert_predicate default.dig(bytes, :neighborhoods, 0, :name), :frozen?
    assert_equal "Mitte", default.dig(LISTING.encode, :neighborhoods, 0, :name, wire: :compact)
    assert_equal "Mitte", Listing.dig(LISTING.encode, :neighborhoods, 0, :name)
    refute_predicate Listing.dig(LISTING.encode, :neighborhoods, 0, :name), :frozen?
    assert_predicate Listing.dig(bytes, :neighborhoods, wire: :binary, freeze: true).first.name, :frozen?
    assert_equal 7, Listing.dig(LISTING.encode(:json), :neighborhoods, 0, :neighborhood_id, wire: :json)
  end

  def test_a_default_is_a_copy
    [Listing.new(listing_id: 1), Smaller.new(listing_id: 1)].map(&:encode).each do |bytes|
      Listing.dig(bytes, :labels)["old"] = Set[]

      assert_equal({ "new" => Set[1] }, Listing.dig(bytes, :labels))
      assert_equal Set[1], Listing.dig(bytes, :labels, "new")
      assert_predicate Listing.dig(bytes, :labels, freeze: true), :frozen?
    end
  end

  # A String whose own methods would find nothing.
  class Odd < String
    def hash = 0
    def eql?(other) = other.nil?
  end

  def test_keys_of_text_in_any_form
    absent = Smaller.new(listing_id: 1).encode
    text = Listing.new(listing_id: 1, nested: { "ä\"" => { "é" => "x" } })

    assert_equal Set[1], Listing.dig(absent, :labels, Odd.new("new"))
    WireForms::ALL.each do |wire|
      codec = Sparpack::Codec.new(Listing, wire)

      assert_equal "x", codec.dig(codec.encode(text), :nested, "ä\"".encode("UTF-16LE"), "é".encode("ISO-8859-1"))
      assert_equal "x", codec.dig(codec.encode(text), :nested, Odd.new("ä\""), "é".b)
      assert_nil codec.dig(codec.encode(text), :nested, "\xff")
    end
  end

  def test_what_stands_behind_the_value_is_not_read
    bytes = LISTING.encode(:binary)
    cut = bytes.byteslice(0, bytes.index("Mitte".b) + 5)

    assert_equal "Mitte", Listing.dig(cut, :neighborhoods, 0, :name, wire: :binary)
    assert_equal "Mitte", Listing.dig("#{cut}\xff".b, :neighborhoods, 0, :name, wire: :binary)
    assert_raises(Sparpack::DecodeError::Truncated) { Listing.dig(cut, :neighborhoods, 0, :open, wire: :binary) }
  end

  def test_what_stands_in_front_is_checked
    bytes = LISTING.encode(:binary).sub("Mitte", "M\xfftte".b)
    error = assert_raises(Sparpack::DecodeError) { Listing.dig(bytes, :neighborhoods, 1, :name, wire: :binary) }

    assert_equal "DigTest::Listing.neighborhoods[0].name", error.path
    assert_equal (+"M\xfftte").force_encoding("UTF-8"),
                 Listing.dig(bytes, :neighborhoods, 0, :name, wire: :binary, utf8: :keep)
  end

  def test_a_missing_field_in_front
    bytes = Smaller.new(limit: 3).encode
    error = assert_raises(Sparpack::DecodeError::MissingField) { Listing.dig(bytes, :neighborhoods) }

    assert_equal "DigTest::Listing.listing_id", error.path
    assert_equal 3, Listing.dig(bytes, :limit) # it may come behind
    assert_nil Listing.dig(bytes, :neighborhoods, validate: :none)
  end

  def test_unknown_fields
    bytes = LISTING.encode

    assert_equal 10, Smaller.dig(LISTING.with(limit: 10).encode, :limit)
    assert_equal 1 << 40, Smaller.dig(bytes, :listing_id, unknown: :reject)
    assert_raises(Sparpack::DecodeError) { Smaller.dig(bytes, :limit, unknown: :reject) }
    assert_equal 10, Smaller.dig(bytes, :limit, unknown: :keep)
  end

  def test_limits
    bytes = LISTING.encode
    tight = Sparpack::Limits.new(string: 5)

    assert_equal "Mitte", Listing.dig(bytes, :neighborhoods, 0, :name, limits: tight)
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Listing.dig(bytes, :neighborhoods, 1, :name, limits: tight) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) do
      Listing.dig(bytes, :neighborhoods, 2, limits: Sparpack::Limits.new(memory: 100))
    end
    assert_raises(Sparpack::DecodeError::LimitExceeded) do
      Listing.dig(bytes, :matrix, 0, 1, limits: Sparpack::Limits.new(depth: 2))
    end
  end

  def test_spaces_and_null
    text = "\uFEFF { \"listing_id\" : 5 , \"neighborhoods\" : [ { \"name\":null, \"neighborhood_id\" : 1, " \
           "\"name\" : \"x\" } , {\"name\":\"y\" ,\"neighborhood_id\":2} ] , \"limit\" : null , " \
           "\"answer\" : { \"text\" : null , \"place\" : {} } }"

    assert_equal "y", Listing.dig(text, :neighborhoods, -1, :name, wire: :json)
    assert_equal "x", Listing.dig(text, :neighborhoods, 0, :name, wire: :json)
    assert_equal 10, Listing.dig(text, :limit, wire: :json)
    assert_equal Place.new, Listing.dig(text, :answer, :place, wire: :json)
    assert_nil Listing.dig(text, :answer, :place, :x, wire: :json)
  end

  def test_names_of_an_enum
    text = LISTING.encode(:json, enums: :names)

    assert_equal 2, Listing.dig(text, :status, wire: :json)
    assert_equal "y", Listing.dig(text, :by_status, :ACTIVE, 1, wire: :json)
  end

  def test_a_compressed_payload
    Sparpack::LZ4.name
    codec = Sparpack::Codec.new(Listing, :message_pack, compression: :lz4)
    bytes = codec.encode(LISTING)

    assert_equal "Größe", codec.dig(bytes, :neighborhoods, 1, :name)
    assert_equal "Größe", Listing.dig(bytes, :neighborhoods, 1, :name, wire: :message_pack)
  end

  # Its reader returns what the class never had.
  class Liar
    class << self
      attr_accessor :answer
    end
    attr_reader :x

    def initialize(x) = @x = x
    def tags = Liar.answer
  end

  Point = Struct.new(:x, :y)

  def test_a_mapping
    types = { x: :i32, y: Sparpack::Type.list(:string) }
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Point, { 1 => :x, 2 => :y }, types:), :compact)
    bytes = codec.encode(Point.new(1, %w[a b]))

    assert_equal 1, codec.dig(bytes, :x)
    assert_equal "b", codec.dig(bytes, :y, -1)
    assert_nil codec.dig(bytes, :y, 5)
    assert_raises(ArgumentError) { codec.dig(bytes, :z) }
  end

  def test_members_without_a_type
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Point, { 0 => :x, 1 => :y }), :message_pack)
    bytes = codec.encode(Point.new(1, { "a" => [1, nil] }))

    assert_equal 1, codec.dig(bytes, :y, "a", 0)
    assert_nil codec.dig(bytes, :y, "a", 1, "b")
    assert_raises(TypeError) { codec.dig(bytes, :x, 0) }
  end

  WRONG = {
    [:lisitng_id] => "unknown field :lisitng_id for DigTest::Listing (did you mean :listing_id?)",
    [:neighborhoods, 0, "nam"] => 'unknown field "nam" for DigTest::Neighborhood (did you mean :name?)',
    [:neighborhoods, :name] => "DigTest::Listing.neighborhoods: expected the index of an element, got :name",
    [:neighborhoods, :*] => "DigTest::Listing.neighborhoods: expected the index of an element, got :* " \
                            "(columns take :[] for every element)",
    ["neighborhoods[0]"] => 'unknown field "neighborhoods[0]" for DigTest::Listing ' \
                            "(a path of text is for columns only, and not in an Array)",
    [:neighborhoods, 1.0] => "DigTest::Listing.neighborhoods: expected the index of an element, got 1.0",
    [:neighborhoods, 0, 1] => "DigTest::Listing.neighborhoods[0]: expected the name of a field, got 1 " \
                              "(known: :neighborhood_id, :name, :open)",
    [:labels, 3] => "DigTest::Listing.labels: expected a key of the type string, got 3",
    [:labels, "a", 1] => 'DigTest::Listing.labels["a"]: no step leads into set<i32>, got 1',
    [:listing_id, :x] => "DigTest::Listing.listing_id: no step leads into i64, got :x",
    [:by_number, "1"] => 'DigTest::Listing.by_number: expected a key of the type i64, got "1"',
    [:by_status, :ACTIV] => "DigTest::Listing.by_status: expected a key of the type DigTest::Status, got :ACTIV " \
                            "(did you mean :ACTIVE? known: :ACTIVE, :GONE)",
    [:by_uuid, "x"] => 'DigTest::Listing.by_uuid: expected a key of the type uuid, got "x"',
    [:by_uuid, 3] => "DigTest::Listing.by_uuid: expected a key of the type uuid, got 3",
    [:by_bytes, 3] => "DigTest::Listing.by_bytes: expected a key of the type binary, got 3",
    [:by_flag, nil] => "DigTest::Listing.by_flag: expected a key of the type bool, got nil"
  }.freeze

  def test_paths_that_the_schema_does_not_have
    WRONG.each do |path, message|
      [LISTING.encode, "", "\xff"].each do |bytes|
        assert_equal message, assert_raises(ArgumentError) { Listing.dig(bytes, *path) }.message
      end
    end
  end

  def test_keys_of_another_type
    %i[names more by_set by_map by_answer].each do |field|
      [3, "a", nil, Object.new, Smaller.new].each do |key|
        error = assert_raises(ArgumentError) { ByPlace.dig(ByPlace.new.encode, field, key) }

        assert_match(/\ADigTest::ByPlace.#{field}: expected a key of the type/, error.message)
      end
    end
  end

  # Neither text in strange encodings nor objects without methods stop the message.
  def test_steps_that_are_hard_to_show
    ["\xff", "ti.tle\xff", "é".encode("UTF-16LE"), "a.b".encode("UTF-32BE")].each do |name|
      error = assert_raises(ArgumentError) { Listing.dig(LISTING.encode, name) }

      assert_match(/\Aunknown field .+ for DigTest::Listing/, error.message)
    end
    %i[neighborhoods labels by_status listing_id].each do |field|
      error = assert_raises(ArgumentError) { Listing.dig(LISTING.encode, field, BasicObject.new) }

      assert_match(/\ADigTest::Listing\.#{field}: .+, got an instance of BasicObject/, error.message)
    end
    error = assert_raises(ArgumentError) { Listing.dig(LISTING.encode, BasicObject.new) }

    assert_match(/: expected the name of a field, got an instance of BasicObject/, error.message)
  end

  def test_wrong_calls
    codec = Listing.codec
    only = [LISTING.encode]

    assert_raises(ArgumentError) { codec.dig(*only) }
    assert_raises(ArgumentError) { codec.dig }
    assert_raises(ArgumentError) { Listing.dig(*only) }
    assert_raises(TypeError) { codec.dig(nil, :listing_id) }
    assert_raises(ArgumentError) { Listing.dig(LISTING.encode, :listing_id, wire: :smoke) }
    assert_raises(ArgumentError) { Listing.dig(LISTING.encode, :listing_id, freze: true) }
    assert_raises(Sparpack::DecodeError::Truncated) { codec.dig("", :listing_id) }
  end

  def test_an_exception_and_a_subclass
    gone = Class.new(Sparpack::Exception) { field 1, :message, :string }

    assert_equal "away", gone.dig(gone.new("away").encode, :message)
    assert_equal 1 << 40, Class.new(Listing).dig(LISTING.encode, :listing_id)
  end

  def test_garbage_is_collected_meanwhile
    bytes = WireForms::ALL.to_h { |wire| [wire, LISTING.encode(wire)] }
    GC.stress = true
    found = bytes.map { |wire, payload| Sparpack::Codec.new(Listing, wire).dig(payload, :nested, "a\"\\ü", "b") }
    GC.stress = false

    assert_equal ["c"] * WireForms::ALL.size, found
  ensure
    GC.stress = false
  end

  def test_readers_of_plain_classes_may_return_anything
    types = { x: :i32, tags: Sparpack::Type.list(:string) }
    mapping = Sparpack::Mapping.new(Liar, { 1 => :x, 2 => :tags }, types:, build: :allocate)
    codec = Sparpack::Codec.new(mapping, :compact)
    Liar.answer = ["a"]
    bytes = codec.encode(Liar.new(3))

    assert_equal "a", codec.dig(bytes, :tags, 0)
    ["text", 12_345, nil, Object.new, { 0 => 1 }, 1.5].each do |answer|
      Liar.answer = answer

      assert_nil codec.dig(bytes, :tags, 0)
    end
    { Sparpack::Type.map(:i32, :i32) => [{ 0 => 1 }, 0], Sparpack::Type.new(:struct, target: Place) => [Place.new(x: 1), :x] }
      .each do |type, (answer, step)|
      mapping = Sparpack::Mapping.new(Liar, { 1 => :x, 2 => :tags }, types: { x: :i32, tags: type }, build: :allocate)
      codec = Sparpack::Codec.new(mapping, :compact)
      Liar.answer = answer
      bytes = codec.encode(Liar.new(3))

      assert_equal 1, codec.dig(bytes, :tags, step)
      ["text", 12_345, nil, Object.new, [1], 1.5, Smaller.new(listing_id: 1)].each do |other|
        Liar.answer = other

        assert_nil codec.dig(bytes, :tags, step)
      end
    end
  end
end
