# frozen_string_literal: true

require "test_helper"
require "tmpdir"

# IDL.unload removes what IDL.load defined, and nothing else.
class IdlUnloadTest < Minitest::Test
  IDL = Sparpack::IDL

  SHOP = <<~THRIFT
    include "shared.thrift"
    namespace rb Shop.V1
    const i32 MOST = 5
    typedef i64 Id
    enum Status { OPEN = 1 }
    struct Order { 1: Id id 2: Status status = Status.OPEN 3: shared.Line line }
    service Orders { Order get(1: Id id) }
  THRIFT

  def setup
    @folder = Dir.mktmpdir
    @into = Module.new
    write("shared.thrift", "namespace rb Shared struct Line { 1: i64 cents }")
    write("shop.thrift", SHOP)
  end

  def teardown = FileUtils.rm_rf(@folder)

  def write(name, text) = File.write(path(name), text)
  def path(name = "shop.thrift") = "#{@folder}/#{name}"
  def load(name = "shop.thrift", **options) = IDL.load(path(name), into: @into, **options)
  def unload(name = "shop.thrift") = IDL.unload(path(name), into: @into)
  def unloaded(name = "shop.thrift") = unload(name).map { |full| full.split("::").last }.sort

  def test_what_is_removed
    load
    @into::Shop::V1.const_set(:Mine, 1)

    assert_equal %w[Id MOST Order Orders Status], unloaded
    assert_equal [:Mine], @into::Shop::V1.constants
    assert_equal [:Line], @into::Shared.constants
    assert_empty unload
  end

  def test_a_change
    load
    write("shop.thrift", SHOP.sub("1: Id id 2", "1: Id id 4: string note 2"))
    assert_raises(Sparpack::SchemaError) { load }
    old = @into::Shop::V1::Order.new(id: 1)
    unload
    load

    assert_equal "a", @into::Shop::V1::Order.new(note: "a").note
    assert_equal 1, @into::Shop::V1::Order.decode(old.encode).id
    assert_same @into::Shared::Line, @into::Shop::V1::Order.schema[:line].type.target
  end

  def test_constants_that_are_somebody_elses_by_now
    load
    @into::Shop::V1.send(:remove_const, :Status)
    @into::Shop::V1.const_set(:Status, Module.new)
    @into::Shop::V1.send(:remove_const, :Order)
    @into::Shop::V1.autoload(:Order, "#{@folder}/never.rb")

    assert_equal %w[Id MOST Orders], unloaded
    assert_equal %i[Order Status], @into::Shop::V1.constants.sort
  end

  def test_namespaces_that_are_gone
    load
    @into.send(:remove_const, :Shop)

    assert_empty unload
    @into.const_set(:Shared, 5).then { nil } unless @into.const_defined?(:Shared)
    assert_equal ["Line"], unloaded("shared.thrift")
  end

  def test_a_file_that_is_gone
    load
    File.delete(path)

    assert_equal 5, unload.size
    assert_empty IDL.unload("/no/such/folder/a.thrift", into: @into)
  end

  def test_another_path_to_the_file
    load
    Dir.mkdir("#{@folder}/sub")
    File.symlink(path, "#{@folder}/link.thrift")

    assert_equal 5, unload("sub/../link.thrift").size
  end

  def test_several_styles_of_names
    write("shared.thrift", "namespace rb Shared struct line_item { 1: i64 in_cents }")
    load("shared.thrift", names: :ruby)
    assert_raises(Sparpack::SchemaError) { load("shared.thrift", names: :idl) } if @into::Shared.const_defined?(:Line_item)
    load("shared.thrift", names: :idl)

    assert_equal 2, unload("shared.thrift").size
    assert_empty @into::Shared.constants
  end

  def test_nested_names
    write("nested.thrift", "namespace rb Nested struct Outer {} (sparpack.ruby = \"Outer\") " \
                           "struct Inner {} (sparpack.ruby = \"Outer::Inner\")")
    load("nested.thrift")

    assert_equal %w[Inner Outer], unloaded("nested.thrift")
    assert_empty @into::Nested.constants
  end

  def test_wrong_calls
    assert_raises(TypeError) { IDL.unload(path, into: 5) }
    assert_raises(TypeError) { IDL.unload(5) }
  end
end
