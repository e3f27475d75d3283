# frozen_string_literal: true

require "test_helper"
require "json"
require "pp"
require "yaml"

# Structs behave like Ruby's own value classes.
class ValueTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    ACTIVE = 1
    CLOSED = 2
  end

  class Neighborhood < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string, required: true
  end

  class Listing < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :latitude, :double
    field 3, :status, Status
    field 7, :neighborhoods, list(Neighborhood)
    field 8, :labels, map(:string, set(:i32)), default: {}
    field 9, :photo, :binary
  end

  class Node < Sparpack::Struct
    field 1, :name, :string
    field 2, :nodes, list("Node")
    field 3, :other, "Node"
  end

  class Older < Sparpack::Struct
    field 1, :kept, :i32
    field 2, :dropped, :string
    field 4, :filled, :i32, default: 5
  end

  class Newer < Sparpack::Struct
    field 4, :renamed, :i32, default: 5
    field 1, :kept, :i32
    field 3, :added, :string, default: "new"
  end

  def listing(**more)
    Listing.new(id: 1, latitude: 52.5, neighborhoods: [Neighborhood.new(id: 7, name: "Mitte")], **more)
  end

  def test_new_takes_keywords_and_demands_nothing
    assert_equal [nil, nil, nil, {}], Listing.new.to_h.values_at(:id, :latitude, :neighborhoods, :labels)
    assert_equal 1, Listing.new("id" => 1).id
    assert_equal 1, Listing.new(id: 1).id
  end

  def test_new_refuses_what_it_does_not_know
    assert_message(ArgumentError, "unknown field :idd for ValueTest::Listing (did you mean :id?)") { Listing.new(idd: 1) }
    assert_message(ArgumentError, /\Aunknown field :zzz for ValueTest::Listing \(known: :id, :latitude, .*:photo\)\z/) do
      Listing.new(zzz: 1)
    end
    assert_message(ArgumentError, /given 1, expected 0: fields are keywords, as in ValueTest::Listing.new\(id: …\)/) do
      Listing.new(1)
    end
    assert_raises(ArgumentError) { Listing.new({ id: 1 }) }
    assert_raises(ArgumentError) { Listing.new(1, id: 1) }
    assert_raises(ArgumentError) { Listing.new(1 => 2) }
  end

  def test_new_yields_the_object
    seen = nil
    listing = Listing.new(id: 1) { |made| seen = [made, made.id, made.id = 2] }

    assert_same listing, seen[0]
    assert_equal [1, 2, 2], [*seen[1..], listing.id]
    assert_predicate Listing.new(id: 1, &:freeze), :frozen?
    assert_equal(:left, Listing.new { break :left })
    assert_message(ArgumentError, /unknown field :idd/) { Listing.new(idd: 1) { flunk } }
    assert_raises(RuntimeError) { Listing.new { raise "from the block" } }
  end

  # Ruby passes a block on by super alone.
  def test_new_of_a_subclass_yields_the_object
    quiet = Class.new(Listing) { def initialize(**fields) = super(**fields, &nil) }
    loud = Class.new(Listing) { def initialize(id) = super(id:) }

    assert_equal 1, quiet.new(id: 1) { flunk }.id
    assert_equal 6, loud.new(5) { |made| made.id += 1 }.id
  end

  def test_readers_and_writers
    listing = Listing.new
    listing.id = 5
    listing["latitude"] = 1.5
    listing[:status] = :CLOSED

    assert_equal [5, 5, 5, 1.5, 2], [listing.id, listing[:id], listing["id"], listing.latitude, listing.status]
  end

  def test_names_that_do_not_exist
    [-> { listing[:nme] }, -> { listing[:nme] = 1 }, -> { listing.set?(:nme) }, -> { listing.with(nme: 1) },
     -> { listing[1] }, -> { listing[nil] }, -> { Listing.from_h(nme: 1) }].each do |call|
      assert_message(ArgumentError, /\Aunknown field (:nme|1|nil) for ValueTest::Listing/, &call)
    end

    assert_raises(NoMethodError) { listing.nme }
    refute_respond_to listing, :id?
  end

  def test_assignment_checks_only_the_names_of_enums
    listing.id = "anything"

    assert_message(ArgumentError, "ValueTest::Listing.status: ValueTest::Status has no value :CLOSD " \
                                  "(did you mean :CLOSED? known: :ACTIVE, :CLOSED)") { listing.status = :CLOSD }
    assert_equal([1, 99, 1.5], [:ACTIVE, 99, 1.5].map { |status| Listing.new(status:).status })
  end

  def test_set
    listing = Listing.new(id: 1, labels: nil)

    assert_equal [true, false, false], [listing.set?(:id), listing.set?("latitude"), listing.set?(:labels)]
    assert Listing.new.set?(:labels)
  end

  def test_equality
    assert_equal listing, listing
    assert_operator listing, :eql?, listing
    assert_equal listing.hash, listing.hash
    assert_equal 1, { listing => 1 }[listing]
    refute_equal listing, listing(id: 2)
    refute_equal listing, listing.to_h
    refute_equal listing, nil
    refute_equal Older.new(kept: 1), Newer.new(kept: 1)
    refute_equal listing, Class.new(Listing).new(**listing.to_h)
  end

  def test_equality_of_numbers
    assert_equal Listing.new(latitude: 1), Listing.new(latitude: 1.0)
    refute_operator Listing.new(latitude: 1), :eql?, Listing.new(latitude: 1.0)
    assert_operator Listing.new(latitude: 0.0), :eql?, Listing.new(latitude: -0.0)
    assert_equal Listing.new(latitude: 0.0).hash, Listing.new(latitude: -0.0).hash
    refute_equal Listing.new(latitude: Float::NAN), Listing.new(latitude: Float::NAN)
    refute_operator Listing.new(latitude: Float::NAN), :eql?, Listing.new(latitude: Float::NAN)
  end

  def test_to_h
    assert_equal({ id: 1, latitude: 52.5, status: nil, neighborhoods: [Neighborhood.new(id: 7, name: "Mitte")],
                   labels: {}, photo: nil }, listing.to_h)
    assert_equal %i[id latitude status neighborhoods labels photo], Listing.new.to_h.keys
    assert_equal [{ id: 7, name: "Mitte" }], listing.to_h(deep: true)[:neighborhoods]
  end

  class Reals < Sparpack::Struct
    field 1, :set, set(:double)
    field 2, :lists, set(list(:double))
    field 3, :structs, set("ValueTest::Reals")
    field 4, :names, set(:string)
  end

  # Each NaN is compared with all others in a Set, so only as many are allowed as in a message.
  def test_from_h_limits_what_is_never_equal
    nan = ->(count) { ([0x7ff8000000000000].pack("Q") * count).unpack("d*") }
    { set: ->(real) { real }, lists: ->(real) { [real] }, structs: ->(real) { { set: [real] } } }.each do |name, of|
      assert_equal 256, Reals.from_h(name => nan[256].map(&of))[name].size
      error = assert_raises(ArgumentError) { Reals.from_h(name => nan[257].map(&of)) }

      assert_match(/\AValueTest::Reals\S+: at most 256 elements of a set<.*> can be NaN\z/, error.message)
    end
  end

  # One object equals itself, so a Set holds it once.
  def test_from_h_counts_one_nan_once
    nan = Float::NAN

    assert_equal 1, Reals.from_h(set: [nan] * 1_000)[:set].size
    assert_equal 1, Reals.from_h(lists: Array.new(1_000) { [nan] })[:lists].size
  end

  def test_from_h_of_what_holds_itself
    circle = [].tap { |array| array.push(array, array) }

    assert_equal Set[circle], Reals.from_h(names: [circle]).names
  end

  def test_from_h
    assert_equal listing, Listing.from_h("id" => 1, latitude: 52.5, "neighborhoods" => [{ id: 7, "name" => "Mitte" }])
    assert_equal listing, Listing.from_h(listing.to_h)
    assert_equal Listing.new, Listing.from_h({})
    assert_equal 2, Listing.from_h(status: :CLOSED).status
    assert_raises(TypeError) { Listing.from_h([]) }
    assert_message(ArgumentError, /unknown field :nam for ValueTest::Neighborhood/) do
      Listing.from_h(neighborhoods: [{ nam: "x" }])
    end
  end

  # String#inspect shows these as they are. Joiners and variation selectors belong to what people see.
  def test_inspect_shows_what_nobody_sees
    { "a\u202Eb" => 'a\u202Eb', "\u034f\u115f\u3164" => '\u034F\u115F\u3164', "\u2066\u{E0041}" => '\u2066\u{E0041}',
      "\u2800\u00ad" => '\u2800\u00AD', "👩\u200D💻❤\uFE0F می\u200Cخواهم" => "👩\u200D💻❤\uFE0F می\u200Cخواهم",
      "\u202E\n" => '\u202E\n' }.each do |name, shown|
      neighborhood = Neighborhood.new(id: 7, name:)

      assert_equal "#<ValueTest::Neighborhood id=7, name=\"#{shown}\">", neighborhood.inspect
      assert_equal "#<ValueTest::Neighborhood id=7, name=\"#{shown}\">\n", PP.pp(neighborhood, +"")
      [[name], { name => 1 }, Set[name], [[name.to_sym]], [neighborhood]].each do |value|
        [Neighborhood.new(name: value).inspect, PP.pp(Neighborhood.new(name: value), +"")].each do |text|
          refute_match(/[\p{Cf}\u034f\u115f&&[^\u200C\u200D]]/, text)
          assert_includes text, shown.tr("\u200D\u200C", "")[0, 1]
        end
      end
    end
    looped = ["\u202E"].tap { |array| array << array }

    assert_includes Neighborhood.new(name: looped).inspect, '\u202E'
    assert_includes PP.pp(Neighborhood.new(name: looped), +""), '\u202E'
    assert_includes Neighborhood.new(name: "\xFF\u202E").inspect, '\xFF'
  end

  def test_inspect
    assert_equal "#<ValueTest::Neighborhood id=7, name=\"ü\">", Neighborhood.new(id: 7, name: "ü").inspect
    assert_equal "#<ValueTest::Neighborhood>", Neighborhood.new.inspect
    assert_equal listing.inspect, listing.to_s
    node = Node.new(name: "a")
    node.nodes = [node]

    assert_equal "#<ValueTest::Node name=\"a\", nodes=[#<ValueTest::Node ...>]>", node.inspect
  end

  def test_cycles
    first, second = Array.new(2) { Node.new(name: "a").tap { |node| node.other = node } }

    assert_equal first, second
    assert_equal first.hash, second.hash
    assert Ractor.shareable?(first.freeze(deep: true))
    second.name = "b"

    refute_equal first, second
  end

  def test_copies_are_shallow
    copy = listing.tap { |original| @original = original }.dup
    copy.id = 2
    copy.neighborhoods << Neighborhood.new

    assert_equal [1, 2], [@original.id, @original.neighborhoods.size]
    assert_predicate listing.freeze.clone, :frozen?
    refute_predicate listing.freeze.dup, :frozen?
    refute_predicate listing.freeze.clone(freeze: false), :frozen?
  end

  def test_with
    original = listing.freeze
    changed = original.with(id: 2, "status" => :CLOSED)

    assert_equal [1, nil, 2, 2], [original.id, original.status, changed.id, changed.status]
    assert_same original.neighborhoods, changed.neighborhoods
    refute_predicate changed, :frozen?
  end

  def test_freeze
    frozen = listing.freeze

    assert_raises(FrozenError) { frozen.id = 2 }
    assert_raises(FrozenError) { frozen[:id] = 2 }
    refute_predicate frozen.neighborhoods, :frozen?
    deep = listing.freeze(deep: true)

    assert Ractor.shareable?(deep)
    assert_predicate deep.neighborhoods[0].name, :frozen?
    assert_same deep, deep.freeze(deep: true)
  end

  def test_pattern_matching
    matched = case listing
              in { id: 1 => id, neighborhoods: [{ name: String => name }] } then [id, name]
              end

    assert_equal [1, "Mitte"], matched
    assert_equal({ id: 1, status: nil }, listing.deconstruct_keys(%i[id status nothing]))
    assert_equal listing.to_h, listing.deconstruct_keys(nil)
    refute_operator listing, :respond_to?, :deconstruct
  end

  def test_defaults_are_copies
    first, second = Array.new(2) { Listing.new }
    first.labels["a"] = Set[1]

    assert_empty second.labels
    refute_predicate first.labels, :frozen?
    assert_nil Listing.new(labels: nil).labels
  end

  def test_marshal_goes_by_id
    assert_equal Newer.new(kept: 1, renamed: 7), as_newer(Older.new(kept: 1, dropped: "gone", filled: 7))
    absent = as_newer(Older.new(kept: 1, filled: nil))

    assert_equal [nil, "new"], [absent.renamed, absent.added]
  end

  def test_json
    listing = listing(status: 1, photo: "\xff".b, labels: { "a" => Set[1, 2] })
    json = { "id" => 1, "latitude" => 52.5, "status" => 1, "neighborhoods" => [{ "id" => 7, "name" => "Mitte" }],
             "labels" => { "a" => [1, 2] }, "photo" => "/w==" }

    assert_equal json, listing.as_json
    assert_equal json, JSON.parse(listing.to_json)
    assert_equal "[#{listing.to_json}]", JSON.generate([listing])
    assert_equal({ "labels" => {} }, Listing.new.as_json)
  end

  def test_yaml
    yaml = YAML.dump(listing)

    assert_includes yaml, "name: Mitte"
    assert_equal listing, YAML.unsafe_load(yaml)
    assert_equal Neighborhood.new(id: 1), YAML.unsafe_load("--- !ruby/object:ValueTest::Neighborhood\nid: 1\nnew: 2\n")
  end

  def test_encode_to
    io = StringIO.new
    size = listing.encode_to(io, :binary)

    assert_equal [listing.encode(:binary), listing.encode(:binary).bytesize], [io.string, size]
  end

  def test_ractors
    assert Ractor.shareable?(Ractor.make_shareable(listing))
    assert Ractor.shareable?(Listing.schema)
  end

  def test_user_methods_and_modules_mix_in
    polite = Module.new { def greeting = "Hello #{name}" }
    person = Class.new(Sparpack::Struct) do
      include Comparable
      include polite

      field 1, :name, :string

      def name = super.upcase
      def <=>(other) = name <=> other.name
    end

    assert_equal "Hello ADA", person.new(name: "Ada").greeting
    assert_operator person.new(name: "a"), :<, person.new(name: "b")
    assert_equal "Ada", person.decode(person.new(name: "Ada").encode)[:name]
  end

  private

  # Loads an object as a class that was deployed later does.
  def as_newer(older)
    Marshal.load(Marshal.dump(older).sub("Older", "Newer")) # rubocop:disable Security/MarshalLoad
  end

  def assert_message(error_class, message, &)
    error = assert_raises(error_class, &)

    message.is_a?(Regexp) ? assert_match(message, error.message) : assert_equal(message, error.message)
  end
end
