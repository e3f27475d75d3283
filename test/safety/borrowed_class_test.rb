# frozen_string_literal: true

require "test_helper"
require "support/child"
require "yaml"

# Marshal can give an object the class of another one. Its memory stays that of the class that declared its fields, so no
# code may use the class to find out how large an object is or what it holds.
class BorrowedClassTest < Minitest::Test
  include Child

  BASES = { Struct: Sparpack::Struct, Union: Sparpack::Union, Exception: Sparpack::Exception }.freeze
  WIDTHS = { Bare: 0, Slim: 1, Wide: 300 }.freeze

  CLASSES = BASES.to_a.product(WIDTHS.to_a).map do |(base_name, base), (width_name, width)|
    const_set("#{width_name}#{base_name}", Class.new(base) { (1..width).each { |id| field id, :"f#{id}", :i64 } })
  end.freeze

  # One field for each way of holding an object.
  module Holders
    def self.fields(klass, struct)
      Class.new(struct ? Sparpack::Struct : Sparpack::Union) do
        field 1, :object, klass
        field 2, :list, list(klass)
        field 3, :set, set(klass)
        field 4, :keys, map(klass, :i8)
        field 5, :values, map(:i8, klass)
      end
    end

    def self.each(object)
      { object:, list: [object], set: Set[object], keys: { object => 1 }, values: { 1 => object } }.each do |pair|
        yield(*pair)
      end
    end
  end

  HOLDERS = CLASSES.to_h { |klass| [klass, [true, false].map { |struct| Holders.fields(klass, struct) }] }.freeze

  # A kept unknown field as a decode stores it: an i32 with the id 999.
  KEPT = "\x08\x03\xe7\0\0\0\1".b

  # The exceptions that may be raised for such an object.
  REFUSALS = [TypeError, ArgumentError, NoMethodError, FrozenError, Sparpack::Error, Ractor::Error].freeze

  # Everything that can be done with such an object. Each call gets (object, the class that it has).
  CALLS = {
    "copies" => [
      ->(o, _) { o.dup }, ->(o, _) { o.clone }, ->(o, _) { o.clone(freeze: true) }, ->(o, _) { Sparpack.with(o) },
      ->(o, _) { Sparpack.with(o, f1: 5) }, ->(o, _) { Ractor.make_shareable(o, copy: true) },
      ->(o, _) { Marshal.load(Marshal.dump(o)) }, ->(o, _) { YAML.unsafe_load(YAML.dump(o)) },
      ->(o, k) { o.send(:initialize_copy, k.new) }, ->(o, k) { k.new.send(:initialize_copy, o) },
      ->(o, k) { k.from_h(o.to_h) }, ->(o, k) { k.from_h(o.to_h(deep: true)) },
      ->(o, _) { Sparpack::Default.copy(o, "x") }
    ],
    "reading" => [
      ->(o, _) { o.inspect }, ->(o, _) { o.to_s }, ->(o, _) { o.hash }, ->(o, _) { o.to_h }, ->(o, _) { o.to_h(deep: true) },
      ->(o, _) { o.as_json }, ->(o, _) { o.to_json }, ->(o, _) { o.pretty_inspect }, ->(o, _) { o[:f1] },
      ->(o, _) { o["f300"] }, ->(o, _) { o.set?(:f300) }, ->(o, _) { o.deconstruct_keys(nil) },
      ->(o, _) { o.deconstruct_keys(%i[f1 f300 f9]) }, ->(o, _) { Sparpack.field(o) }, ->(o, _) { Sparpack.value(o) },
      ->(o, _) { Sparpack.unknown?(o) }, ->(o, _) { o.schema }, ->(o, _) { o.message }, ->(o, _) { o.full_message },
      ->(o, _) { ObjectSpace.each_object(o.class).count }
    ],
    "comparing" => [
      ->(o, k) { [o == k.new, k.new == o, o.eql?(k.new), k.new.eql?(o)] }, ->(o, k) { { o => 1, k.new => 2 }.size },
      ->(o, _) { o == Sparpack::Native.fields_of(o).new }, ->(o, k) { Set[k.new, o].include?(k.new) }
    ],
    "writing" => [
      ->(o, _) { o[:f1] = 7 }, ->(o, _) { o["f300"] = 7 }, ->(o, _) { o.f1 = 7 }, ->(o, _) { o.f300 = nil },
      ->(o, _) { o.send(:initialize) }, ->(o, _) { o.send(:initialize, f1: 1) }, ->(o, _) { o.send(:initialize, f300: 1) },
      ->(o, _) { o.marshal_load([{ 1 => 2, 300 => 4 }, nil]) }, ->(o, _) { o.marshal_load([{ 1 => 2 }, KEPT]) },
      ->(o, _) { Sparpack::Native.union_clear(o) }, ->(o, _) { Sparpack::Native.set_unknown(o, true) },
      ->(o, _) { Sparpack::Native.fill(o, { f300: 1 }) }, ->(o, _) { o.exception("text") }, ->(o, _) { o.set_backtrace(["x"]) }
    ],
    "the codec" => [
      ->(o, _) { o.encode }, ->(o, _) { o.encode(:binary) }, ->(o, k) { k.codec.encode(o) },
      ->(o, k) { k.decode(o.encode, unknown: :keep) }, ->(o, _) { o.validate(:recursive) }, ->(o, _) { o.errors(:strict) },
      ->(o, _) { o.valid? }
    ],
    "freezing" => [
      ->(o, _) { o.freeze.inspect }, ->(o, _) { o.freeze(deep: true).hash }, ->(o, _) { Ractor.make_shareable(o) }
    ]
  }.freeze

  CALLS.each do |name, calls|
    define_method("test_#{name.tr(" ", "_")}") do
      unexpected = in_child do
        each_borrowed.flat_map { |make, borrowed| calls.filter_map { |call| outcome { call.call(make.call, borrowed) } } }
      end

      assert_empty unexpected
    end
  end

  def test_methods_of_other_classes_that_are_bound_to_one
    unexpected = in_child do
      each_borrowed.flat_map do |make, borrowed|
        modules = [borrowed, Sparpack::Native.fields_of(make.call)].flat_map(&:ancestors)
        names = %i[f1 f256 f257 f300].flat_map { |name| [name, :"#{name}="] }
        modules.product(names).filter_map do |mod, name|
          next unless mod.method_defined?(name, false)

          outcome { mod.instance_method(name).bind_call(make.call, *(5 if name.end_with?("="))) }
        end
      end
    end

    assert_empty unexpected
  end

  # Calls a reader or writer of a slot that the object does not have.
  def test_accessors_beyond_the_last_field
    { SlimStruct => [BareStruct.new, BareUnion.new, BareException.new],
      WideStruct => [SlimStruct.new, SlimUnion.f1(1), SlimException.new] }.each do |klass, objects|
      accessors = klass.ancestors.find { |mod| mod.method_defined?(:f1, false) }
      names = klass == SlimStruct ? %i[f1 f1=] : %i[f2 f2= f256 f256=]
      objects.product(names) do |object, name|
        assert_raises(TypeError) { accessors.instance_method(name).bind_call(object, *(5 if name.end_with?("="))) }
      end
    end
  end

  def test_inside_other_objects
    unexpected = in_child do
      each_borrowed.flat_map do |make, borrowed|
        HOLDERS.fetch(borrowed).product(%i[object list set keys values]).flat_map do |holder, field|
          inside = -> { holder.new(field => Holders.enum_for(:each, make.call).to_h.fetch(field)) }
          [lambda(&:encode), ->(o) { o.encode(:binary) }, ->(o) { o.errors(:recursive) }, lambda(&:inspect),
           lambda(&:hash), ->(o) { o == inside.call }, ->(o) { o.to_h(deep: true) }, lambda(&:to_json),
           ->(o) { holder.from_h(o.to_h) }, ->(o) { Marshal.load(Marshal.dump(o)).to_h },
           ->(o) { o.freeze(deep: true) }].filter_map { |call| outcome { call.call(inside.call) } }
        end
      end
    end

    assert_empty unexpected
  end

  # Encoding refuses the object wherever it is.
  def test_it_is_not_taken_for_one_of_its_class
    messages = in_child do
      each_borrowed.map { |make, borrowed| HOLDERS.fetch(borrowed)[0].new(list: [make.call]).encode rescue $!.message } # rubocop:disable Style/RescueModifier
    end

    assert_equal [], messages.grep_v(/\.list\[0\]: expected \S+, found /)
  end

  def test_defaults_are_refused_when_they_are_declared
    accepted = in_child do
      each_borrowed.flat_map do |make, borrowed|
        places(borrowed).reject do |type, wrap|
          Class.new(Sparpack::Struct) { field 1, :x, type, default: wrap.call(make.call.freeze) }
          false
        rescue Sparpack::SchemaError => e
          e.message.match?(/: the default does not fit: expected #{borrowed}, found a #{borrowed} with the fields of /)
        end.map { |type, _| [borrowed, type.to_s] }
      end
    end

    assert_empty accepted
  end

  def test_a_default_whose_type_is_named_ahead_is_refused_when_the_class_is_used
    slim = borrow(WideStruct.new(f300: 1), SlimStruct).freeze
    named = Class.new(Sparpack::Struct) { field 1, :x, list("BorrowedClassTest::SlimStruct"), default: [slim] }

    assert_match(/expected BorrowedClassTest::SlimStruct, found a BorrowedClassTest::SlimStruct with the fields of/,
                 assert_raises(Sparpack::SchemaError) { named.new }.message)
  end

  def test_a_default_that_is_copied_first_is_refused_too
    slim = borrow(WideStruct.new(f300: 1), SlimStruct)
    error = assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { field 1, :x, SlimStruct, default: slim } }

    assert_match(/a BorrowedClassTest::SlimStruct that has the fields of BorrowedClassTest::WideStruct cannot be copied/,
                 error.message)
  end

  class Base < Sparpack::Struct; end

  class Derived < Base
    field 1, :x, :i8
  end

  # An object of a subclass that adds fields is not of the type either, because it could not be encoded.
  def test_defaults_of_another_class
    error = assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { field 1, :b, Base, default: Derived.new } }

    assert_match(/the default does not fit: expected BorrowedClassTest::Base, found BorrowedClassTest::Derived\z/,
                 error.message)
    inner = HOLDERS[SlimStruct][0].new(list: [WideStruct.new])
    error = assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { field 1, :b, inner.class, default: inner } }

    assert_match(/expected BorrowedClassTest::SlimStruct, found BorrowedClassTest::WideStruct\z/, error.message)
  end

  # A declaration refuses such a default. If one got through nevertheless, its copies would have the size of its fields.
  def test_copies_are_made_by_the_fields
    values = in_child do
      each_borrowed.map do |make, _|
        object = make.call.freeze
        nested = [object, [object], { 1 => object }, { object => object }, Set[object],
                  HOLDERS[SlimStruct][0].new(object:).freeze]
        klass = Class.new(Sparpack::Struct)
        rows = nested.each_with_index.map { |value, i| [i + 1, :"x#{i}", value, :struct] }
        Sparpack::Native.compile(klass, rows)
        copies = Array.new(50) { Sparpack::Native.fields(klass.new) }
        GC.start
        copies.map { |copy| [copy[:x0].to_h, copy[:x2][1].to_h, copy[:x5].object.to_h] }.uniq == [[object.to_h] * 3]
      end
    end

    assert_equal [true], values.uniq
  end

  private

  # Returns [a lambda that makes an object, the class that it has] for all pairs of classes.
  def each_borrowed
    CLASSES.product(CLASSES).reject { |pair| pair.uniq.one? }.flat_map do |klass, borrowed|
      [{}, { f1: 1 }, { f300: 2 }, { f1: 3, f300: 4 }].filter_map do |fields|
        next unless fields.keys.all? { |name| klass.schema[name] } && !(klass.schema.shape == :union && fields.size > 1)

        [-> { borrow(klass.new(**fields), borrowed) }, borrowed]
      end
    end
  end

  # Marshal's "C" gives the next object the class that it names.
  def borrow(object, klass)
    name = klass.name
    Marshal.load("\x04\b".b + "C:#{(name.size + 5).chr}#{name}".b + Marshal.dump(object).byteslice(2..)) # rubocop:disable Security/MarshalLoad -- our own
  end

  # The types that can hold an object of the class, with a lambda that puts it there.
  def places(klass)
    types = Sparpack::Type
    deep, union = HOLDERS.fetch(klass)
    error = Class.new(Sparpack::Exception) { field 1, :list, list(klass) }
    [[klass, ->(o) { o }], [types.list(klass), ->(o) { [klass.new.freeze, o] }], [types.set(klass), ->(o) { Set[o] }],
     [types.map(klass, :i8), ->(o) { { o => 1 } }], [types.map(:i8, types.list(klass)), ->(o) { { 1 => [o] } }],
     [deep, ->(o) { deep.new(values: { 1 => o }) }], [types.list(union), ->(o) { [union.new(keys: { o => 1 })] }],
     [error, ->(o) { error.new(list: [o]) }]]
  end

  # Returns nil if a call succeeded or refused; otherwise what it raised.
  def outcome
    yield
    nil
  rescue StandardError, SystemStackError => e
    REFUSALS.any? { |refusal| e.is_a?(refusal) } || e.is_a?(Sparpack::Value) ? nil : "#{e.class}: #{e.message}"
  end
end
