# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "support/wire_forms"

using WireForms

# Columns of unions with many fields, of names that two fields have, and of texts of an application's own classes.
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

  each_wire "a frame that is longer than its payload" do |wire|
    bytes = Crossed.new(first: 1).encode(wire)
    source = [bytes, "#{bytes}#{bytes}"].map { |frame| [frame.bytesize].pack("N") + frame.b }.join
    fault = assert_raises(Sparpack::DecodeError) { Crossed.decode_each(source, wire, frame: :framed).to_a }
    [{}, { as: :packed }, { as: :packed, threads: 2 }].each do |options|
      error = assert_raises(Sparpack::DecodeError) { Crossed.columns(source, "first", wire:, frame: :framed, **options) }

      assert_equal [fault.class, fault.message, fault.offset], [error.class, error.message, error.offset]
    end
  end

  # Changes the bytes while a map is searched for it.
  class Key < String
    class << self
      attr_accessor :bytes
    end

    def eql?(other)
      Key.bytes&.clear
      super
    end
  end

  class Labelled < Sparpack::Struct
    field 1, :labels, map(:string, :i32)
    field 2, :name, :string
  end

  def test_keys_are_compared_as_strings_are
    bytes = Array.new(20) { |index| Labelled.new(labels: { "a" => index }, name: "n" * (index % 7)).encode }.join
    Key.bytes = bytes.dup

    assert_equal Labelled.columns(bytes, [:labels, "a"], "name").values,
                 Labelled.columns(Key.bytes, [:labels, Key.new("a")], "name").values
  ensure
    Key.bytes = nil
  end

  class Loud < String; end

  # A reader returns a String of the application.
  Speaker = Struct.new(:word) do
    def word = self.class::WORD
  end
  Speaker::WORD = Loud.new("hey")

  def test_shared_strings_of_readers
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Speaker, { 1 => :word }, types: { word: :string }), :compact)
    words = codec.columns("\x18\x01a\x00".b * 2, "word", share: true)["word"]

    assert_equal [%w[hey hey], [String]], [words, words.map(&:class).uniq]
    assert_same(*words)
    refute_predicate Speaker::WORD, :frozen?
  end
end
