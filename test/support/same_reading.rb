# frozen_string_literal: true

require_relative "lazy_reading"
require_relative "wire_forms"

using WireForms

# Holds whatever reads a payload, or a part of it, to what a decode answers.
module SameReading
  # What one call reads, all read, or refuse in the same way.
  def assert_same_of(struct_class, bytes, wire, digs: true, **options)
    codec = struct_class.codec(wire, **options)
    eager = outcome { codec.decode(bytes) }
    is_object = eager.is_a?(Sparpack::Value)

    assert_equal(is_object || eager, outcome { codec.check(bytes) })
    assert_equal(is_object ? 1 : eager, outcome { codec.count(bytes) })
    lazy = outcome { struct_class.decode(bytes, wire, **options, lazy: true) }

    assert_equal shown(eager), shown(lazy)
    struct_class.schema.fields.map(&:name).each do |name|
      rows = outcome { codec.columns(bytes, [name])[[name]] }

      assert_equal is_object ? [shown(eager.public_send(name))] : eager, is_object ? rows.map { |row| shown(row) } : rows
      assert_equal [shown(eager.public_send(name))], [shown(codec.dig(bytes, name))] if is_object && digs
    end
    assert_same_rows(eager, codec, bytes)
  end

  # All columns at once are what each alone is.
  def assert_same_rows(eager, codec, bytes)
    names = codec.struct_class.schema.fields.map { |field| field.name.name }
    rows = outcome { codec.columns(bytes, *names).values }
    return assert_equal(eager, rows, bytes) unless eager.is_a?(Sparpack::Value)

    expected = names.map { |name| [shown(eager.public_send(name))] }

    assert_equal expected, rows.map { |all| all.map { |row| shown(row) } }, bytes
  end

  # NaN differs from itself.
  def shown(value) = value.is_a?(Array) && value.first.is_a?(Class) ? value : LazyReading.fields(value)

  def outcome
    yield
  rescue Sparpack::DecodeError, Sparpack::EncodeError => e
    [e.class, e.message, e.path]
  end
end
