# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "active_model"
require "sparpack/rails"

# Columns that hold both kinds of JSON: each row is read by its own wire, though the codec of the other one may read it as a
# struct of unknown fields. test/rails/cases/rows.rb has the other wires.
class RailsTextRowsTest < Minitest::Test
  class Note < Sparpack::Struct
    field 1, :text, :string
    field 2, :labels, map(:string, :i32)
  end

  NOTE = Note.new(text: "é", labels: { "1" => 2 })
  WIRES = %i[json thrift_json].freeze

  def test_both_kinds_of_json
    [*WIRES, :compact].each do |wire|
      type = Sparpack::Rails::Type.new(of: Note, wire:, reads: WIRES)
      [*WIRES, wire].each do |written|
        assert_equal NOTE, type.deserialize(NOTE.encode(written)), [wire, written]
      end
      assert_equal Note.new, type.deserialize("{}")
    end
  end

  def test_white_space_and_other_bytes
    type = Sparpack::Rails::Type.new(of: Note, reads: WIRES)

    assert_equal Note.new(text: "a"), type.deserialize(%({ "1" : {"str":"a"}}))
    assert_equal Note.new(text: "a"), type.deserialize(%({ "text" : "a"}))
    assert_raises(Sparpack::DecodeError) { type.deserialize("{\xFF") }
    assert_raises(Sparpack::DecodeError) { type.deserialize("{}".encode("UTF-16LE")) }
  end

  def test_what_was_saved_has_not_changed
    WIRES.permutation.each do |wire, other|
      type = Sparpack::Rails::Type.new(of: Note, wire:, reads: other)

      refute type.changed_in_place?(type.serialize(NOTE), NOTE)
      assert type.changed_in_place?(type.serialize(NOTE), Note.new)
    end
  end
end
