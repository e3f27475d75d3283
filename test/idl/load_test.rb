# frozen_string_literal: true

require "test_helper"
require "rbconfig"
require "tmpdir"
require "support/child"
require "support/command"
require "support/deadline"

# Defines classes from .thrift files at run time.
class IDLLoadTest < Minitest::Test
  include Child

  include Deadline

  SHOP = <<~THRIFT
    namespace rb Shop.V1
    include "shared.thrift"

    typedef i64 (js.type = "Long") UserId (a = "b")
    typedef UserId adminId
    typedef list<Node> Nodes
    enum Status { active, END = 5 (old), activeTwo } (closed)
    const i32 LIMIT = 10
    const map<string, list<Status>> byName = {"a": [Status.active, 5]}
    const Node ROOT = {"value": {"text": "x"}, "status": 5}
    struct Node {
      1: required Value value,
      2: optional Nodes (c = "d") nodes,
      3: Status status = Status.END,
      4: adminId userID = LIMIT (e, f = "g"),
      5: string class,
      shared.Point origin = {"x": 1}
    } (h = "i")
    union Value { 1: string text = "ignored", 2: Node node }
    exception gone { 1: string message }
    service users extends shared.Base {
      oneway void ping(),
      Node getUser(1: UserId id = LIMIT, 2: shared.Point end) throws (1: gone gone) (j = "k")
    } (l)
  THRIFT

  SHARED = <<~THRIFT
    namespace * shared
    struct Point { 1: i32 x, 2: i32 y }
    service Base { Point origin() }
  THRIFT

  def setup
    @folder = Dir.mktmpdir
    @into = Module.new
    write "shared.thrift", SHARED
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_classes
    shop = load(SHOP)
    node = shop::Node.new(value: shop::Value.text("x"), nodes: [shop::Node.new(value: shop::Value.new)])

    assert_equal(%w[V1 Shop], [shop, @into::Shop].map { |found| found.name.split("::").last })
    assert_equal [5, 10, @into::Shared::Point.new(x: 1), nil], [node.status, node.userID, node.origin, node.class_]
    node.nodes.clear

    assert_equal node, shop::Node.decode(node.encode)
    assert_equal :exception, shop::Gone.schema.shape
    assert_equal({ Active: 0, END: 5, ActiveTwo: 6 }, shop::Status.to_h)
  end

  def test_constants
    shop = load(SHOP)

    assert_equal [10, { "a" => [0, 5] }], [shop::LIMIT, shop::ByName]
    assert_equal shop::Node.new(value: shop::Value.text("x"), status: :END), shop::ROOT
    assert_equal([true] * 2, [shop::ByName, shop::ROOT].map { |value| Ractor.shareable?(value) })
  end

  def test_what_the_schema_keeps
    shop = load(SHOP)
    schema = shop::Node.schema

    assert_equal ["Node", { "h" => "i" }, "gone"], [schema.idl_name, schema.annotations, shop::Gone.schema.idl_name]
    assert_equal [1, 2, 3, 4, 5, -1], schema.fields.map(&:id)
    assert_equal({ "e" => "1", "f" => "g" }, schema[:userID].annotations)
    assert_equal([["adminId", { "js.type" => "Long", "a" => "b" }], ["Nodes", { "c" => "d" }]],
                 [schema[:userID], schema[:nodes]].map { |field| [field.type.typedef, field.type.annotations] })
    assert_equal %w[adminId UserId Nodes], [shop::AdminId, shop::UserId, shop::Nodes].map(&:typedef)
    assert_equal [{ "closed" => "1" }, { "old" => "1" }, "active"],
                 [shop::Status.annotations, shop::Status.annotations(:END), shop::Status.idl_name_of(0)]
    assert Ractor.shareable?(schema)
  end

  def test_services
    users = load(SHOP)::Users

    assert_equal [%i[origin ping getUser], "users", { "l" => "1" }, @into::Shared::Base],
                 [users.functions.map(&:name), users.idl_name, users.annotations, users.superclass]
    assert_equal [true, { "j" => "k" }, "getUser"],
                 [users[:ping].oneway?, users[:getUser].annotations, users[:getUser].idl_name]
    assert_equal [10, nil], users[:getUser].arguments.new.to_h.values
    assert_equal [:gone], users[:getUser].throws.map(&:name)
  end

  def test_ruby_names
    shop = load(SHOP, names: :ruby)

    assert_equal %i[value nodes status user_id class origin], shop::Node.schema.fields.map(&:name)
    assert_equal "userID", shop::Node.schema[:user_id].idl_name
    assert_equal({ ACTIVE: 0, END: 5, ACTIVE_TWO: 6 }, shop::Status.to_h)
    assert_equal(%w[active activeTwo], [0, 6].map { |number| shop::Status.idl_name_of(number) })
    assert_equal %i[BY_NAME LIMIT ROOT], (shop.constants - shop.constants.grep(/[a-z]/)).sort
    assert_equal "getUser", shop::Users[:get_user].idl_name
    assert_equal shop::Users[:get_user], shop::Users["getUser"]
  end

  def test_the_file_names_the_module_where_no_namespace_does
    write "user_types-v2.thrift", "struct A {}"

    loaded = Sparpack::IDL.load("#{@folder}/user_types-v2.thrift", into: @into)

    assert_same @into::UserTypesV2, loaded
  end

  # Otherwise definitions would land in Ruby's own modules, or in a class. Namespaces inside an outer module stay.
  def test_what_ruby_has_names_no_module
    %w[set process exception data].each do |name|
      write "#{name}.thrift", "struct Status {}"

      assert_equal "#{name.capitalize}_", Sparpack::IDL.load("#{@folder}/#{name}.thrift", into: @into).name.split("::").last
    end
    names = { "Sparpack" => "Sparpack_", "Struct.Set" => "Struct_::Set", "comparable" => "Comparable_", "END.x" => "END_::X",
              "A.BEGIN" => "A::BEGIN_", "Setting" => "Setting" }
    names.each do |namespace, expected|
      assert_equal expected, load("namespace rb #{namespace}", into: Module.new).name.split("::").drop(1).join("::")
    end
  end

  # Newer Rubies have more constants. The list holds those of all versions.
  def test_all_that_ruby_has_is_known
    source = "puts Object.constants.grep_v(/\\A[A-Z_]+\\z/)"
    output, status = Command.capture2({ "RUBYOPT" => nil, "BUNDLER_SETUP" => nil }, RbConfig.ruby, "-e", source)
    unknown = (output.split - %w[Object]).reject do |name| # Object stands for the top level
      load("namespace rb #{name} struct A {}", into: Module.new).name.end_with?("_")
    end

    assert_predicate status, :success?
    assert_empty unknown
  end

  def test_loading_again_gives_the_same
    write "other.thrift", "namespace rb Other include 'shared.thrift' struct A { 1: shared.Point p }"
    first = load(SHOP)
    other = Sparpack::IDL.load("#{@folder}/other.thrift", into: @into)

    assert_same first::Node, load(SHOP)::Node
    assert_same @into::Shared::Point, other::A.schema[:p].type.target
    refute_same first, Sparpack::IDL.load("#{@folder}/a.thrift", into: Module.new)
  end

  def test_files_that_have_changed
    write "shared.thrift", "#{SHARED} struct Extra {}"
    load(SHOP)
    extra = "#{SHARED} struct Extra {}"
    { "#{extra} struct More {}" => "More is new", extra.sub("i32 y", "i64 y") => "Point is different",
      SHARED => "Extra was removed" }.each do |text, message|
      write "shared.thrift", text
      error = assert_raises(Sparpack::SchemaError) { load(SHOP) }

      assert_includes error.message, "shared.thrift has changed since it was loaded: #{message}"
    end
    write "shared.thrift", "/** Now with\n comments. */ #{extra.sub("struct", "// or\n /** and */ struct")}"

    load(SHOP)
    write "shared.thrift", SHARED.sub("* shared", "rb Anew")

    node = load(SHOP.sub("V1", "V2"))::Node

    assert_same @into::Anew::Point, node.schema[:origin].type.target
  end

  # The error says who has the names, and what to do.
  def test_classes_that_are_there_already
    load("namespace rb A struct B {} enum C {}")
    assert_taken("by this file, loaded with names: :idl: load it with the same names again, or load this file into") do
      Sparpack::IDL.load("#{@folder}/a.thrift", into: @into, names: :ruby)
    end
    assert_taken("by this file, loaded when its namespace was X: restart the program, ") do
      load("namespace rb X struct B {}")
      @into.send(:remove_const, :A)
      @into.const_set(:A, @into::X)
      load("namespace rb A struct B {}")
    end
    @into.send(:remove_const, :A)
    load("namespace rb A struct B {} enum C {}")
    write("copy.thrift", "namespace rb A enum C {}")
    assert_taken("by #{File.realpath(@folder)}/a.thrift: load only one of the two files, or ") do
      Sparpack::IDL.load("#{@folder}/copy.thrift", into: @into)
    end
    @into::A.const_set(:D, Class.new(Sparpack::Struct))
    @into::A.const_set(:E, Module.new { extend Sparpack::Enum })
    @into::A.const_set(:F, Sparpack::Type.of(:i8))
    place = "#{__FILE__}:#{__LINE__ - 3}"
    ["struct D {}", "service D {}"].each do |text|
      write("d.thrift", "namespace rb A #{text}")
      assert_taken("by Ruby code in #{place}: use it as it is (generated code needs no IDL.load), or load this") do
        Sparpack::IDL.load("#{@folder}/d.thrift", into: @into)
      end
    end
    ["struct E {}", "typedef i8 F"].each do |text|
      write("d.thrift", "namespace rb A #{text}")
      assert_taken("by Ruby code in #{__FILE__}:") { Sparpack::IDL.load("#{@folder}/d.thrift", into: @into) }
    end
    @into::A.autoload(:G, "#{@folder}/g.rb")
    assert_taken("by an autoload of #{@folder}/g.rb: use it as it is, or load this") do
      write("g.thrift", "namespace rb A struct G {}")
      Sparpack::IDL.load("#{@folder}/g.thrift", into: @into)
    end
  end

  # Code that is generated from the same IDL and required after IDL.load opens the same classes again.
  def test_classes_that_are_declared_again
    node = load(SHOP)::Node
    again = "the field is declared already (do two files declare it, or is it loaded from .thrift, too?)"
    error = assert_raises(Sparpack::SchemaError) { node.field(5, :class, :string) }

    assert_equal "#{node}.class: #{again}", error.message
    node.new

    assert_equal "#{node}.class: #{again}",
                 assert_raises(Sparpack::SchemaError) { node.field(5, :class, :string) }.message
  end

  # Reloads code as Rails does.
  def test_constants_that_were_removed
    first = load(SHOP)
    @into.send(:remove_const, :Shop)
    again = load(SHOP)

    refute_same first::Node, again::Node
    assert_same again::Node, load(SHOP)::Node
    assert_same @into::Shared::Point, again::Node.schema[:origin].type.target
  end

  def test_what_nothing_can_be_loaded_into
    write "a.thrift", "namespace rb A struct B {}"
    [nil, "A", 5].each { |into| assert_raises(TypeError) { Sparpack::IDL.load("#{@folder}/a.thrift", into:) } }
    [Module.new.freeze, Module.new.tap { |into| into.const_set(:A, Module.new.freeze) }].each do |into|
      error = assert_raises(Sparpack::SchemaError) { Sparpack::IDL.load("#{@folder}/a.thrift", into:) }

      assert_match(/cannot define anything in .*, because it is frozen/, error.message)
    end
    load("struct A {}", into: (loaded = Module.new))
    loaded.freeze

    assert_same loaded::A::A, load("struct A {}", into: loaded)::A
  end

  # A file that is autoloaded when its module is named, and that loads an IDL itself.
  def test_loading_while_loading
    write "b.thrift", "namespace rb B struct C {}"
    write "b.rb", <<~RUBY
      module IDLLoadTestAuto
        module B; end
        Sparpack::IDL.load("#{@folder}/b.thrift", into: self)
      end
    RUBY
    into = Object.const_set(:IDLLoadTestAuto, Module.new)
    into.autoload(:B, "#{@folder}/b.rb")
    loaded = load("include 'b.thrift' struct A { 1: b.C c }", into:)

    assert_same into::B::C, loaded::A.schema[:c].type.target
  end

  def test_in_threads
    write "a.thrift", "struct A { 1: i32 x }"

    loaded = in_threads(8) { Sparpack::IDL.load("#{@folder}/a.thrift", into: @into)::A }

    assert_equal 1, loaded.uniq.size
  end

  def test_into_the_top_level
    write "shared.thrift", "namespace rb IDLLoadTestTop struct Point { 1: i32 x }"
    Sparpack::IDL.load("#{@folder}/shared.thrift")

    assert_equal "IDLLoadTestTop::Point", IDLLoadTestTop::Point.name
  end

  def test_two_files_in_one_namespace
    write "a.thrift", "namespace rb One include 'b.thrift' struct A { 1: b.B b }"
    write "b.thrift", "namespace rb One struct B { 1: i32 x }"
    one = Sparpack::IDL.load("#{@folder}/a.thrift", into: @into)

    assert_same one::B, one::A.schema[:b].type.target
  end

  def test_files_that_include_one_another
    write "b.thrift", "include 'a.thrift' struct B { 1: a.A a = {'x': 5} } service T extends a.S {}"
    a = load("include 'b.thrift' struct A { 1: list<b.B> bs, 2: i32 x } service S { b.B get() }")

    assert_equal 5, @into::B::B.new.a.x
    assert_same a::S, @into::B::T.superclass
  end

  # The time grows with the text. If it grew with the square, these texts would take minutes.
  def test_wide_definitions
    many = (1..8_000)
    wide = load(<<~THRIFT)
      struct Wide { #{many.map { |i| "#{i}: i32 f#{i} = #{i}" }.join(",")} }
      enum Kind { #{many.map { |i| "V#{i}" }.join(",")} }
      service Many { #{many.map { |i| "void m#{i}()" }.join(" ")} }
      const map<Kind, i32> NUMBERS = {#{many.map { |i| "Kind.V#{i}: #{i}" }.join(",")}}
      const Wide WIDE = {#{many.map { |i| "'f#{i}': #{-i}" }.join(",")}}
    THRIFT

    assert_equal [8_000, 8_000, 8_000, -8_000],
                 [wide::Wide.schema.fields.size, wide::Many.functions.size, wide::NUMBERS.size, wide::WIDE.f8000]
  end

  COLLISIONS = {
    "struct foo {} struct Foo {}" => 'Foo, which is already the name of "foo" (a.thrift:1)',
    "const i32 foo = 1 struct Foo {}" => "expected a unique name in Ruby, found A::Foo",
    "enum E { a, A }" => 'A, which is already the name of "a"',
    "struct A { 1: i32 class, 2: i32 class_ }" => 'class_, which is already the name of "class"',
    "service S { void a() void A() }" => 'A, which is already the name of "a"',
    "struct A { 1: i32 _ }" => nil
  }.freeze

  def test_collisions
    COLLISIONS.each do |text, message|
      next load(text) unless message

      assert_includes assert_raises(Sparpack::IDL::Error, text) { load(text) }.message.gsub("#{@folder}/", ""), message
    end
    text = "struct A { 1: i32 fooBar, 2: i32 foo_bar }"

    load(text, into: Module.new)
    assert_match(/found foo_bar, which is already the name of "fooBar" \(more names stay different with names: :idl\)/,
                 assert_raises(Sparpack::IDL::Error) { load(text, names: :ruby, into: Module.new) }.message)
    text = "service A { void fooBar() } service B extends A {} service C extends B { void foo_bar() }"
    load(text, into: Module.new)
    assert_match(/a.thrift:1:74: .* found foo_bar, which is already the name of "fooBar" of A/,
                 assert_raises(Sparpack::IDL::Error) { load(text, names: :ruby, into: Module.new) }.message)
  end

  def test_names_that_are_taken
    @into.const_set(:A, Module.new).const_set(:B, Class.new)
    error = assert_raises(Sparpack::SchemaError) { load("namespace rb A.B struct C {}") }

    assert_match(/a.thrift: cannot define its namespace A::B, because .*A::B is not a module/, error.message)
    error = assert_raises(Sparpack::SchemaError) { load("namespace rb A struct First {} struct B {}") }

    assert_match(/a.thrift:1: A::B is already defined as something else \(Class in .*load_test.rb:\d+\): rename one/,
                 error.message)
    assert_empty @into::A.constants - [:B]
    assert_raises(ArgumentError) { load("", names: :rubby) }
  end

  # --- names that IDL gives --------------------------------------------------------------------------------------------

  NAMED = <<~THRIFT
    namespace rb Shop
    struct Order_Item { 1: i32 x = 5, 2: Kind kind = Kind.B } (sparpack.ruby = "Order::Item", a = "b")
    struct Order { 1: list<Order_Item> items = [{}], 2: i32 userId (sparpack.ruby = "user") }
    enum Kind { A, B (sparpack.ruby = "BEE") } (sparpack.ruby = "Order::Kind")
    struct Invoice { 1: Order order, 2: Ids ids } (sparpack.ruby = "::Billing::Invoice")
    typedef list<i32> Ids (sparpack.ruby = "Order::Ids")
    service Base {}
    struct Api_Request { 1: i32 x } (sparpack.ruby = "Api::Request")
    service Api extends Base { void getIt(1: i32 aB (sparpack.ruby = "a")) (sparpack.ruby = "get") }
  THRIFT

  def test_names_in_ruby
    %i[idl ruby].each do |names|
      shop = load(NAMED, names:, into: into = Module.new)
      order = shop::Order

      assert_equal [order::Item.new, order::Kind::BEE], [order.new.items[0], order::Item.new.kind]
      assert_equal [%i[items user], { "a" => "b" }, {}],
                   [order.schema.fields.map(&:name), order::Item.schema.annotations, order.schema[:user].annotations]
      assert_equal [order, "Ids"], [into::Billing::Invoice.schema[:order].type.target, order::Ids.typedef]
      get = shop::Api.functions[0]

      assert_equal [:get, [:a], shop::Base], [get.name, get.arguments.schema.fields.map(&:name), shop::Api.superclass]
      assert_equal shop::Api::Request, load(NAMED, names:, into:)::Api::Request
      assert_equal %w[Order_Item userId B getIt], [order::Item.schema.idl_name, order.schema[:user].idl_name,
                                                   order::Kind.idl_name_of(1), shop::Api[:get].idl_name]
    end
  end

  def test_the_top_level
    into = Module.new
    loaded = load("namespace rb Object struct A {} typedef i32 B const i32 C = 1 service D {}", into:)

    assert_same into, loaded
    assert_equal %i[A B C D], into.constants.sort
  end

  # Generated code has these names as they are.
  def test_names_that_are_none_in_ruby
    path = "the name of a constant, such as A::B"
    {
      "struct A {} (sparpack.ruby = 'a')" => "1:1: expected #{path} for sparpack.ruby, found \"a\"",
      "struct A {} (sparpack.ruby = 'A; exit!')" => "1:1: expected #{path} for sparpack.ruby, found \"A; exit!\"",
      "const i32 A = 1 (sparpack.ruby = \"A\\nB\")" => "1:1: expected #{path} for sparpack.ruby, found \"A\\nB\"",
      "service A {} (sparpack.ruby = 'A::END')" => "1:1: expected #{path} for sparpack.ruby, found \"A::END\"",
      "typedef i32 A (sparpack.ruby = '')" => "1:1: expected #{path} for sparpack.ruby, found \"\"",
      "enum E { A (sparpack.ruby = 'a') }" => "1:10: expected the name of a constant for sparpack.ruby, found \"a\"",
      "struct A { 1: i32 x (sparpack.ruby = 'a b') }" =>
        "1:12: expected a name of letters, digits and _ for sparpack.ruby, found \"a b\"",
      "service S { void a() (sparpack.ruby = '1') }" =>
        "1:13: expected a name of letters, digits and _ for sparpack.ruby, found \"1\"",
      "struct A {} struct B {} (sparpack.ruby = 'A')" =>
        "1:13: expected a unique name in Ruby, found A::A, which is already the name of \"A\" (FOLDER/a.thrift:1)"
    }.each do |text, message|
      error = assert_raises(Sparpack::IDL::Error, text) { load(text, into: Module.new) }

      assert_equal "a.thrift:#{message}", error.message.sub("#{@folder}/", "").gsub(@folder, "FOLDER")
    end
    @into.const_set(:A, Module.new).const_set(:B, 5)
    write("b.thrift", "namespace rb A struct C {} (sparpack.ruby = 'B::C')")
    error = assert_raises(Sparpack::SchemaError) { Sparpack::IDL.load("#{@folder}/b.thrift", into: @into) }

    assert_equal "#{@folder}/b.thrift: cannot define B::C, because a part of this path is not a module", error.message
  end

  # Apache's compiler calls Ruby rb, and ignores ruby.
  def test_namespace_ruby
    { "ruby A.B" => "A::B", "* C namespace ruby D" => "D", "ruby E namespace rb F" => "F", "rb F namespace ruby G" => "F",
      "rb H namespace ruby H" => "H" }.each do |namespaces, expected|
      warnings = []
      write("a.thrift", "namespace #{namespaces} struct A {}")
      loaded = Sparpack::IDL.load("#{@folder}/a.thrift", into: Module.new) { |warning| warnings << warning[/warning: .*/] }
      warning = "namespace ruby is read as namespace rb: write rb, because other compilers ignore ruby"
      warning = "namespace ruby is ignored, because there is a namespace rb" if expected == "F"

      assert_equal expected, loaded.name.split("::").drop(1).join("::")
      assert_equal (["warning: #{warning}"] unless expected == "H").to_a, warnings
    end
  end

  # --- files that cannot be read ---------------------------------------------------------------------------------------

  # The error names the path as it was given, and no internal functions of Ruby.
  def test_files_that_are_not_there
    write("listing.thrift", "")
    FileUtils.mkdir_p("#{@folder}/idl")
    Dir.chdir(@folder) do
      {
        "lsting.thrift" => 'No such file or directory - lsting.thrift (did you mean "listing.thrift"?)',
        "./lsting.thrift" => 'No such file or directory - ./lsting.thrift (did you mean "listing.thrift"?)',
        "no/a.thrift" => "No such file or directory - no/a.thrift (there is no folder no)",
        "idl/*.thrift" => "No such file or directory - idl/*.thrift " \
                          "(this looks like a pattern: Dir.glob returns the files that match it)",
        "" => "No such file or directory - "
      }.each do |path, message|
        assert_equal message, assert_raises(Errno::ENOENT) { Sparpack::IDL.load(path, into: @into) }.message
      end
      error = assert_raises(Errno::EISDIR) { Sparpack::IDL.load("idl", into: @into) }

      assert_equal "Is a directory - idl (this is a folder: load the files in it one by one)", error.message
      error = assert_raises(Errno::ENOTDIR) { Sparpack::IDL.load("listing.thrift/a", into: @into) }

      assert_equal "Not a directory - listing.thrift/a", error.message
    end
    path = "#{@folder}/k\xE4se.thrift".b
    error = assert_raises(Errno::ENOENT) { Sparpack::IDL.load(path, into: @into) }

    assert_includes error.message, "k?se.thrift"
  end

  # Does not hold for root, who may read everything.
  def test_files_that_may_not_be_read
    write("a.thrift", "")
    write("b.thrift", "include 'a.thrift'")
    File.chmod(0o000, "#{@folder}/a.thrift")
    File.chmod(0o755, @folder)
    denied = "Permission denied"
    messages = as_nobody do
      %w[a b].map do |name|
        Sparpack::IDL.load("#{@folder}/#{name}.thrift", into: @into)
      rescue SystemCallError, Sparpack::IDL::Error => e
        [e.class, e.message.gsub("#{@folder}/", "")]
      end
    end

    assert_equal [[Errno::EACCES, "#{denied} - a.thrift"],
                  [Sparpack::IDL::Error, "b.thrift:1:1: expected a file to include, found \"a.thrift\", which cannot be " \
                                         "read: #{denied}"]], messages
  end

  def test_what_is_no_text
    {
      "struct A {} \xE4 é" => ['1:13: expected a name, a number, a string or a symbol, found "\xE4", which is not UTF-8',
                               '1:15: expected a name, a number, a string or a symbol, found "é"'],
      "struct A {} \0\0\1\2" => ["1:13: expected text, found the byte 0x00, which looks like binary data"],
      "\xFF\xFEs\0t\0r\0" => ["1:1: expected text in UTF-8, found text in UTF-16"]
    }.each do |text, messages|
      error = assert_raises(Sparpack::IDL::Error) { load(text.b) }

      assert_equal(messages, error.faults.map { |fault| fault.message.delete_prefix("#{@folder}/a.thrift:") })
    end
  end

  private

  def assert_taken(message, &)
    found = assert_raises(Sparpack::SchemaError, &).message

    assert_includes found, " is already defined #{message}"
  end

  # @return [Object] what the block returns in a process without rights
  def as_nobody
    Sparpack::IDL.load("#{@folder}/b.thrift", into: @into) # loads what is needed later
    assert_raises(Errno::ENOENT) { Sparpack::IDL.load("#{@folder}/none.thrift") }
    assert_raises(Sparpack::IDL::Error) { load("include 'none.thrift'") }
    write("a.thrift", "") unless Process.uid.zero?
    in_child do
      Process::UID.change_privilege(65_534) if Process.uid.zero?
      yield
    end
  end

  def write(name, text) = File.write(File.join(@folder, name), text)

  def load(text, into: @into, **options)
    write("a.thrift", text)
    Sparpack::IDL.load("#{@folder}/a.thrift", into:, **options)
  end
end
