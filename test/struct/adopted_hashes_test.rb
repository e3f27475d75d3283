# frozen_string_literal: true

require "test_helper"
require "support/thrift_stub"
require "support/apache_shop"

# Hashes of objects of another library, whose fields are instance variables.
class AdoptedHashesTest < Minitest::Test
  class Holder < Sparpack::Struct
    field 1, :all, "::Shop::Everything"
    field 2, :answers, list("::Shop::Answer")
  end

  DEEP = ApacheShop.ours.to_h(deep: true).freeze

  def test_fields_become_a_hash
    assert_equal DEEP, Sparpack::Native.deep_fields(ApacheShop.everything)
    assert_equal({ all: DEEP, answers: [{ text: "x" }, {}] },
                 Holder.new(all: ApacheShop.everything, answers: [Shop::Answer.new(:text, "x"), Shop::Answer.new])
                       .to_h(deep: true))
  end

  def test_a_hash_becomes_an_object
    [DEEP, DEEP.transform_keys(&:name)].each do |hash|
      made = Sparpack.from_h(Shop::Everything, hash)

      assert_equal ApacheShop.everything, made
      assert_equal [Shop::Point, Shop::Answer, Shop::Gone], [made.points[0], made.answers.values[0], made.gone].map(&:class)
      assert_equal made, Holder.from_h(all: hash).all
    end
  end

  def test_an_absent_field_has_no_variable_and_a_default_is_a_copy
    one, other = Array.new(2) { Sparpack.from_h(Shop::Everything, {}) }
    one.numbers << 3

    assert_equal %i[@real @color @numbers @origin], one.instance_variables
    assert_equal [0.5, 2, [1, 2]], [other.real, other.color, other.numbers]
  end

  def test_objects_stay
    all = ApacheShop.everything

    assert_same all, Holder.from_h(all:).all
  end

  def test_levels
    all = ApacheShop.everything
    all.inner = all
    error = assert_raises(Sparpack::EncodeError::LimitExceeded) { Holder.new(all:).to_h(deep: true) }

    assert_equal "AdoptedHashesTest::Holder: expected at most 1000 levels, found more levels (does it contain itself?)",
                 error.message
  end

  def test_garbage_collection_at_every_allocation
    hash = nil
    made = stress { Sparpack.from_h(Shop::Everything, hash = Sparpack::Native.deep_fields(ApacheShop.everything)) }

    assert_equal [DEEP, ApacheShop.everything], [hash, made]
  end

  private

  def stress
    GC.stress = 1 # bit 0: without major collections, which would take most of the time
    yield
  ensure
    GC.stress = false
  end
end
