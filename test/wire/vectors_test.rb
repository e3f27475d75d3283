# frozen_string_literal: true

require "test_helper"
require "fixtures/everything"
require "vectors/difference"
require "support/spelling"
require "json"

# Files that Apache Thrift's libraries wrote (see vectors/README.md) are read, compared, written again, and cut.
class VectorsTest < Minitest::Test
  FOLDER = File.expand_path("../vectors", __dir__)
  LISTINGS = File.expand_path("../../examples/listings.compact", __dir__)
  WRITERS = %w[python ruby].freeze
  WIRES = %i[compact binary thrift_json].freeze
  # What Apache's libraries write although it is not valid JSON: structs and containers as keys, and in Python nan and inf.
  INVALID_DOUBLE = /[:,]-?(?:nan|inf)\b/
  VECTORS = JSON.parse(File.read(File.join(FOLDER, "values.json"), encoding: "UTF-8")).to_h { [_1["name"], _1] }.freeze
  DOUBLES = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze

  def self.writers(vector) = vector.fetch("writers", WRITERS)

  def self.file(writer, name, wire) = File.join(FOLDER, writer, "#{name}.#{wire}")

  VECTORS.each do |name, vector|
    writers(vector).product(WIRES) do |writer, wire|
      define_method("test_#{name}_in_#{wire}_from_#{writer}") { read_and_write(vector, writer, wire) }
      define_method("test_#{name}_in_#{wire}_from_#{writer}_cut_anywhere") { cut(vector, writer, wire) }
    end
  end

  VECTORS.each do |name, vector|
    next unless writers(vector) == WRITERS

    define_method("test_the_libraries_agree_on_#{name}") do
      # In JSON, Python's library writes more digits and fewer escapes.
      (WIRES - [:thrift_json]).each { |wire| assert_equal(*WRITERS.map { bytes(_1, name, wire) }, wire) }
    end
  end

  def test_every_file_has_its_vector
    expected = VECTORS.flat_map do |name, vector|
      self.class.writers(vector).product(WIRES).map { |writer, wire| self.class.file(writer, name, wire) }
    end

    actual = WRITERS.product(WIRES).flat_map { |writer, wire| Dir[self.class.file(writer, "*", wire)] }

    assert_equal expected.sort, actual.sort
  end

  def test_the_thousand_listings
    bytes = File.binread(LISTINGS)
    listings = Everything::Listings.decode(bytes, :compact)

    neighborhoods = listings.listings.flat_map { _1.neighborhoods.to_a }

    assert_equal 1000, listings.listings.size
    assert_includes 8000..12_000, neighborhoods.size
    assert_includes neighborhoods.map(&:name), "Neukölln"
    assert_equal bytes, listings.encode(:compact)
    assert_equal listings, Everything::Listings.decode(listings.encode(:binary), :binary)
  end

  def test_the_thousand_listings_cut
    bytes = File.binread(LISTINGS)
    places(bytes.bytesize, 997).each { assert_truncated(Everything::Listings, bytes, _1, :compact) }
  end

  private

  def bytes(writer, name, wire) = File.binread(self.class.file(writer, name, wire))

  def type_of(vector)
    Everything.const_get(vector["read_as"] || (vector["value"] || counterpart(vector)["value"]).keys.first)
  end

  # The vector that has the value and the bytes of the given one after we have read and written it.
  def counterpart(vector) = VECTORS.fetch(vector.fetch("reads_like", vector["name"]))

  def read_and_write(vector, writer, wire)
    given = bytes(writer, vector["name"], wire)
    return refuse_both_ways(vector, given, wire) unless valid?(vector, given, wire)

    like = counterpart(vector)
    expected = value_of(like["value"])
    actual = type_of(vector).decode(given, wire)

    assert_nil Difference.between(expected, actual) unless wire == :thrift_json && nan?(expected)
    assert_equal canonical(writer, like, wire), actual.encode(wire).b
    assert_equal canonical(writer, like, wire), expected.encode(wire).b
    assert_equality(expected, actual) unless nan?(expected)
    trailing(vector, given, wire)
  end

  # What we write. In JSON these are the bytes of Ruby's library.
  def canonical(writer, vector, wire)
    writer = "ruby" if wire == :thrift_json && self.class.writers(vector).include?("ruby")
    bytes(writer, vector["name"], wire)
  end

  def valid?(vector, given, wire)
    return true unless wire == :thrift_json

    !given.match?(INVALID_DOUBLE) && !(vector["value"] && Spelling.compound_keys?(value_of(vector["value"])))
  end

  def refuse_both_ways(vector, given, wire)
    assert_raises(Sparpack::DecodeError::Malformed) { type_of(vector).decode(given, wire) }
    value = value_of(vector["value"])
    assert_raises(Sparpack::EncodeError::TypeMismatch) { value.encode(wire) } if Spelling.compound_keys?(value)
  end

  def assert_equality(expected, actual)
    assert_equal expected, actual
    assert_operator expected, :eql?, actual
    assert_equal expected.hash, actual.hash
  end

  def trailing(vector, given, wire)
    assert_raises(Sparpack::DecodeError::Malformed) { type_of(vector).decode("#{given}\0", wire) }
  end

  def cut(vector, writer, wire)
    given = bytes(writer, vector["name"], wire)
    return refuse_both_ways(vector, given, wire) unless valid?(vector, given, wire)

    places(given.bytesize, 97).each { assert_truncated(type_of(vector), given, _1, wire) }
  end

  # Where to cut: everywhere. In large files, everywhere in the first and last 300 bytes, and at some places between.
  def places(size, step)
    return (0...size) if size <= 1000

    [*0...300, *(300...(size - 300)).step(step), *(size - 300)...size]
  end

  # The String ends at the cut, so that a sanitizer notices reads beyond it.
  def assert_truncated(type, given, place, wire)
    cut = given.byteslice(0, place)
    fault = assert_raises(Sparpack::DecodeError::Truncated, "cut at byte #{place} of #{given.bytesize}") do
      type.decode(cut, wire)
    end

    assert_includes 0..place, fault.offset, "cut at byte #{place}: the error's offset is outside of the bytes"
  end

  # Turns a value of values.json into one of ours.
  def value_of(json)
    return json.map { value_of(_1) } if json.is_a?(Array)
    return json unless json.is_a?(Hash)

    tag, content = json.first
    case tag
    when "set" then Set.new(content.map { value_of(_1) })
    when "map" then content.to_h { |key, value| [value_of(key), value_of(value)] }
    when "hex" then [content].pack("H*")
    when "double" then DOUBLES.fetch(content)
    when "bits" then [content].pack("H*").unpack1("G")
    when "repeat" then value_of(content[0]) * content[1]
    else Everything.const_get(tag).new(**content.to_h { |name, value| [name.to_sym, value_of(value)] })
    end
  end

  def nan?(value)
    case value
    when Float then value.nan?
    when Array, Set then value.any? { nan?(_1) }
    when Hash then value.any? { |pair| nan?(pair) }
    when Sparpack::Union then nan?(value.value)
    when Sparpack::Struct, Sparpack::Exception then nan?(value.to_h)
    end
  end
end
