# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/columns_by_hand"
require "support/lazy_reading"
require "support/random_schema"
require "support/seeded"
require "support/trickle"
require "support/wire_forms"

# Random classes, objects and paths, in each wire and form: columns are what a decode and a map are.
class ColumnsRandomTest < Minitest::Test
  include Seeded

  using WireForms

  ROUNDS = 25
  OPTIONS = [{}, {}, { freeze: true }, { lazy: true }, { validate: :none }, { validate: :recursive }, { unknown: :keep },
             { mismatch: :skip }, { utf8: :keep }].freeze

  def test_columns_are_what_a_decode_and_a_map_are
    each_case do |codec, payloads, paths|
      assert_columns(codec, payloads.join, paths)
    end
  end

  def test_ios_and_frames
    each_case do |codec, payloads, paths|
      expected = ColumnsByHand.of(payloads.map { |bytes| codec.decode(bytes) }, paths)
      sources = [StringIO.new(payloads.join), Trickle.new(payloads.join, 1 + random.rand(7))]

      sources.each { |source| assert_rows(paths, expected, codec.columns(source, *paths)) }
      framed = StringIO.new("".b)
      payloads.each { |bytes| codec.encode_to(framed, codec.decode(bytes), frame: :varint) }

      assert_rows(paths, expected, codec.columns(framed.string, *paths, frame: :varint))
    end
  end

  def test_shared_strings
    each_case do |codec, payloads, paths|
      found = codec.columns(payloads.join, *paths, share: true)
      texts = found.select { |path, _| ColumnsByHand.type(codec.struct_class, path).element.nil? }
      strings = texts.values.flat_map { |rows| rows.flatten.grep(String) }

      assert_rows(paths, ColumnsByHand.of(payloads.map { |bytes| codec.decode(bytes) }, paths), found)
      strings.group_by { |string| [string, string.encoding] }.each_value do |same|
        assert_predicate same.first, :frozen?
        assert_equal 1, same.uniq(&:object_id).size
      end
    end
  end

  def test_packed_numbers
    each_case do |codec, payloads, paths|
      paths.each do |path|
        column = packed(codec, payloads.join, path) or next
        rows, = ColumnsByHand.of(payloads.map { |bytes| codec.decode(bytes) }, [path])
        rows = rows.map { |row| row.is_a?(Numeric) && column.type == :double ? row.to_f : row }

        assert_same rows, column.to_a, path.inspect
        assert_equal rows.size, column.size
        assert_equal rows.count(nil), column.null_count
        assert_equal column.null_count.positive?, !column.validity.nil?
      end
    end
  end

  def test_paths_as_text
    each_case do |codec, payloads, paths|
      texts = paths.map { |path| ColumnsByHand.text(path) }
      next unless texts.all?

      found = codec.columns(payloads.join, *texts)

      assert_equal texts.uniq, found.keys
      assert_rows(paths, ColumnsByHand.of(payloads.map { |bytes| codec.decode(bytes) }, paths),
                  paths.to_h { |path| [path, found[ColumnsByHand.text(path)]] })
    end
  end

  def test_truncated_bytes
    each_case(rounds: 6) do |codec, payloads, paths|
      bytes = payloads.join
      next if bytes.bytesize > 400

      bytes.bytesize.times { |size| assert_columns(codec, bytes.byteslice(0, size), paths) }
    end
  end

  def test_damaged_bytes
    each_case do |codec, payloads, paths|
      10.times do
        bytes = payloads.join
        next if bytes.empty?

        bytes.setbyte(random.rand(bytes.bytesize), random.rand(256))
        assert_columns(codec, bytes, paths)
      end
    end
  end

  def test_limits
    each_case(rounds: 8) do |codec, payloads, paths|
      limits = [{ depth: 1 + random.rand(5) }, { string: random.rand(8) }, { container: random.rand(4) },
                { memory: random.rand(2000) }].sample(random:)
      limited = Sparpack::Codec.new(codec.struct_class, codec.wire, **codec.options, limits: Sparpack::Limits.new(**limits))
      expected = result_of { ColumnsByHand.of(limited.decode_each(payloads.join).to_a, paths) }
      found = result_of { limited.columns(payloads.join, *paths) }
      # What the columns take is charged, too.
      next if limits.key?(:memory) && found.is_a?(Sparpack::DecodeError::LimitExceeded) && expected.is_a?(Array)

      assert_result(paths, expected, found, [limited, payloads, paths].inspect)
    end
  end

  def test_while_garbage_is_collected
    each_case(rounds: 1, draws: 1) do |codec, payloads, paths|
      some = paths.sample(1, random:)
      bytes = payloads.min_by(&:bytesize)
      GC.stress = true
      found = codec.columns(bytes, *some, share: random.rand(2).zero?)
      GC.stress = false

      assert_rows(some, ColumnsByHand.of([codec.decode(bytes)], some), found)
    ensure
      GC.stress = false
    end
  end

  private

  def each_case(rounds: ROUNDS, draws: 2)
    rounds.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      objects = Array.new(1 + random.rand(4)) { schema.object(struct_class) }
      WireForms.of(struct_class).each do |wire|
        codec = Sparpack::Codec.new(struct_class, wire, **OPTIONS.sample(random:))
        payloads = written(codec, objects) or next
        draws.times { yield codec, payloads, ColumnsByHand.paths(codec.decode(payloads.first), random) }
      end
    end
  end

  def written(codec, objects)
    objects.map { |object| codec.encode(object).b }
  rescue Sparpack::EncodeError # structs as keys in Thrift's JSON
    nil
  end

  def packed(codec, bytes, path)
    codec.columns(bytes, path, as: :packed)[path]
  rescue ArgumentError => e
    assert_match(/the column cannot be packed, because/, e.message)
    nil
  end

  def assert_columns(codec, bytes, paths)
    expected = result_of { ColumnsByHand.of(codec.decode_each(bytes).to_a, paths) }
    found = result_of { codec.columns(bytes, *paths) }

    assert_result(paths, expected, found, [codec, bytes, paths].inspect)
  end

  def assert_result(paths, expected, found, about)
    unless expected.is_a?(Array)
      assert_kind_of Sparpack::DecodeError, found, about
      return assert_equal(fault(expected), fault(found), about)
    end

    assert_kind_of Hash, found, about
    assert_rows(paths, expected, found, about)
  end

  def fault(error) = [error.class, error.message, error.path, error.offset, error.message_offset]

  def assert_rows(paths, expected, found, about = nil)
    assert_equal paths.uniq, found.keys
    paths.zip(expected) { |path, rows| assert_same rows, found[path], "#{about} #{path}" }
  end

  def assert_same(expected, found, about)
    assert_equal LazyReading.fields(expected), LazyReading.fields(found), about
  end

  def result_of
    yield
  rescue Sparpack::Error => e
    e
  end
end
