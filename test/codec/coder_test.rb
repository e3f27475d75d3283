# frozen_string_literal: true

require "test_helper"
require "support/fresh_ruby"
require "tmpdir"

# Codec#dump and Codec#load, called as by libraries that take any object with these two methods.
class CoderTest < Minitest::Test
  include FreshRuby

  class Listing < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :title, :string
  end

  # A serialized attribute, with the calls of ActiveRecord::Type::Serialized in Rails 7 and 8.
  class Column
    def initialize(coder) = @coder = coder

    def deserialize(raw) = default_value?(raw) ? raw : @coder.load(raw)

    def serialize(value)
      return if value.nil?

      @coder.dump(value) unless default_value?(value)
    end

    def changed_in_place?(raw, value)
      return false if value.nil?

      encoded = default_value?(value) ? nil : @coder.dump(value)
      raw.nil? != encoded.nil? || raw != encoded
    end

    private

    def default_value?(value) = value == @coder.load(nil)
  end

  # Tells coders apart by the first byte, as Paquito does.
  class Versions
    def initialize(current, coders)
      @current = current
      @coders = coders
    end

    def dump(object) = [@current].pack("C") << @coders.fetch(@current).dump(object)
    def load(bytes) = @coders.fetch(bytes.getbyte(0)).load(bytes.byteslice(1..))
  end

  CODEC = Listing.codec(:binary, unknown: :reject)

  def listing = Listing.new(id: 1, title: "ü")

  def test_dump_and_load
    assert_equal [CODEC.encode(listing), listing], [CODEC.dump(listing), CODEC.load(CODEC.encode(listing))]
    assert_equal [nil, nil], [CODEC.dump(nil), CODEC.load(nil)]
    assert_raises(Sparpack::EncodeError::TypeMismatch) { CODEC.dump(false) }
    assert_raises(Sparpack::EncodeError::MissingField) { CODEC.dump(Listing.new) }
    assert_raises(Sparpack::DecodeError::Truncated) { CODEC.load("") }
    assert_raises(TypeError) { CODEC.load(5) }
    assert_raises(ArgumentError) { CODEC.dump }
  end

  def test_a_serialized_attribute
    column = Column.new(CODEC)
    raw = column.serialize(listing)

    assert_equal [listing, nil, nil], [column.deserialize(raw), column.deserialize(nil), column.serialize(nil)]
    value = column.deserialize(raw)

    refute column.changed_in_place?(raw, value)
    value.title << "!"

    assert column.changed_in_place?(raw, value)
    assert column.changed_in_place?(nil, value)
  end

  def test_coders_that_call_coders
    versions = Versions.new(2, { 1 => Listing.codec(:compact), 2 => CODEC })

    assert_equal listing, versions.load(versions.dump(listing))
    assert_equal listing, versions.load("\x01".b << listing.encode)
  end

  ACTIVE_SUPPORT = <<~RUBY
    require "sparpack"
    require "active_support"
    require "active_support/cache"
    require "active_support/message_encryptor"
    require "active_support/message_verifier"
    require "active_support/core_ext"

    class Listing < Sparpack::Struct
      field 1, :id, :i64
      field 2, :title, :string
    end

    codec = Listing.codec
    cache = ActiveSupport::Cache::MemoryStore.new(serializer: codec)
    files = ActiveSupport::Cache::FileStore.new(Dir.pwd + "/cache", serializer: codec)
    cache.write("a", Listing.new(id: 1))
    files.write("long", Listing.new(title: "x" * 5000))
    made = cache.fetch("b") { Listing.new(id: 2) }
    none = cache.fetch("c", skip_nil: true) { nil }
    encryptor = ActiveSupport::MessageEncryptor.new("k" * 32, serializer: codec)
    verifier = ActiveSupport::MessageVerifier.new("k" * 32, serializer: codec)
    result = [cache.read_multi("a", "b", "c").transform_values(&:id), made.id, none, files.read("long").title.size,
              encryptor.decrypt_and_verify(encryptor.encrypt_and_sign(made)) == made,
              verifier.verify(verifier.generate(made)) == made]
    File.binwrite(ARGV.last, Marshal.dump(result))
  RUBY

  def test_active_support
    found = Dir.mktmpdir { |folder| fresh_result(ACTIVE_SUPPORT, chdir: folder) }

    assert_equal [{ "a" => 1, "b" => 2 }, 2, nil, 5000, true, true], found
  end
end
