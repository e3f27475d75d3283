# frozen_string_literal: true

require_relative "spelling"
require_relative "wire_forms"

using WireForms

# Helpers for tests of reading. Everything that is read is also cut at every byte, which must always be Truncated.
module Reading
  # Types as in the DSL, such as `list(:i32)`, for use outside of a class.
  module Types
    module_function

    def list(...) = Sparpack::Struct.list(...)
    def set(...) = Sparpack::Struct.set(...)
    def map(...) = Sparpack::Struct.map(...)
  end

  include Types

  # Returns a class with one field, `v`, of the given type. The same arguments give the same class.
  def self.one(type, **options)
    @one ||= {}
    @one[[type, options]] ||= Class.new(Sparpack::Struct) { field 1, :v, type, **options }
  end

  def one(...) = Reading.one(...)

  # Returns a class with fields that only IDL can declare, such as those with negative ids.
  def self.with_fields(base, fields)
    Class.new(base).tap { |made| made.instance_variable_set(:@declared_fields, fields.freeze) }
  end

  # @param struct_class [Class, nil] the class of the messages, which some wires need to know
  def writer(wire, struct_class = nil) = WireWriter.for(wire, struct_class)

  def assert_reads(expected, bytes, wire, **options)
    actual = expected.class.decode(bytes, wire, **options)

    assert_equal expected, actual
    assert_cut(expected.class, bytes, wire, **options)
    actual
  end

  # In both directions: the object has these bytes, and the bytes give this object.
  def assert_both_ways(object, wire, bytes = Spelling.bytes(wire, object))
    return assert_scalar_keys(object, wire, bytes) unless writes?(object, wire)

    assert_equal bytes, object.encode(wire)
    assert_reads(object, bytes, wire)
  end

  def writes?(object, wire) = Spelling.wires(object).include?(wire)

  def assert_scalar_keys(object, wire, bytes)
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { object.encode(wire) }

    assert_match(/keys\[0\]\z/, error.path)
    assert_refuses(Sparpack::DecodeError::Malformed, object.class, bytes, wire, expected: "a scalar as a key")
  end

  # Each prefix is a String of its own, so that a sanitizer notices reads beyond it.
  def assert_cut(struct_class, bytes, wire, **options)
    wrong = cuts(bytes.bytesize).filter_map do |size|
      answer = cut(struct_class, bytes.byteslice(0, size), wire, options)
      "cut to #{size} of #{bytes.bytesize} bytes: #{answer.inspect}" if answer
    end

    assert_empty wrong
  end

  # Returns nil if the bytes are Truncated, as they should be, with an offset inside of them.
  def cut(struct_class, bytes, wire, options)
    struct_class.decode(bytes, wire, **options)
  rescue Sparpack::DecodeError::Truncated => e
    (0..bytes.bytesize).cover?(e.offset) ? nil : e
  rescue StandardError => e
    e
  end

  # Where to cut: everywhere. In large messages, everywhere near the ends, and at some places between.
  def cuts(size)
    return 0...size if size <= 300

    [*0...60, *(60...(size - 60)).step((size / 50) | 1), *(size - 60)...size]
  end

  # These bytes are refused with this error. `path` comes without the class, which may have no name.
  def assert_refuses(error_class, struct_class, bytes, wire, path: nil, offset: nil, expected: nil, found: nil, hint: "",
                     **options)
    error = assert_raises(error_class) { struct_class.decode(bytes, wire, **options) }

    assert_instance_of error_class, error
    assert_kind_of Sparpack::DecodeError, error
    assert_equal "#{struct_class}#{path}", error.path if path

    { offset:, expected:, found: }.compact.each { |name, value| assert_equal value, error.public_send(name), name }
    assert_includes 0..bytes.bytesize, error.offset
    assert_equal "#{error.path}: expected #{error.expected}, found #{error.found}#{hint} (#{place(error, bytes, wire)})" \
                 "#{" (the String is empty)" if bytes.empty?}", without_trailing(error.message)
    error
  end

  # Wires of text also say which character stands behind the payload, and JSON what to do: test/errors/json_errors_test.rb.
  def without_trailing(message)
    message.sub(/(?<=found trailing bytes) that begin with .+?(?= \(\w+, line )/, "")
           .delete_suffix(" (to read several objects, use decode_each)")
  end

  # Where the fault is, as the message says it.
  def place(error, bytes, wire)
    before = bytes.byteslice(0, error.offset).force_encoding("UTF-8").scrub("?")
    line = before.count("\n") + 1 if text?(wire)
    column = before[/[^\n]*\z/].size + 1 if text?(wire)
    assert_equal [line, column], [error.line, error.column]
    "#{WireForms.wire(wire)}, #{"line #{line}, column #{column}, " if line}byte #{error.offset}"
  end

  def assert_frozen_deep(object) = assert(Ractor.shareable?(object), "#{object.inspect} is not frozen deep")

  # Whether the payloads of a wire are UTF-8.
  def text?(wire) = %i[json thrift_json sexp].include?(wire)

  # The wires that are JSON.
  JSONS = %i[json thrift_json].freeze

  # The wires that carry unknown fields.
  THRIFT = %i[compact binary thrift_json].freeze

  # Defines one test for each wire: `each_wire "it works" do |wire| … end`.
  module Wires
    def each_wire(name, wires = WireForms::ALL, &block)
      wires.each do |wire|
        method = "test_#{name.gsub(/\W+/, "_")}_in_#{wire}"
        raise "two tests of one name: #{method}" if method_defined?(method)

        define_method(method) { instance_exec(wire, &block) }
      end
    end
  end
end
