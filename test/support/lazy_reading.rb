# frozen_string_literal: true

require_relative "reading"
require_relative "wire_forms"

using WireForms

# The assertions of Reading for lazy objects, in place of ordinary ones: what is read is equal, field by field and as a
# whole, and what is refused is refused in the same way.
module LazyReading
  def assert_reads(expected, bytes, wire, **options)
    return super if text?(wire) # is always decoded eagerly

    options = { lazy: true, **options }
    eager = expected.class.decode(bytes, wire, **options, lazy: false)
    by_field = expected.class.decode(bytes, wire, **options)

    assert_equal LazyReading.fields(eager), LazyReading.fields(by_field)
    actual = super
    untouched, woken = Array.new(2) { expected.class.decode(bytes, wire, **options) }
    woken.to_h

    assert_equal LazyReading.encoded(eager, wire), LazyReading.encoded(woken, wire)
    copied = LazyReading.encoded(untouched, wire)
    if copied.is_a?(Array)
      assert_equal LazyReading.encoded(eager, wire), copied
    else
      assert_equal eager, expected.class.decode(copied, wire, **options, lazy: false)
    end
    actual
  end

  # Bytes that are cut are decoded eagerly in the end. Only a sanitizer sees whether the scan before that reads too far.
  def assert_cut(...)
    super if ENV["SPARPACK_MODE"] == "sanitize"
  end

  # What the twins of each class refuse has the same path and the same offset.
  def assert_refuses(error_class, struct_class, bytes, wire, **rest)
    eager = super
    return eager if text?(wire)

    options = rest.except(:path, :offset, :expected, :found, :hint)
    lazy = assert_raises(error_class) { struct_class.decode(bytes, wire, lazy: true, **options) }

    assert_equal [eager.class, eager.message, eager.offset, eager.path], [lazy.class, lazy.message, lazy.offset, lazy.path]
    eager
  end

  # @return [String, Array] the bytes of an object, or the error
  def self.encoded(object, wire)
    object.encode(wire)
  rescue Sparpack::EncodeError => e
    [e.class, e.message]
  end

  # @return [Object] everything in a value, read by the readers of fields, in the reverse of their order. A union shows
  #   which one is set
  def self.fields(value)
    case value
    when Sparpack::Union then [value.field, fields(value.value)]
    when Sparpack::Value then value.class.schema.fields.reverse.map { |field| fields(value.public_send(field.name)) }
    when Array then value.map { |element| fields(element) }
    when Set then Set.new(value) { |element| fields(element) }
    when Hash then value.to_h { |key, element| [fields(key), fields(element)] }
    when Float then [value].pack("G") # NaN differs from itself
    else value
    end
  end
end
