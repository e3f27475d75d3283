# frozen_string_literal: true

require "test_helper"
require "support/random_forms"
require "support/seeded"

# to_h(deep: true) and from_h. The native core does what is usual, and lib/sparpack/objects/canonical.rb everything: both
# must agree.
class HashesTest < Minitest::Test
  include Seeded

  module Color
    extend Sparpack::Enum

    RED = 1
    BLUE = 2

    idl "color_t", values: { RED: "red_one" }
  end

  class Part < Sparpack::Struct
    field 1, :number, :i32, idl_name: "partNumber"
    field 2, :color, Color
    field 3, :tags, set(:string), default: ["new"]
  end

  class Pick < Sparpack::Union
    field 1, :text, :string
    field 2, :part, Part
  end

  class All < Sparpack::Struct
    field 1, :id, :i64
    field 2, :rate, :double
    field 3, :name, :string
    field 4, :photo, :binary
    field 5, :key, :uuid
    field 6, :parts, list(Part)
    field 7, :pick, Pick
    field 8, :names, map(:string, :double)
    field 9, :counts, map(:i64, list(:i32))
    field 10, :colors, map(Color, :bool)
    field 11, :part, Part
    field 12, :all, "All"
    field 13, :flags, map(:bool, :uuid)
    field 14, :keys, map(:uuid, :i8)
    field 15, :matrix, list(list(:double))
    field 16, :by_list, map(list(:double), :i8)
    field 17, :größe, :i32
    field 18, :twin, "All"
  end

  class Swapped < Sparpack::Struct
    field 1, :a, :i8, idl_name: "b"
    field 2, :b, :i8, idl_name: "c"
  end

  class Open < Sparpack::Struct
    field 1, :later, "NotDefinedYet"
  end

  class Holder < Sparpack::Struct
    field 1, :id, :i32
    field 2, :open, Open
  end

  UUID = "00112233-4455-6677-8899-aabbccddeeff"

  # --- what the native core does ------------------------------------------------------------------------------------------

  USUAL = {
    "Symbols" => [All, { id: 1, rate: 2, name: "x", parts: [{ number: 1, color: :RED }, { tags: %w[a b] }] }],
    "Strings" => [All, { "id" => 1, "rate" => 2.5, "parts" => [{ "number" => 1, "color" => "BLUE" }], "größe" => 1 }],
    "Strings in ASCII" => [All, { "id".encode("US-ASCII") => 1, "part".b => { "number".b => 1 } }],
    "another order" => [All, { größe: 3, "rate" => 1, id: 1, part: { tags: [], number: 1 } }],
    "names of the IDL" => [All, { part: { "partNumber" => 1 }, parts: [{ partNumber: 2, color: :red_one }] }],
    "objects" => [All, { parts: [Part.new(number: 1)], part: Part.new(tags: ["a"]), all: All.new(rate: 1) }],
    "a union" => [All, { pick: { "text" => "x", part: nil } }], "a union in it" => [Pick, { part: { number: 1 } }],
    "texts" => [All, { name: :symbol, photo: "ü", key: UUID.upcase,
                       names: { a: 1, "b".encode("US-ASCII") => 2, "c".b => 3 } }],
    "keys of JSON" => [All, { "counts" => { "-7" => [1], "9223372036854775807" => [], "-9999999999999999999" => [] },
                              "colors" => { "RED" => true, "9" => 1 }, "keys" => { UUID.upcase => 1 },
                              "flags" => { "true" => UUID, "false" => UUID.upcase } }],
    "texts that are no keys" => [All, { counts: { "07" => 1, "-0" => 1, "1_0" => 1, "9" * 20 => 1, "" => 1, "-" => 1 },
                                        flags: { "TRUE" => 1 }, keys: { x: 1, "y" => 2 } }],
    "other encodings" => [All, { name: "ü".encode("UTF-16LE"), part: { tags: ["ü".encode("ISO-8859-1"), "\xff".b, "a"] },
                                 names: { "ü".encode("UTF-16LE") => 1, "\xD8".b.force_encoding("UTF-16LE") => 2,
                                          "\xE9".b.force_encoding("US-ASCII") => 3, "b".encode("Shift_JIS") => 4,
                                          "a".b.force_encoding("UTF-16") => 5, "x".encode("ISO-2022-JP") => 6 } }],
    "wrong types" => [All, { id: "1", rate: [], name: 5, parts: { a: 1 }, names: [], part: "x", all: 1.5,
                             counts: { x: 1 } }],
    "Ruby's names before the IDL's" => [Swapped, { b: 1 }], "no fields" => [All, {}], "nil" => [Part, { tags: nil }],
    "large numbers" => [All, { rate: 1 << 1000, matrix: [[1 << 70, 1 << 1024, -(1 << 2000)]] }],
    "many" => [All, { parts: [{ number: 1 }] * 1000, names: (1..300).to_h { |i| [i.to_s, i] } }]
  }.freeze

  def test_what_is_usual_is_native
    USUAL.each do |name, (klass, hash)|
      native = Sparpack::Native.from_h(klass, hash, false)

      refute_nil native, name
      assert_alike ruby(klass, hash), native, hash
    end
  end

  # Swapped may be used for the first time here. For a large class that takes long, and safety/gc_test is about it.
  def test_garbage_collection_at_every_allocation
    All.new.encode
    USUAL.except("many").each do |name, (klass, hash)|
      expected = ruby(klass, hash)
      made, deep = stress { Sparpack::Native.from_h(klass, hash, false).then { |object| [object, object.to_h(deep: true)] } }

      assert_alike expected, made, hash
      assert_equal reference(expected), deep, name
    end
  end

  # [class, Hash, and whether Ruby accepts it]
  LEFT = [
    [All, { nme: 1 }, false], [All, { 5 => 1 }, false], [All, { "größe".encode("UTF-16LE") => 1 }, false],
    [All, { "größe".b => 1 }, false], [All, { (+"gr\xF6\xDFe").force_encoding("ISO-8859-1") => 1 }, false],
    [All, { parts: [{ color: :GREEN }] }, false], [All, { colors: { "GREEN" => true } }, false],
    [Pick, { text: "x", part: {} }, false], [Pick, { text: "x", "text" => nil }, true], [All, { id: 1, "id" => 2 }, true],
    [Swapped, { "b" => 1 }, true],
    [Part, { tags: Array.new(257) { Float::NAN - 1 } }, false], [Part, { tags: [Float::NAN] * 257 }, true]
  ].freeze

  def test_the_rest_is_rubys
    LEFT.each do |klass, hash, fine|
      assert_nil Sparpack::Native.from_h(klass, hash, false), hash.inspect
      next assert_raises(Sparpack::ConversionError, hash.inspect) { klass.from_h(hash) } unless fine

      assert_alike ruby(klass, hash), klass.from_h(hash), hash
    end
  end

  def test_unknown_names_are_skipped_natively
    hash = { id: 1, nme: 2, "x" => 3, 5 => 4, parts: [{ "y" => 1, number: 2 }], pick: { z: 1, text: "t" } }
    native = Sparpack::Native.from_h(All, hash, true)

    assert_equal All.new(id: 1, parts: [Part.new(number: 2)], pick: Pick.text("t")), native
    assert_alike ruby(All, hash, skip: true), native, hash
  end

  def test_unknown_names_do_not_become_symbols
    name = "sparpack_#{random.rand(1 << 60)}_unknown"
    All.from_h({ name => 1, "parts" => [{ name => 1 }], pick: { name => 1 } }, unknown: :skip)

    refute_includes Symbol.all_symbols.map(&:name), name
  end

  def test_random_forms
    native = 0
    300.times do
      object = random_object
      hash = RandomForms.new(random, hashes: true).hash(object)
      made = Sparpack::Native.from_h(object.class, hash, false)
      native += 1 if made
      assert_alike ruby(object.class, hash), made || object.class.from_h(hash), hash
    end

    assert_operator native, :>, 100
  end

  def test_random_junk
    found = Hash.new(0)
    500.times do
      object = RandomForms.new(random, hashes: false).wrong_object(random_object) rescue next # rubocop:disable Style/RescueModifier
      assert_alike reference(object), object.to_h(deep: true), object.to_h
      [object.to_h, object.to_h(deep: true)].each do |hash|
        expected = ruby_or_nil(object.class, hash)
        made = Sparpack::Native.from_h(object.class, hash, false)
        expected ? assert_alike(expected, made || object.class.from_h(hash), hash) : assert_nil(made)
        found[[!expected.nil?, !made.nil?]] += 1
      end
    end

    assert_operator found[[true, true]], :>, 200, found.inspect
  end

  # As Struct#to_h does.
  def test_a_block_makes_the_pairs
    all = All.new(parts: [Part.new(number: 1)])
    names = all.to_h { |name, value| [name.name, value.class] }
    deep = all.to_h(deep: true) { |name, value| [name, [value]] }

    assert_equal [All.members.map(&:name), Array], [names.keys, names["parts"]]
    assert_equal all.to_h(deep: true).transform_values { |value| [value] }, deep
    assert_raises(TypeError) { all.to_h { |name, _| name } }
    assert_raises(ArgumentError) { all.to_h(deap: true) { |pair| pair } }
  end

  # --- containers of other sorts ------------------------------------------------------------------------------------------

  Elements = Class.new(Array)
  Members = Class.new(Set)

  # As Active Support's HashWithIndifferentAccess: other methods, the same keys.
  class Indifferent < Hash
    def [](key) = super(key.to_s)
    def to_hash = raise("not called")
    def dup = raise("not called")
  end

  def test_subclasses
    hash = Indifferent.new.merge!("parts" => Elements[Indifferent.new.merge!("number" => 1, "tags" => Members["a"])],
                                  "names" => Indifferent.new.merge!("a" => 1))
    all = All.new(parts: Elements[Part.new(tags: Members["a"])], names: hash["names"])

    assert_alike ruby(All, hash), Sparpack::Native.from_h(All, hash, false), hash
    assert_alike reference(all), all.to_h(deep: true), all.to_h
    deep = all.to_h(deep: true)

    assert_equal [Array, Set, Hash], [deep[:parts], deep[:parts][0][:tags], deep[:names]].map(&:class)
  end

  def test_containers_that_compare_by_identity
    one, same = Array.new(2) { +"a" }
    names = { one => 1, same => 2 }.compare_by_identity
    all = All.new(names:, parts: [Part.new(tags: Set[one, same].compare_by_identity)])

    assert_equal({ "a" => 2 }, all.to_h(deep: true)[:names])
    assert_equal ["a"], all.to_h(deep: true)[:parts][0][:tags].to_a
    [all.to_h, all.to_h(deep: true), { all: }].each do |hash|
      assert_alike ruby(All, hash), Sparpack::Native.from_h(All, hash, false), hash
    end
    assert_predicate all.to_h(deep: true)[:names].keys[0], :frozen?
    refute_predicate one, :frozen?
  end

  def test_keys_and_elements_are_frozen_copies
    tag = +"tag"
    made = All.from_h(parts: [{ tags: [tag] }], names: { key: 1 })

    assert_equal [true, true, false], [made.parts[0].tags.first.frozen?, made.names.keys[0].frozen?, tag.frozen?]
  end

  def test_a_default_is_not_kept
    names = Hash.new(5)
    copies = [All.from_h(names:).names, All.new(names:).to_h(deep: true)[:names]]

    assert_equal([5, nil, nil], [names, *copies].map { |each| each["x"] })
  end

  def test_values_that_are_shared
    part = Part.new(tags: ["a"])
    made = All.from_h(parts: [part, part], part:, all: All.new(part:))

    assert_equal 1, [*made.parts, made.part, made.all.part].map(&:object_id).uniq.size
    refute_same part, made.part
  end

  # Each object is looked at once, or this would take for ever.
  def test_objects_that_share_their_parts
    deep = (1..60).reduce(All.new) { |all, _| All.new(all:, twin: all) }

    assert_same deep, All.from_h(all: deep).all
  end

  # --- Ruby code in the middle --------------------------------------------------------------------------------------------

  # Something whose `hash` changes what is being converted.
  class Sneaky
    def initialize(&change) = @change = change

    def hash
      @change.call
      1
    end
  end

  CHANGES = [->(hash, list) { [hash, list].each(&:clear) },
             ->(hash, list) { list.concat([[1]] * 1000) && (hash[:rate] = 1.5) }].freeze

  def test_keys_that_change_their_container
    CHANGES.product([:from_h, :to_h]) do |change, way|
      list = [[1, 2]] * 300
      hash = { matrix: list, id: 1 }
      armed = false
      list[5] = { [Sneaky.new { change.call(hash, list) if armed }] => 1 }
      hash[:by_list] = list[5]
      all = All.new(**hash)
      armed = true
      made = way == :from_h ? All.from_h(hash).to_h : all.to_h(deep: true)

      assert_includes [300, 1300, 0, 6], (made[:matrix] || []).size
    end
  end

  class Copied < Sparpack::Struct
    field 1, :tags, set(:string)

    def initialize_copy(other)
      super
      raise "copied" if tags == ["raise"]
    end
  end

  def test_a_copy_that_raises
    holder = Class.new(Sparpack::Struct) { field 1, :copied, Copied }

    assert_raises(RuntimeError) { holder.from_h(copied: Copied.new(tags: ["raise"])) }
    assert_equal Set["a"], holder.from_h(copied: Copied.new(tags: ["a"])).copied.tags
  end

  # --- types --------------------------------------------------------------------------------------------------------------

  def test_a_type_that_does_not_exist_is_not_needed
    assert_equal 5, Holder.from_h(id: 5).id
    assert_equal 5, Holder.from_h({ "id" => 5, x: 1 }, unknown: :skip).id
    assert_equal({ id: 5, open: nil }, Holder.from_h(id: 5).to_h(deep: true))
    assert_raises(Sparpack::SchemaError) { Holder.from_h(open: {}) }
  end

  def test_values_that_an_enum_gets_later
    grown = Module.new { extend Sparpack::Enum }
    grown.const_set(:ONE, 1)
    made = Class.new(Sparpack::Struct) { field 1, :values, list(grown) }
    made.from_h(values: [:ONE]).encode
    grown.const_set(:TWO, 2)

    assert_equal [1, 2], made.from_h(values: %i[ONE TWO]).values
  end

  def test_overrides_are_not_called
    odd = Class.new(Part) do
      def self.name = "Odd"
      def self.from_h(*) = raise("not called")
      def initialize(*) = raise("not called") # rubocop:disable Lint/MissingSuper
      def number = raise("not called")
      def to_h(...) = raise("not called")
    end
    holder = Class.new(Sparpack::Struct) { field 1, :odd, odd }
    made = holder.from_h(odd: { number: 1 })

    assert_instance_of odd, made.odd
    assert_equal({ odd: { number: 1, color: nil, tags: Set["new"] } }, made.to_h(deep: true))
  end

  # --- levels -------------------------------------------------------------------------------------------------------------

  # A Fiber's stack is too small for so many levels in Ruby. With sanitizers, and on s390x, each level takes more of it.
  MANY = ENV["SPARPACK_MODE"] == "sanitize" || RbConfig::CONFIG["host_cpu"] == "s390x" ? 300 : 999

  def test_many_levels_in_a_small_stack
    hash = (1..MANY).reduce({ id: 1 }) { |all, _| { all: } }
    object = Fiber.new { All.from_h(hash) }.resume

    assert_equal 1, (1..MANY).reduce(object) { |all, _| all.all }.id
    again = Fiber.new { object.to_h(deep: true) }.resume

    assert_equal 1, again.dig(*([:all] * MANY), :id)
  end

  private

  def stress
    GC.stress = 1 # bit 0: without major collections, which would take most of the time
    yield
  ensure
    GC.stress = false
  end

  def ruby(klass, hash, skip: false) = Sparpack::Canonical.new(skip:).build(klass, hash)

  def ruby_or_nil(klass, hash)
    ruby(klass, hash)
  rescue Sparpack::Canonical::Fault
    nil
  end

  # What to_h(deep: true) does, in the words of Ruby.
  def reference(value)
    case value
    when Sparpack::Value then value.class.instance_method(:to_h).bind_call(value).transform_values { |each| reference(each) }
    when Array then value.map { |each| reference(each) }
    when Set then value.to_set { |each| reference(each) }
    when Hash then value.to_h { |key, each| [reference(key), reference(each)] }
    else value
    end
  end

  def random_object
    schema = RandomSchema.new(random)
    schema.object(schema.struct_class)
  end

  # Asserts that two values are equal in every respect, and that both are the same object where one is part of the input.
  def assert_alike(expected, actual, input)
    known = {}.compare_by_identity
    collect(input, known)
    assert_equal shape(expected, known), shape(actual, known)
  end

  def collect(value, known)
    return if known[value]

    known[value] = true
    parts(value).each { |each| collect(each, known) }
  end

  def parts(value)
    case value
    when Sparpack::Value then value.class.schema.fields.map { |field| value[field.name] }
    when Array, Set then value.to_a
    when Hash then value.to_a.flatten(1)
    else []
    end
  end

  def shape(value, known)
    of = [value.class, value.frozen?]
    of << value.object_id if known[value]
    of << value.encoding if value.is_a?(String)
    inside = parts(value)
    of << (inside.empty? && !value.is_a?(Sparpack::Value) ? value.inspect : inside.map { |each| shape(each, known) })
  end
end
