# frozen_string_literal: true

# bin/test: not sanitized, for it measures Ruby code

require "test_helper"
require "support/cost"
require "tmpdir"

# What it takes to declare many fields and many classes, and that fields of all origins can be mixed.
class DeclaringTest < Minitest::Test
  # The most objects for a field. Two thirds of them are made, and Ruby's versions differ.
  LINE = 30
  LOADED = 45

  # Copying all fields for each field would take 64 times as much for eight times as many.
  def test_many_fields
    few, many = [500, 4000].map { |count| Cost.of { wide(count) }.bytes }

    assert_operator many, :<, 12 * few
  end

  def test_objects_for_each_field
    wide(10)
    cost = Cost.of { 20.times { wide(10) } }

    assert_operator cost.objects, :<, 200 * LINE
  end

  def test_objects_for_each_field_of_an_idl
    fields = Array.new(10) { |i| "#{i + 1}: optional i64 field_#{i}" }.join("\n")
    text = Array.new(100) { |i| "struct S#{i} {\n#{fields}\n}" }.join("\n")
    load("struct A { 1: i32 a }")
    cost = Cost.of { load(text) }

    assert_operator cost.objects, :<, 1000 * LOADED
  end

  # A copy goes on where the original was, and neither sees what the other declares then.
  def test_copies_of_a_class_that_is_being_declared
    original = wide(2)
    copy = original.dup
    original.field 10, :ours, :i32
    copy.field 10, :theirs, :i32
    copy.field 11, :more, :i32

    assert_equal %i[f0 f1 ours], original.members
    assert_equal %i[f0 f1 theirs more], copy.members
    assert_equal [1, 2], copy.new(theirs: 1, more: 2).to_h.values.last(2)
    assert_raises(ArgumentError) { original.new(theirs: 1) }
  end

  # Until it is used, a class from an IDL takes more fields, and refuses what contradicts.
  def test_fields_after_those_of_an_idl
    klass = load("struct A { 1: i32 a = 5, 2: string class }")::A
    klass.field 3, :c, :i32
    [[3, :d], [2, :d], [9, :a], [9, :class_]].each do |id, name|
      assert_raises(Sparpack::SchemaError) { klass.field id, name, :i32 }
    end
    assert_equal %i[a class c], klass.members
    assert_equal({ a: 5, class: "x", c: 7 }, klass.decode(klass.new(class: "x", c: 7).encode).to_h)
    assert_equal "x", klass.new(class: "x").class_
  end

  # Any Ractor may be the first to use a class, also one with a field whose type is declared later.
  def test_another_ractor_uses_a_class_first
    Warning.stub(:warn, nil) do
      DeclaringTest.const_set(:Wide, wide(300))
      DeclaringTest.const_set(:Loaded, load("struct A { 1: i32 a = 5, 2: list<A> b } union U { 1: i32 x }"))
      ractor = Ractor.new do
        loaded = Loaded::A.new(b: [Loaded::A.new])
        [Wide.decode(Wide.new(f299: 7).encode).f299, Loaded::A.decode(loaded.encode).b[0].a, Loaded::U.new(x: 3).value]
      end

      assert_equal [7, 5, 3], ractor.respond_to?(:value) ? ractor.value : ractor.take
      assert_equal 300, Wide.members.size
    end
  end

  private

  def wide(count) = Class.new(Sparpack::Struct) { count.times { |i| field i, :"f#{i}", :i64, optional: true } }

  def load(text)
    Dir.mktmpdir do |folder|
      File.write("#{folder}/one.thrift", text)
      Sparpack::IDL.load("#{folder}/one.thrift", into: Module.new)
    end
  end
end
