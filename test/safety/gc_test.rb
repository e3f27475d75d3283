# frozen_string_literal: true

require "test_helper"
require "support/spelling"
require "support/child"
require "fixtures/everything"
require "objspace"

# Garbage collection and compaction at the worst moments.
class GCTest < Minitest::Test
  include Child

  # A key whose `hash` collects garbage in the middle of a decode, while all values read so far are pending.
  class Key < Sparpack::Struct
    field 1, :id, :i32

    class << self
      attr_accessor :at_hash
    end

    def hash
      Key.at_hash&.call(self)
      super
    end
  end

  # All fields wait until the last one is read. With 60 levels these are about 2,500 values, more than the 1,024 on the
  # stack.
  class Wide < Sparpack::Struct
    (1..40).each { |id| field id, :"text#{id}", :string }
    field 41, :keyed, map(Key, :string)
    field 42, :rest, "Wide"
  end

  class Forest < Sparpack::Struct
    field 1, :trees, list(Wide)
  end

  COLLECT = lambda do |_key|
    GC.start
    Array.new(300) { |i| "fresh garbage #{i}" }
  end

  COMPACT = lambda do |_key|
    GC.compact
    Array.new(300) { |i| "fresh garbage #{i}" }
  end

  def teardown
    GC.stress = false
    Key.at_hash = nil
  end

  # --- GC.stress: a collection at every allocation ----------------------------------------------------------------------

  def test_round_trips_under_stress
    pairs = samples.flat_map { |object| [object].product(Spelling.wires(object) & Sparpack::WIRES) }
    pairs.each do |object, wire|
      bytes = stress { object.encode(wire) }

      assert_equal object.encode(wire), bytes
      assert_equal(object, stress { object.class.decode(bytes, wire) })
    end
  end

  def test_major_collections_under_stress
    object = Everything::Tree.new(name: "a text that is not embedded", children: [Everything::Tree.new(named: {})])
    bytes = stress(true) { object.encode }

    assert_equal object, stress(true) { Everything::Tree.decode(bytes) }
  end

  def test_frozen_decode_under_stress
    samples.each do |object|
      again = stress { object.class.decode(object.encode, freeze: true, validate: :recursive) }

      assert_equal object, again
      assert Ractor.shareable?(again)
    end
  end

  def test_value_methods_under_stress
    samples.each do |object|
      made, same, hash, text = stress do
        made = object.class.new(**object.to_h)
        [made, object == made.dup, object.hash == made.hash, object.inspect]
      end

      assert_equal [object, true, true, object.inspect], [made, same, hash, text]
      assert_equal(object, stress { object.class.from_h(object.to_h(deep: true)) })
    end
  end

  def test_defaults_are_copied_under_stress
    made = stress { Everything::Defaults.new }

    assert_equal [{ "b" => [4, 5] }, Set["a"], [1, 2, 3], "grün"],
                 made.to_h.values_at(:usual_map, :usual_set, :usual_list, :optional_text)
    assert_equal(made, stress { Everything::Defaults.decode("\0") })
  end

  # The copy is already an old object when its last fields are written.
  def test_structs_in_defaults_are_copied_under_stress
    lists = Everything::Lists.new(texts: Array.new(9) { |i| "text #{i}, not embedded" }, maps: [{ "k" => true }] * 3,
                                  lists: [[1]] * 3, empties: [Everything::Empty.new], sets: [Set["s" * 30]])
    made = Class.new(Sparpack::Struct) { field 1, :lists, Everything::Lists, default: lists }
    made.new
    copies = Array.new(3) { stress { made.new } }
    minor

    assert_equal [lists] * 3, copies.map(&:lists)
  end

  def test_errors_under_stress
    broken = Everything::Required.new(required_number: "x", optional_list: ["a", 5], usual_map: { "k" => 1 << 40 })
    expected = broken.errors(:recursive).map(&:message)

    assert_equal 5, expected.size
    assert_equal expected, stress { broken.errors(:recursive) }.map(&:message)
    assert_match(/required_number: expected i32, found String/, stress { said { broken.encode } })
    assert_match(/required_number: expected more bytes/, stress { said { Everything::Required.decode("\x15") } })
  end

  def test_kept_fields_under_stress
    [*%i[compact binary].repeated_permutation(2), %i[json json]].each do |from, to|
      older = stress { Everything::Older.decode(newer.encode(from), from, unknown: :keep) }
      bytes = stress { older.encode(to) }

      assert_equal newer, Everything::Newer.decode(bytes, to)
    end
  end

  def test_classes_are_made_under_stress
    inner, outer = stress { reload }
    object = outer.new(inners: { "a" => [inner.new, inner.new(name: "b")] }, more: outer.new)
    again = stress { outer.decode(object.encode) }

    assert_equal [object, "none", 5], [again, again.inners["a"][0].name, again.more.status]
  end

  # --- compaction -------------------------------------------------------------------------------------------------------

  def test_compaction_on_its_own
    compactable
    GC.auto_compact = true
    Key.at_hash = COLLECT
    5.times { samples.each { |object| assert_equal object, object.class.decode(object.encode) } }

    assert_equal tree(8), Wide.decode(tree(8).encode)
  ensure
    GC.auto_compact = false if GC.respond_to?(:auto_compact=)
  end

  def test_everything_may_move
    compactable
    moved = in_child do
      objects = samples
      codecs = objects.map { |object| object.class.codec(:binary, validate: :strict) }
      before = objects.map(&:encode)
      classes = Array.new(20) { reload }
      3.times { move_everything }
      after = objects.zip(codecs).map { |object, codec| codec.decode(codec.encode(object)).encode }
      [before == after, classes.map { |_, outer| outer.decode(outer.new.encode).status }.uniq, objects.inspect.size]
    end

    assert_equal [true, [5], samples.inspect.size], moved
  end

  # Nothing but the codec knows these classes.
  def test_mapped_classes_may_move
    compactable
    read = in_child do
      codecs = Array.new(50) do |i|
        klass = Class.new { i.even? ? def initialize(a:) = @a = a : def initialize(a) = @a = a }
        klass.attr_reader(:a)
        Sparpack::Codec.new(Sparpack::Mapping.new(klass, [:a]), :message_pack)
      end
      bytes = Sparpack::MessagePack.pack({ "a" => "text" })
      codecs.each { |codec| codec.decode(bytes) }
      move_everything
      churn
      codecs.map { |codec| codec.encode(codec.decode(bytes)) }.uniq
    end

    assert_equal [Sparpack::MessagePack.pack({ "a" => "text" })], read
  end

  def test_kept_fields_live_and_move
    compactable
    read = in_child do
      objects = Array.new(200) { |i| Everything::Older.decode(kept(i).encode, unknown: :keep) }
      churn
      move_everything
      churn
      objects.map { |object| Everything::Newer.decode(object.encode) }
    end

    assert_equal Array.new(200) { |i| kept(i) }, read
  end

  # --- pending values ---------------------------------------------------------------------------------------------------

  def test_waiting_values_survive_a_collection
    Key.at_hash = COLLECT

    assert_equal tree(60), Wide.decode(tree(60).encode)
  end

  def test_waiting_values_survive_compaction
    compactable
    Key.at_hash = COMPACT

    assert_equal tree(40), Wide.decode(tree(40).encode)
  end

  def test_waiting_room_serves_again
    forest = Forest.new(trees: [tree(30), tree(58), tree(3), tree(45), tree(58)])
    3.times { assert_equal forest, Forest.decode(forest.encode) }
  end

  def test_an_exception_leaves_the_waiting_room
    bytes = tree(60).encode
    Key.at_hash = ->(key) { raise IOError, "halfway" if key.id == 5 }
    20.times { assert_raises(IOError) { Wide.decode(bytes) } }
    Key.at_hash = nil

    assert_equal tree(60), Wide.decode(bytes)
  end

  # --- old objects with new values ----------------------------------------------------------------------------------------

  # A minor collection looks at old objects only if a write barrier reported a write.
  def test_old_objects_take_new_values
    ways = [->(o, v) { o.text = v }, ->(o, v) { o["text"] = v }, ->(o, v) { o.send(:initialize, text: v) },
            ->(o, v) { o.send(:initialize_copy, o.class.new(text: v)) }, ->(o, v) { o.marshal_load([{ 7 => v }, nil]) },
            ->(o, v) { Sparpack::Native.fill(o, { text: v }) }]
    objects = Array.new(ways.size * 20) { Everything::Scalars.new }
    unions = Array.new(20) { Everything::Value.new }
    age
    objects.each_with_index { |object, i| ways[i % ways.size].call(object, "new text #{i}" * 5) }
    unions.each_with_index { |union, i| union.text = "new text #{i}" * 5 }
    minor

    assert_equal Array.new(objects.size) { |i| "new text #{i}" * 5 }, objects.map(&:text)
    assert_equal Array.new(20) { |i| "new text #{i}" * 5 }, unions.map(&:value)
  end

  # Gives plans and links to old classes, and kept unknown fields to old objects.
  def test_old_classes_take_new_plans
    sealed, fresh = Array.new(2) { Array.new(30) { Class.new(Sparpack::Struct) { field(1, :text, :string) && field(2, :more) { self } } } }
    sealed.each(&:new)
    age
    objects = [*sealed, *fresh].map { |made| made.decode(made.new(text: "t" * 40, more: made.new).encode) }
    minor

    assert_equal ["t" * 40], objects.map { |object| object.class.decode(object.encode).text }.uniq
  end

  # Each object gets bytes of its own, which nothing else refers to.
  def test_old_objects_take_kept_fields
    ways = [->(object, i) { object.marshal_load([{}, kept(i).encode(:binary).chop]) },
            ->(object, i) { object.send(:initialize_copy, Everything::Older.decode(kept(i).encode, unknown: :keep)) }]
    ways.each do |way|
      objects = Array.new(60) { Everything::Older.new }
      age
      objects.each_with_index(&way)
      minor

      assert_equal(Array.new(60) { |i| kept(i) }, objects.map { |object| Everything::Newer.decode(object.encode) })
    end
  end

  def test_old_codecs_take_new_classes
    codecs = Array.new(30) { Sparpack::Codec.allocate }
    age
    codecs.each { |codec| Sparpack::Native.codec_setup(codec, reload.last, :binary, {}) }
    minor

    assert_equal [5], codecs.map { |codec| codec.decode(codec.encode(codec.struct_class.new)).status }.uniq
  end

  # --- lifetimes --------------------------------------------------------------------------------------------------------

  def test_objects_outlive_the_names_of_their_classes
    objects = Array.new(50) do |i|
      inner, outer = reload
      outer.decode(outer.new(inners: { "k" => [inner.new(name: "n#{i}")] }).encode)
    end
    churn

    assert_equal((0...50).map { |i| "n#{i}" }, objects.map { |object| object.inners["k"][0].name })
    assert_equal(objects, objects.map { |object| object.class.decode(object.encode(:binary), :binary) })
  end

  def test_codecs_outlive_the_names_of_their_classes
    codecs = Array.new(50) { reload.last.codec(:binary) }
    churn
    objects = codecs.map { |codec| codec.decode(codec.encode(codec.struct_class.new(inners: { "k" => [] }))) }

    assert_equal [{ "k" => [] }], objects.map(&:inners).uniq
  end

  # A class that nobody refers to is collected, unless its address happens to be on the stack.
  def test_classes_are_let_go
    alive = in_child do
      classes = ObjectSpace::WeakMap.new
      make = lambda do |_|
        _, outer = reload
        outer.codec.decode(outer.new.encode)
        classes[outer] = true
      end
      200.times(&make)
      churn
      classes.size
    end

    assert_operator alive, :<, 50
  end

  def test_memory_does_not_grow
    skip "a sanitizer keeps what was freed" if ENV["SPARPACK_MODE"] == "sanitize"
    skip "there is no /proc" unless File.exist?("/proc/self/statm")

    megabytes = in_child { growth { 300.times { churn_once } } }

    assert_operator megabytes, :<, 12
  end

  private

  # 1 asks for a minor collection at every allocation: all new objects without a reference go, in a fraction of the time that
  # the major collections of `true` take.
  def stress(how = 1)
    GC.stress = how
    yield
  ensure
    GC.stress = false
  end

  def said
    yield
  rescue Sparpack::Error => e
    e.message
  end

  def compactable
    GC.compact
  rescue NotImplementedError, NoMethodError
    skip "this Ruby does not compact"
  end

  # Moves all objects that may move. Ruby 3.2 renamed the option.
  def move_everything
    mover = GC.method(:verify_compaction_references).parameters.include?(%i[key expand_heap]) ? :expand_heap : :double_heap
    GC.verify_compaction_references(toward: :empty, mover => true)
  end

  def age = 4.times { GC.start }

  def minor
    4.times do
      Array.new(3_000) { |i| "x" * (i % 120) }
      GC.start(full_mark: false)
    end
  end

  def churn
    4.times do
      GC.start
      Array.new(2_000) { |i| "x" * (i % 300) }
    end
  end

  # Does everything that can fail or make garbage.
  def churn_once
    inner, outer = reload
    object = outer.new(inners: { "a" => Array.new(20) { inner.new(name: "n" * 50) } })
    outer.decode(object.encode, unknown: :keep)
    said { outer.decode(object.encode.chop) }
    said { inner.new(name: 5).encode }
    said { Wide.decode(@bytes ||= "#{tree(60).encode.chop}\x0f") }
  end

  # Returns the growth in MB, after some rounds of warming up.
  def growth
    sizes = Array.new(3) do
      yield
      GC.start
      File.read("/proc/self/statm").split[1].to_i * 4096 / 1_000_000.0
    end
    sizes.last - sizes.first
  end

  # Defines two classes anew, as code reloading does.
  def reload
    inner = Class.new(Sparpack::Struct) { field 1, :name, :string, default: "none" }
    outer = Class.new(Sparpack::Struct) do
      field 1, :inners, map(:string, list(inner))
      field(2, :more) { self }
      field 3, :status, Everything::Status, default: :PAUSED
    end
    outer.new(more: outer.new).encode
    [inner, outer]
  end

  def tree(levels)
    levels.times.reduce(nil) do |rest, level|
      texts = (1..40).to_h { |id| [:"text#{id}", "level #{level}, field #{id}, and a text that is not embedded"] }
      Wide.new(**texts, keyed: { Key.new(id: level) => "key of #{level}" }, rest: rest)
    end
  end

  # Has fields that Everything::Older does not know.
  def kept(number) = Everything::Newer.new(bytes: "kept #{number}" * 9)

  def newer
    Everything::Newer.new(flag: true, name: "n", flags: [true, false], texts: Set["a", "b"], large: 1 << 60, number: 3,
                          pointed: { Everything::Point.new(x: 1) => [Everything::Value.number(5)] }, real: 1e300,
                          tree: Everything::Tree.new(name: "a text that is not embedded", children: []))
  end

  # Returns every kind of value, each also as an element and as a key.
  def samples
    point = Everything::Point.new(x: 1, y: -2)
    value = Everything::Value.named("a" => Everything::Value.text("ü" * 30), "b" => Everything::Value.point(point))
    scalars = Everything::Scalars.new(flag: true, tiny: -1, small: 300, medium: 1 << 30, large: -(1 << 63), real: 1e-300,
                                      text: "a text that is not embedded", bytes: "\xff".b * 40, status: :PAUSED)
    [
      Everything::Nested.new(empty: Everything::Empty.new, point: point, value: value, scalars: scalars, after: 7,
                             gone: Everything::Gone.new(message: "gone", last_seen: point)),
      Everything::Deep.new(lists: [[[[1, 2], []]]], sets: Set[Set[Set[1], Set[]]], pointed: [{ point => [value] }],
                           keyed: { [{ 1 => Set["x" * 30] }] => Set[[{ true => 0.5 }]] },
                           bagged: Set[{ Set[point] => ["\xfe".b] }]),
      Everything::Lists.new(larges: Array.new(300) { |i| (1 << 62) + i }, reals: Array.new(300) { |i| i * 1e300 },
                            texts: Array.new(20) { |i| "text #{i} of a list, not embedded" }),
      Everything::MapKeys.new(texts: Array.new(140) { |i| ["key #{i}", i] }.to_h, points: { point => 1 })
    ]
  end
end
