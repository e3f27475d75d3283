# frozen_string_literal: true

require "test_helper"
require "pathname"
require "stringio"
require "tempfile"
require "support/reading"
require "support/wire_forms"

using WireForms

# The columns of paths: rows, shapes, what is absent, and what is refused. See ColumnsRandomTest for the rest.
class ColumnsTest < Minitest::Test
  extend Reading::Wires

  module Status
    extend Sparpack::Enum

    DRAFT = 0
    OPEN = 2
  end

  class Place < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
  end

  class Note < Sparpack::Union
    field 1, :text, :string
    field 2, :place, Place
  end

  class Home < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :title, :string, idl_name: "homeTitle"
    field 3, :places, list(Place)
    field 4, :labels, map(:string, :i32), default: { "none" => 0 }
    field 5, :rating, :double
    field 6, :open, :bool
    field 7, :status, Status, default: 2
    field 8, :tags, set(:string)
    field 9, :note, Note
    field 10, :by_status, map(Status, :string)
    field 11, :counts, map(:i16, :i32)
    field 12, :grid, list(list(:i32))
    field 13, :key, :uuid
    field 14, :raw, :binary
  end

  class Homes < Sparpack::Struct
    field 1, :homes, list(Home)
    field 2, :best, Home
    field 3, :defaults, list(:i32), default: [4, 5]
  end

  UUID = "123e4567-e89b-12d3-a456-426614174000"
  FULL = Home.new(id: (1 << 63) - 1, title: "Größe", places: [Place.new(id: 1, name: "Mitte"), Place.new(id: 2)],
                  labels: { "a" => 1, "b" => 2 }, rating: 1.5, open: true, status: 7, tags: Set["x", "y"],
                  note: Note.text("loud"), by_status: { 2 => "two" }, counts: { 3 => 30 }, grid: [[1, 2], [], [3]],
                  key: UUID, raw: "\xFF".b)
  BARE = Home.new(id: -1)
  HOMES = Homes.new(homes: [FULL, BARE, Home.new(id: 5, places: [], note: Note.place(Place.new(id: 9)))], best: FULL)

  # Paths from a home, and what is found in FULL and in BARE.
  FOUND = {
    "id" => [(1 << 63) - 1, -1], "title" => ["Größe", nil], "homeTitle" => ["Größe", nil], "2" => ["Größe", nil],
    "places" => [FULL.places, nil], "places[]" => [FULL.places, nil], "places[*].name" => [["Mitte", nil], nil],
    "places[].id" => [[1, 2], nil], "places[0].name" => ["Mitte", nil], "places[-1].id" => [2, nil],
    "places[2].id" => [nil, nil], "places[-3]" => [nil, nil], "places.*.id" => [[1, 2], nil],
    "labels" => [{ "a" => 1, "b" => 2 }, { "none" => 0 }], "labels[]" => [[1, 2], [0]], "labels[\"b\"]" => [2, nil],
    "labels[\"none\"]" => [nil, 0], "labels.b" => [2, nil], "rating" => [1.5, nil], "open" => [true, nil],
    "status" => [7, 2], "tags" => [Set["x", "y"], nil], "tags[]" => [%w[x y], nil], "note" => [Note.text("loud"), nil],
    "note.text" => ["loud", nil], "note.place.id" => [nil, nil], "by_status[\"OPEN\"]" => ["two", nil],
    "by_status[2]" => ["two", nil], "counts[3]" => [30, nil], "counts[-3]" => [nil, nil],
    "grid[]" => [[[1, 2], [], [3]], nil], "grid[][]" => [[[1, 2], [], [3]], nil], "grid[][0]" => [[1, nil, 3], nil],
    "grid[-1][]" => [[3], nil], "grid[0][1]" => [2, nil], "key" => [UUID, nil], "raw" => ["\xFF".b, nil]
  }.freeze

  each_wire "each path finds what a decode and a map find" do |wire|
    bytes = HOMES.encode(wire)
    FOUND.each do |path, rows|
      best, listed = Homes.columns(bytes, "best.#{path}", "homes[0].#{path}", wire:).values

      assert_equal [[rows.first]] * 2, [best, listed], path
      assert_equal rows, Homes.columns(bytes, "homes[].#{path}", wire:).values.first.first(2), path
    end
    paths = FOUND.keys.map { |path| "homes[].#{path}" }
    all = Homes.columns(bytes, *paths, wire:)

    assert_equal paths, all.keys
    assert_equal(FOUND.values, all.values.map { |rows| rows.first(2) })
    assert_equal([3], all.values.map(&:size).uniq)
  end

  each_wire "a row is a payload, or an element of the list with which all paths begin" do |wire|
    bytes = HOMES.encode(wire) * (wire == :json ? 1 : 2)
    times = wire == :json ? 1 : 2

    assert_equal({ "homes[].id" => [FULL.id, -1, 5] * times, "homes[].places[].id" => [[1, 2], nil, []] * times },
                 Homes.columns(bytes, "homes[].id", "homes[].places[].id", wire:))
    assert_equal({ "homes[].id" => [[FULL.id, -1, 5]] * times, "best.id" => [FULL.id] * times },
                 Homes.columns(bytes, "homes[].id", "best.id", wire:))
    assert_equal({ "homes[].id" => [[FULL.id, -1, 5]] * times, "homes[1].id" => [-1] * times },
                 Homes.columns(bytes, "homes[].id", "homes[1].id", wire:))
    assert_equal({ "homes[]" => [HOMES.homes] * times, "homes" => [HOMES.homes] * times },
                 Homes.columns(bytes, "homes[]", "homes", wire:))
    assert_equal({ "best.places[].id" => [1, 2] * times, "best.places[].name" => ["Mitte", nil] * times },
                 Homes.columns(bytes, "best.places[].id", "best.places[].name", wire:))
    assert_equal({ "best.labels[]" => [1, 2] * times }, Homes.columns(bytes, "best.labels[]", wire:))
    assert_equal({ "best.tags[]" => %w[x y] * times }, Homes.columns(bytes, "best.tags[]", wire:))
  end

  each_wire "an absent list of rows has none, unless it has a default" do |wire|
    bytes = Homes.new.encode(wire)

    assert_equal({ "homes[].id" => [] }, Homes.columns(bytes, "homes[].id", wire:))
    assert_equal({ "best.places[].id" => [] }, Homes.columns(bytes, "best.places[].id", wire:))
    assert_equal({ "defaults[]" => [4, 5] }, Homes.columns(bytes, "defaults[]", wire:))
    assert_equal({ "defaults[]" => [[4, 5]], "homes[].id" => [nil] },
                 Homes.columns(bytes, "defaults[]", "homes[].id", wire:))
    assert_equal({ "best.labels[]" => [] }, Homes.columns(bytes, "best.labels[]", wire:))
    assert_equal({ "homes[].id" => [] }, Homes.columns("", "homes[].id", wire:))
  end

  each_wire "a union is a payload, too" do |wire|
    bytes = Note.text("a").encode(wire)
    place = Note.place(Place.new(id: 3)).encode(wire)

    assert_equal({ "text" => ["a"], "place.id" => [nil] }, Note.columns(bytes, "text", "place.id", wire:))
    assert_equal({ "text" => [nil], "place.id" => [3] }, Note.columns(place, "text", "place.id", wire:))
  end

  def test_a_path_may_be_an_array_of_steps
    bytes = HOMES.encode
    paths = [[:homes, :[], :labels, "a"], [:homes, :[], "by_status", :OPEN], [:homes, :[], :grid, -1, :[]]]

    assert_equal [[1, nil, nil], ["two", nil, nil], [[3], nil, nil]], Homes.columns(bytes, *paths).values
    assert_equal paths, Homes.columns(bytes, *paths).keys
  end

  def test_the_same_path_twice
    found = Homes.columns(HOMES.encode, "homes[].id", "homes[*].id", "homes[].id")

    assert_equal({ "homes[].id" => [FULL.id, -1, 5], "homes[*].id" => [FULL.id, -1, 5] }, found)
    refute_same found["homes[].id"], found["homes[*].id"]
  end

  def test_sources
    bytes = HOMES.encode * 3
    Tempfile.create("homes") do |file|
      file.binmode
      file.write(bytes)
      file.flush
      [bytes, StringIO.new(bytes), Pathname(file.path), File.open(file.path, "rb")].each do |source|
        assert_equal({ "best.id" => [FULL.id] * 3 }, Homes.columns(source, "best.id"))
      end
    end
    framed = StringIO.new("".b)
    3.times { HOMES.encode_to(framed, frame: :framed) }

    assert_equal({ "best.id" => [FULL.id] * 3 }, Homes.columns(framed.string, "best.id", frame: :framed))
    assert_equal({ "best.id" => [FULL.id] * 3 },
                 Homes.codec(:compact, frame: :framed).columns(StringIO.new(framed.string), "best.id"))
  end

  def test_more_payloads_than_are_taken_at_once
    note = Place.new(id: 1, name: "n" * 1000)
    bytes = note.encode * 3000

    [bytes, StringIO.new(bytes)].each do |source|
      names = Place.columns(source, "name")["name"]

      assert_equal [["n" * 1000], 3000], [names.uniq, names.size]
    end
  end

  # The tags and a field that comes twice make it decode some payloads. The last payload is cut off.
  def test_where_payloads_end
    WireForms::ALL.each do |wire|
      codec = Home.codec(wire)
      parts = [BARE, FULL, Home.new(id: 3), Home.new(id: 4, tags: ["x"])].map { |home| home.encode(wire).b }
      bytes = parts.join(" ".b * (wire.end_with?("json") ? 3 : 0))
      ends = codec.each_range(bytes).map(&:end)
      [%w[id], %w[id tags[]], %w[labels["a"] rating]].each do |paths|
        columns = Sparpack::Columns.new(codec, paths, :arrays, false, found = [])
        codec.each_payload(bytes, nil, columns) { nil }

        assert_equal ends, found, [wire, paths]
        assert_equal codec.columns(bytes, *paths), columns.to_h, [wire, paths]
        columns = Sparpack::Columns.new(codec, paths, :arrays, false, found = [])

        assert_raises(Sparpack::DecodeError) { codec.each_payload(bytes[0..-2], nil, columns) { nil } }
        assert_equal ends[0..-2], found, [wire, paths]
      end
    end
  end

  # Elements of an array are taken one by one, and objects that only follow one another at once.
  def test_what_stands_between_objects_of_json
    { "[{\"id\":1},{\"id\":2}, {\"id\":3} ]" => [1, 2, 3],
      "{\"id\":1} {\"id\":2}\n\r\t{\"id\":3}{\"id\":4} " => [1, 2, 3, 4],
      "{\"id\":5}" => [5] }.each do |text, ids|
      [text, StringIO.new(text), StringIO.new((" " * 70_000) + text)].each do |source|
        assert_equal({ "id" => ids }, Place.columns(source, "id", wire: :json))
      end
      assert_equal ids.size, Place.count(text, wire: :json)
    end
    ["[{\"id\":1},{\"id\":2} {\"id\":3}]", "[{\"id\":1},{\"id\":2}{\"id\":3}]", "{\"id\":1} {\"id\":2}, {\"id\":3}",
     "{\"id\":1} {\"id\":2} [{\"id\":3}]", "[{\"id\":1},{\"id\":2}]{\"id\":3}"].each do |text|
      errors = [-> { Place.decode_each(text, :json) { nil } }, -> { Place.columns(text, "id", wire: :json) },
                -> { Place.count(text, wire: :json) }].map { |call| assert_raises(Sparpack::DecodeError, &call).message }

      assert_equal 1, errors.uniq.size, errors
    end
  end

  def test_it_makes_no_objects_between
    bytes = Homes.new(homes: [FULL] * 500).encode(:binary)
    codec = Homes.codec(:binary)
    codec.columns(bytes, "homes[].rating", as: :packed)
    before = GC.stat(:total_allocated_objects)
    codec.columns(bytes, "homes[].rating", "homes[].status", as: :packed)

    assert_operator GC.stat(:total_allocated_objects) - before, :<, 200
  end

  def test_shared_strings
    bytes = Homes.new(homes: [FULL, FULL, Home.new(id: 1, title: "Mitte", raw: "\xFF".b)]).encode
    names = Homes.columns(bytes, "homes[].title", "homes[].places[0].name", "homes[].raw", "homes[].key", share: true)
    titles, places, raw, keys = names.values

    assert_same titles[0], titles[1]
    assert_same titles[2], places[0]
    assert_same raw[0], raw[2]
    assert_same keys[0], keys[1]
    assert_predicate titles[0], :frozen?
    assert_equal [Encoding::UTF_8, Encoding::BINARY], [titles[0].encoding, raw[0].encoding]
    assert_equal ["Größe", "Größe", "Mitte"], titles
    refute_same(*Homes.columns(bytes, "homes[].title").values.first.first(2))
  end

  def test_options_of_the_codec
    bytes = Homes.new(homes: [Home.new(id: 1, title: "\xFF".b)]).encode(utf8: :keep)

    assert_raises(Sparpack::DecodeError) { Homes.columns(bytes, "homes[].title") }
    assert_equal ["\xFF"], Homes.columns(bytes, "homes[].title", utf8: :keep).values.first
    frozen = Homes.columns(HOMES.encode, "homes[].title", "homes[].places", freeze: true)

    assert(frozen.values.flatten.compact.all? { |value| Ractor.shareable?(value) })
    assert_equal [FULL.id], Homes.columns(HOMES.encode, "best.id", lazy: true).values.first
  end

  # The last of two fields counts, and such a payload is decoded.
  def test_a_field_that_comes_twice
    bytes = "\x15\x02\x18\x01a\x08\x04\x01b\x00".b # name "a", then "b" by its id

    assert_equal "b", Place.decode(bytes).name
    assert_equal({ "name" => %w[b b], "id" => [1, 1] }, Place.columns(bytes * 2, "name", "id"))
    assert_equal [1, 1], Place.columns(bytes * 2, "id", as: :packed)["id"].to_a
  end

  def test_errors_are_those_of_a_decode
    bytes = HOMES.encode
    (1...bytes.bytesize).each do |size|
      cut = (bytes * 2) + bytes.byteslice(0, size)
      expected = assert_raises(Sparpack::DecodeError) { Homes.decode_each(cut).to_a }
      error = assert_raises(Sparpack::DecodeError) { Homes.columns(cut, "homes[].id") }

      assert_equal [expected.class, expected.message, expected.path, expected.offset],
                   [error.class, error.message, error.path, error.offset]
    end
  end

  # An empty list takes 40 bytes in an object, and 8 in each column.
  def test_what_columns_take_is_held_to_the_limit_of_memory
    bytes = Home.new(id: 1, grid: [[]] * 1000).encode
    codec = Home.codec(:compact, limits: Sparpack::Limits.new(memory: 100_000))
    paths = Array.new(40) { |index| [:grid, :[], index] }

    assert_equal 1000, codec.decode(bytes).grid.size
    assert_equal [nil] * 1000, codec.columns(bytes, *paths.first(2)).values.last
    [paths, [[:id], *paths]].each do |many|
      error = assert_raises(Sparpack::DecodeError::LimitExceeded) { codec.columns(bytes, *many) }

      assert_match(/100000 bytes, found objects that take more/, error.message)
    end
  end

  WRONG = {
    "homes[].nam" => /\Awrong path at column 9: unknown field "nam" for ColumnsTest::Home/,
    "best.titel" => /\Awrong path at column 6: unknown field "titel" for .+ \(did you mean :title\?\)/,
    "hoems" => /\Awrong path at column 1: unknown field "hoems" for .+ \(did you mean :homes\?\)/,
    "homes.id" => /\Awrong path at column 7: expected \[\] or the \[index\] of an element/,
    "homes[\"a\"]" => /\Awrong path at column 6: expected \[\] or the \[index\] of an element/,
    "best[]" => /\Awrong path at column 5: expected the name of a field of ColumnsTest::Home/,
    "best.tags[0]" => /\Awrong path at column 10: expected \[\]/,
    "best.labels[3]" => /\Awrong path at column 12: expected \[\] or a key of the type string/,
    "best.counts[40000]" => /\Awrong path at column 12: expected \[\] or a key of the type i16/,
    "best.by_status[\"OPNE\"]" => /\Awrong path at column 15: .*did you mean/,
    "best.title.x" => /\Awrong path at column 12: no step leads into string/,
    "best.title[]" => /\Awrong path at column 11: no step leads into string/,
    "best.labels[\"\\q\"]" => /\Awrong path at column 12: expected an escape such as .*, found \\q\z/,
    "best\xff" => /\Awrong path: expected UTF-8, found "best\\xFF"/, "b\xff".b => /\Awrong path: expected UTF-8/,
    "homes[" => /\Awrong path at column 6: expected a name/, "" => /\Aexpected a path of at least one step/,
    [] => /\Aexpected a path of at least one step/, [:best, :nam] => /\Aunknown field :nam/,
    [:best, :places, :[], :nam] => /\Aunknown field :nam/, [:best, :places, "x"] => /places: expected the index/,
    [:best, :places, :[], :id, :[]] => /places\[\]\.id: no step leads into i32/,
    ["best", "places", "x"] => /\AColumnsTest::Homes\.best\.places: expected the index/,
    ["homes[].nam"] => /\Aunknown field "homes\[\]\.nam" .* \(a path of text is for columns only, and not in an Array\)\z/,
    ["best", ["id"]] => /got \["id"\] \(an Array is one path: pass several as separate arguments\)\z/,
    [["best"], "id"] => /got \["best"\] \(an Array is one path: pass several as separate arguments\)\z/,
    "best.by_status[OPEN]" => /\Awrong path at column 15: .*, found "\[OPEN\]" \(did you mean \["OPEN"\]\?\)\z/,
    :best => /\Aexpected a String or an Array as the path of a column, got :best \(use "best"\)/,
    nil => /\Aexpected a String or an Array as the path of a column, got nil/
  }.freeze

  def test_wrong_paths
    WRONG.each do |path, message|
      error = assert_raises(ArgumentError, path.inspect) { Homes.columns("no payload", path) }

      assert_match message, error.message
    end
  end

  def test_wrong_arguments
    { [] => /at least one path/, ["best.id", { as: :pakced }] => /as: expected :arrays or :packed, got :pakced/,
      ["best.id", { share: 1 }] => /share: expected true or false, got 1/, ["best.id", { wire: :xml }] => /unknown wire/,
      ["best.id", { as: :packed, share: true }] => /share: needs as: :arrays, because packed columns have no Strings/,
      ["best.id", { shaer: true }] => /shaer/ }.each do |arguments, message|
      options = arguments.last.is_a?(Hash) ? arguments.last : {}
      error = assert_raises(ArgumentError) { Homes.columns("", *arguments.grep(String), **options) }

      assert_match message, error.message
    end
    assert_equal [], Homes.columns("", "best.id", as: :packed, share: false)["best.id"].to_a
    assert_raises(TypeError) { Homes.columns(3, "best.id") }
    assert_raises(ArgumentError) { Homes.codec.columns("", "best.id", shaer: true) }
  end
end
