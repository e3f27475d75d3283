# frozen_string_literal: true

require_relative "test_helper"

# What newcomers write in a declaration, and what they are told to write instead: word for word.
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
    :datetime => ":datetime is not a type (use :i64 for seconds, or :string)", :strin => "(did you mean :string?)",
    Integer => "Integer is not a type (use :i64)", String => "String is not a type (use :string)",
    FalseClass => "FalseClass is not a type (use :bool)", Time => "Time is not a type (use :i64 for seconds, or :string)",
    [:i64] => "[:i64] is not a type (use list(:i64))", [Shop::OrderLine] => "(use list(AdviceTest::Shop::OrderLine))",
    [[:i64]] => "(use list(…))", { string: :i64 } => "is not a type (use map(:string, :i64))", {} => "(use map(…, …))",
    Plain => "AdviceTest::Plain is not a type (for an enum, write extend Sparpack::Enum in it)",
    Included => "AdviceTest::Included is not a type (extend it with Sparpack::Enum; it includes that)",
    Row => "AdviceTest::Row is not a type (a struct is a subclass of Sparpack::Struct)",
    Sparpack::Union => "Sparpack::Union is not a type (it is a base: name a subclass of it)",
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

  # A field may be named like a type.
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
      Sparpack::Struct => "got Sparpack::Struct (make a subclass of it)", String => "got String" }.each do |given, message|
      error = assert_raises(ArgumentError) { Sparpack::Codec.new(given, Shop::OrderLine) }

      assert_operator error.message, :end_with?, message
    end
  end

  private

  def assert_advice(message, &block)
    made = Class.new(Sparpack::Struct)
    error = assert_raises(Sparpack::SchemaError) { made.class_eval(&block) && made.schema }

    assert_operator error.message, :end_with?, message.sub("NAME", made.to_s)
  end
end
