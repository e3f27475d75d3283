# frozen_string_literal: true

require "test_helper"
require "support/abuse"
require "support/child"
require "support/deadline"
require "objspace"
require "stringio"

# Whatever Ruby code does to Sparpack, even with its private methods, the worst outcome is a Ruby exception.
class AbuseTest < Minitest::Test
  include Abuse
  include Child
  include Deadline

  def test_limits_of_no_sense
    alive = in_child do
      limits = [-1, 0, 1 << 40, 1 << 62, -(1 << 63), nil].map do |number|
        Class.new(Sparpack::Limits) { %i[memory message string container depth].each { |name| define_method(name) { number } } }
      end
      deep = "\x1c".b * 300_000
      [*limits.map(&:new), Sparpack::Limits.allocate].each do |limit|
        [Small, Everything::Chain, Everything::Older].product([:skip, :keep]) do |struct_class, unknown|
          codec = struct_class.codec(limits: limit, unknown:)
          [-> { codec.decode(deep) }, -> { codec.decode_each(StringIO.new(deep), &:encode) },
           -> { Sparpack::Native.payload_end_find(Sparpack::Native.payload_end(codec), deep) }].each do |use|
            use.call
          rescue Sparpack::DecodeError
            nil
          end
        rescue ArgumentError, RangeError, TypeError, NoMemoryError
          nil
        end
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  # --- objects made, filled and copied in the wrong way -------------------------------------------------------------------

  def test_initializing_again
    object = Small.new(a: 1)
    object.send(:initialize, b: "b")

    assert_equal Small.new(a: 1, b: "b"), object
    assert_raises(FrozenError) { object.dup.freeze.send(:initialize, a: 2) }
    assert_raises(FrozenError) { object.dup.freeze.send(:initialize_copy, object) }
    assert_raises(FrozenError) { object.dup.freeze.marshal_load([{ 1 => 2 }, nil]) }
    [Wide.new, Choice.new, 5, nil, Object.new].each do |other|
      assert_raises(TypeError, other.class.name) { object.send(:initialize_copy, other) }
    end
  end

  def test_private_entries_change_nothing_frozen
    small = Small.new(a: 1).freeze
    choice = Choice.a(1).freeze
    [-> { Sparpack::Native.fill(small, { a: 2 }) }, -> { Sparpack::Native.set_unknown(small, nil) },
     -> { Sparpack::Native.union_clear(choice) }].each { |change| assert_raises(FrozenError, &change) }

    assert_equal [1, 1], [small.a, choice.a]
  end

  def test_codecs_set_up_again
    answers = in_child do
      codec = Wide.codec
      again = Sparpack::Codec.allocate
      Sparpack::Native.codec_setup(again, Wide, :compact, {})
      answers = [codec, again].map do |one|
        Sparpack::Native.codec_setup(one, Small, :compact, {}) && :set_up
      rescue StandardError
        :raised
      end
      begin
        again.encode(Broken.new(a: 300))
      rescue Sparpack::EncodeError
        [*answers, again.decode(again.encode(Wide.new(f1: 300))).f1]
      end
    end

    assert_equal [:raised, :raised, 300], answers
    assert_raises(TypeError) { Sparpack::Codec.allocate.encode(Small.new) }
    assert_raises(TypeError) { Sparpack::Codec.allocate.decode("") }
    assert_raises(NoMethodError, TypeError) { Small.codec.dup }
  end

  # Only a class itself sets its plan.
  def test_plans_stay
    texts = in_child do
      made = Class.new(Sparpack::Struct) { field 1, :a, :string }
      objects = Array.new(50) { |i| made.new(a: "text #{i}" * 9) }
      [-> { Sparpack::Native.compile(made, []) }, -> { Sparpack::Native.compile(made, [[1, :z, nil, false]]) },
       -> { Sparpack::Native.share(made, Choice) }, -> { Sparpack::Native.seal(made) }].each do |change|
        change.call
      rescue StandardError
        nil
      end
      Abuse.survive
      objects.map { |object| made.decode(object.encode).a }
    end

    assert_equal Array.new(50) { |i| "text #{i}" * 9 }, texts
  end

  # Calls an accessor of one class on objects that have fewer fields.
  def test_accessors_of_others
    readers = %i[f1 f3 f200 f256].map { |name| Wide.instance_method(name) }
    writers = %i[f3= f200= f256=].map { |name| Wide.instance_method(name) }
    answers = in_child do
      [Small.new, Choice.a(1), Fault.new, 5].map do |object|
        calls = readers.last(3).map { |reader| -> { reader.bind_call(object) } } +
                writers.map { |writer| -> { writer.bind_call(object, 7) } }
        calls.map do |call|
          call.call
        rescue StandardError => e
          e.class
        end
      end
    end

    assert_equal [TypeError], answers.flatten.uniq
    assert_equal 7, readers[0].bind_call(Small.new(a: 7))
  end

  if Set.new.instance_variable_defined?(:@hash) # Ruby 4.0 has a Set in C
    def test_sets_that_are_none
      errors = in_child do
        holder = Class.new(Sparpack::Struct) { field 1, :bag, set(:i32) }
        [nil, 5, "hash", [1], Object.new].map do |hash|
          object = holder.new(bag: Set[1].tap { |set| set.instance_variable_set(:@hash, hash) })
          [object.errors(:strict).size, begin
            object.encode
          rescue Sparpack::EncodeError => e
            e.class.name
          end]
        end
      end

      assert_equal [[1, "Sparpack::EncodeError::TypeMismatch"]], errors.uniq
    end
  end

  def test_plans_are_shared_with_subclasses_only
    fresh = Class.new(Sparpack::Struct) { field 1, :x, :string }
    [Choice, Small, Class.new(fresh)].each { |other| assert_raises(TypeError) { Sparpack::Native.share(fresh, other) } }

    assert_equal "x", fresh.decode(fresh.new(x: "x").encode).x
  end

  # --- classes ----------------------------------------------------------------------------------------------------------

  # A copy of a class is a separate class, both before its first use and after.
  def test_copies_of_classes
    answers = in_child do
      %i[dup clone].flat_map do |copy|
        %i[fresh compiled linked].map do |used|
          original = Class.new(Sparpack::Struct) { field 1, :x, :i32 }
          object = original.new(x: 1) if used != :fresh
          object.encode if used == :linked
          other = original.public_send(copy)
          holder = Class.new(Sparpack::Struct) { field 1, :one, other }
          object = holder.new(one: other.new(x: 4))
          again = holder.decode(object.encode)
          [again.one.instance_of?(other), again.one.x, again == object, original.new(x: 4) == again.one]
        end
      end
    end

    assert_equal [[true, 4, true, false]], answers.uniq
  end

  def test_singleton_classes_make_nothing
    alive = in_child do
      object = Small.new(a: 1)
      [-> { object.singleton_class.decode(object.encode) }, -> { object.singleton_class.codec.decode(object.encode) },
       -> { object.singleton_class.allocate }].each do |made|
        made.call and flunk "a second object of a singleton class"
      rescue TypeError, ArgumentError
        nil
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  # Overrides class methods that Sparpack defines, as users might do by mistake.
  def test_overridden_class_methods
    lies = { schema: Wide.schema, declared_fields: Wide.schema.fields, field_owner: Wide, shape: :union, fields: [] }
    alive = in_child do
      lies.each do |name, lie|
        [0, 1].each do |used|
          made = Class.new(Sparpack::Struct) { field 1, :x, :i64 }
          made.new(x: 1).encode if used == 1
          made.define_singleton_method(name) { lie }
          object = begin
            made.new
          rescue StandardError
            next
          end
          [-> { object.encode }, -> { made.decode("\x16\x02\0") }, -> { object.errors(:recursive) }, -> { object.inspect },
           -> { Class.new(Sparpack::Struct) { field 1, :made, made }.new(made: object).encode }].each do |use|
            use.call
          rescue StandardError
            nil
          end
        end
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  def test_enums_that_lie
    alive = in_child do
      lying = { lookup: { x: :y }, written: { 1 => 2 }, numbers: { x: :y }, names: { 1 => 2 } }
      [{ lookup: 1, written: 2 }, { lookup: nil }, lying, lying.merge(written: { 1 => Object.new }), 5, nil].each do |table|
        target = Object.new.tap { |enum| enum.define_singleton_method(:enum_table) { table } }.freeze
        AbuseTest.use_enum(Sparpack::Type.new(:enum, target:))
      rescue StandardError
        nil
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  def self.use_enum(type)
    made   = Class.new(Sparpack::Struct) { field 1, :x, type }
    bytes  = "\x15\x02\0".b
    object = -> { made.new(x: 1) }
    to     = ->(**options) { Sparpack::Converter.new(made, from: :compact, to: :json, **options).convert(bytes) }
    [-> { made.new(x: :x).encode }, -> { object.call.errors(:strict) }, -> { object.call.encode(validate: :strict) },
     -> { object.call.encode(:json, enums: :names) }, -> { object.call.encode(:message_pack, enums: :names) },
     -> { object.call.to_json }, -> { made.decode(bytes, validate: :strict) }, -> { made.decode(bytes).inspect },
     -> { made.decode('{"x":"x"}', :json) }, -> { to.call(enums: :names) }, -> { to.call(validate: :strict) },
     -> { Sparpack::Inspector.new(bytes, made).tree }].each do |use|
      use.call
    rescue StandardError
      nil
    end
  end

  # --- kept fields that no decode has kept --------------------------------------------------------------------------------

  def test_kept_bytes_of_others
    alive = in_child do
      newer = Everything::Newer.new(flag: true, name: "n", flags: [true], number: 3, large: 1 << 60, distant: true)
      bytes = newer.encode(:binary).chop
      broken = (0..bytes.size).map { |size| bytes[0, size] } +
               (0...bytes.size).map { |at| bytes.dup.tap { |other| other.setbyte(at, 0xff) } }
      nested = "\x0f\x00\x05".b + ("\x0f\x00\x00\x00\x01".b * 32_000) + "\x0f\x00\x00\x00\x00".b
      [*broken, nested, "\x08".b, "\x00", true, false, 5, 0.5, :x, [], Object.new, Small.new].each do |unknown|
        [Small, Wide, Choice, Fault].each { |made| AbuseTest.kept(made, unknown) }
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  def self.kept(made, unknown)
    object = made.allocate
    object.marshal_load([{ 1 => 7 }, unknown])
    [object.dup == object, object.inspect, object.hash, object.errors(:recursive)]
    Sparpack::WIRES.each { |wire| made.decode(object.encode(wire), wire) }
  rescue Sparpack::Error, TypeError, ArgumentError
    nil
  end

  def test_kept_bytes_do_not_change
    object = Small.new(a: 1)
    kept = Everything::Newer.new(real: 0.5, texts: Set["a"]).encode(:binary).chop
    object.marshal_load([{ 1 => 7 }, kept])
    bytes = object.encode
    kept.clear

    assert_equal bytes, object.encode
  rescue Sparpack::Error, TypeError, ArgumentError
    pass
  end

  # --- private entry points -----------------------------------------------------------------------------------------------

  def test_the_bytes_shrink_while_an_offset_is_converted
    answers = in_child do
      codec = Small.codec
      bytes = "".b
      shrink = Convert.new { bytes.replace("") && 100_000 }
      [[100_000, shrink], [shrink, 0], [-1, 0], [200_001, 0], [1 << 70, 0]].map do |offset, base|
        bytes.replace("\0" * 200_000)
        Sparpack::Native.decode_prefix(codec, bytes, offset, base, false)
      rescue StandardError => e
        e.class
      end
    end

    assert_equal [ArgumentError, ArgumentError, ArgumentError, ArgumentError, RangeError], answers
  end

  def test_the_search_for_an_end_is_given_fewer_bytes_than_before
    payload_end = Sparpack::Native.payload_end(Small.codec)

    assert_nil Sparpack::Native.payload_end_find(payload_end, "\x15\x02")
    assert_raises(ArgumentError) { Sparpack::Native.payload_end_find(payload_end, "\x15") }
    assert_equal 3, Sparpack::Native.payload_end_find(payload_end, "\x15\x02\0")
  end

  def test_half_made_containers_are_found
    alive = in_child do
      key = Class.new(Sparpack::Struct) do
        field 1, :x, :i32
        define_method(:hash) do
          ObjectSpace.each_object(Set) { |set| set.instance_variable_set(:@hash, nil) if set.empty? && !set.frozen? }
          1
        end
      end
      made = Class.new(Sparpack::Struct) { field 1, :sets, set(list(key)) }
      begin
        made.decode(made.new(sets: [[key.new(x: 1)], [key.new(x: 2)]]).encode)
      rescue StandardError
        nil
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  def test_what_is_ours_is_not_found
    found = in_child do
      Small.codec.decode_each(StringIO.new("")).first
      types = ObjectSpace.each_object(Object).select { |object| object.instance_of?(Object) }
      types.map { |object| ObjectSpace.dump(object) }.grep(%r{"sparpack/}).size
    end

    assert_equal 0, found
  end

  # As with Ruby's own containers, the outcome is a result or a SystemStackError.
  def test_what_is_very_deep
    answers = in_child do
      deep = Array.new(2) { (1..200_000).reduce(nil) { |rest, value| Everything::Chain.new(value:, rest:) } }
      uses = [-> { deep[0] == deep[1] }, -> { deep[0].eql?(deep[1]) }, -> { deep[0].hash }, -> { deep[0].inspect.size }]
      places = [lambda(&:call), ->(use) { Fiber.new(&use).resume }, ->(use) { finish([quiet_thread(&use)]).first }]
      places.product(uses).map do |place, use|
        place.call(use) && :answered
      rescue SystemStackError
        :too_deep
      end
    end

    assert_equal 12, answers.size
  end

  private

  def quiet_thread(&) = Thread.new(&).tap { |thread| thread.report_on_exception = false }
end
