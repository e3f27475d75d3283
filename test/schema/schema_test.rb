# frozen_string_literal: true

require "test_helper"
require "support/wire_forms"

using WireForms

# What declarations mean, and what they refuse.
class SchemaTest < Minitest::Test
  SchemaError = Sparpack::SchemaError

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
  end

  class Point < Sparpack::Struct
    field 1, :x, :i32
  end

  class Listing < Sparpack::Struct
    field 7, :status, Status, required: true
    field 1, :point, Point, optional: true
    field 3, :labels, map(:string, set(:i32)), default: { "a" => Set[1] }
    field 0, :first, :uuid
    field 32_767, :last, list(list("Point"))
  end

  def declare(base = Sparpack::Struct, &) = Class.new(base, &)

  def assert_schema_error(message, base = Sparpack::Struct, &)
    error = assert_raises(SchemaError) { declare(base, &) }

    assert_includes error.message, message
    error
  end

  def test_what_a_schema_says
    schema = Listing.schema

    assert_equal [Listing, :struct, "SchemaTest::Listing"], [schema.struct_class, schema.shape, schema.name]
    assert_equal %i[status point labels first last], schema.fields.map(&:name)
    assert_equal [7, 1, 3, 0, 32_767], schema.fields.map(&:id)
    assert_equal %i[required optional default default default], schema.fields.map(&:requiredness)
    assert_equal(["SchemaTest::Status", "SchemaTest::Point", "map<string, set<i32>>", "uuid", "list<list<SchemaTest::Point>>"],
                 schema.fields.map { |field| field.type.to_s })
    assert_equal({ "a" => Set[1] }, schema[:labels].default)
    assert_equal [schema[:point], schema[:point], nil, nil], [schema["point"], schema[1], schema[:other], schema[2]]
    assert_predicate schema[:status], :required?
    assert_predicate schema[:point], :optional?
  end

  module Colour
    extend Sparpack::Enum

    idl "colour_t", values: { RED: "red" }, annotations: { "a" => "b" }, value_annotations: { BLUE: { "x" => %w[1 2] } }

    RED  = 1
    BLUE = 2
  end

  Colours = Sparpack::Type.typedef("Colours", Sparpack::Type.list("Colour"), annotations: { "c" => "d" })

  class Named < Sparpack::Struct
    idl "named_t", annotations: { "e" => "f" }

    field(-1, :user_id, Sparpack::Type.typedef("UserId", :i64), idl_name: "userId", annotations: { "g" => "h" },
                                                                implicit: true)
    field(-32_768, :idl, Colours, implicit: true)
    field 3, :forward, Sparpack::Type.typedef("Others", "Listing")
    field 4, :text, list(:string).annotate("i" => "j")
  end

  def test_what_idl_says_besides
    schema = Named.schema
    types = schema.fields.map(&:type)

    assert_equal ["named_t", { "e" => "f" }, "Listing", {}],
                 [schema.idl_name, schema.annotations, Listing.schema.idl_name, Listing.schema.annotations]
    assert_equal [%w[userId idl forward text], [{ "g" => "h" }, {}, {}, {}]],
                 [schema.fields.map(&:idl_name), schema.fields.map(&:annotations)]
    assert_equal ["UserId", "Colours", "Others", nil], types.map(&:typedef)
    assert_equal [{}, { "c" => "d" }, {}, { "i" => "j" }], types.map(&:annotations)
    assert_equal %w[i64 list<SchemaTest::Colour> SchemaTest::Listing list<string>], types.map(&:to_s)
    assert_equal declare { field 1, :x, :i64 }.schema[:x].type, types[0]
    assert Ractor.shareable?(schema)
  end

  def test_what_idl_says_of_an_enum
    assert_equal ["colour_t", "red", "BLUE", nil],
                 [Colour.idl_name, Colour.idl_name_of(1), Colour.idl_name_of(2), Colour.idl_name_of(3)]
    assert_equal [{ "a" => "b" }, {}, { "x" => %w[1 2] }],
                 [Colour.annotations, Colour.annotations(:RED), Colour.annotations(:BLUE)]
    assert_equal ["Status", {}, "ACTIVE"], [Status.idl_name, Status.annotations, Status.idl_name_of(1)]
    assert_equal %i[RED BLUE], Colour.names
  end

  def test_what_idl_cannot_say
    assert_schema_error("x: an idl_name is a String, not :x") { field 1, :x, :i8, idl_name: :x }
    assert_schema_error("x: annotations are a Hash, not 5") { field 1, :x, :i8, annotations: 5 }
    enum = Module.new do
      extend Sparpack::Enum

      idl values: { A: "a", B: "b" }
      const_set :A, 1
    end

    assert_equal [%i[A], nil, nil], [enum.names, enum.value_of(nil), enum.value_of(1)]
  end

  def test_negative_ids
    object = Named.new(user_id: 5, idl: [1], text: ["a"])

    WireForms.of(Named).each { |wire| assert_equal object, Named.decode(object.encode(wire), wire) }
    assert_schema_error("an id is an Integer from 0 to 32767, not -32769") { field(-32_769, :x, :i8, implicit: true) }
  end

  def test_a_schema_is_frozen
    assert Ractor.shareable?(Listing.schema)
    assert_same Listing.schema, Listing.schema
    assert_same Listing.schema, Listing.new.schema
    assert_equal "#<Sparpack::Schema struct SchemaTest::Listing {7: SchemaTest::Status status, " \
                 "1: SchemaTest::Point point, 3: map<string, set<i32>> labels, 0: uuid first, " \
                 "32767: list<list<SchemaTest::Point>> last}>", Listing.schema.inspect
  end

  def test_schemas_are_equal_by_what_they_say
    first, second = Array.new(2) { declare { field 1, :x, :i32, default: 5 } }

    refute_equal first.schema, second.schema
    assert_equal first.schema[:x], second.schema[:x]
    assert_equal first.schema[:x].hash, second.schema[:x].hash
    refute_equal first.schema[:x], declare { field 1, :x, :i32 }.schema[:x]
  end

  def test_ids
    assert_equal [0, 32_767], declare { [0, 32_767].each { |id| field id, :"f#{id}", :i8 } }.schema.fields.map(&:id)
    [-1, 32_768, 1 << 70, 1.0, "1", nil, :one].each do |id|
      assert_schema_error("x: an id is an Integer from 0 to 32767, not #{id.inspect}") { field id, :x, :i8 }
    end
  end

  def test_names
    ["x", "x y", :"x y", :"1x", :x?, :x!, :x=, :[], :"", nil, 1].each do |name|
      assert_schema_error("a name is a Symbol of letters, digits and _, not #{name.inspect}") { field 1, name, :i8 }
    end

    names = %i[_ _x X1 x1 end self nil true __FILE__ def größe Ünit 名前]
    made = declare { names.each_with_index { |name, id| field id, name, :i32 } }
    object = made.new(**names.each_with_index.to_h)

    names.each_with_index { |name, id| assert_equal id, object.public_send(name), name }
    names.each { |name| object.public_send(:"#{name}=", -1) }
    assert_equal [-1], object.to_h.values.uniq
    assert_equal object, made.decode(object.encode)
  end

  def test_duplicates
    assert_schema_error("y: another field, x, has the id 1 already") { 2.times { |i| field 1, %i[x y][i], :i8 } }
    assert_schema_error("x: another field, x, has this name already") { 2.times { |i| field i, :x, :i8 } }
    assert_schema_error("class_: the field class has the reader class_ already") do
      field 1, :class, :i8
      field 2, :class_, :i8
    end
    assert_schema_error("class: the field class_ has the reader class_ already") do
      field 2, :class_, :i8
      field 1, :class, :i8
    end
  end

  def test_types
    assert_schema_error(":int is not a type") { field 1, :x, :int }
    assert_schema_error(":i33 is not a type (did you mean :i3") { field 1, :x, :i33 }
    assert_schema_error("x: a type is missing") { field 1, :x }
    [String, Comparable, 5, [:i32], nil.to_a, { i8: :i8 }, Sparpack::Struct, Sparpack::Union].each do |type|
      assert_schema_error("#{type.inspect} is not a type") { field 1, :x, type }
    end
    assert_schema_error("x: a type is missing (as in list(:string))") { field 1, :x, list }
    assert_schema_error("x: a type is missing (as in set(:string))") { field 1, :x, list(set) }
    assert_schema_error("x: a type is missing (as in map(:i8, :i64))") { field 1, :x, map(:i8) }
    assert_schema_error("x: a type is missing (as in map(…, :i64))") { field 1, :x, map("A") }
    assert_schema_error("x: a type is missing (as in map(:string, :i64))") { field 1, :x, map(nil, :i8) }
    assert_schema_error("x: String is not a type (use :string)") { field 1, :x, list(map(:i8, String)) }
    assert_schema_error("x: :i33 is not a type (did you mean :i32?)") { field 1, :x, set(:i33) }
    assert_schema_error("x: {:string=>:i8} is not a type".gsub("{:string=>:i8}", { string: :i8 }.inspect)) do
      field 1, :x, map(string: :i8)
    end
    assert_schema_error("[:i32] is not a type (use list(:i32))") { field 1, :x, [:i32] }
    assert_schema_error(":int64 is not a type (use :i64)") { field 1, :x, :int64 }
  end

  # The name of a class may be the beginning of a message.
  def test_messages_begin_with_the_class_and_the_field
    stub_const = SchemaTest.const_set(:A, Class.new(Sparpack::Struct))

    assert_equal "SchemaTest::A.x: SchemaTest::Abc is not a type",
                 assert_raises(SchemaError) { stub_const.field 1, :x, SchemaTest.const_set(:Abc, Module.new) }.message
  ensure
    %i[A Abc].each { |name| SchemaTest.send(:remove_const, name) if SchemaTest.const_defined?(name, false) }
  end

  def test_requiredness
    assert_schema_error("x: a field is required or optional, not both") { field 1, :x, :i8, required: true, optional: true }
    assert_equal :default, declare { field 1, :x, :i8, required: false, optional: false }.schema[:x].requiredness
    assert_raises(ArgumentError) { declare { field 1, :x, :i8, mandatory: true } }
  end

  def test_defaults
    assert_schema_error("x: a default must be a value, not a Proc") { field 1, :x, :i8, default: -> { 5 } }
    assert_schema_error("x: a default must be copied and frozen, but this one cannot be") do
      field 1, :x, list(:i8), default: [Thread.current]
    end
    { [:i8, 128] => "expected i8, found 128", [:i32, "1"] => "expected i32, found String",
      [:bool, 1] => "expected bool, found 1", [:double, "1"] => "expected double, found String",
      [:string, 1] => "expected string, found 1", [:uuid, "1"] => "expected uuid, found String",
      [:binary, :x] => "expected binary, found :x", [Status, 1.0] => "expected SchemaTest::Status, found Float",
      [Status, :NONE] => "SchemaTest::Status has no value :NONE (known: :ACTIVE)",
      [Point, {}] => "expected SchemaTest::Point, found Hash", [Status, 1 << 31] => "found 2147483648" }
      .each do |(type, default), message|
      error = assert_schema_error("x: the default does not fit: ") { field(1, :x, type, default:) }

      assert_operator error.message, :end_with?, message
    end
    assert_schema_error("expected i8, found 300") { field 1, :x, list(map(:string, :i8)), default: [{ "a" => 300 }] }
  end

  def test_a_default_has_at_most_a_hundred_thousand_objects
    small = declare { field 1, :x, list(Point), default: Array.new(999) { Point.new } }
    assert_schema_error("x: the default has more than 100000 objects") do
      field 1, :x, list(small), default: Array.new(100) { small.new }
    end
    assert_equal 99, declare { field 1, :x, list(small), default: Array.new(99) { small.new } }.new.x.size
  end

  # Objects that are frozen are not copied when they are declared. Each new object has a copy of each.
  def test_a_default_that_shares_objects_has_few
    tree = declare { (1..2).each { |id| field id, :"f#{id}", self } }
    shared = (1..40).reduce(tree.new) { |node, _| tree.new(f1: node, f2: node) }
    [shared, Ractor.make_shareable(shared)].each do |default|
      made = declare { field 1, :x, tree, default: }
      error = assert_raises(Sparpack::SchemaError) { made.new }

      assert_match(/\.x: the default has more than 100000 objects/, error.message)
    end
  end

  def test_a_default_is_a_copy
    given = { "a" => [Point.new(x: 1)] }
    made = declare { field 1, :x, map(:string, list(Point)), default: given }
    given["a"][0].x = 2
    given["b"] = []

    assert_equal({ "a" => [Point.new(x: 1)] }, made.new.x)
    refute_predicate given, :frozen?
    assert Ractor.shareable?(made.schema[:x].default)
    refute_predicate made.new.x["a"][0], :frozen?
  end

  def test_a_default_takes_what_a_field_takes
    made = declare do
      field 1, :status, Status, default: :ACTIVE
      field 2, :text, :string, default: :symbol
      field 3, :bag, set(Status), default: [:ACTIVE, 1]
      field 4, :real, :double, default: 1
      field 5, :nothing, :i32, default: nil
      field 6, :no, :bool, default: false
    end

    assert_equal [1, "symbol", Set[1], 1, nil, false], made.new.to_h.values
    assert_equal [nil, false], [made.decode("\0").nothing, made.decode("\0").no]
  end

  def test_a_default_of_a_type_that_is_named_later_is_checked_when_it_is_used
    made = declare { field 1, :point, "SchemaTest::Point", default: 5 }

    assert_raises(SchemaError) { made.new }
    assert_raises(SchemaError) { made.schema }
  end

  def test_fields_after_use
    uses = { new: lambda(&:new), decode: ->(made) { made.decode("\0") }, schema: lambda(&:schema),
             codec: lambda(&:codec), nested: ->(made) { declare { field 1, :x, made }.codec } }
    uses.each do |name, use|
      made = declare { field 1, :x, :i32 }
      use.call(made)
      error = assert_raises(SchemaError, name) { made.field(2, :y, :i32) }

      assert_includes error.message, "the class is in use already: declare all fields before its first use"
      assert_equal [:x], made.schema.fields.map(&:name)
      refute_respond_to made.new, :y
    end
  end

  def test_the_bases_are_not_used_themselves
    [Sparpack::Struct, Sparpack::Union, Sparpack::Exception].each do |base|
      assert_includes assert_raises(SchemaError) { base.field(1, :x, :i8) }.message, "is a base"
      [-> { base.new }, -> { base.decode("") }].each { |use| assert_raises(TypeError, &use) }
      assert_raises(ArgumentError) { Sparpack::Codec.new(base) }
    end
  end

  def test_bases_without_fields
    base = Class.new(Sparpack::Struct) do
      include Comparable

      def twice = x * 2
    end
    made = Class.new(base) { field 1, :x, :i32 }

    assert_equal 4, made.new(x: 2).twice
    assert_equal({}, base.new.to_h)
    assert_equal 6, Class.new(base) { field 1, :x, :i32 }.new(x: 3).twice
  end

  def test_subclasses_add_behaviour_and_no_fields
    subclass = Class.new(Point) { def twice = x * 2 }

    assert_equal [4, [:x]], [subclass.new(x: 2).twice, subclass.schema.fields.map(&:name)]
    error = assert_raises(SchemaError) { Class.new(Point) { field 2, :y, :i32 } }
    assert_includes error.message, "SchemaTest::Point has fields: a subclass cannot add any"
    assert_raises(SchemaError) { Class.new(subclass) { field 2, :y, :i32 } }
  end

  def test_a_field_answers_the_name_of_its_reader
    readers = []
    declare do
      readers << field(1, :x, :i8) << field(2, :class, :i8)
    end

    assert_equal %i[x class_], readers
  end

  def test_methods_of_the_class_win_over_readers
    made = Class.new(Sparpack::Struct) do
      def x = super.to_s
      field 1, :x, :i32
    end

    assert_equal ["1", 1], [made.new(x: 1).x, made.new(x: 1)[:x]]
    assert_equal made.new(x: 1), made.decode(made.new(x: 1).encode)
  end

  def test_many_fields
    made = declare { (0...600).each { |id| field id, :"f#{id}", :i32, default: (id if id % 100 == 99) } }
    object = made.new(**(0...600).to_h { |id| [:"f#{id}", id] })

    (0...600).each { |id| assert_equal id, object.public_send("f#{id}") }
    (0...600).each { |id| object.public_send("f#{id}=", -id) }
    assert_equal (0...600).map(&:-@), object.to_h.values
    assert_equal object, made.decode(object.encode)
    assert_equal [99, nil, 599], [made.new.f99, made.new.f300, made.decode("\0").f599]
  end

  def test_names_beyond_the_accessors_made_in_c
    names = %i[end Foo nil größe puts class]
    made = declare do
      (0...256).each { |id| field id, :"f#{id}", :i8 }
      names.each_with_index { |name, i| field 300 + i, name, :string }
    end
    object = made.new(**names.to_h { |name| [name, name.name] })

    names.each { |name| assert_equal name.name, object.public_send(made.schema[name].reader) }
    assert_equal object, made.decode(object.encode)
  end

  private

  def y = 5
end
