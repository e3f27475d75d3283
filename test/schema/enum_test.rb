# frozen_string_literal: true

require "test_helper"
require "json"
require "yaml"
require "support/wire_writer"

# Enums are modules of Integers, and open.
class EnumTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    ACTIVE = 1
    CLOSED = 2
    ENDED = 2
    NEGATIVE = -7
    LABELS = %w[a b].freeze # not an Integer, so not a value
  end

  module Extreme
    extend Sparpack::Enum

    LOWEST = -2_147_483_648
    HIGHEST = 2_147_483_647
  end

  module Empty
    extend Sparpack::Enum
  end

  class Listing < Sparpack::Struct
    field 1, :status, Status
    field 2, :statuses, list(Status)
    field 3, :by_status, map(Status, set(Status))
    field 4, :later, "Later"
    field 5, :fallback, Status, default: :CLOSED
    field 6, :extreme, Extreme
    field 7, :text, :string
  end

  module Later
    extend Sparpack::Enum

    ONE = 1
  end

  def test_names_and_values
    assert_equal [1, 2, -7], Status.values
    assert_equal %i[ACTIVE CLOSED ENDED NEGATIVE], Status.names
    assert_equal({ ACTIVE: 1, CLOSED: 2, ENDED: 2, NEGATIVE: -7 }, Status.to_h)
    assert_equal([:ACTIVE, :CLOSED, :NEGATIVE, nil], [1, 2, -7, 3].map { |value| Status.name_of(value) })
    assert_equal([1, 2, 2, 1, nil], [:ACTIVE, :CLOSED, :ENDED, "ACTIVE", :OTHER].map { |name| Status.value_of(name) })
    assert_equal [[], {}], [Empty.values, Empty.to_h]
  end

  def test_known
    assert_equal([true, true, true, false, false], [1, :ACTIVE, "ACTIVE", 9, :OTHER].map { |value| Status.known?(value) })
    assert_equal([false] * 5, ["active", "\xff", nil, 1.0, 2**70].map { |value| Status.known?(value) })
    assert Status.known?(:ENDED) # an alias
    negative = Module.new { extend Sparpack::Enum }.tap { |enum| enum.const_set(:A, -3) }

    assert_equal([true, false], [-3, 3].map { |value| negative.known?(value) })
  end

  def test_a_field_takes_names_and_answers_numbers
    listing = Listing.new(status: :ACTIVE)

    assert_equal 1, listing.status
    listing.status = :ENDED

    assert_equal 2, listing.status
    listing[:status] = -7

    assert_equal(-7, listing.status)
    assert_equal 2, listing.fallback
    assert_equal 1, Listing.new(later: :ONE).later
    assert_equal "ACTIVE", Listing.new(text: :ACTIVE).text
  end

  def test_a_name_that_does_not_exist
    message = "EnumTest::Listing.status: EnumTest::Status has no value :ACTIV " \
              "(did you mean :ACTIVE? known: :ACTIVE, :CLOSED, :ENDED, :NEGATIVE)"
    [-> { Listing.new(status: :ACTIV) }, -> { Listing.new.status = :ACTIV }, -> { Listing.new[:status] = :ACTIV },
     -> { Listing.new.with(status: :ACTIV) }, -> { Listing.from_h(status: :ACTIV) }].each do |call|
      assert_equal message, assert_raises(ArgumentError, &call).message
    end
    assert_match(/later: EnumTest::Later has no value :TWO/,
                 assert_raises(ArgumentError) { Listing.new(later: :TWO) }.message)
  end

  def test_names_in_containers_are_written
    Sparpack::WIRES.each do |wire|
      listing = Listing.new(statuses: [:ACTIVE, 2, "ENDED"], by_status: { NEGATIVE: [:CLOSED, "CLOSED"] })
      read = Listing.decode(listing.encode(wire), wire)

      assert_equal [[1, 2, 2], { -7 => Set[2] }], [read.statuses, read.by_status]
      assert_predicate listing, :valid?
    end
  end

  def test_names_in_containers_that_do_not_exist
    known = "known: :ACTIVE, :CLOSED, :ENDED, :NEGATIVE"
    { NOPE: ":NOPE (#{known})", ACTIV: ":ACTIV (did you mean :ACTIVE? #{known})",
      "ACTIV" => "String (did you mean :ACTIVE? #{known})", "\xff" => "String (#{known})" }.each do |name, told|
      listing = Listing.new(statuses: [1, name])
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { listing.encode }
      message = "EnumTest::Listing.statuses[1]: expected EnumTest::Status, found #{told}"

      assert_equal ["EnumTest::Listing.statuses[1]", "EnumTest::Status", told[/\S+/]],
                   [error.path, error.expected, error.found]
      assert_equal ["#{message} (compact)", message], [error.message, listing.errors(:strict)[0].message]
    end
  end

  def test_unknown_numbers_are_kept
    Sparpack::WIRES.each do |wire|
      bytes = WireWriter.for(wire, Listing).message([1, :i32, 99], [2, [:list, :i32], [-1, 1]], [5, :i32, 2])
      listing = Listing.decode(bytes, wire)

      assert_equal [99, [-1, 1]], [listing.status, listing.statuses]
      assert_equal bytes, listing.encode(wire)
      assert listing.valid?(:normal)
    end
  end

  def test_strict_objects_to_unknown_numbers
    listing = Listing.new(status: 99, statuses: [1, 98])

    assert_equal(["EnumTest::Listing.status: expected EnumTest::Status, found 99",
                  "EnumTest::Listing.statuses[1]: expected EnumTest::Status, found 98"],
                 listing.errors(:strict).map(&:message))
    %i[strict recursive].each do |validate|
      assert_raises(Sparpack::EncodeError::TypeMismatch) { listing.encode(validate:) }
      assert_raises(Sparpack::DecodeError::TypeMismatch) { Listing.decode(listing.encode, validate:) }
    end
  end

  def test_strict_takes_known_numbers
    listing = Listing.new(status: 1, statuses: [2, -7], by_status: { 1 => Set[2] }, extreme: -2_147_483_648)
    Sparpack::WIRES.product(%i[strict recursive]) do |wire, validate|
      assert_equal listing, Listing.decode(listing.encode(wire, validate:), wire, validate:)
    end
  end

  # Only numbers are looked up, because anything else would run its own `hash`.
  def test_strict_encoding_calls_no_hash
    odd = Object.new
    called = false
    odd.define_singleton_method(:hash) { called = true }
    %i[strict recursive].each do |validate|
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { Listing.new(statuses: [1, odd]).encode(validate:) }

      assert_equal ["EnumTest::Status", "Object", false], [error.expected, error.found, called]
    end
  end

  # A hint compares names, which takes time. `errors` makes only a few hints, and none takes long.
  module Long
    extend Sparpack::Enum

    200.times { |i| const_set("STATUS_NUMBER_#{i}_OF_THE_LISTING", i) }
  end

  class Many < Sparpack::Struct
    field 1, :many, list(Long)
    field 2, :one, Long
  end

  def test_errors_makes_few_suggestions
    many = Many.new(many: [7_000, *Array.new(400) { |i| "STATUS_NUMBER_X#{i}_OF_LISTING" }])
    messages = many.errors(:recursive).map(&:message)

    assert_equal [401, 3], [messages.size, messages.grep(/did you mean :STATUS_NUMBER/).size]
    assert(messages[1..3].all? { |message| message.include?("did you mean") })
    assert_match(/ found String \(known: :STATUS_NUMBER_.* and 188 more\)\z/, messages.last)
    assert_operator cpu_seconds { many.errors(:recursive) }, :<, 2 # without a limit: about 10
  end

  # The typing mistake may be at the beginning, in the middle or at the end.
  def test_hints_find_one_long_name_among_many
    right = :STATUS_NUMBER_117_OF_THE_LISTING
    %w[SSTATUS_NUMBER_117_OF_THE_LISTING STATUS_NUMBER_117_OFF_THE_LISTING STATUS_NUMBER_117_OF_THE_LISTINGS
       STATUS_NUMBER_117_OF_THE_LISTNIG].each do |wrong|
      error = assert_raises(ArgumentError) { Many.new(one: wrong) }

      assert_includes error.message, "did you mean #{right.inspect}?"
    end
    assert_operator cpu_seconds { 40.times { Many.new(one: "X" * 128) rescue nil } }, :<, 2 # rubocop:disable Style/RescueModifier
  end

  def cpu_seconds
    before = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    yield
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - before
  end

  # Another field may name a class that is not defined yet.
  class Early < Sparpack::Struct
    field 1, :status, Status
    field 2, :fallback, "EnumTest::Status", default: 1
    field 3, :later, list("EnumTest::NotDefinedYet")
  end

  def test_a_wrong_name_while_another_type_is_missing
    message = "EnumTest::Status has no value :NOPE (known: :ACTIVE, :CLOSED, :ENDED, :NEGATIVE)"
    %i[status fallback].each do |name|
      error = assert_raises(Sparpack::ConversionError) { Early.new(name => :NOPE) }

      assert_equal "EnumTest::Early.#{name}: #{message}", error.message
    end
    subclass = Class.new(Early)

    assert_raises(Sparpack::ConversionError) { subclass.new(status: :NOPE) }
    assert_raises(Sparpack::SchemaError) { Early.new.encode }
  end

  class Before < Sparpack::Struct
    field 1, :status, :string
    field 2, :other, :string
  end

  class After < Sparpack::Struct
    field 1, :status, Status, default: 1
    field 2, :other, :string
  end

  class AfterUnion < Sparpack::Union
    field 1, :status, Status
  end

  # Another version of the class stored a text where an enum is now.
  def test_dumps_with_names_that_the_enum_does_not_have
    before = Before.new(status: "NOPE", other: "x")
    marshal = After.allocate.tap { |object| object.marshal_load(before.marshal_dump) }
    yaml = YAML.unsafe_load(YAML.dump(before).sub("EnumTest::Before", "EnumTest::After"))
    union = AfterUnion.allocate.tap { |object| object.marshal_load([{ 1 => :NOPE }, nil]) }

    assert_equal ["NOPE", "x", "NOPE", "x", :NOPE],
                 [marshal.status, marshal.other, yaml.status, yaml.other, union.status]
    [marshal, yaml, union].each do |object|
      refute object.valid?(:strict)
      assert_raises(Sparpack::EncodeError) { object.encode }
    end
    assert_equal 2, After.allocate.tap { |object| object.marshal_load([{ 1 => "CLOSED" }, nil]) }.status
  end

  module Counted
    extend Sparpack::Enum

    LOOKS = Struct.new(:total).new(0) # how often somebody looked for new constants
    private_constant :LOOKS

    def self.constants(*) = super.tap { LOOKS.total += 1 }
    def self.looks = LOOKS.total

    FIRST = 1
    SECOND = 2
  end

  class Counting < Sparpack::Struct
    field 1, :list, list(Counted)
    field 2, :map, map(Counted, Counted)
    field 3, :lists, list(list(Counted))
  end

  # Looking for new constants takes time in proportion to the size of the enum.
  def test_many_names_are_looked_up_in_one_table
    many = %w[FIRST SECOND] * 100
    hash = { list: many, map: { "FIRST" => "SECOND", "2" => :FIRST }, lists: [many, many] }
    counting = Counting.from_h(hash)
    before = Counted.looks

    assert_equal counting, Counting.from_h(hash)
    assert_equal [{ 1 => 2, 2 => 1 }, [1, 2] * 100], [counting.map, counting.lists[1]]
    assert_equal [1, 2] * 100, Counting.new(list: many, lists: [many]).as_json["lists"][0]
    assert_operator Counted.looks - before, :<, 10
  end

  def test_numbers_out_of_range
    assert_equal([-(1 << 31), (1 << 31) - 1],
                 %i[LOWEST HIGHEST].map { |name| Listing.decode(Listing.new(extreme: name).encode).extreme })
    [1 << 31, -(1 << 31) - 1, 1 << 70].each do |number|
      assert_raises(Sparpack::EncodeError::OutOfRange) { Listing.new(status: number).encode }
    end
  end

  def test_what_is_neither_name_nor_number
    [1.0, true, [1], Status].each do |value|
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { Listing.new(status: value).encode }

      assert_equal ["EnumTest::Status", value == true ? "true" : value.class.name], [error.expected, error.found]
    end
  end

  def test_constants_may_be_added_before_it_is_used
    enum = Module.new { extend Sparpack::Enum }
    enum.const_set(:ONE, 1)

    assert_equal [1], enum.values
    enum.const_set(:TWO, 2)

    assert_equal 2, enum.value_of(:TWO)
  end

  def test_values_that_were_added_too_late
    enum = Module.new { extend Sparpack::Enum }
    self.class.const_set(:Late, enum)
    enum.const_set(:RED, 1)
    holder = Class.new(Sparpack::Struct) do
      field 1, :one, enum
      field 2, :many, list(enum)
    end
    holder.new(one: :RED).encode
    enum.const_set(:GREEN, 3)
    hint = "(GREEN was added after a class that uses EnumTest::Late was first used: define all values before that)"

    assert_equal 3, enum.value_of(:GREEN)
    [-> { holder.new(one: :GREEN) }, -> { holder.new.one = "GREEN" }, -> { holder.new(many: [:GREEN]).encode },
     -> { holder.from_h(one: :GREEN).validate(:strict) }].each do |call|
      assert_includes assert_raises(Sparpack::Error, &call).message, hint
    end
    refute_includes holder.new(one: 4).errors(:strict)[0].message, "("
    error = assert_raises(Sparpack::ConversionError) { holder.new(one: :GREN) }

    assert_includes error.message, "(did you mean :GREEN? known: :RED, :GREEN)"
  end

  module Texts
    extend Sparpack::Enum

    A = "a"
  end

  module Mixed
    extend Sparpack::Enum

    ONE = 1
    TWO = "two"
  end

  class Odd < Sparpack::Struct
    field 1, :texts, Texts
    field 2, :mixed, Mixed
    field 3, :empty, Empty
  end

  def test_constants_that_are_not_integers
    { { texts: "a" } => "EnumTest::Texts has no value \"a\" (EnumTest::Texts::A is an instance of String, not an Integer)",
      { texts: :A } => "has no value :A (EnumTest::Texts::A is an instance of String, not an Integer)",
      { mixed: "TWO" } => "has no value \"TWO\" (EnumTest::Mixed::TWO is an instance of String, not an Integer)",
      { mixed: "two" } => "has no value \"two\" (known: :ONE)", { mixed: "\xFF" } => "(known: :ONE)",
      { empty: :A } => "has no value :A (it has no values)" }.each do |fields, message|
      [-> { Odd.new(**fields) }, -> { Odd.from_h(fields) }].each do |call|
        assert_operator assert_raises(Sparpack::ConversionError, &call).message, :end_with?, message
      end
    end
  end

  def test_what_cannot_be_a_value
    enum = Module.new { extend Sparpack::Enum }
    enum.const_set(:LARGE, 1 << 31)

    assert_match(/LARGE: .* at most 32 bits/, assert_raises(Sparpack::SchemaError) { enum.values }.message)
  end

  def test_tables_are_shareable
    assert Ractor.shareable?(Status.to_h)
    assert_raises(FrozenError) { Status.to_h[:NEW] = 3 }
  end

  # Names are fixed when a class is first used. No Ruby method is called for a value.
  def test_names_on_the_wire
    enum = Module.new { extend Sparpack::Enum }
    names = { PLAIN: "plain", QUOTED: "a\"\\b", WIDE: "ü" * 100, OWN: nil }
    names.each_key.with_index(1) { |name, number| enum.const_set(name, number) }
    enum.module_exec { idl(nil, values: names.compact) }
    struct = Class.new(Sparpack::Struct) do
      field 1, :list, list(enum)
      field 2, :map, map(enum, enum)
    end
    object = struct.new(list: [1, 2, 3, 4, 9], map: { 2 => 3, 4 => 9 })
    struct.codec
    def enum.idl_name_of(*) = raise("called")

    expected = { "list" => ["plain", "a\"\\b", "ü" * 100, "OWN", 9], "map" => { "a\"\\b" => "ü" * 100, "OWN" => 9 } }
    json = object.encode(:json, enums: :names)
    packed = object.encode(:message_pack, enums: :names, keys: :names)

    assert_equal [expected] * 2, [JSON.parse(json), Sparpack::MessagePack.unpack(packed)]
    assert_equal [object] * 2, [struct.decode(json, :json), struct.decode(packed, :message_pack)]
    error = assert_raises(Sparpack::DecodeError) { struct.decode('{"list":["plain","plan"]}', :json) }
    assert_includes error.message, "did you mean :PLAIN?"
    assert_raises(Sparpack::DecodeError) { struct.decode("{\"list\":[\"\xff\"]}", :json) }
  end
end
