# frozen_string_literal: true

require "test_helper"
require "bigdecimal"
require "set"

# Extension types that a factory enables by name.
class MessagePackBuiltinTest < Minitest::Test
  MP = Sparpack::MessagePack

  Point = Struct.new(:x, :y)
  Named = Struct.new(:name, :point, keyword_init: true)

  def setup
    @factory = MP::Factory.new
    @factory.register_builtin(:time)
    %i[bigint bigdecimal set symbol rational].each_with_index { |name, index| @factory.register_builtin(name, index + 1) }
    @factory.register_builtin(:struct, 10, Point)
    @factory.register_builtin(:struct, 11, Named)
  end

  DECIMALS = [BigDecimal("1.5"), BigDecimal("-0.001"), BigDecimal("1e400"), BigDecimal("Infinity"), BigDecimal("0")].freeze
  VALUES = {
    time: [Time.at(0), Time.at(2**32, 5, :nsec), Time.at(2**34), Time.at(-1, 999_999_999, :nsec), Time.at(2**62)],
    integer: [2**64, -(2**63) - 1, 2**1000, -(2**64)], decimal: DECIMALS,
    set: [Set[], Set[1, "a", nil], Set[Set[1], [2], { "a" => 3 }], Set.new(0..1000)],
    symbol: [:a, :"", :"ä b", "\xFF".b.to_sym, :"#{"long" * 100}"], rational: [1r / 3, -5r, (2**60r) / 7],
    structure: [Point.new(1, "a"), Point.new(Point.new(1, 2), [Point.new(nil, nil)]),
                Named.new(name: :n, point: Point.new(1r, Set[1]))]
  }.freeze

  def test_values_come_back
    VALUES.each do |name, values|
      assert_equal values, @factory.load(@factory.dump(values)), name
      values.each { |value| assert_equal [value.class, value], [value.class, @factory.load(@factory.dump(value))] }
    end
    assert_predicate @factory.load(@factory.dump(BigDecimal("NaN"))), :nan?
    assert_equal VALUES, @factory.load(@factory.dump(VALUES))
  end

  # They have the gem's own forms, if it has one.
  def test_the_forms
    procs = MP::Factory.new
    procs.register_type(-1, Time, packer: MP::Time::Packer, unpacker: MP::Time::Unpacker)
    procs.register_type(1, Integer, packer: MP::Bigint.method(:to_msgpack_ext), unpacker: MP::Bigint.method(:from_msgpack_ext),
                                    oversized_integer_extension: true)
    procs.register_type(3, Set, packer: ->(set, packer) { packer.write(set.to_a) }, recursive: true,
                                unpacker: ->(unpacker) { unpacker.read.to_set })
    procs.register_type(4, Symbol, packer: :name.to_proc, unpacker: MP::Symbols.method(:from_msgpack_ext))
    VALUES.values_at(:time, :integer, :symbol).push([Set[], Set[1, "a", nil]]).each do |values|
      assert_equal procs.dump(values), @factory.dump(values)
      assert_equal values, procs.load(@factory.dump(values))
    end
  end

  def test_subclasses_and_what_is_listed
    deep = Class.new(Set)

    assert_equal Set[1], @factory.load(@factory.dump(deep[1]))
    assert_includes @factory.registered_types, { type: 3, class: Set, packer: nil, unpacker: nil }
    assert @factory.type_registered?(Point, :packer)
    assert @factory.type_registered?(10, :unpacker)
  end

  # Members are matched by their order: missing ones become nil, and surplus ones are dropped.
  def test_structures_change
    other = MP::Factory.new
    wide = Struct.new(:x, :y, :z)
    narrow = Struct.new(:x)
    other.register_builtin(:struct, 10, wide)
    other.register_builtin(:struct, 11, narrow)

    assert_equal [1, 2, nil], other.load(@factory.dump(Point.new(1, 2))).to_a
    assert_equal ["n"], other.load(@factory.dump(Named.new(name: "n", point: nil))).to_a
  end

  if defined?(Data.define) # from Ruby 3.2 on
    def test_data
      coordinates = Data.define(:lat, :lng)
      @factory.register_builtin(:data, 12, coordinates)

      assert_equal coordinates.new(1, 2), @factory.load(@factory.dump(coordinates.new(1, 2)))
    end
  end

  def test_frozen
    value = @factory.load(@factory.dump(VALUES), { freeze: true })

    assert_equal VALUES, value
    assert Ractor.shareable?(value)
  end

  def test_in_streams
    values = VALUES.values.flatten(1)
    bytes = values.map { |value| @factory.dump(value) }.join
    unpacker = @factory.unpacker

    assert_equal(values, bytes.each_char.flat_map { |byte| unpacker.feed_each(byte).to_a })
    assert_equal 1r / 3, @factory.dig(@factory.dump({ "a" => [1r / 3] }), "a", 0)
  end

  # Payloads from strangers give a value, or a fault of the bytes.
  def test_any_payload
    random = Random.new(5)
    5_000.times do
      type = [-1, *1..5, 10, 11].sample(random:)
      payload = random.rand < 0.5 ? random.bytes(random.rand(20)) : MP.pack([random.rand(5), nil, "a"].sample(random:))
      bytes = MP.pack(MP::ExtensionValue.new(type, payload))
      outcome = begin
        @factory.load(bytes) && :value
      rescue MP::UnpackError => e
        e.class
      end

      assert_includes [:value, MP::MalformedFormatError, MP::UnknownExtTypeError, MP::StackError, nil], outcome
    end
    ["", "\x02", "\x00\x00"].each do |payload|
      assert_raises(MP::MalformedFormatError) { @factory.load(MP.pack(MP::ExtensionValue.new(1, payload))) }
    end
    assert_raises(MP::MalformedFormatError) { @factory.load(MP.pack(MP::ExtensionValue.new(5, "\x01\x00"))) }
    assert_raises(MP::MalformedFormatError) { @factory.load(MP.pack(MP::ExtensionValue.new(-1, "\xFF" * 8))) }
    assert_raises(MP::MalformedFormatError) { @factory.load(MP.pack(MP::ExtensionValue.new(2, "no"))) }
  end

  def test_recursion_is_bounded
    deep = 10_000.times.reduce(nil) { |inner, _| Point.new(inner) }

    assert_raises(MP::StackError) { @factory.dump(deep) }
    deep = 100.times.reduce(nil) { |inner, _| Point.new(inner) }

    assert_equal deep, @factory.load(@factory.dump(deep))
    cycle = Point.new(1)
    cycle.y = cycle

    assert_raises(MP::StackError) { @factory.dump(cycle) }
  end

  def test_what_is_refused
    assert_match(/did you mean/i, assert_raises(ArgumentError) { @factory.register_builtin(:sett, 5) }.message)
    assert_raises(ArgumentError) { @factory.register_builtin(:set) }
    assert_raises(ArgumentError) { @factory.register_builtin(:struct, 5, String) }
    assert_raises(ArgumentError) { @factory.register_builtin(:struct, 5) }
    assert_raises(ArgumentError) { @factory.register_builtin(:data, 5, Point) }
    assert_raises(ArgumentError) { @factory.register_builtin(:set, 5, Set) }
    assert_raises(RangeError) { @factory.register_builtin(:set, 128) }
    assert_raises(TypeError) { @factory.register_builtin(:set, "5") }
    assert_raises(FrozenError) { @factory.freeze.register_builtin(:set, 5) }
    assert_raises(RangeError) { MP::Factory.new.tap { |factory| factory.register_builtin(:rational, 1) }.dump((2**70r) / 3) }
  end

  # Values of the other class would be read as something else.
  def test_a_type_belongs_to_one_class
    { bigint: 1, time: -1 }.each { |name, type| @factory.register_builtin(name, type) } # the same again
    error = assert_raises(ArgumentError) { @factory.register_builtin(:symbol, 1) }

    assert_equal "the extension type 1 belongs to Integer already: choose another number for Symbol", error.message
    error = assert_raises(ArgumentError) { @factory.register_builtin(:set, 10) }

    assert_match(/type 10 belongs to \S+Point already/, error.message)
    assert_raises(ArgumentError) { @factory.register_builtin(:struct, 10, Named) }
    @factory.register_type(20, Range, packer: :to_s, unpacker: nil)

    assert_raises(ArgumentError) { @factory.register_builtin(:set, 20) }
    assert_equal 2**100, @factory.load(@factory.dump(2**100))
  end

  def test_a_class_may_have_several_types
    before = @factory.dump([Set[1]])
    @factory.register_builtin(:set, 30)

    assert_equal([[Set[1]]] * 2, [before, @factory.dump([Set[1]])].map { |bytes| @factory.load(bytes) })
    assert_equal "\x91\xD5\x1E\x91\x01".b, @factory.dump([Set[1]])
  end

  # A class that was reloaded has the name of the old one.
  def test_a_reloaded_class_keeps_its_type
    old, fresh = Array.new(2) { Struct.new(:x).tap { |made| made.define_singleton_method(:name) { "Reloaded" } } }
    @factory.register_builtin(:struct, 40, old)
    @factory.register_builtin(:struct, 40, fresh)

    assert_instance_of fresh, @factory.load(@factory.dump(fresh.new(1)))
  end

  # A Set of a registered class that changes while it is packed.
  def test_a_set_that_changes
    angry = Object.new
    set = Set[1, angry, 2]
    angry.define_singleton_method(:to_msgpack) { |packer| set.delete(2) && packer.write(0) }

    assert_raises(RuntimeError) { @factory.dump(set) }
  end

  def test_gc_stress
    values = VALUES.transform_values { |list| list.first(2) }
    GC.stress = true
    again = @factory.load(@factory.dump(values))
    GC.stress = false

    assert_equal values, again
  ensure
    GC.stress = false
  end
end
