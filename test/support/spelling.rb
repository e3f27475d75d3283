# frozen_string_literal: true

require_relative "wire_forms"
require_relative "wire_writer"

# Turns a value and its type from a schema into arguments of WireWriter.
module Spelling
  COMPOUND = %i[list set map struct union].freeze

  KINDS = { enum: :i32, binary: :string, union: :struct }.freeze

  module_function

  # @param object [Sparpack::Value]
  # @return [String] the bytes that it should have
  def bytes(wire, object) = WireWriter.for(wire, object.class).message(*fields(object))

  # The wires and forms that can write the object: in Thrift's JSON, structs and containers cannot be keys.
  def wires(object) = WireForms.of(object.class) - (compound_keys?(object) ? [:thrift_json] : [])

  # Whether a map in the object has structs or containers as keys.
  def compound_keys?(object)
    object.class.schema.fields.any? { |field| !object[field.name].nil? && compound_keys_in?(field.type, object[field.name]) }
  end

  # The value may be of another type.
  def compound_keys_in?(type, value)
    case [type.kind, value]
    in [:list | :set, Enumerable]          then value.any? { |v| compound_keys_in?(type.element, v) }
    in [:map, Hash]                        then compound_keys_in_map?(type, value)
    in [:struct | :union, Sparpack::Value] then compound_keys?(value)
    else false
    end
  end

  def compound_keys_in_map?(type, value)
    value.any? && (compound?(type.key) || value.each_value.any? { |v| compound_keys_in?(type.element, v) })
  end

  def compound?(type) = COMPOUND.include?(type.kind)

  # The fields that are set, in ascending order of ids.
  def fields(object)
    set = object.class.schema.fields.reject { |field| object[field.name].nil? }
    set.sort_by(&:id).map { |field| [field.id, type(field.type), value(field.type, object[field.name])] }
  end

  def type(type)
    case type.kind
    when :list, :set then [type.kind, type(type.element)]
    when :map        then [:map, type(type.key), type(type.element)]
    else KINDS.fetch(type.kind, type.kind)
    end
  end

  def value(type, value)
    case type.kind
    when :list, :set     then value.map { |v| value(type.element, v) }
    when :map            then value.map { |k, v| [value(type.key, k), value(type.element, v)] }
    when :struct, :union then fields(value)
    when :enum           then value.is_a?(Symbol) ? type.target.value_of(value) : value
    when :string         then value.to_s.encode("UTF-8")
    else value
    end
  end
end
