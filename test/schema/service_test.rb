# frozen_string_literal: true

require "test_helper"

# Services as schemas: functions, their arguments and their results.
class ServiceTest < Minitest::Test
  class Gone < Sparpack::Exception
    field 1, :message, :string
  end

  class Base < Sparpack::Service
    idl "base_t", annotations: { "a" => "b" }

    function :ping, oneway: true
    function :names, list(:string), idl_name: "getNames", annotations: { "c" => "d" }
  end

  class Calculator < Base
    function :divide, :double do
      argument 1, :dividend, :double, required: true
      argument 2, :divisor, :double, default: 1.0
      argument 3, :rest, list(map(:string, set("Gone")))
      throws 1, :success, Gone
    end

    function :ping do
      argument 1, :class, :string
      throws 1, :gone, "Gone"
    end
  end

  def test_functions
    divide = Calculator[:divide]

    assert_equal(%i[ping names divide ping], Calculator.functions.map(&:name))
    assert_equal [true, false, false], [Base[:ping], Base[:names], Calculator[:ping]].map(&:oneway?)
    assert_equal(["list<string>", "double", nil, nil],
                 [Base[:names], divide, Calculator[:ping], Base[:ping]].map { |f| f.type&.to_s })
    assert_equal [%i[dividend divisor rest], [1.0]],
                 [divide.arguments.schema.fields.map(&:name), divide.arguments.schema.fields.filter_map(&:default)]
    assert_equal [Gone, 1, :success, :success_],
                 [divide.throws[0].type.target, divide.throws[0].id, divide.throws[0].name, divide.result.schema[0].name]
    assert_equal [Gone], [Calculator[:ping].throws[0].type.target]
    assert_equal "#<Sparpack::Service::Function oneway void ping>", Base[:ping].inspect
    assert_equal "#<Sparpack::Service::Function double divide>", divide.inspect
  end

  def test_exceptions_may_have_the_name_of_the_result
    service = Class.new(Sparpack::Service) do
      function(:f, :i32) { %i[success success_].each.with_index(1) { |name, id| throws id, name, Gone } }
    end

    assert_equal [:success__, %i[success success_]],
                 [service[:f].result.schema[0].name, service[:f].throws.map(&:name)]
  end

  def test_names
    assert_equal %w[base_t Calculator], [Base, Calculator].map(&:idl_name)
    assert_equal [{ "a" => "b" }, {}, { "c" => "d" }],
                 [Base.annotations, Calculator.annotations, Base["getNames"].annotations]
    assert_equal %w[ServiceTest::Base::Ping_args ServiceTest::Calculator::Divide_result],
                 [Base[:ping].arguments.name, Calculator[:divide].result.name]
    assert_nil Calculator[:pong]
    assert Ractor.shareable?(Calculator.functions)
  end

  def test_arguments_are_structs
    arguments = Calculator[:divide].arguments

    assert_equal arguments.new(dividend: 1, divisor: 1.0), arguments.decode(arguments.new(dividend: 1.0).encode)
    assert_raises(Sparpack::EncodeError::MissingField) { arguments.new.encode }
    assert_equal "x", Calculator[:ping].arguments.new(class: "x").class_
  end

  def test_faults
    {
      "a oneway function has no result" => -> { function :f, :i32, oneway: true },
      "a oneway function throws nothing" => -> { function(:f, oneway: true) { throws 1, :gone, Gone } },
      "f: the function is declared already" => -> { 2.times { function :f } },
      "a name is a Symbol of letters, digits and _, not \"f\"" => -> { function "f" },
      "a name is a Symbol of letters, digits and _, not :ok?" => -> { function :ok? },
      "is frozen: declare functions before that" => -> { freeze.send(:function, :f) },
      "F_args is another function's already" => -> { %i[f F].each { |name| function name } },
      ":int is not a type" => -> { function :f, :int }
    }.each do |message, body|
      error = assert_raises(Sparpack::SchemaError, message) { Class.new(Sparpack::Service).class_exec(&body) }

      assert_includes error.message, message
    end
    assert_raises(Sparpack::SchemaError) { Sparpack::Service.send(:function, :f) }
  end

  def test_names_without_capitals
    assert_equal :N名前_args, Class.new(Sparpack::Service) { function :名前, oneway: true }.constants(false)[0]
  end

  def test_a_fault_leaves_nothing_behind
    service = Class.new(Sparpack::Service)
    assert_raises(Sparpack::SchemaError) { service.class_exec { function(:f) { argument 1, :x, :int } } }
    service.class_exec { function(:f) { argument 1, :x, :i32 } }

    assert_equal %i[f], service.functions.map(&:name)
    assert_equal %i[F_args F_result], service.constants(false).sort
  end
end
