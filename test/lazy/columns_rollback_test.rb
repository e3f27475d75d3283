# frozen_string_literal: true

require "test_helper"

# A payload that has a field twice is walked, and turns out to need a decode: the last one counts. By then its rows are in
# the columns, and are taken back.
class ColumnsRollbackTest < Minitest::Test
  class Row < Sparpack::Struct
    field 1, :id, :i32
    field 2, :flag, :bool
    field 3, :name, :string
    field 4, :numbers, list(:i16)
  end

  class Table < Sparpack::Struct
    field 1, :rows, list(Row)
    field 2, :count, :i64
  end

  PATHS = %w[rows[].id rows[].flag rows[].name rows[].numbers[]].freeze
  NUMBERS = PATHS.first(2).freeze

  # How many rows there are. 8 just fill a byte of bits, and 64 the first room of a column.
  SIZES = [0, 1, 8, 63, 64, 65].freeze

  def rows(count, nils)
    Array.new(count) do |i|
      nils.positive? && (i % nils).zero? ? Row.new : Row.new(id: i, flag: i.odd?, name: "row #{i}", numbers: [i, -i])
    end
  end

  # @return [String] a payload that has rows, and then others
  def twice(wire, first, last)
    one, other = [first, last].map { |rows| Table.new(rows:).encode(wire) }
    wire == :json ? "#{one.chop},#{other.byteslice(1..)}" : one.chop + other
  end

  def each_payloads
    %i[binary json].each do |wire|
      SIZES.product(SIZES, [0, 2]) do |before, first, nils|
        [0, 3].each do |last|
          parts = [Table.new(rows: rows(before, 3)).encode(wire), twice(wire, rows(first, nils), rows(last, 0)),
                   Table.new(rows: rows(2, 2)).encode(wire)]
          yield wire, rows(before, 3) + rows(last, 0), parts.first(2).join
          yield wire, rows(before, 3) + rows(last, 0) + rows(2, 2), parts.join
        end
      end
    end
  end

  def test_arrays
    each_payloads do |wire, expected, bytes|
      found = Table.columns(bytes, *PATHS, wire:)

      assert_equal [expected.map(&:id), expected.map(&:flag), expected.map(&:name), expected.map(&:numbers)], found.values
    end
  end

  # The bits behind the last row are zeros.
  def test_packed
    each_payloads do |wire, expected, bytes|
      id, flag = Table.columns(bytes, *NUMBERS, as: :packed, wire:).values

      assert_equal [expected.map(&:id), expected.map(&:flag)], [id.to_a, flag.to_a]
      assert_equal expected.map { |row| row.id.to_i }.pack("l<*"), id.values
      assert_equal bits(expected.map(&:flag)), flag.values
      nils = expected.count { |row| row.id.nil? }
      valid = bits(expected.map { |row| !row.id.nil? }) if nils.positive?

      assert_equal [nils, nils, valid, valid], [id.null_count, flag.null_count, id.validity, flag.validity]
    end
  end

  # The limit does not depend on the size of a payload.
  def test_a_limit_of_memory
    codec = Table.codec(:binary, limits: Sparpack::Limits.new(memory: 1 << 20))
    bytes = twice(:binary, rows(100, 2), rows(2, 0)) * 3

    assert_equal [0, 1] * 3, codec.columns(bytes, "rows[].id")["rows[].id"]
    assert_equal [0, 1] * 3, codec.columns(bytes, "rows[].id", as: :packed)["rows[].id"].to_a
  end

  # Each thread takes back what its own columns have.
  def test_threads
    payloads = SIZES.flat_map do |size|
      [Table.new(rows: rows(size, 3)).encode(:binary), twice(:binary, rows(size, 2), rows(1, 0))]
    end * 3
    expected = payloads.flat_map { |bytes| Table.decode(bytes, :binary).rows }
    stream = payloads.map { |bytes| [bytes.bytesize].pack("N") + bytes }.join
    [1, 2, 3].each do |threads|
      id, flag = Table.columns(stream, *NUMBERS, as: :packed, wire: :binary, frame: :framed, threads:).values

      assert_equal [expected.map(&:id), expected.map(&:flag)], [id.to_a, flag.to_a]
      assert_equal bits(expected.map { |row| !row.id.nil? }), flag.validity
    end
  end

  # The elements of a list become rows only when the whole list was read.
  def test_long_lists_in_rows
    some = [1, 64, 65, 130, 200].map { |size| Row.new(id: size, numbers: [*1..size]) }
    %i[compact json].each do |wire|
      bytes = Table.new(rows: [*some, *some.reverse], count: 1).encode(wire)
      lists = [*some, *some.reverse].map(&:numbers)

      assert_equal [lists, lists.map(&:size)], Table.columns(bytes, "rows[].numbers[]", "rows[].id", wire:).values
      assert_equal [[lists], [1], [lists.map(&:last)]],
                   Table.columns(bytes, "rows[].numbers[]", "count", "rows[].numbers[-1]", wire:).values
    end
  end

  private

  def bits(flags) = [flags.map { |flag| flag ? "1" : "0" }.join].pack("b*")
end
