# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "support/wire_forms"

using WireForms

# Columns where a scan has little room: many fields, names that two fields have, and limits.
class ColumnsEdgesTest < Minitest::Test
  extend Reading::Wires

  class Leaf < Sparpack::Struct
    field 1, :id, :i32
    field 2, :name, :string
  end

  # More fields than a struct may have that is scanned.
  class Many < Sparpack::Union
    (1..69).each { |id| field id, :"f#{id}", :i32 }
    field 70, :leaf, Leaf
  end

  class Manies < Sparpack::Struct
    field 1, :many, list(Many)
    field 2, :one, Many
    field 3, :id, :i32
  end

  class Crossed < Sparpack::Struct
    field 1, :first, :i32, idl_name: "second"
    field 2, :second, :i32, idl_name: "third"
    field 3, :numbers, list(:i32)
  end

  each_wire "a union of many fields" do |wire|
    bytes = Manies.new(many: [Many.f3(1), Many.leaf(Leaf.new(id: 4))], one: Many.f69(5), id: 6).encode(wire)

    assert_equal({ "f69" => [5], "leaf.id" => [nil] }, Many.columns(Many.f69(5).encode(wire), "f69", "leaf.id", wire:))
    assert_equal({ "many[].f3" => [1, nil], "many[].leaf.id" => [nil, 4] },
                 Manies.columns(bytes, "many[].f3", "many[].leaf.id", wire:))
    assert_equal({ "many[].leaf.id" => [[nil, 4]], "one.f69" => [5], "id" => [6] },
                 Manies.columns(bytes, "many[].leaf.id", "one.f69", "id", wire:))
  end

  def test_names_in_ruby_come_before_those_of_the_idl
    bytes = Crossed.new(first: 1, second: 2, numbers: [3]).encode

    assert_equal({ "second" => [2] }, Crossed.columns(bytes, "second"))
    assert_equal({ "second" => [2], "third" => [2], "1" => [1], "numbers[0]" => [3] },
                 Crossed.columns(bytes, "second", "third", "1", "numbers[0]"))
  end
end
