# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/deadline"
require "support/reading"
require "stringio"

using WireForms

# The cost of a message: each limit accepts exactly what it says, and refuses anything larger.
class LimitsTest < Minitest::Test
  include Reading
  include Deadline
  extend Reading::Types
  extend Reading::Wires

  Limits = Sparpack::Limits
  MP = Sparpack::MessagePack
  Exceeded = Sparpack::DecodeError::LimitExceeded

  class Nest < Sparpack::Struct
    field 1, :nest, "Nest"
    field 2, :lists, list(list(set(:i8)))
    field 3, :map, map(:i8, map(:i8, :i8))
    field 4, :nests, list("Nest")
    field 5, :either, "Either"
    field 6, :wide, list("Wide")
    field 7, :keys, map("Nest", :i8)
  end

  class Either < Sparpack::Union
    field 1, :nest, Nest
    field 2, :either, "Either"
    field 3, :number, :i8
  end

  # More fields than one run of an encode.
  class Wide < Sparpack::Struct
    field 1, :wide, list("Wide")
    (2..100).each { |id| field id, :"f#{id}", :bool }
  end

  each_wire "strings" do |wire|
    limits = Limits.new(string: 5)
    { string: "ü€", binary: "12345".b, list(:string) => %w[12345 1], map(:string, :binary) => { "12345" => "x".b } }
      .each do |type, value|
      object = one(type).new(v: value)
      bytes = object.encode(wire, limits:)

      assert_reads(object, bytes, wire, limits:)
    end

    { string: ["123456", ".v"], binary: ["123456".b, ".v"], list(:string) => [%w[1 123456], ".v[1]"],
      map(:string, :i8) => [{ "1" => 1, "ü€ü" => 2 }, ".v.keys[1]"] }.each do |type, (value, path)|
      assert_exceeded(one(type).new(v: value), wire, limits, path, "at most 5 bytes", "a longer string")
    end
  end

  # In wires whose keys are text, other keys are in quotes.
  def test_strings_that_are_keys
    object = one(map(list(:i32), :bool)).new(v: { [1, 2, 3] => true }) # [1,2,3]
    bytes = object.encode(:json)
    limits = [6, 7].map { |string| Limits.new(string:) }

    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { object.class.decode(bytes, :json, limits: limits[0]) }
    assert_includes error.message, ".v.keys[0]: expected at most 6 bytes, found a longer string"
    assert_raises(Sparpack::EncodeError::LimitExceeded) { object.encode(:json, limits: limits[0]) }
    assert_reads(object, object.encode(:json, limits: limits[1]), :json, limits: limits[1])
  end

  each_wire "containers" do |wire|
    limits = Limits.new(container: 3)
    { list(:i8) => [1, 2, 3], set(:i8) => Set[1, 2, 3], map(:i8, :i8) => { 1 => 1, 2 => 2, 3 => 3 } }
      .each do |type, value|
      object = one(type).new(v: value)

      assert_reads(object, object.encode(wire, limits:), wire, limits:)
    end

    { list(:i8) => [[1, 2, 3, 4], ".v"], list(set(:bool)) => [[[], [true] * 4], ".v[1]"],
      set(:i8) => [Set[1, 2, 3, 4], ".v"], map(:i8, :i8) => [{ 1 => 1, 2 => 2, 3 => 3, 4 => 4 }, ".v"] }
      .each do |type, (value, path)|
      assert_exceeded(one(type).new(v: value), wire, limits, path, "at most 3 elements", "more elements")
    end
  end

  each_wire "depth, of structs and containers alike" do |wire|
    { Nest.new => 1, Nest.new(nest: Nest.new) => 2, Nest.new(lists: []) => 2, Nest.new(lists: [[]]) => 3,
      Nest.new(lists: [[Set[1]]]) => 4, Nest.new(map: { 1 => { 1 => 1 } }) => 3,
      Nest.new(nest: Nest.new(lists: [[Set[]]])) => 5, Nest.new(nests: []) => 2, Nest.new(nests: [Nest.new]) => 3,
      Nest.new(nests: [Nest.new, Nest.new(nests: [Nest.new])]) => 5, Nest.new(wide: [Wide.new]) => 3,
      Nest.new(wide: [Wide.new(wide: [Wide.new])]) => 5, Nest.new(either: Either.nest(Nest.new)) => 3,
      Nest.new(either: Either.either(Either.either(Either.nest(Nest.new)))) => 5,
      Nest.new(either: Either.number(1)) => 2, Nest.new(either: Either.either(Either.number(1))) => 3,
      Nest.new(keys: { Nest.new => 1 }) => 3 }.each do |object, levels|
      next unless writes?(object, wire)

      bytes = object.encode(wire, limits: Limits.new(depth: levels))

      assert_reads(object, bytes, wire, limits: Limits.new(depth: levels))
      next if levels == 1

      assert_exceeded(object, wire, Limits.new(depth: levels - 1), nil, "at most #{levels - 1} levels", "more levels")
    end
  end

  # A codec that allows more levels than usual looks at the stack.
  each_wire "more levels than usual" do |wire|
    limits = Limits.new(depth: 1000)
    parts = { nests: [Nest.new, Nest.new(either: Either.number(1))],
              either: Either.either(Either.nest(Nest.new(lists: [[]]))),
              wide: [Wide.new(f2: true), Wide.new(wide: [])], map: { 1 => { 2 => 3 } }, keys: { Nest.new => 1 } }
    parts.delete(:keys) unless writes?(Nest.new(**parts), wire)
    object = Nest.new(**parts)
    bytes = object.encode(wire)
    large = Nest.new(wide: [Wide.new] * 5000).encode(wire)

    assert_equal bytes, object.encode(wire, limits:)
    assert_equal object, Nest.decode(bytes, wire, limits:)
    sizes = [large + bytes, StringIO.new(large + bytes)].map do |source|
      Nest.decode_each(source, wire, limits:).map { |nest| nest.wide.size }
    end

    assert_equal [[5000, 2]] * 2, sizes
    error = assert_raises(Sparpack::DecodeError) { Nest.codec(wire, limits:).decode_prefix(large.byteslice(0..-3)) }

    assert_instance_of Sparpack::DecodeError::Truncated, error
  end

  # A wire that does not say how many elements follow counts those of unknown containers.
  def test_unknown_containers_in_json
    ["[[],[],[],[]]", "[1,2,3,4]", '{"a":1,"b":2,"c":{},"d":[]}'].each do |value|
      text = "{\"later\":#{value}}"

      assert_equal Nest.new, Nest.decode(text, :json, limits: Limits.new(container: 4))
      error = assert_raises(Exceeded) { Nest.decode(text, :json, limits: Limits.new(container: 3)) }

      assert_equal "at most 3 elements", error.expected
    end
  end

  # Unknown values may have as many levels as known ones.
  each_wire "depth of unknown values" do |wire|
    w = writer(wire, Nest)
    strings = %i[list i8]
    maps = [:map, :i8, %i[map i8 i8]]
    { [:struct, []] => 2, [:struct, [[1, :struct, []]]] => 3, [strings, []] => 2, [strings, [1]] => 2,
      [[:list, strings], [[]]] => 3, [[:set, [:list, strings]], [[[1]]]] => 4, [maps, {}] => 2, [maps, { 1 => {} }] => 3,
      [maps, { 1 => { 1 => 1 } }] => 3, [[:map, strings, :i8], { [1] => 1 }] => 3,
      [%i[list struct], [[]]] => 3, [:struct, [[1, %i[list i8], []]]] => 3 }.each do |(type, value), levels|
      next if type == [:map, strings, :i8] && JSONS.include?(wire)

      bytes = w.message([30, type, value])
      %i[skip keep].each do |unknown|
        assert_kind_of Nest, Nest.decode(bytes, wire, unknown:, limits: Limits.new(depth: levels))
        assert_refuses(Exceeded, Nest, bytes, wire, unknown:, limits: Limits.new(depth: levels - 1),
                                                    expected: "at most #{levels - 1} levels", found: "more levels")
      end
    end
  end

  # Here the names of an unknown struct's fields are strings.
  NAMED = %i[json message_pack_names].freeze

  # Unknown values may be as large as known ones, whether they are skipped, kept or written again.
  each_wire "sizes of unknown values" do |wire|
    w = writer(wire, Nest)
    string = [Limits.new(string: 5), Limits.new(string: 4), "at most 4 bytes", "a longer string"]
    container = [Limits.new(container: 3), Limits.new(container: 2), "at most 2 elements", "more elements"]
    { [:string, "12345"] => string, [%i[list string], %w[1 12345]] => string,
      [%i[map string i8], { "12345" => 1 }] => string, [:struct, [[1, :string, "12345"]]] => string,
      [%i[list i8], [1] * 3] => container, [%i[set bool], [true] * 3] => container,
      [%i[map i8 i8], { 1 => 1, 2 => 2, 3 => 3 }] => container, [[:list, %i[list i8]], [[], [1] * 3]] => container,
      [:struct, [[1, %i[list i8], [1] * 3]]] => container }.each do |(type, value), (enough, too_few, expected, found)|
      next if type == :struct && NAMED.include?(wire)

      bytes = w.message([30, type, value])
      kept = Nest.decode(bytes, wire, unknown: :keep, limits: enough)

      assert_equal Nest.new, Nest.decode(bytes, wire, limits: enough)
      assert_equal bytes, kept.encode(wire, limits: enough)
      %i[skip keep].each do |unknown|
        assert_refuses(Exceeded, Nest, bytes, wire, unknown:, limits: too_few, expected:, found:)
      end
      error = assert_raises(Sparpack::EncodeError::LimitExceeded) { kept.encode(wire, limits: too_few) }
      assert_equal [expected, found], [error.expected, error.found]
      mismatch = writer(wire, Plain).message([1, type, value])
      assert_refuses(Exceeded, Plain, mismatch, wire, mismatch: :skip, limits: too_few, expected:, found:)
    end
  end

  class Plain < Sparpack::Struct
    field 1, :number, :i8
  end

  class Variants < Sparpack::Union
    field 1, :number, :i8
  end

  # Marshal may bring more levels than a codec writes.
  each_wire "levels of kept values that are written", THRIFT do |wire|
    deep = WireWriter.for(:binary).fields([[99, :struct, [[1, %i[list i8], []]]]])
    [Nest, Variants].each do |type|
      object = type.allocate.tap { |made| made.marshal_load([{}, deep]) }

      assert_equal object, type.decode(object.encode(wire, limits: Limits.new(depth: 3)), wire, unknown: :keep)
      error = assert_raises(Sparpack::EncodeError::LimitExceeded) { object.encode(wire, limits: Limits.new(depth: 2)) }
      assert_equal "#{type}: expected at most 2 levels, found more levels (#{wire})", error.message
    end
  end

  each_wire "the greatest depth, in a thread and in a fiber" do |wire|
    limits = Limits.new(depth: 1000)
    deep = (2..1000).reduce(Nest.new) { |nest, _| Nest.new(nest:) }
    unknown = writer(wire, Nest).message(*(2..1000).reduce([]) { |fields, _| [[9, :struct, fields]] })
    work = lambda do
      bytes = deep.encode(wire, limits:)
      kept = Nest.decode(unknown, wire, limits:, unknown: :keep)
      [Nest.decode(bytes, wire, limits:).encode(wire, limits:) == bytes, kept.encode(wire, limits:) == unknown]
    rescue Exceeded, Sparpack::EncodeError::LimitExceeded => e
      e.expected
    end
    answers = [work.call, *in_threads(1) { work.call }, Fiber.new(&work).resume]

    assert_equal [true, true], answers[0]
    assert_empty answers.drop(1) - [[true, true], "at most 1000 levels"]
  end

  each_wire "memory" do |wire|
    object = one(list(:string)).new(v: ["x" * 1000] * 10)
    bytes = object.encode(wire)

    assert_reads(object, bytes, wire, limits: Limits.new(memory: 12_000))
    [0, 1, 100, 9000].each do |memory|
      error = assert_refuses(Exceeded, one(list(:string)), bytes, wire, limits: Limits.new(memory:),
                                                                        expected: "at most #{memory} bytes",
                                                                        found: "objects that take more")

      assert_equal memory == 9000, error.path.include?(".v[")
    end
  end

  Keyed = Class.new(Sparpack::Struct) { field 1, :by_key, map(Either, :i8) }
  Untyped = ::Struct.new(:value)
  UNTYPED = Sparpack::Mapping.new(Untyped, { 0 => :value })

  # What is read takes memory bit by bit, so with each limit a decode comes further.
  def test_each_memory_limit
    key = Keyed.new(by_key: { Either.number(100) => 1 }).encode(:json)
    untyped = [1e300, 1 << 62, 1 << 63, "text", [1]].map { |value| [UNTYPED, :message_pack, "\x91".b + MP.pack(value), {}] }
    known = [Keyed, :json, key, {}]
    kept = [Keyed, :json, '{"n\u00e9":5}', { unknown: :keep }]
    [known, kept, *untyped].each do |type, wire, bytes, options|
      outcomes = (0..1000).map do |memory|
        memory_outcome { Sparpack::Codec.new(type, wire, **options, limits: Limits.new(memory:)).decode(bytes) }
      end

      assert_equal :fine, outcomes.last
      assert_operator outcomes.uniq.size, :>, 2, bytes
      assert_equal outcomes.uniq, outcomes.chunk_while { |a, b| a == b }.map(&:first)
    end
  end

  def memory_outcome
    yield
    :fine
  rescue Exceeded => e
    [e.path, e.offset]
  end

  each_wire "what a limit refuses was not made" do |wire|
    type = one(list(:string))
    bytes = type.new(v: ["x" * 200_000, "y" * 200_000]).encode(wire)
    [Limits.new(string: 100_000), Limits.new(container: 0), Limits.new(memory: 100_000)].each do |limits|
      cost = Cost.of { type.decode(bytes, wire, limits:) }

      assert_instance_of Exceeded, cost.result
      assert_operator cost.bytes, :<, 50_000
    end
  end

  class Row < Sparpack::Struct
    field 1, :numbers, map(:i32, :i32)
    field 2, :cells, list("Cell")
  end

  class Nothing < Sparpack::Struct
  end

  class Cell < Sparpack::Struct
    (1..8).each { |id| field id, :"f#{id}", :i8 }
  end

  # A message that is longer than a piece of the io breaks off in its first attempt, whose objects are garbage.
  each_wire "memory of a message that comes in pieces", Sparpack::WIRES do |wire|
    [Row.new(numbers: (0..16_399).to_h { |i| [i + 10_000, i] }), Row.new(cells: [Cell.new(f1: 1)] * 50_000)].each do |row|
      bytes = row.encode(wire)
      least = (1..50_000_000).bsearch { |memory| admits?(memory) { |limits| Row.decode(bytes, wire, limits:) } }
      limits = Limits.new(memory: least)
      ways = [-> { Row.decode(bytes, wire, limits:) }, -> { Row.decode_each(StringIO.new(bytes), wire, limits:).first }]
      one, two = ways.map { |way| Cost.of(&way) }
      buffers = Cost.of { Nothing.decode_each(StringIO.new(bytes), wire).first }

      assert_equal [row, row], [one.result, two.result]
      assert_operator two.bytes - buffers.bytes, :<, one.bytes + (least / 7)
      refute(admits?(least - 1) { |less| Row.decode_each(StringIO.new(bytes), wire, limits: less).first })
    end
  end

  class Blank < Sparpack::Struct
    (1..400).each { |id| field id, :"f#{id}", :i8 }
  end

  class Blanks < Sparpack::Struct
    field 1, :blanks, list(Blank)
  end

  # The usual limit of a message depends on its size. The bytes that follow it do not count.
  each_wire "memory of a message that others follow", Sparpack::WIRES do |wire|
    codec = Blanks.codec(wire)
    blank = wire == :message_pack ? WireWriter.raw("\x90") : []
    bytes = ->(count) { writer(wire, Blanks).message([1, %i[list struct], [blank] * count]) }
    none = writer(wire, Blanks).message
    first = (1..20_000).bsearch { |count| codec.decode(bytes.call(count)).nil? rescue true } # rubocop:disable Style/RescueModifier
    legal, large = [first - 1, first].map { |count| bytes.call(count) }
    expected = assert_raises(Exceeded) { codec.decode(large) }.expected
    [->(bytes) { codec.decode_prefix(bytes)[0] }, ->(bytes) { codec.decode_prefix("\0#{bytes}".b, 1)[0] },
     ->(bytes) { codec.decode_each(bytes).first }, ->(bytes) { codec.decode_each(StringIO.new(bytes)).first },
     ->(bytes) { codec.decode_each(StringIO.new((none * 5_000) + bytes)).find(&:blanks) }].each do |way|
      ["", "\0" * 1_000_000].each do |after|
        assert_equal first - 1, way.call(legal + after).blanks.size
        assert_equal expected, assert_raises(Exceeded) { way.call(large + after) }.expected
      end
    end
  end

  def admits?(memory)
    yield Limits.new(memory:)
    true
  rescue Exceeded
    false
  end

  each_wire "a String may be larger than a message from an io" do |wire|
    object = one(:string).new(v: "x" * 1000)
    codec = Sparpack::Codec.new(object.class, wire, limits: Limits.new(message: 10))

    assert_equal object, codec.decode(object.encode(wire))
    assert_equal [object], codec.decode_each(object.encode(wire)).to_a
  end

  each_wire "messages from an io" do |wire|
    object = one(:string).new(v: "x" * 1000)
    bytes = object.encode(wire)
    exact = Sparpack::Codec.new(object.class, wire, limits: Limits.new(message: bytes.bytesize))
    short = Sparpack::Codec.new(object.class, wire, limits: Limits.new(message: bytes.bytesize - 1))

    assert_equal [object] * 3, exact.decode_each(StringIO.new(bytes * 3)).to_a
    error = assert_raises(Exceeded) { short.decode_each(StringIO.new(bytes)).to_a }
    assert_equal ["at most #{bytes.bytesize - 1} bytes", "a longer message", 0],
                 [error.expected, error.found, error.offset]
  end

  each_wire "a message in the middle of an io that is too long" do |wire|
    small = one(:string).new(v: "x")
    large = one(:string).new(v: "x" * 1000)
    codec = Sparpack::Codec.new(small.class, wire, limits: Limits.new(message: 500))
    read = []
    error = assert_raises(Exceeded) do
      codec.decode_each(StringIO.new((small.encode(wire) * 5) + large.encode(wire))) { |object| read << object }
    end

    assert_equal [small] * 5, read
    assert_equal small.encode(wire).bytesize * 5, error.offset
  end

  def test_what_they_are
    limits = Limits.new

    assert_equal({ memory: nil, message: 100_000_000, string: nil, container: nil, depth: 64, extension: nil,
                   decompressed: 64 << 20 }, limits.to_h)
    assert_equal [Limits.new(depth: 5), Limits.new(depth: 5).hash], [limits.with(depth: 5), limits.with(depth: 5).hash]
    refute_equal limits, limits.with(depth: 5)
    assert Ractor.shareable?(limits)
    assert_equal "#<Sparpack::Limits memory=default, message=100000000, string=none, container=none, depth=64, " \
                 "extension=string, decompressed=67108864>", limits.inspect
    assert_includes limits.with(message: nil, memory: 0).inspect, "memory=0, message=none"
  end

  def test_what_they_cannot_be
    { depth: [0, 1001, nil, 1.5, "5"], memory: [-1, 1.5, "5", 1 << 64], message: [-1], string: [-1], container: [:all] }
      .each do |name, values|
      values.each do |value|
        error = assert_raises(ArgumentError) { Limits.new(name => value) }

        assert_match(/\A#{name}: expected .*, got #{Regexp.escape(value.inspect)}\z/, error.message)
      end
    end
    assert_raises(ArgumentError) { Limits.new(deepness: 5) }
  end

  private

  # Checks both directions: what was written without the limit is not read under it, and not written either.
  def assert_exceeded(object, wire, limits, path, expected, found)
    assert_refuses(Exceeded, object.class, object.encode(wire), wire, path:, expected:, found:, limits:)
    error = assert_raises(Sparpack::EncodeError::LimitExceeded) { object.encode(wire, limits:) }

    assert_equal [expected, found, nil], [error.expected, error.found, error.offset]
    assert_equal "#{object.class}#{path}", error.path if path
  end
end
