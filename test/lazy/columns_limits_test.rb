# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "support/wire_forms"

using WireForms

# What columns charge to the limit for memory, with payloads that come close to it.
class ColumnsLimitsTest < Minitest::Test
  extend Reading::Wires

  class Leaf < Sparpack::Struct
    field 1, :id, :i32
    field 2, :name, :string
  end

  class Leaves < Sparpack::Struct
    field 1, :leaves, list(Leaf)
    field 2, :filled, list(:string), default: ["x"] * 1000
    field 3, :inner, list(self)
    field 4, :raw, :binary
    field 5, :rest, :binary
  end

  class Numbers < Sparpack::Struct
    field 1, :first, :i32
    field 2, :numbers, list(:i32)
  end

  class Word < Sparpack::Union
    field 1, :text, :string
    field 2, :number, :i32
  end

  class Words < Sparpack::Struct
    field 1, :words, list(Word)
  end

  # The limit of a payload depends on its size, and what is charged for a list before it is read is beyond the limit of the
  # bytes up to there.
  def test_large_payloads_that_follow_one_another_make_no_objects
    bytes = Leaves.new(leaves: [Leaf.new(id: 1)] * 150_000).encode * 2
    Leaves.columns(bytes, "leaves[].id")
    found = nil

    assert_operator(objects { found = Leaves.columns(bytes, "leaves[].id") }, :<, 1000)
    assert_equal [[1], 300_000], found.values.map { |rows| [rows.uniq, rows.size] }.first
  end

  # Each of these structs is one byte long, and its default takes 48 KB. What follows must not raise the limit.
  def test_the_limit_of_a_payload_holds_while_it_is_walked
    bytes = "\x39\xFC\xB0\x09".b + ("\0" * 1201)
    following = "\0" * 3_000_000
    fault = assert_raises(Sparpack::DecodeError::LimitExceeded) { Leaves.decode_each(bytes + following).first }
    error = nil
    made = objects do
      error = assert_raises(Sparpack::DecodeError::LimitExceeded) { Leaves.columns(bytes + following, "inner[].filled") }
    end

    assert_equal fault.message, error.message
    assert_operator made, :<, 1_000_000
  end

  # What is decoded within a walk waits for the size of the payload, whose last field raises the limit. A decode of all would
  # make more than a million objects.
  def test_a_value_that_is_decoded_beyond_the_limit_of_the_bytes_up_to_there
    bytes = "#{"\x39\xFC\xB0\x09".b}#{"\0" * 1200}#{"\x18\x03abc\x18\xA0\xF7\x36".b}#{"r" * 900_000}\0"

    assert_equal(["abc".b, 900_000], Leaves.decode(bytes).then { |leaves| [leaves.raw, leaves.rest.size] })
    rows = nil

    assert_operator(objects { rows = Leaves.columns(bytes * 3, "raw")["raw"] }, :<, 1000)
    assert_equal ["abc".b] * 3, rows
  end

  # Its rows take more than 16 MiB plus 64 times the compressed size, which is less than a decode may take.
  def test_the_limit_of_a_compressed_payload_depends_on_what_is_in_it
    codec = Sparpack::Codec.new(Numbers, :message_pack, compression: :lz4)
    bytes = codec.encode(Numbers.new(numbers: [0] * 2_300_000))

    assert_equal 2_300_000, codec.decode(bytes).numbers.size
    [bytes, codec.encode(Numbers.new(first: 1)) + bytes].each do |source|
      assert_equal 2_300_000, codec.columns(source, "numbers[]", as: :packed)["numbers[]"].size
    end
  end

  def test_each_compressed_payload_has_the_whole_limit
    codec = Sparpack::Codec.new(Numbers, :message_pack, compression: :lz4, limits: Sparpack::Limits.new(memory: 4096))
    bytes = codec.encode(Numbers.new(numbers: [7] * 200)) * 20

    assert_equal [7] * 4000, codec.columns(bytes, "numbers[]")["numbers[]"]
  end

  class Grid < Sparpack::Struct
    field 1, :id, :i32
    field 2, :rows, list(list(:i32))
  end

  # An empty list takes 40 bytes in an object, and 8 in each column.
  def test_columns_that_take_more_than_a_decode_say_of_which_payload
    codec = Sparpack::Codec.new(Grid, :message_pack, compression: :lz4, limits: Sparpack::Limits.new(memory: 100_000))
    small = codec.encode(Grid.new(id: 1))
    large = codec.encode(Grid.new(rows: [[]] * 1000))
    paths = Array.new(40) { |index| [:rows, :[], index] }

    assert_equal 1000, codec.decode(large).rows.size
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { codec.columns(small + large, [:id], *paths) }

    assert_equal [small.bytesize, small.bytesize], [error.offset, error.message_offset]
  end

  def test_the_limit_of_columns_depends_on_the_size_of_each_payload
    small = Grid.new(id: 1).encode
    large = Grid.new(rows: [[]] * 70_000).encode
    paths = Array.new(40) { |index| [:rows, :[], index] }
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { Grid.columns(small + large, [:id], *paths) }

    assert_match(/expected at most #{(16 << 20) + (64 * large.bytesize)} bytes, found objects that take more/, error.message)
    assert_equal small.bytesize, error.offset
  end

  # A scan charges a struct for the most that short texts in it take, but not a union.
  each_wire "texts in unions are charged" do |wire|
    bytes = Words.new(words: [Word.text("a")] * 100).encode(wire)
    limit = (8000..16_000).step(100).find { |memory| allowed?(wire, memory) { |codec| codec.decode(bytes) } }

    [limit - 100, limit].each do |memory|
      allowed = allowed?(wire, memory) { |codec| codec.columns(bytes, "words[].text") }

      assert_equal memory == limit, allowed
    end
  end

  class Wide < Sparpack::Struct
    (1..20).each { |id| field id, :"f#{id}", :i32 }
  end

  class Wides < Sparpack::Struct
    field 1, :wides, list(Wide)
    field 2, :holders, list(self)
    field 3, :grid, list(list(:i32))
  end

  WIDE = Array.new(20) { |index| "wides[].f#{index + 1}" }.freeze

  # An empty list is charged in each column, with as much as in an object.
  each_wire "lists in rows are charged for each column" do |wire|
    bytes = Wides.new(holders: [Wides.new(wides: [])] * 300).encode(wire)
    codec = Wides.codec(wire, limits: Sparpack::Limits.new(memory: 100_000))
    paths = WIDE.map { |path| "holders[].#{path}" }

    assert_equal 300, codec.decode(bytes).holders.size
    assert_equal [[]] * 300, codec.columns(bytes, paths.first).values.first
    assert_raises(Sparpack::DecodeError::LimitExceeded) { codec.columns(bytes, *paths) }
  end

  # Each of these lists is a byte long, and a nil takes 8 bytes in each column. What follows must not raise the limit, which
  # is that of one payload.
  def test_what_follows_does_not_raise_the_limit_of_packed_columns
    bytes = Wides.new(grid: [[]] * 130_000).encode
    paths = Array.new(40) { |index| [:grid, :[], index] }
    following = Wides.new.encode * 1_000_000

    assert_equal 130_000, Wides.decode(bytes).grid.size
    assert_equal 130_000, Wides.columns(bytes, paths.first, as: :packed).values.first.null_count
    [bytes, bytes + following].each do |source|
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Wides.columns(source, *paths, as: :packed) }
    end
  end

  private

  def allowed?(wire, memory)
    yield Words.codec(wire, limits: Sparpack::Limits.new(memory:))
    true
  rescue Sparpack::DecodeError::LimitExceeded
    false
  end

  def objects
    before = GC.stat(:total_allocated_objects)
    yield
    GC.stat(:total_allocated_objects) - before
  end
end
