# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/spelling"
require "tmpdir"
require "support/command"
require "support/description"
require "support/forked_ruby"
require "support/random_classes"
require "support/wire_forms"

using WireForms

# Classes as somebody might write them by hand.
module DumpedShop
  UserId = Sparpack::Type.typedef("UserId", :i64, annotations: { "js.type" => "Long" })

  module Status
    extend Sparpack::Enum

    OPEN = 1
    PAID = 2
    DONE = 2
  end

  class Nothing < Sparpack::Struct; end

  class Order < Sparpack::Struct
    class Item < Sparpack::Struct
      field 1, :sku, :string, required: true
      field 2, :count, :i32, default: 1
    end

    field 1, :id, :i64, required: true
    field 2, :items, list(Item), default: [Item.new(sku: "a\n\"b\""), Item.new(sku: "c", count: -2)]
    field 3, :status, Status, default: :PAID
    field 4, :user, UserId.annotate({ "js.type" => "Long", "a" => "b" }), optional: true
    field 5, :class, :string, idl_name: "klass"
  end
end

# Dumps classes as .thrift files: the classes that are loaded from them say the same as the dumped ones.
class IDLDumpTest < Minitest::Test
  include ForkedRuby

  IDL = File.expand_path("../fixtures/idl", __dir__)
  ROOTS = %w[shop.thrift oddities.thrift circle_a.thrift plain-file.v2.thrift apache.thrift].freeze
  SEEDS = (1..Integer(ENV.fetch("SEEDS", "30")))

  def setup = @folder = Dir.mktmpdir

  def teardown = FileUtils.rm_rf(@folder)

  # --- loading what was dumped ------------------------------------------------------------------------------------------

  %i[idl ruby].product(%i[idl ruby]).each do |loaded, dumped|
    define_method(:"test_fixtures_named_as_in_#{loaded}_for_#{dumped}") do
      into = Module.new
      ROOTS.each { |root| Sparpack::IDL.load("#{IDL}/#{root}", into:, names: loaded) }
      assert_comes_back into, names: dumped
    end
  end

  SEEDS.each do |seed|
    define_method(:"test_random_classes_#{seed}") do
      made = RandomClasses.new(Random.new(seed))
      root = made.run
      again = assert_comes_back(root, names: seed.odd? ? :idl : :ruby)
      objects = RandomSchema.new(Random.new(seed))
      made.structs.each { |source| assert_same_bytes(source, again.const_get(path(source)), objects) }
    end
  end

  # A default is built anew from what the file says.
  def test_defaults_have_the_same_bytes
    again = assert_comes_back(Sparpack::IDL.load("#{IDL}/oddities.thrift", into: into = Module.new) && into)
    defaults = again::IDLFixtures::Oddities::Defaults

    assert_equal into::IDLFixtures::Oddities::Defaults.new.encode, defaults.new.encode
  end

  # --- files ------------------------------------------------------------------------------------------------------------

  ORDER = <<~THRIFT
    struct Order {
      1: required i64 id,
      2: list<Order_Item> items = [{"sku": "a\\n\\"b\\""}, {"sku": "c", "count": -2}],
      3: Status status = Status.PAID,
      4: optional UserId (a = "b") user,
      5: string klass (sparpack.ruby = "class"),
    }
  THRIFT

  SHOP = <<~THRIFT.freeze
    namespace rb DumpedShop

    enum Status {
      OPEN = 1,
      PAID = 2,
      DONE = 2,
    }

    typedef i64 UserId (js.type = "Long")

    struct Order_Item {
      1: required string sku,
      2: i32 count = 1,
    } (sparpack.ruby = "Order::Item")

    #{ORDER.rstrip}
  THRIFT
  private_constant :ORDER, :SHOP

  def test_a_file
    order = DumpedShop::Order

    assert_equal({ "dumped_shop.thrift" => SHOP }, Sparpack::IDL.dump(order))
    assert_equal({ "dumped_shop.thrift" => SHOP }, Sparpack::IDL.dump(order, DumpedShop::Status, order::Item))
    assert_equal [ORDER, ORDER], [order.schema.to_idl, Sparpack.to_idl(order)]
    assert_equal "enum Status {\n  OPEN = 1,\n  PAID = 2,\n  DONE = 2,\n}\n", DumpedShop::Status.to_idl
    assert_includes order.schema.to_idl(names: :ruby), "string klass (sparpack.ruby = \"class\")"
    again = load(Sparpack::IDL.dump(order))

    assert_equal 1, again::DumpedShop::Order.new.items[0].count
    assert_same again::DumpedShop::Order::Item, again::DumpedShop::Order.schema[:items].type.element.target
    assert_equal({ "js.type" => "Long" }, again::DumpedShop::UserId.annotations)
  end

  def test_the_names_of_files
    made = { "A" => "a", "HTTPThing" => "http_thing", "Shop::V1" => "shop_v1", "ShopV1" => "shop_v1_2" }
    root = modules(*made.keys)
    made.each_key { |path| root.const_get(path).const_set(:X, Class.new(Sparpack::Struct)) }
    texts = Sparpack::IDL.dump(*made.keys.map { |path| root.const_get(path)::X })

    assert_equal made.values.sort, texts.keys.map { |name| name.delete_suffix(".thrift") }.sort
    assert_includes texts["shop_v1.thrift"], "namespace rb Shop.V1\n"
    assert_includes texts["shop_v1_2.thrift"], "namespace rb ShopV1\n"
  end

  # At the top level there is no module, so the file gets the name of the dumped class.
  def test_the_top_level
    root = Module.new
    root.const_set(:UserInfo, info = Class.new(Sparpack::Struct) { field 1, :x, :i32 })
    root.const_set(:User, user = Class.new(Sparpack::Struct) { field 1, :info, info })

    assert_equal %w[user.thrift], Sparpack::IDL.dump(user).keys
    assert_match(/\Anamespace rb Object\n/, Sparpack::IDL.dump(user)["user.thrift"])
    assert_equal %w[top_level.thrift], Sparpack::IDL.dump(user, info).keys
    again = load(Sparpack::IDL.dump(user, info))

    assert_equal %i[User UserInfo], again.constants.sort
  end

  # Modules that need one another get several files each. A file includes only files below it.
  def test_modules_that_need_one_another
    root = modules("Shop", "Billing")
    struct(root::Shop, :Item)
    struct(root::Billing, :Money)
    struct(root::Shop, :Order, root::Billing::Money, root::Shop::Item)
    struct(root::Billing, :Invoice, root::Shop::Order, root::Billing::Money)
    assert_comes_back(root)
    files = Sparpack::IDL.dump(root).transform_values { |text| text.scan(/^struct (\w+)/).flatten }

    assert_equal({ "billing.thrift" => %w[Money], "billing_2.thrift" => %w[Invoice], "shop.thrift" => %w[Item],
                   "shop_2.thrift" => %w[Order] }, files)
  end

  # Definitions that need one another share a file, whatever modules they are in.
  def test_definitions_in_two_modules_that_need_one_another
    root = modules("Shop", "Billing")
    order = root::Shop.const_set(:Order, Class.new(Sparpack::Struct))
    invoice = struct(root::Billing, :Invoice, order)
    order.field(1, :invoices, order.list(invoice))
    assert_comes_back(root)
    text = Sparpack::IDL.dump(order).fetch("billing.thrift")

    assert_equal 1, Sparpack::IDL.dump(order).size
    assert_includes text, "struct Order {\n  1: list<Invoice> invoices,\n} (sparpack.ruby = \"::Shop::Order\")"
  end

  # Such a file cannot be read without an option, so it says so.
  def test_ids_that_are_not_positive_have_a_comment
    root = modules("Old")
    struct = root::Old.const_set(:S, thing { field 0, :x, :i8 })

    assert_equal "// Some field ids are not positive. To read this file, set allow_neg_keys or --allow-neg-keys.\n",
                 Sparpack::IDL.dump(struct).fetch("old.thrift").lines.first
    assert_comes_back(root)
  end

  # A typedef is dumped where its constant is, even if nothing else there is dumped, and whatever else has its name.
  def test_typedefs_of_other_modules
    root = modules("Common", "Other", "Shop")
    time = root::Common.const_set(:Time, Sparpack::Type.typedef("Time", :i64))
    same = root::Shop.const_set(:Time, Sparpack::Type.typedef("Time", :i64))
    nothing = root::Other.const_set(:Nothing, thing)
    later = root::Other.const_set(:Later, Sparpack::Type.typedef("Later") { nothing })
    order = struct(root::Shop, :Order, time, same, later, Sparpack::Type.list(time.annotate({ "a" => "b" })))
    texts = Sparpack::IDL.dump(order)

    assert_equal %w[common.thrift other.thrift shop.thrift], texts.keys
    assert_includes texts["common.thrift"], "namespace rb Common\n\ntypedef i64 Time\n"
    assert_includes texts["other.thrift"], "typedef Nothing Later\n"
    assert_equal ["1: common.Time f0", "2: Time f1", "3: other.Later f2", '4: list<common.Time (a = "b")> f3'],
                 texts["shop.thrift"].scan(/\d: .*(?=,)/)
  end

  # All constants of the program are looked at, and nobody who dumps one class wants to read which of them are deprecated.
  def test_deprecated_constants
    root = modules("Old", "Other", "Shop")
    root::Old.const_set(:Gone, 1)
    root::Old.deprecate_constant(:Gone)
    order = struct(root::Shop, :Order, root::Other.const_set(:Id, Sparpack::Type.typedef("Id", :i64)))
    deprecated = Warning[:deprecated]
    Warning[:deprecated] = true

    assert_silent { assert_equal %w[other.thrift shop.thrift], Sparpack::IDL.dump(order).keys }
    assert Warning[:deprecated]
  ensure
    Warning[:deprecated] = deprecated
  end

  # Files that are loaded one after another use the same typedef.
  def test_typedefs_of_loaded_files
    write("a.thrift" => "namespace rb A\ntypedef i64 Time", "b.thrift" => "namespace rb B\ntypedef i64 Time",
          "c.thrift" => "namespace rb C\ninclude 'a.thrift'\nstruct X { 1: a.Time t }")
    into = Module.new
    %w[b a c].each { |name| Sparpack::IDL.load("#{@folder}/#{name}.thrift", into:) }

    assert_equal({ "a.thrift" => "namespace rb A\n\ntypedef i64 Time\n",
                   "c.thrift" => "namespace rb C\n\ninclude \"a.thrift\"\n\nstruct X {\n  1: a.Time t,\n}\n" },
                 Sparpack::IDL.dump(into::C::X))
  end

  # --- messages ---------------------------------------------------------------------------------------------------------

  # Why a name is not possible in IDL, and what helps.
  NO_NAME = "cannot be a name in IDL, because names there consist of ASCII letters, digits and _ (to choose another name,"
  KEYWORD = "cannot be a name in IDL, because it is a keyword there (to choose another name,"
  private_constant :NO_NAME, :KEYWORD

  # What cannot be said in IDL: a class, and the message about it.
  UNSAYABLE = {
    "a name of another script" =>
      [-> { thing { field 1, :größe, :i8 } }, "X.größe: \"größe\" #{NO_NAME} give it an idl_name)"],
    "a name that no field has" =>
      [-> { thing { field 1, :cpp_type, :i8 } }, "X.cpp_type: \"cpp_type\" #{KEYWORD} give it an"],
    "a keyword for a class" =>
      [-> { thing { idl "list" } }, "X: \"list\" #{KEYWORD} write inside it: idl \"another_name\")"],
    "a keyword for a function" =>
      [-> { service(:map) }, "X.map: \"map\" #{KEYWORD} give it an idl_name)"],
    "a value of another script" =>
      [-> { Module.new { const_set(:ÄH, 1) && extend(Sparpack::Enum) } },
       "X::ÄH: \"ÄH\" #{NO_NAME} write in the enum: idl values: { ÄH: \"ANOTHER\" })"],
    "a NaN" =>
      [-> { thing { field 1, :d, :double, default: Float::NAN } },
       "X.d: IDL cannot express the default NaN, because IDL has no literal for it"],
    "infinity in a list" =>
      [-> { thing { field 1, :d, list(:double), default: [1, -Float::INFINITY] } },
       "X.d: IDL cannot express the default -Infinity, because IDL has no literal for it"],
    "a number without a name" =>
      [-> { thing { field 1, :e, DumpedShop::Status, default: 7 } },
       "X.e: IDL cannot express the default 7, because it has no name in DumpedShop::Status"],
    "nil over a default" =>
      [-> { thing { field 1, :i, DumpedShop::Order::Item, default: DumpedShop::Order::Item.new(count: nil) } },
       "X.i: IDL cannot express a default of the class DumpedShop::Order::Item, " \
       "because its count is nil although it has a default"],
    "a wrong value in a default" =>
      [-> { thing { field 1, :i, DumpedShop::Order::Item, default: DumpedShop::Order::Item.new(sku: 1) } },
       "X.i: IDL cannot express the default 1, because it is not of the type string"],
    "an unknown field in a default" =>
      [-> { thing { field 1, :i, DumpedShop::Nothing, default: DumpedShop::Nothing.decode("\x15\2\0", unknown: :keep) } },
       "X.i: IDL cannot express a default of the class DumpedShop::Nothing, because it has unknown fields"],
    "text that is not UTF-8" =>
      [-> { thing { field 1, :s, :string, default: "\xFF" } },
       "X.s: IDL cannot express a default of the class String, because it is not UTF-8"],
    "an annotation's name" =>
      [-> { thing { field 1, :s, :i8, annotations: { "a b" => "c" } } },
       'X.s: "a b" cannot be the name of an annotation in IDL'],
    "an annotation that is taken" =>
      [-> { thing { field 1, :s, :i8, annotations: { "sparpack.ruby" => "c" } } },
       'X.s: "sparpack.ruby" cannot be the name of an annotation in IDL'],
    "an annotation's value" =>
      [-> { thing { idl annotations: { "a" => 1 } } }, "X: the value of the annotation a must be a String, not 1"],
    "two fields of one name" =>
      [-> { thing { [1, 2].each { |id| field id, :"f#{id}", :i8, idl_name: "f" } } },
       'IDL cannot express this: x.thrift:5:3: expected a unique name, found "f", which is the name of another field'],
    "two typedefs of one name" =>
      [-> { thing { %i[i8 i16].each { |type| field type.size, type, Sparpack::Type.typedef("A", type) } } },
       "two typedefs are called A, one for i8 and one for i16"],
    "more levels than are read" =>
      [-> { thing { field 1, :x, 65.times.reduce(:i8) { |type, _| list(type) } } },
       "IDL cannot express this: x.thrift:4:334: expected at most 64 levels of nesting, found more"]
  }.freeze

  UNSAYABLE.each do |name, (made, message)|
    define_method(:"test_#{name.gsub(/\W/, "_")}_cannot_be_said") do
      Module.new.const_set(:X, found = instance_exec(&made))
      error = assert_raises(Sparpack::SchemaError) { Sparpack::IDL.dump(found) }

      assert_equal message, error.message.gsub(/#<Module:0x\h+>::/, "")[0, message.size]
    end
  end

  def test_classes_without_a_name
    error = assert_raises(Sparpack::SchemaError) { Sparpack::IDL.dump(thing) }

    assert_match(/\A#<Class:0x\h+> has no name, but IDL needs one: assign it to a constant\z/, error.message)
    Module.new.const_set(:X, thing { field 1, :x, Class.new(Sparpack::Union) })
    assert_raises(Sparpack::SchemaError) { Sparpack::IDL.dump(thing { field 1, :x, Class.new(Sparpack::Union) }) }
  end

  def test_two_classes_of_one_name
    both = Array.new(2) { modules("A").const_get(:A).const_set(:X, thing) }
    error = assert_raises(Sparpack::SchemaError) { Sparpack::IDL.dump(*both) }

    assert_equal "two different classes are called A::X " \
                 "(was A::X reloaded while another class still refers to the old one?)", error.message
  end

  def test_what_is_no_class_of_ours
    service = Class.new(Sparpack::Service) { function :a }
    {
      [] => "no classes were given: pass structs, unions, exceptions, enums, services or modules",
      [String] => "String is not a struct, union, exception, enum or service, and not a module that contains any of these",
      [Kernel] => "Kernel is not a struct, union, exception, enum or service, and not a module that contains any of these",
      ["Shop"] => '"Shop" is a name: pass the class itself',
      [nil] => "nil is not a struct, union, exception, enum or service, and not a module that contains any of these",
      [Sparpack::Struct] => "Sparpack::Struct is a base class: pass its subclasses"
    }.each do |given, message|
      assert_equal message, assert_raises(ArgumentError) { Sparpack::IDL.dump(*given) }.message
    end
    Object.const_set(:DumpedService, service)

    assert_equal "DumpedService::A_args belongs to DumpedService: pass DumpedService instead",
                 assert_raises(ArgumentError) { Sparpack::IDL.dump(service[:a].arguments) }.message
    assert_raises(ArgumentError) { Sparpack::IDL.dump(service, names: :apache) }
  ensure
    Object.send(:remove_const, :DumpedService)
  end

  # --- the files, as other programs see them ----------------------------------------------------------------------------

  # Debian's compiler is too old for uuid.
  def test_apache_compiles_the_files
    skip "thrift is missing: apt-get install thrift-compiler" unless Command.success?("thrift", "-version")
    (1..12).each do |seed|
      texts = Sparpack::IDL.dump(RandomClasses.new(Random.new(seed), old: true).run)
      write(texts)
      texts.each_key do |path|
        output, status = Command.capture2e("thrift", "-allow-neg-keys", "--gen", "rb", "-out", @folder, path, chdir: @folder)

        assert_predicate status, :success?, "seed #{seed}: #{output}\n#{texts[path]}"
      end
    end
  end

  # A dump that is loaded and dumped again has no differences. The source has other files, and constants as well.
  def test_nothing_breaks
    roots = ROOTS.first(4)
    found = in_child do
      roots.each { |root| Sparpack::IDL.load("#{IDL}/#{root}") }
      Sparpack::IDL.dump(IDLFixtures, PlainFileV2)
    end
    write(found)
    source = File.join(@folder, "source")
    FileUtils.mkdir_p("#{source}/shared")
    [*roots, "circle_b.thrift", "shared/base.thrift"].each { |file| FileUtils.cp("#{IDL}/#{file}", "#{source}/#{file}") }
    dumped = File.join(@folder, "dumped").tap { |folder| FileUtils.mkdir_p(folder) }
    found.each { |path, text| File.binwrite("#{dumped}/#{path}", text) }

    assert_equal %i[file_removed], rules(source, dumped)
    assert_empty rules(dumped, source, :names)
  end

  def test_signatures_and_ruby_of_the_files
    into = Module.new
    ROOTS.each { |root| Sparpack::IDL.load("#{IDL}/#{root}", into:) }
    assert_generates(into)
    assert_generates(RandomClasses.new(Random.new(7)).run)
  end

  private

  def thing(&fields) = Class.new(Sparpack::Struct, &fields)

  def service(name) = Class.new(Sparpack::Service) { function name }

  # @return [Module] with modules of these paths in it
  def modules(*paths)
    paths.each_with_object(Module.new) do |path, root|
      path.split("::").reduce(root) do |outer, name|
        outer.const_defined?(name, false) ? outer.const_get(name) : outer.const_set(name, Module.new)
      end
    end
  end

  def struct(outer, name, *types)
    outer.const_set(name, thing { types.each_with_index { |type, index| field index + 1, :"f#{index}", type } })
  end

  def write(texts) = texts.each { |path, text| File.binwrite(File.join(@folder, path), text) }

  # @return [Module] that the files are loaded into
  def load(texts, names: :idl)
    write(texts)
    into = Module.new
    texts.each_key { |path| Sparpack::IDL.load("#{@folder}/#{path}", into:, names:, allow_neg_keys: true) }
    into
  end

  # What is loaded from the files says the same, and its dump is the same. (If definitions of several modules share a file, a
  # typedef's constant may then be in another one of these modules, and so in another place.)
  #
  # @return [Module] that the files were loaded into
  def assert_comes_back(root, names: :idl)
    texts = Sparpack::IDL.dump(root, names:)

    assert_equal texts, Sparpack::IDL.dump(root, names:)
    texts.each { |path, text| assert_equal text, Sparpack::IDL.format(text), path }
    again = load(texts, names:)
    assert_same_description(Description.of(root), Description.of(again), "")

    assert_equal(*[texts, Sparpack::IDL.dump(again, names:)].map { |all| all.transform_values { |text| text.lines.sort } })
    again
  end

  # Constants and typedefs that nothing names have no classes. Classes may have names that were constants before.
  def assert_same_description(expected, found, path)
    expected.each do |name, one|
      other = found[name]
      place = "#{path}::#{name}"
      next assert_same_description(one, other || {}, place) if one.is_a?(Hash)

      constant = [true, false].include?(one[1])
      typedef = one[0].is_a?(Symbol) && !one[3].is_a?(Array)
      assert_equal one, other, place unless constant || (typedef && other.nil?)
    end
  end

  def path(object) = object.name.sub(/\A#<Module:0x\h+>::/, "")

  # Both classes write the same bytes for these objects.
  def assert_same_bytes(source, dumped, objects)
    return if source < Sparpack::Union && source.schema.fields.empty?

    object = objects.object(source)
    (Spelling.wires(object) & Sparpack::WIRES).each do |wire|
      bytes = object.encode(wire)

      assert_equal bytes, dumped.decode(bytes, wire).encode(wire)
    end
    assert_equal source.new.to_h, dumped.new.to_h if source.schema.fields.all? { |field| field.type.structs.empty? }
  end

  def rules(old, new, level = :source)
    versions = [old, new].map { |folder| Sparpack::IDL::Breaking::Version.at(folder, allow_neg_keys: true) }
    Sparpack::IDL::Breaking.new(*versions, level:).findings.map(&:rule).uniq.sort
  end

  # The generated code of each layout says what the files say, and RBS accepts its signatures.
  def assert_generates(root)
    texts = Sparpack::IDL.dump(root)
    write(texts)
    paths = texts.keys.map { |path| "#{@folder}/#{path}" }
    %i[file type].each do |layout|
      out = Dir.mktmpdir(nil, @folder)
      Sparpack::Generate.write(Sparpack::Generate.files(paths, layout:, allow_neg_keys: true, rbs: true, rbi: true), out)
      assert_described(paths, out)
      output, status = Command.capture2e("rbs", "-I", "#{__dir__}/../../sig", "-I", out, "validate")

      assert_predicate status, :success?, output
    end
  end

  def assert_described(paths, folder)
    output = forked_ruby(<<~RUBY)
      Dir["#{folder}/**/*.rb"].sort.reverse.each { |path| require path }
      into = Module.new
      #{paths.inspect}.each { |path| Sparpack::IDL.load(path, into: into, allow_neg_keys: true) }
      Description.compare(Description.of(into), ->(name) { Object.const_get(name) })
    RUBY

    assert_match(/\A\d+ parts are the same\n\z/, output)
  end
end
