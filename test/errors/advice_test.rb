# frozen_string_literal: true

require "test_helper"

require "pathname"
require "stringio"

# Mistakes that newcomers make in declarations and calls, and the hints that the messages give, word for word.
class AdviceTest < Minitest::Test
  module Plain
    ACTIVE = 1
  end

  module Included
    include Sparpack::Enum
  end

  module Shop
    class Base < Sparpack::Struct; end

    class OrderLine < Base
      field 1, :id, :i64
    end

    module Currency
      extend Sparpack::Enum

      EUR = 1
    end
  end

  Row = ::Struct.new(:id)

  TYPES = {
    :int => ":int is not a type (use :i32)", :str => ":str is not a type (use :string)",
    :float => ":float is not a type (use :double)", :bytes => ":bytes is not a type (use :binary)",
    :list => ":list is not a type (use list(…))", :struct => ":struct is not a type (use the class of the struct)",
    :datetime => ":datetime is not a type (use :i64 for milliseconds, or :string)", :strin => "(did you mean :string?)",
    Integer => "Integer is not a type (use :i64)", String => "String is not a type (use :string)",
    FalseClass => "FalseClass is not a type (use :bool)",
    Time => "Time is not a type (use :i64 for milliseconds, or :string)",
    [:i64] => "[:i64] is not a type (use list(:i64))", [Shop::OrderLine] => "(use list(AdviceTest::Shop::OrderLine))",
    [[:i64]] => "(use list(…))", { string: :i64 } => "is not a type (use map(:string, :i64))", {} => "(use map(…, …))",
    Plain => "AdviceTest::Plain is not a type (for an enum, write extend Sparpack::Enum in it)",
    Included => "AdviceTest::Included is not a type (extend it with Sparpack::Enum; it includes that)",
    :Currency => ":Currency is not a type (name a class by a String, \"Currency\")",
    Row => "AdviceTest::Row is not a type (a struct is a subclass of Sparpack::Struct; for a plain class, pass a " \
           "Sparpack::Mapping of it)",
    Sparpack::Union => "Sparpack::Union is not a type (it is a base class: name a subclass of it)",
    Shop::OrderLine.new => "is not a type (name its class, AdviceTest::Shop::OrderLine)",
    "i64" => "\"i64\" is not a constant's name (use :i64)", "int" => "\"int\" is not a constant's name (use :i32)",
    "list<i64>" => "\"list<i64>\" is not a constant's name (use list(…))",
    "map<string, i64>" => "is not a constant's name (use map(…, …))",
    "shop.OrderLine" => "\"shop.OrderLine\" is not a constant's name (did you mean \"Shop::OrderLine\"?)",
    "Shop.OrderLine" => "(did you mean \"Shop::OrderLine\"?)",
    "OrderLine" => "OrderLine is not defined (looked up from NAME outward) (did you mean \"AdviceTest::Shop::OrderLine\"?)",
    "Currency" => "(did you mean \"AdviceTest::Shop::Currency\"?)",
    "AdviceTest::Shop::OrderLin" => "(did you mean \"AdviceTest::Shop::OrderLine\"?)",
    "Nothing::LikeThis" => "Nothing::LikeThis is not defined (looked up from NAME outward)"
  }.freeze

  TYPES.each_with_index do |(type, message), index|
    define_method(:"test_type_#{index}") { assert_advice(message) { field 1, :a, type } }
  end

  def test_what_stands_elsewhere
    { [:id, 1, :i64] => "an id is an Integer from 0 to 32767, not :id (the id comes first, as in field 1, :name, :string)",
      %i[id i64] => "not :id (the id comes first, as in field 1, :name, :string)",
      [1, :i64, :id] => "the name comes before the type: write field 1, :id, :i64",
      [1, :string, "name"] => "the name comes before the type: write field 1, :name, :string",
      ["1", :id, :i64] => "an id is an Integer from 0 to 32767, not \"1\" (use 1)",
      [1, "id", :i64] => "a name is a Symbol of letters, digits and _, not \"id\" (use :id)",
      [1, "an id", :i64] => "a name is a Symbol of letters, digits and _, not \"an id\"" }.each do |arguments, message|
      assert_advice(message) { field(*arguments) }
    end
  end

  # A field may have the name of a type.
  def test_names_that_are_types
    made = Class.new(Sparpack::Struct) do
      field 1, :string, :string
      field 2, :i64, Shop::Currency
      field 3, :uuid, "AdviceTest::Shop::OrderLine"
      field 4, :bool, list(:bool)
    end

    assert_equal %i[string i64 uuid bool], made.members
  end

  def test_codecs
    { :compact => "got :compact (the class comes first: Sparpack::Codec.new(Listing, :compact))",
      Shop::OrderLine.new => "got an instance of AdviceTest::Shop::OrderLine (pass its class, AdviceTest::Shop::OrderLine)",
      Sparpack::Struct => "got Sparpack::Struct (make a subclass of it)",
      String => "got String (map a plain class first: Sparpack::Mapping.new(String, %i[…]))" }.each do |given, message|
      error = assert_raises(ArgumentError) { Sparpack::Codec.new(given, Shop::OrderLine) }

      assert_operator error.message, :end_with?, message
    end
  end

  def test_options_of_fields
    { { type: :i64 } => "unknown option :type (the type comes after the name, as in field 1, :name, :string)",
      { null: false } => "unknown option :null (use required: true)",
      { "required" => true } => 'unknown option "required" (did you mean :required?)',
      { requird: true } => "unknown option :requird (did you mean :required?)" }.each do |options, message|
      error = assert_raises(ArgumentError) { Class.new(Sparpack::Struct) { field 1, :id, **options } }

      assert_equal message, error.message
    end
  end

  # Options that were passed by position.
  def test_misplaced_arguments
    few = "name: wrong number of arguments (given 4, expected 2..3: "
    { [:required] => "#{few}write required: true)", ["optional"] => "#{few}write optional: true)",
      [{ required: true }] => "#{few}pass the options as keywords, without braces (required: true))",
      [{ default: "x" }] => "#{few}pass the options as keywords, without braces)",
      ["x"] => "#{few}what follows the type is a keyword, as in required: true or default: 5)",
      [1, 2] => "(given 5, expected 2..3: what follows the type is a keyword, as in required: true or default: 5)" }
      .each do |given, message|
      made = Class.new(Sparpack::Struct)
      error = assert_raises(ArgumentError) { made.class_eval { field 1, :name, :string, *given } }

      assert_operator error.message, :end_with?, message
      assert_empty made.members
    end
  end

  KNOWN = Sparpack::WIRES.map(&:inspect).join(", ")

  WIRES = {
    "binary" => 'unknown wire "binary" (use :binary)', :Compact => "unknown wire :Compact (use :compact)",
    :msgpack => "unknown wire :msgpack (use :message_pack)", "TJSON" => 'unknown wire "TJSON" (use :thrift_json)',
    { freeze: true } => "(pass options as keywords, without braces)",
    :binari => "unknown wire :binari (known: #{KNOWN})", "\xFF" => "unknown wire \"\\xFF\" (known: #{KNOWN})",
    "binary\0" => "(known: #{KNOWN})", "binary".encode("UTF-16LE") => "(known: #{KNOWN})"
  }.freeze

  OPTIONS = {
    { wire: :binary } => "unknown option :wire (pass the wire without a keyword: :binary)",
    { protocol: "compact" } => "unknown option :protocol (pass the wire without a keyword: :compact)",
    { format: nil } => "unknown option :format (pass the wire without a keyword: :binary)",
    { with: :compact } => "unknown option :with (pass the wire without a keyword: :compact)",
    { depth: 8 } => "unknown option :depth (use limits: Sparpack::Limits.new(depth: 8))",
    { memory: "1 MB" } => "unknown option :memory (use limits: Sparpack::Limits.new(**hash))",
    { frieze: true } => "unknown option :frieze (did you mean :freeze?)",
    { limits: { depth: 8, memory: nil } } => "(use Sparpack::Limits.new(depth: 8, memory: nil))",
    { limits: { "depth" => 8 } } => "(use Sparpack::Limits.new(**hash))",
    { limits: {} } => "limits: expected a Sparpack::Limits, got {} (use Sparpack::Limits.new(**hash))",
    { limits: Sparpack::Limits } => "got Sparpack::Limits (use Sparpack::Limits.new)",
    { limits: 8 } => "limits: expected a Sparpack::Limits, got 8"
  }.freeze

  { WIRES => ->(wire) { [[wire], {}] }, OPTIONS => ->(options) { [[], options] } }.each do |table, arguments|
    table.each_with_index do |(given, message), index|
      define_method(:"test_#{table.equal?(WIRES) ? "wire" : "option"}_#{index}") do
        wire, options = arguments.call(given)
        [-> { Sparpack::Codec.new(Shop::OrderLine, *wire, **options) }, -> { Shop::OrderLine.new.encode(*wire, **options) },
         -> { Shop::OrderLine.decode("\0", *wire, **options) },
         -> { Class.new(Shop::OrderLine) { default_codec(*wire, **options) } }].each do |call|
          assert_operator assert_raises(ArgumentError, &call).message, :end_with?, message
        end
      end
    end
  end

  # They answer nothing.
  def test_basic_objects
    odd = BasicObject.new
    [[[odd], {}], [[], { limits: odd }], [[], { wire: odd }]].each do |wire, options|
      error = assert_raises(ArgumentError) { Shop::OrderLine.new.encode(*wire, **options) }

      assert_match(/\A(unknown wire|limits: .*got) an instance of BasicObject|\Aunknown option :wire \(pass/, error.message)
    end
  end

  def test_limits_of_message_pack
    error = assert_raises(ArgumentError) { Sparpack::MessagePack.unpack("\x01", limits: { depth: 8 }) }

    assert_operator error.message, :end_with?, "} (use Sparpack::Limits.new(depth: 8))"
  end

  def test_structs_that_are_packed
    error = assert_raises(NoMethodError) { Sparpack::MessagePack.pack([Shop::OrderLine.new]) }

    assert_includes error.message, "at [0]: call its encode(:message_pack), pack its to_h(deep: true), " \
                                   "or register an extension type for it"
    bytes = Sparpack::MessagePack.pack(Shop::OrderLine.new(id: 1).to_h(deep: true)) # as the hint says

    assert_equal({ "id" => 1 }, Sparpack::MessagePack.unpack(bytes))
    bytes = Shop::OrderLine.new(id: 1).encode(:message_pack)

    assert_equal 1, Sparpack::MessagePack.unpack(bytes)[1]
  end

  def test_what_is_no_hash
    { "{}" => "got String (for JSON text, pass JSON.parse(text))", 5 => "got Integer",
      Shop::OrderLine.new => "(this is an object already; to copy it, use dup)" }.each do |given, message|
      assert_operator assert_raises(TypeError) { Shop::OrderLine.from_h(given) }.message, :end_with?, message
    end
  end

  def test_what_is_no_struct
    [-> { Sparpack.members("x") }, -> { Sparpack.schema(String) }].each do |call|
      assert_equal "expected a struct, union or exception, got String", assert_raises(TypeError, &call).message
    end
  end

  Source = ::Struct.new(:read)

  def test_sources
    odd = BasicObject.new
    { "got StringIO (to read an io, use decode_from(io), decode_each(io), or decode(io.read))" => StringIO.new,
      "got AdviceTest::Source (to read an io, use decode_from(io), decode_each(io), or decode(io.read))" => Source.new,
      "got Pathname (to read a file, use decode_each(path), or decode(path.binread))" => Pathname("a"),
      "got Hash (to make an object from a Hash, use AdviceTest::Shop::OrderLine.from_h)" => { id: 1 },
      "got AdviceTest::Shop::OrderLine (this object is decoded already)" => Shop::OrderLine.new,
      "bytes to decode must be a String, got NilClass" => nil, "got BasicObject" => odd }.each do |message, given|
      codec = Shop::OrderLine.codec
      [-> { Shop::OrderLine.decode(given) }, -> { Shop::OrderLine.decode(given, :binary) }, -> { codec.decode(given) },
       -> { codec.decode_prefix(given) }].each do |call|
        assert_operator assert_raises(TypeError, &call).message, :end_with?, message
      end
    end
  end

  class Payment < Sparpack::Union
    field 1, :card, :string
    field 2, :cash, :i64
  end

  def test_construction
    line = Shop::OrderLine
    { "(given 1, expected 0: for a Hash, write NAME.new(**hash) or NAME.from_h(hash))" => [line, { "id" => 1 }],
      "wrong number of arguments (given 1, expected 0: fields are keywords, as in NAME.new(id: …))" => [line, 1],
      "(given 1, expected 0: to copy an object, use dup)" => [line, line.new],
      "(given 1, expected 0: fields are keywords, as in NAME.new(id: …))" => [line, BasicObject.new],
      "(given 2, expected 0: fields are keywords, as in NAME.new(cash: …))" => [Payment, :cash, 5],
      "(given 2, expected 0: fields are keywords, as in NAME.new(card: …))" => [Payment, 5, 5],
      "as in NAME.new(name: …))" => [Class.new(Sparpack::Struct), 5] }.each do |message, (made, *arguments)|
      error = assert_raises(ArgumentError) { made.new(*arguments) }

      assert_operator error.message, :end_with?, message.gsub("NAME", made.to_s)
    end
    assert_equal line.new(id: 1), line.new(**{ "id" => 1 }) # as the hint says
  end

  def test_changes_are_keywords
    klass = Class.new(Sparpack::Struct) { field 1, :id, :i32 }
    { { id: 3 } => "for a Hash, write with(**hash)", 3 => "changes are keywords, as in with(name: …)" }.each do |given, hint|
      calls = [-> { klass.new.with(given) }, -> { Sparpack.with(klass.new, given) }, -> { klass.new.with(given) { flunk } }]
      calls.each do |call|
        assert_equal "wrong number of arguments (given 1, expected 0: #{hint})", assert_raises(ArgumentError, &call).message
      end
    end
    ["x", nil, Class, klass].each do |object|
      [-> { Sparpack.with(object, id: 1) }, -> { Sparpack.with(object) { flunk } }].each do |call|
        assert_match(/\Aexpected a struct, union or exception of Sparpack, got /, assert_raises(TypeError, &call).message)
      end
    end
  end

  private

  def assert_advice(message, &block)
    made = Class.new(Sparpack::Struct)
    error = assert_raises(Sparpack::SchemaError) { made.class_eval(&block) && made.schema }

    assert_operator error.message, :end_with?, message.sub("NAME", made.to_s)
  end
end
