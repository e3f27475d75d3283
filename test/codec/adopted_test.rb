# frozen_string_literal: true

require "test_helper"
require "objspace"
require "support/child"
require "support/command"
require "support/reading"
require "support/thrift_stub"
require "support/apache_shop"

using WireForms

# Objects of another library, whose fields are instance variables, by the example of classes that Apache's compiler
# generated. test/contract/adopted_test.rb runs the contract with such objects.
class AdoptedTest < Minitest::Test
  include Child
  include Reading
  extend Reading::Wires

  FULL = ApacheShop.everything
  OURS = ApacheShop.ours

  # --- as the objects of our own ----------------------------------------------------------------------------------------

  each_wire "they have the same bytes as ours", WireForms::ALL - [:thrift_json] do |wire|
    assert_equal OURS.encode(wire), codec(wire).encode(FULL)
    assert_equal Spelling.bytes(wire, OURS), codec(wire).encode(FULL)
  end

  each_wire "bytes become objects of their classes", WireForms::ALL - [:thrift_json] do |wire|
    read = codec(wire).decode(OURS.encode(wire))

    assert_equal FULL, read
    assert_instance_of Shop::Everything, read
    assert_equal [Shop::Point, Shop::Answer, Shop::Gone], [read.points[0], read.answers.values[0], read.gone].map(&:class)
    assert_equal "no such listing", assert_raises(Shop::Gone) { raise read.gone }.message
    assert_equal [:answers, "ü"], [read.answers.values[0].get_set_field, read.answers.values[0].answers[0].text]
  end

  each_wire "an absent field has no variable, and a default is a copy of its own" do |wire|
    read, other = Array.new(2) { codec(wire).decode(writer(wire, OURS.class).stop) }

    assert_equal %i[@real @color @numbers @origin], read.instance_variables
    assert_equal [0.5, 2, [1, 2], Shop::Point.new("x" => 1)], [read.real, read.color, read.numbers, read.origin]
    read.numbers << 3
    read.origin.label << "!"

    assert_equal [[1, 2], "none"], [other.numbers, other.origin.label]
  end

  each_wire "faults say where they are" do |wire|
    broken = ApacheShop.everything.tap { |object| object.points[1].x = "x" }
    error  = assert_raises(Sparpack::EncodeError::TypeMismatch) { codec(wire).encode(broken) }

    assert_equal "Shop::Everything.points[1].x: expected i32, found String (#{WireForms.wire(wire)})", error.message
    assert_equal ["Shop::Everything.points[1].x"], faults(broken)

    bytes = writer(wire, OURS.class).message([10, :struct, [[1, :string, "m"]]])
    error = assert_raises(Sparpack::DecodeError::MissingField) { codec(wire).decode(bytes) }
    assert_equal "Shop::Everything.gone.id", error.path
  end

  def test_validation_goes_through_all_of_it
    broken = ApacheShop.everything
    broken.gone.id = nil
    broken.answers[ApacheShop.point(5)].answers = [Shop::Answer.new, Shop::Answer.new(:flag, 3), 5]
    broken.places << Object.new

    assert_empty faults(FULL)
    assert_equal %w[places[1] answers.values[0].answers[0] answers.values[0].answers[1].flag answers.values[0].answers[2]
                    gone.id].map { |path| "Shop::Everything.#{path}" }, faults(broken)
    assert_equal ["Shop::Everything.places[1]"], faults(broken, all: false)
    assert_raises(TypeError) { Sparpack::Native.validate(Object.new, :strict, true) }
  end

  def test_a_union_whose_value_is_nil_is_invalid
    answer = Shop::Answer.new(:flag, nil)

    refuse = assert_raises(Sparpack::EncodeError::TypeMismatch) { Sparpack::Codec.new(Shop::Answer).encode(answer) }
    assert_equal [refuse.path], faults(answer)
  end

  # --- what fits ---------------------------------------------------------------------------------------------------------

  class Near < Shop::Point
    def distance = x.abs
  end

  def test_objects_of_subclasses_fit
    near = Near.new("x" => -2)
    read = Sparpack::Codec.new(Near).decode(Sparpack::Codec.new(Shop::Point).encode(near))

    assert_instance_of Near, read
    assert_equal 2, read.distance
    assert_equal [near.x], codec.decode(codec.encode(Shop::Everything.new("points" => [near]))).points.map(&:x)
  end

  def test_other_objects_do_not_fit
    [Object.new, OURS, BasicObject.new, nil, 1, Shop::Everything, FULL.points[0]].each do |other|
      assert_raises(Sparpack::EncodeError::TypeMismatch) { codec.encode(other) }
    end
    [FULL.points[0], Object.new].each do |other|
      assert_raises(Sparpack::EncodeError::TypeMismatch) { Sparpack::Codec.new(ApacheShop::Ours::Point).encode(other) }
    end
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) do
      codec.encode(Shop::Everything.new("points" => [FULL.points[0], OURS.points[0]]))
    end
    assert_equal "Shop::Everything.points[1]", error.path
  end

  class Mixed < Sparpack::Struct
    field 1, :point, Shop::Point
    field 2, :points, list(Shop::Point)
    field 3, :by_answer, map(Shop::Answer, "Mixed")
    field 4, :ours, list(ApacheShop::Ours::Point)
  end

  each_wire "classes of ours may hold them", WireForms::ALL - [:thrift_json] do |wire|
    mixed = Mixed.new(point: FULL.points[0], points: FULL.points, ours: OURS.points,
                      by_answer: { Shop::Answer.new(:flag, true) => Mixed.new(points: []) })

    assert_equal mixed, Mixed.decode(mixed.encode(wire), wire)
    assert_empty mixed.errors(:recursive)
    wrong = Mixed.new(points: OURS.points)
    assert_equal ["#{Mixed}.points[0]", "#{Mixed}.points[1]"], wrong.errors(:recursive).map(&:path)
    assert_raises(Sparpack::EncodeError::TypeMismatch) { wrong.encode(wire) }
    assert_raises(Sparpack::EncodeError::TypeMismatch) { Mixed.new(ours: FULL.points).encode(wire) }
  end

  # --- instance variables ------------------------------------------------------------------------------------------------

  def test_variables_come_in_any_order_and_number
    100.times do |seed|
      random = Random.new(seed)
      object = Class.new(Shop::Everything).allocate # Ruby remembers for each class in which order variables were set first
      names  = FULL.instance_variables.shuffle(random:)
      others = Array.new(random.rand(60)) { |i| :"@other#{i}" }
      (names + others).shuffle(random:).each do |name|
        object.instance_variable_set(name, FULL.instance_variable_defined?(name) ? FULL.instance_variable_get(name) : "?")
      end

      assert_equal codec.encode(FULL), codec.encode(object)
    end
  end

  def test_missing_variables_are_absent_fields
    assert_equal "\0".b, codec.encode(Shop::Everything.allocate)
    assert_equal "\0".b, codec.encode(Shop::Everything.allocate.tap { |object| object.flag = nil })
    lacking = Shop::Everything.new("points" => [Shop::Point.allocate])
    error = assert_raises(Sparpack::EncodeError::MissingField) { codec.encode(lacking) }
    assert_equal "Shop::Everything.points[0].x", error.path
    [Shop::Answer.allocate, Shop::Answer.new, Shop::Answer.new(:no_such_field, 1)].each do |union|
      assert_raises(Sparpack::EncodeError::MissingField) { Sparpack::Codec.new(Shop::Answer).encode(union) }
    end
  end

  def test_a_union_may_be_named_by_a_string
    answers = Sparpack::Codec.new(Shop::Answer)

    assert_equal answers.encode(Shop::Answer.new(:text, "x")), answers.encode(Shop::Answer.new("text", "x"))
    assert_raises(Sparpack::EncodeError::TypeMismatch) { answers.encode(Shop::Answer.new(:text, nil)) }
  end

  def test_frozen_objects
    frozen = Ractor.make_shareable(ApacheShop.everything)

    assert_equal codec.encode(FULL), codec.encode(frozen)
    read = codec(freeze: true).decode(codec.encode(FULL))
    assert_frozen_deep read
    assert_equal FULL, read
    read = codec.decode(codec.encode(FULL))
    (read.answers.keys + read.places.to_a).each { |key| assert_frozen_deep key }
    refute_predicate read, :frozen?
    refute_predicate read.points[0], :frozen?
    assert_raises(FrozenError) { Sparpack::Native.decode_into(codec, frozen, "\0") }
  end

  # --- unknown fields ----------------------------------------------------------------------------------------------------

  each_wire "unknown fields are kept, skipped or refused" do |wire|
    newer = writer(wire, OURS.class).message(
      [1, :bool, true], [5, [:list, :struct], [[[1, :i32, 4], [3, :string, ""], [7, :i8, 1]]]], [50, :string, "new"]
    )
    kept = codec(wire, unknown: :keep).decode(newer)

    assert_equal %i[@flag @real @points @color @numbers @origin].sort, kept.instance_variables.sort
    kept.instance_variables.grep_v(/flag|points/).each { |name| kept.remove_instance_variable(name) }

    assert_equal newer, codec(wire).encode(kept)
    assert_equal newer, codec(wire).encode(kept.dup)
    assert_equal newer, codec(wire).encode(load_dump(Marshal.dump(kept)))
    refute_includes codec(wire).encode(codec(wire).decode(newer)), "new"
    assert_raises(Sparpack::DecodeError::Malformed) { codec(wire, unknown: :reject).decode(newer) }
  end

  each_wire "an unknown variant of a union is kept until another is set" do |wire|
    bytes = writer(wire, ApacheShop::Ours::Answer).message([8, :string, "x"])
    kept  = Sparpack::Codec.new(Shop::Answer, wire, unknown: :keep).decode(bytes)
    lost  = Sparpack::Codec.new(Shop::Answer, wire).decode(bytes)

    assert_equal [nil, nil], [kept.get_set_field, kept.get_value]
    assert_equal bytes, Sparpack::Codec.new(Shop::Answer, wire).encode(kept)
    assert_empty Sparpack::Native.validate(kept, :recursive, true)
    error = assert_raises(Sparpack::EncodeError::MissingField) { Sparpack::Codec.new(Shop::Answer, wire).encode(lost) }
    assert_equal "an unknown field that was not kept", error.found
    kept.flag = true

    assert_equal Shop::Answer.new(:flag, true), Sparpack::Codec.new(Shop::Answer, wire).decode(
      Sparpack::Codec.new(Shop::Answer, wire).encode(kept)
    )
  end

  # --- objects that exist ------------------------------------------------------------------------------------------------

  def test_an_object_that_exists_is_filled
    object = ApacheShop.everything
    same   = Sparpack::Native.decode_into(codec, object, codec.encode(Shop::Everything.new("flag" => false)))

    assert_same object, same
    assert_equal Shop::Everything.new("flag" => false), object
    answer = Shop::Answer.new(:flag, true)
    answers = Sparpack::Codec.new(Shop::Answer)
    Sparpack::Native.decode_into(answers, answer, answers.encode(Shop::Answer.new(:text, "x")))

    assert_equal Shop::Answer.new(:text, "x"), answer
    ours = ApacheShop::Ours::Point.new(x: 1, y: 2)
    Sparpack::Native.decode_into(Sparpack::Codec.new(ours.class), ours, ours.class.new(x: 5).encode)

    assert_equal ours.class.new(x: 5), ours
  end

  def test_an_object_that_cannot_be_filled_stays_as_it_is
    object = ApacheShop.everything

    assert_raises(Sparpack::DecodeError) { Sparpack::Native.decode_into(codec, object, codec.encode(FULL)[0..-2]) }
    assert_equal FULL, object
    assert_raises(TypeError) { Sparpack::Native.decode_into(codec, Shop::Point.new, codec.encode(FULL)) }
  end

  def test_kept_fields_of_an_object_that_is_filled_are_replaced
    kept = codec(unknown: :keep)
    object = kept.decode(writer(:compact).message([3000, :string, "new"]))
    Sparpack::Native.decode_into(kept, object, writer(:compact).stop)

    refute_includes codec.encode(object), "new"
  end

  # --- Ruby code ---------------------------------------------------------------------------------------------------------

  # Everything that might be called in place of reading a variable.
  module Traps
    CALLS = %i[initialize x x= y label respond_to? method_missing instance_variable_get instance_variable_set kind_of?
               is_a? instance_of? class freeze == !].freeze
    CALLS.each { |name| define_method(name) { |*| ::Kernel.raise "#{name} was called" } }
  end

  class Trapped < BasicObject
    include Traps

    class << self
      %i[allocate new const_missing method_missing ===].each do |name|
        define_method(name) { |*| ::Kernel.raise "#{name} was called" }
      end
    end
  end

  def test_no_ruby_code_of_the_class_runs
    Sparpack::Native.adopt(Trapped, :struct, [[1, :x, :i32], [2, :label, :string]])
    bytes = "\x15\x0e\x18\x01b\x00".b
    codec = Sparpack::Codec.new(Trapped, freeze: true)

    assert_equal bytes, codec.encode(codec.decode(bytes))
    assert_empty Sparpack::Native.validate(codec.decode(bytes), :recursive, true)
    held = Class.new(Sparpack::Struct) { field 1, :all, list(Trapped) }
    assert_equal 2, held.decode("\x19\x2c#{bytes}#{bytes}\x00").all.size
  end

  def test_classes_with_other_memory_are_refused
    [String, Array, Hash, Class, Thread, Class.new(String), Class.new(Sparpack::Struct), Integer].each do |klass|
      assert_raises(TypeError) { Sparpack::Native.adopt(klass, :struct, []) }
    end
    assert_raises(TypeError) { Sparpack::Native.adopt(Shop::Point, :struct, []) }
    assert_raises(TypeError) { Sparpack::Native.adopt(Kernel, :struct, []) }
    assert_raises(ArgumentError) { Sparpack::Native.adopt(Class.new, :no_shape, []) }
    [[[1, :a, :i32], [1, :b, :i32]], [[1, :a, :i32], [2, :a, :i32]], [[1, "a", :i32]], [[1 << 15, :a, :i32]],
     [[1, :a, :no_type]]].each do |rows|
      assert_raises(Sparpack::SchemaError) { Sparpack::Native.adopt(Class.new, :struct, rows) }
    end
  end

  def test_adopting_leaves_no_trace_in_the_class
    assert_empty Shop::Point.instance_variables
    assert_empty Shop::Point.singleton_methods(false)
    assert_raises(ArgumentError) { Sparpack::Codec.new(Class.new) }
    assert_raises(ArgumentError) { Sparpack::Codec.new(Shop::Point.dup) }
  end

  # A value whose transcoding replaces everything around it.
  def test_an_object_that_changes_while_it_is_encoded
    text = "ü".encode("UTF-16LE")
    object = Shop::Everything.new("points" => [Shop::Point.new("x" => 1, "label" => text), Shop::Point.new("x" => 2)])
    wanted = codec.encode(object)
    thread = Thread.new { 1000.times { GC.start(full_mark: false) if object.points.replace(object.points.dup) } }

    200.times { assert_equal wanted, codec.encode(object) }
  ensure
    thread&.kill&.join
  end

  # --- memory ------------------------------------------------------------------------------------------------------------

  def test_garbage_collection_at_every_allocation
    bytes = codec.encode(FULL)
    in_child do
      [codec, codec(freeze: true), codec(unknown: :keep)].each do |codec|
        GC.stress = true
        read = codec.decode(bytes)
        again = codec.encode(read)
        faults = Sparpack::Native.validate(read, :recursive, true)
        GC.stress = false
        raise "changed" unless again == bytes && read == FULL && faults.empty?
      end
      nil
    end
  end

  def test_compaction
    skip "this Ruby cannot compact" unless GC.respond_to?(:compact)
    bytes = codec.encode(FULL)
    in_child do
      fresh = Class.new { attr_accessor :texts }
      row   = [1, :texts, list(:string), { default: ["a text, not embedded" * 2] }]
      Sparpack::Native.adopt(fresh, :struct, [row])
      fresh_codec = Sparpack::Codec.new(fresh)
      GC.respond_to?(:verify_compaction_references) ? GC.verify_compaction_references(toward: :empty) : GC.compact
      5.times do
        GC.compact
        raise "changed" unless codec.encode(codec.decode(bytes)) == bytes
        raise "lost" unless fresh_codec.decode("\0").texts == ["a text, not embedded" * 2]
      end
    end
  end

  # A key whose `hash` moves everything while all values that were read so far are pending.
  class Moving
    attr_accessor :id, :label

    def hash
      GC.compact
      Array.new(300) { |i| "fresh garbage #{i}" }
      id
    end

    def eql?(other) = id == other.id
  end

  def test_compaction_in_the_middle_of_a_decode
    skip "this Ruby cannot compact" unless GC.respond_to?(:compact)
    Sparpack::Native.adopt(Moving, :struct, [[1, :id, :i32], [2, :label, :string]])
    type   = Sparpack::Type.map(Moving, Moving)
    holder = Sparpack::Native.adopt(Class.new { attr_accessor :first, :moving, :last }, :struct,
                                    [[1, :first, :string], [2, :moving, type], [3, :last, Moving]])
    moving = lambda do |id|
      Moving.allocate.tap do |object|
        object.id = id
        object.label = "label #{id}, not embedded"
      end
    end
    object = holder.allocate
    object.first = "first, not embedded in its slot"
    object.moving = {}.compare_by_identity.merge(moving[1] => moving[2], moving[3] => moving[4])
    object.last = moving[5]
    codec = Sparpack::Codec.new(holder)
    bytes = codec.encode(object)

    again = in_child { Array.new(5) { codec.encode(codec.decode(bytes)) } }

    assert_equal [bytes] * 5, again
  end

  def test_old_objects_keep_what_they_are_filled_with
    object = Shop::Everything.new
    4.times { GC.start }
    Sparpack::Native.decode_into(codec, object, codec.encode(FULL))
    3.times { GC.start(full_mark: false) }

    assert_equal FULL, object
  end

  # 500 levels with 300 values each would not fit on the stack of a thread, which has a megabyte.
  def test_levels_take_no_stack_for_their_values
    wide = Class.new { attr_accessor :f300 }
    types = ->(id) { id == 300 ? Sparpack::Type.of(-> { wide }) : :i32 }
    Sparpack::Native.adopt(wide, :struct, (1..300).map { |id| [id, :"f#{id}", types[id]] })
    limits = Sparpack::Limits.new(depth: 1000, memory: 100_000_000)
    codec  = Sparpack::Codec.new(wide, :compact, limits:)
    object = (1..500).reduce(nil) { |inner, _| wide.allocate.tap { |outer| outer.f300 = inner } }

    bytes = Thread.new { codec.encode(object) }.value
    read  = Thread.new { codec.decode(bytes) }.value
    depth = 0
    (depth += 1) && read = read.f300 while read

    assert_equal 500, depth
    small = Sparpack::Codec.new(wide, :compact, limits: Sparpack::Limits.new(depth: 1000, memory: 100_000))
    assert_raises(Sparpack::EncodeError::LimitExceeded) { small.encode(object) }
    assert_raises(Sparpack::EncodeError::LimitExceeded) { Sparpack::Codec.new(wide).encode(object) }
    assert_equal "at most 64 levels", Sparpack::Native.validate(object, :recursive, true).first.expected
    cycle = wide.allocate.tap { |each| each.f300 = each }
    assert_raises(Sparpack::EncodeError::LimitExceeded) { codec.encode(cycle) }
  end

  # The values of an object wait somewhere while those below it are written.
  def test_memory_for_lists_in_lists
    deep = Class.new { attr_accessor :f1 }
    types = ->(id) { id == 1 ? Sparpack::Type.list(-> { deep }) : :i32 }
    Sparpack::Native.adopt(deep, :struct, (1..60).map { |id| [id, :"f#{id}", types[id]] })
    list = (1..30).reduce([]) { |below, _| [deep.allocate.tap { |each| each.f1 = below }] }
    codec = Sparpack::Codec.new(deep)

    assert_equal codec.encode(list[0]), codec.encode(codec.decode(codec.encode(list[0])))
    error = assert_raises(Sparpack::EncodeError::LimitExceeded) do
      Sparpack::Codec.new(deep, :compact, limits: Sparpack::Limits.new(memory: 1000)).encode(list[0])
    end

    assert_includes error.message, "expected at most 1000 bytes"
    assert_includes error.path, ".f1[0].f1[0].f1"
  end

  # Before Ruby 3.2 an object also has room for what other objects of its class had before it, so each class is new.
  def test_the_memory_limit_holds
    [Object, StandardError].product([1, 3, 4, 20, 60]).each do |parent, width|
      rows    = (1..width).map { |id| [id, :"f#{id}", :bool] }
      element = Sparpack::Native.adopt(Class.new(parent), parent == Object ? :struct : :exception, rows)
      holder  = Sparpack::Native.adopt(Class.new { attr_accessor :all }, :struct, [[1, :all, Sparpack::Type.list(element)]])
      codec   = Sparpack::Codec.new(holder, :compact, limits: Sparpack::Limits.new(memory: 200_000))
      most    = (1..5000).bsearch { |count| !fits?(codec, count, width) } - 1
      all     = codec.decode(list_of(most, width)).all
      memory  = all.sum { |object| ObjectSpace.memsize_of(object) } + ObjectSpace.memsize_of(all)

      assert_includes 60_000..200_000, memory, "#{most} objects with #{width} fields"
    end
  end

  def test_ractors
    bytes = codec.encode(FULL)
    assert_equal([[bytes, []]] * 3, in_child do
      Warning[:experimental] = false
      ApacheShop::CLASSES.each { |klass| Ractor.make_shareable(klass::FIELDS) } # `hash` reads them
      ractors = Array.new(3) do
        Ractor.new(Ractor.make_shareable(codec), bytes) do |shared, source|
          read = shared.decode(source)
          [shared.encode(read), Sparpack::Native.validate(read, :recursive, true)]
        end
      end
      ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
    end)
  end

  # --- Apache's own library ----------------------------------------------------------------------------------------------

  def test_objects_of_apaches_library
    skip "the thrift gem is missing: bundle install" unless Gem.loaded_specs["thrift"]
    output, status = Command.capture2e(RbConfig.ruby, "-Ilib", "-Itest", "-rsparpack", "-rthrift", "-e", <<~RUBY)
      require "support/apache_shop"
      full = ApacheShop.everything
      { compact: Thrift::CompactProtocolFactory, binary: Thrift::BinaryProtocolFactory }.each do |wire, factory|
        codec = Sparpack::Codec.new(Shop::Everything, wire)
        bytes = Thrift::Serializer.new(factory.new).serialize(full)
        abort "other bytes" unless codec.encode(full) == bytes
        abort "another object" unless codec.decode(bytes) == full
        back = Thrift::Deserializer.new(factory.new).deserialize(Shop::Everything.new, codec.encode(codec.decode(bytes)))
        abort "Apache reads another object" unless back == full
      end
    RUBY

    assert_predicate status, :success?, output
  end

  private

  def codec(wire = :compact, **options) = Sparpack::Codec.new(Shop::Everything, wire, **options)

  def faults(object, all: true) = Sparpack::Native.validate(object, :recursive, all).map(&:path)

  def load_dump(dump) = Marshal.load(dump) # rubocop:disable Security/MarshalLoad -- our own

  # The first field is a list of so many structs, in each of which as many fields are true.
  def list_of(count, width)
    ["\x19\xfc".b, [(count & 127) | 128, count >> 7].pack("C*"), "#{"\x11" * width}\0".b * count, "\0"].join
  end

  def fits?(codec, count, width)
    codec.decode(list_of(count, width))
    true
  rescue Sparpack::DecodeError::LimitExceeded
    false
  end
end
