# frozen_string_literal: true

require "test_helper"
require "fixtures/everything"
require "support/child"
require "support/deadline"

# Ractors run at the same time and share classes, codecs and objects that are frozen deep. Each test has a process of its
# own, because Ruby stays slower after a second Ractor has run.
class RactorTest < Minitest::Test
  include Child
  include Deadline

  class Place < Sparpack::Struct
    field 1, :x, :i32
    field 2, :name, :string, default: "nowhere"
  end

  class Lost < Sparpack::Exception
    field 1, :message, :string
    field 2, :places, list(Place)
  end

  # Every type with a default. The defaults are looked at when the class is first used.
  class Fallbacks < Sparpack::Struct
    field 1, :flag, :bool, default: true
    field 2, :small, :i8, default: 7
    field 3, :real, :double, default: 1
    field 4, :text, :string, default: "text"
    field 5, :bytes, :binary, default: "\xff".b
    field 6, :id, :uuid, default: "00112233-4455-6677-8899-aabbccddeeff"
    field 7, :status, Everything::Status, default: :ACTIVE
    field 8, :list, list(:string), default: ["a"]
    field 9, :map, map(:string, set(:double)), default: { "a" => Set[0.5] }
    field 10, :place, Place, default: Place.new(x: 1)
    field 11, :later, "Fallbacks"
  end

  SHARED = Sparpack::Codec.new(Everything::Nested, :binary, freeze: true, validate: :strict)

  # New classes that nothing has used yet, in pairs that name each other.
  FRESH = Array.new(200) do |i|
    const_set(:"Fresh#{i}", Class.new(Sparpack::Struct) do
      field 1, :text, :string, default: "none"
      field 2, :more, list("Fresh#{i}")
      field 3, :other, "Fresh#{i ^ 1}"
      field 4, :status, Everything::Status
    end)
  end.freeze

  def setup
    @experimental = Warning[:experimental]
    Warning[:experimental] = false
  end

  def teardown
    Warning[:experimental] = @experimental
  end

  def test_each_decodes_and_encodes
    results = in_child do
      in_ractors(4) do |seed|
        Array.new(50) do |i|
          place = Place.new(x: seed + i, name: "place #{i}")
          wire = Sparpack::WIRES[i % Sparpack::WIRES.size]
          Place.decode(place.encode(wire), wire) == place && place.valid?(:recursive)
        end.all?
      end
    end

    assert_equal [true] * 4, results
  end

  def test_each_reads_from_an_io_of_its_own
    results = in_child do
      in_ractors(3) do |seed|
        reader, writer = IO.pipe
        %i[varint framed].map do |frame|
          Place.new(x: seed).encode_to(writer, frame:)
          Place.decode_from(reader, frame:)
        end.push(Place.new(x: 5).encode_to(writer) && Place.decode_from(reader)).map(&:x)
      end
    end

    assert_equal [[0, 0, 5], [1, 1, 5], [2, 2, 5]], results
  end

  # Whoever comes first compiles and links the class, and all others throw their work away. Objects are equal only if they
  # have the same plan.
  def test_the_first_use_may_be_everywhere_at_once
    equal = in_child do
      objects = in_ractors(4, now + 0.1) do |_, start|
        Thread.pass until Process.clock_gettime(Process::CLOCK_MONOTONIC) >= start
        RactorTest::FRESH.map do |fresh|
          object = fresh.new(text: "fresh", more: [fresh.new])
          fresh.decode(object.encode, freeze: true)
        end
      end
      collect
      objects.transpose.map { |same| same.uniq.size + same.map(&:encode).uniq.size }
    end

    assert_equal [2], equal.uniq
  end

  def test_the_first_use_may_be_of_a_class_with_defaults
    values = in_child do
      in_ractors(1) { [Fallbacks.new, Fallbacks.decode("\0")].map { |object| object.to_h.inspect } }.first
    end

    assert_equal [Fallbacks.new.to_h.inspect] * 2, values
  end

  # Their blocks may see what other Ractors cannot. Once they were called, all Ractors see the types.
  class ByBlock < Sparpack::Struct
    field(1, :place) { Place }
    field(2, :all, list { ByBlock })
  end

  Spot = Struct.new(:near)
  SPOT = Sparpack::Mapping.new(Spot, { 0 => :near }, types: { near: Sparpack::Type.list { SPOT } })

  def self.by_blocks
    [ByBlock, SPOT].map do |type|
      codec = Sparpack::Codec.new(type, :compact)
      found = codec.decode(codec.encode(type == SPOT ? Spot.new([Spot.new]) : ByBlock.new(all: [ByBlock.new])))
      (found.respond_to?(:near) ? found.near : found.all).size
    rescue Sparpack::SchemaError => e
      e.message
    end
  end

  def test_types_that_are_given_by_blocks
    outcomes = in_child do
      before = in_ractors(1) { RactorTest.by_blocks }.first
      ByBlock.schema
      Sparpack::Codec.new(SPOT, :compact)
      [before, in_ractors(1) { RactorTest.by_blocks }.first]
    end
    told = %w[RactorTest::ByBlock RactorTest::Spot].map do |name|
      "#{name} has a type that is given by a block: use it in the main Ractor first"
    end

    assert_equal [told, [1, 1]], outcomes
  end

  def test_codecs_are_shared
    results = in_child do
      codec = Ractor.make_shareable(Place.codec(:compact, unknown: :keep))
      in_ractors(3, codec) do |seed, mine|
        object = Everything::Nested.new(after: seed, point: Everything::Point.new(x: seed))
        bytes = RactorTest::SHARED.encode(object)
        [RactorTest::SHARED.decode(bytes) == object, mine.decode(mine.encode(Place.new(x: seed))).x]
      end
    end

    assert_equal [[true, 0], [true, 1], [true, 2]], results
    assert Ractor.shareable?(SHARED)
  end

  # Only the main Ractor can keep a codec in the class.
  def test_the_default_codec_is_made_once_per_ractor
    same = in_child do
      in_ractors(2) do
        codec = RactorTest::FRESH.last.codec
        bytes = codec.encode(RactorTest::FRESH.last.new(text: "x"))
        [codec.equal?(RactorTest::FRESH.last.codec), RactorTest::FRESH.last.codec.decode(bytes).text]
      end
    end

    assert_equal [[true, "x"]] * 2, same
  end

  def test_frozen_objects_pass_as_they_are
    same, deep = in_child do
      places = [Place.decode(Place.new(x: 1).encode, freeze: true), Place.new(x: 2, name: +"x").freeze(deep: true),
                Ractor.make_shareable(Place.new(x: 3))]
      ids = in_ractors(1, places.freeze) { |_, mine| mine.map(&:object_id) }.first
      [ids == places.map(&:object_id), places.all? { |place| Ractor.shareable?(place) && place.name.frozen? }]
    end

    assert same
    assert deep
  end

  def test_results_come_home
    place = in_child { in_ractors(1) { Place.new(x: 4, name: "home") }.first }

    assert_equal Place.new(x: 4, name: "home"), place
  end

  def test_schemas_are_shared
    text = in_child { in_ractors(1) { [Fallbacks.schema.inspect, Place.schema[:x].type.to_s] }.first }

    assert_equal [Fallbacks.schema.inspect, "i32"], text
  end

  def test_exceptions_come_home
    errors = in_child do
      raised = Ractor.new { raise Lost.new("lost", places: [Place.new(x: 1)]) }
      broken = Ractor.new { Lost.decode("\x15\x02") }
      [raised, broken].map { |ractor| cause(ractor) }
    end

    assert_equal ["lost", 1], [errors[0].message, errors[0].places[0].x]
    assert_instance_of Sparpack::DecodeError::TypeMismatch, errors[1]
    assert_equal "RactorTest::Lost.message: expected string, found i32 (compact, byte 0)", errors[1].message
  end

  def test_mistakes_are_told
    told = in_child do
      in_ractors(1) do
        [-> { Place.new(nam: 1) }, -> { Place.decode("", :compat) }, -> { Place.new(x: "x").encode },
         -> { Fallbacks.new(status: :ACTIV) }, -> { Place.decode("\0", valid: 1) }, lambda {
                                                                                      Place.new(x: 1 << 40).validate(:strict)
                                                                                    }]
          .map do |mistake|
          mistake.call && nil
          rescue StandardError
            $!.message
        end
      end.first
    end

    assert_equal ["unknown field :nam for RactorTest::Place (did you mean :name?)",
                  "unknown wire :compat (known: #{Sparpack::WIRES.map(&:inspect).join(", ")})",
                  "RactorTest::Place.x: expected i32, found String (compact)",
                  "RactorTest::Fallbacks.status: Everything::Status has no value :ACTIV (did you mean :ACTIVE? " \
                  "known: :LOWEST, :DRAFT, :UNKNOWN, :ACTIVE, :PAUSED, :HIGHEST)",
                  "unknown option :valid (did you mean :validate?)",
                  "RactorTest::Place.x: expected i32, found 1099511627776"], told
  end

  # Memory that one Ractor's sweep frees is not given to two objects.
  def test_memory_is_not_shared
    mixed = in_child do
      in_ractors(4) do |seed|
        Array.new(1500) do |round|
          places = Array.new(100) { |i| Place.new(x: (seed * 1000) + i, name: nil) }
          GC.start(full_mark: false) if (round % 100) == seed
          places.each_with_index.count { |place, i| place.x != (seed * 1000) + i }
        end.sum
      end
    end

    assert_equal [0] * 4, mixed
  end

  def test_garbage_is_collected_by_any
    sizes = in_child do
      in_ractors(3) do |seed|
        Array.new(30) do |i|
          GC.start if (i % 10) == seed
          object = Everything::Tree.new(name: "t" * 40, children: Array.new(20) { Everything::Tree.new(name: "c" * 40) })
          Everything::Tree.decode(object.encode, unknown: :keep).children.size
        end.sum
      end
    end

    assert_equal [600] * 3, sizes
  end

  # Each family of wires keeps unknown fields in a form of its own.
  def test_kept_unknown_fields
    results = in_child do
      require "sparpack/message_pack" # autoload works only in the main Ractor
      kept = Ractor.make_shareable(Place.from_json('{"x":1,"later":{"a":[null,"\u00fc"]},"more":2}', unknown: :keep))
      in_ractors(3, kept) do |seed, shared|
        entries = Sparpack::MessagePack.pack({ "x" => seed, "later" => [seed] })
        Array.new(100) do |i|
          GC.start if (i % 50).zero?
          own = Place.from_json(%({"later":#{seed},"x":#{i}}), unknown: :keep)
          packed = Place.decode(entries, :message_pack, unknown: :keep).encode(:message_pack, keys: :names)
          [shared.encode(:json), own.encode(:json).sub(/"x":#{i},/, ""), Sparpack::MessagePack.unpack(packed)]
        end.uniq
      end
    end

    expected = Array.new(3) do |seed|
      [['{"x":1,"name":"nowhere","later":{"a":[null,"\u00fc"]},"more":2}', %({"name":"nowhere","later":#{seed}}),
        { "x" => seed, "name" => "nowhere", "later" => [seed] }]]
    end

    assert_equal expected, results
  end

  private

  # Ruby 4.0 has no Ractor#take.
  def value(ractor) = within("a Ractor") { ractor.respond_to?(:value) ? ractor.value : ractor.take }

  def in_ractors(count, *shared, &block)
    Array.new(count) { |seed| Ractor.new(seed, *shared, &block) }.map { |ractor| value(ractor) }
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def cause(ractor)
    value(ractor)
  rescue Ractor::RemoteError => e
    e.cause
  end

  def collect
    4.times do
      GC.start
      Array.new(3_000) { "x" * 100 }
    end
  end
end
