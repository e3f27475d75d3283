# frozen_string_literal: true

require "test_helper"
require "json"
require "pp"
require "stringio"
require "tmpdir"
require "yaml"

# A variant of a union may have any name. Its constructor hides the class method of that name, and everything still works.
class UnionNamesTest < Minitest::Test
  # The classes need names, for Marshal and YAML.
  module Made
  end

  # Methods that classes have from Sparpack and from Ruby, methods of every object, and some that other versions may add.
  NAMES = [*Sparpack::Union.methods, *Sparpack::Union.private_methods, *Sparpack::Declaration.private_instance_methods,
           *Sparpack.singleton_methods, :dig, :count, :columns, :convert, :from_json, :delegate, :presence, :descendants]
          .uniq.grep(/\A[[:alpha:]_]\w*\z/).sort.freeze

  RESERVED, FREE = NAMES.partition do |name|
    (Sparpack::RESERVED + Sparpack::RESERVED_BY_CLASSES).include?(name)
  end

  def test_sparpacks_class_methods_are_not_reserved
    ours = Sparpack::Declaration.instance_methods(false) - %i[freeze inherited from_msgpack_ext]

    assert_operator ours.size, :>, 8
    assert_empty ours - FREE
    assert_empty %i[dig codec count list raise open test] - FREE
  end

  def test_each_name
    FREE.each { |name| assert_works(union(name), name, name) }
  end

  def test_reserved_names
    RESERVED.each { |name| assert_works(union(name), name, :"#{name}_") }
  end

  def test_all_names_in_one_union
    made = Made.const_set("All#{Made.constants.size}", Class.new(Sparpack::Union) do
      NAMES.shuffle(random: Random.new(1)).each_with_index { |name, id| field id, name, :string }
    end)

    NAMES.each { |name| assert_works(made, name, RESERVED.include?(name) ? :"#{name}_" : name) }
  end

  # The words of the DSL keep their meaning while the class is declared.
  class Words < Sparpack::Union
    field 1, :list, list(:string)
    field 2, :set, set(:string)
    field 3, :map, map(:string, :string)
    field 4, :field, :string
    field 5, :idl, :string
    field 6, :lists, list(list(:i8))
    field 7, :sets, set("UnionNamesTest::Words")
    field 8, :maps, map(:i8) { :i8 }
    idl "words", annotations: { "a" => "b" }
    field 10, :default_codec, :string
    default_codec :binary
    field(9, :last) { list { :i8 } }
  end

  def test_words_of_the_dsl
    types = Words.schema.fields.map { |field| field.type.to_s }

    assert_equal ["list<string>", "set<string>", "map<string, string>", "string", "string", "list<list<i8>>",
                  "set<UnionNamesTest::Words>", "map<i8, i8>", "string", "list<i8>"], types
    assert_equal Words.new(field: "x").encode(:binary), Words.new(field: "x").encode
    assert_equal ["words", { "a" => "b" }], [Words.schema.idl_name, Words.schema.annotations]
    values = { list: ["x"], set: Set["x"], map: { "x" => "y" }, field: "x", idl: "x", default_codec: "x" }
    values.each do |name, value|
      assert_equal Words.new(name => value), Words.public_send(name, value)
      assert_equal Words.new(name => value), Words.decode(Words.public_send(name, value).encode)
    end
    assert_raises(Sparpack::SchemaError) { Words.field(11, :late, :i8) }
  end

  # After the first use, arguments that could be types are values.
  def test_values_that_could_be_types
    %i[list set idl].product(["Node", :string, Words]) do |name, value|
      made = Class.new(Sparpack::Union) { field 1, name, :string }
      extended = Class.new(Sparpack::Union) do
        field 1, name, :string
        field 2, :other, list(:string) unless name == :idl
      end

      assert_equal made.new(name => value), made.public_send(name, value)
      assert_equal extended.new(name => value), extended.public_send(name, value)
    end
  end

  # The constructors of a subclass make its own objects. A class method that is defined later is kept.
  def test_subclasses_and_own_methods
    parent = Class.new(Sparpack::Union) { field 1, :codec, :string }
    child = Class.new(parent) { def self.schema = :mine }

    assert_instance_of child, child.codec("x")
    assert_equal [:mine, child.new(codec: "x")], [child.schema, Sparpack::Codec.new(child).decode(child.codec("x").encode)]
  end

  # The variant that is named like another one's constructor gets the name, whatever comes first.
  def test_names_with_an_underscore
    [%i[name name_], %i[name_ name]].each do |names|
      made = Class.new(Sparpack::Union) { names.each_with_index { |name, id| field id, name, :string } }

      assert_equal made.new(name_: "x"), made.name_("x")
    end
  end

  IDL = <<~THRIFT
    namespace rb UnionNames
    union Answer { %s }
    struct Holder { 1: list<Answer> answers, 2: map<string, Answer> by_name }
  THRIFT

  # Classes from IDL, both defined and generated.
  def test_idl
    Dir.mktmpdir do |folder|
      variants = idl_names.each_with_index.map { |name, id| "#{id + 1}: string #{name}" }
      File.write("#{folder}/names.thrift", format(IDL, variants.join(", ")))
      generated = Sparpack::Generate.files("#{folder}/names.thrift")
      loaded = Sparpack::IDL.load("#{folder}/names.thrift", into: Module.new)
      written = Module.new.tap { |into| into.module_eval(generated.fetch("names.rb")) }::UnionNames
      [loaded, written].each do |found|
        idl_names.each do |name|
          object = found::Answer.public_send(Sparpack::Names.constructor(name), "v")
          holder = found::Holder.new(answers: [object], by_name: { "x" => object })

          assert_equal [object, holder], [object.class.new(name => "v"), found::Holder.decode(holder.encode)]
        end
      end
    end
  end

  private

  def idl_names = @idl_names ||= NAMES - Sparpack::IDL::Parser.const_get(:KEYWORDS).map(&:to_sym)

  def union(name)
    Made.const_set("U#{Made.constants.size}", Class.new(Sparpack::Union) do
      field 1, name, :string
      field 2, :other_variant, :i32
    end)
  end

  # Checks everything that unions can do.
  def assert_works(made, name, constructor)
    object = made.public_send(constructor, "v")
    codec = Sparpack::Codec.new(made, :binary, freeze: true)
    holder = Class.new(Sparpack::Struct) do
      field 1, :list, list(made)
      field 2, :map, map(made, :i8)
      field 3, :default, made, default: object
    end
    held = holder.new(list: [object], map: { object => 1 })

    assert_instance_of made, object
    assert_equal [name, "v", name, "v"], [object[name] && Sparpack.field(object), object[name], *object.to_h.first]
    assert_equal [object] * 9,
                 [codec.decode(codec.encode(object)), *codec.decode_each(object.encode(:binary)), object.dup,
                  Sparpack.from_h(made, object.to_h(deep: true)), Marshal.load(Marshal.dump(object)),
                  YAML.unsafe_load(YAML.dump(object)), Sparpack.with(made.new, name => "v"),
                  made.new(name => "w").tap { |other| other[name] = "v" }, Ractor.make_shareable(object.dup)], name
    assert_equal [held, object], [holder.decode(held.encode), holder.new.default]
    assert_equal({ name.name => "v" }, JSON.parse(object.to_json))
    assert_equal ["#<#{made} #{name}=\"v\">"] * 2, [object.inspect, PP.singleline_pp(object, +"")]
    assert_equal [[], true, object],
                 [Sparpack.errors(object, :recursive), Sparpack.valid?(object), Sparpack.validate(object)]
    error = assert_raises(Sparpack::EncodeError) { made.new(name => 5).encode }
    assert_equal "#{made}.#{name}: expected string, found 5 (compact)", error.message
    assert_equal [made, :union], [Sparpack.schema(made).struct_class, Sparpack.schema(object).shape]
    assert_equal object.encode.bytesize, Sparpack.encode_to(object, StringIO.new)
    assert_raises(Sparpack::SchemaError) { Sparpack::Declaration.instance_method(:field).bind_call(made, 5, :late, :i8) }
    assert_predicate Class.new(made).freeze, :frozen?
  end
end
