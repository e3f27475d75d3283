# frozen_string_literal: true

# Describes everything that a module defines. Two modules with the same description are the same to their users.
module Description
  module_function

  # @param mod [Module]
  # @return [Hash] by the names of the constants, in order
  def of(mod)
    mod.constants(false).sort.to_h { |name| [name, describe(mod.const_get(name))] }
  end

  # Reports the first difference, or how many parts are the same.
  #
  # @param described [Hash] from {of}
  # @param other [#call] returns the constant of a name
  # @param path [String]
  # @return [Integer] how many parts there are
  def compare(described, other, path = nil)
    parts = described.sum do |name, expected|
      place = [path, name].compact.join("::")
      found = other.call(place)
      next compare(expected, other, place) if expected.is_a?(Hash)

      actual = describe(found)
      abort "#{place}:\n#{expected}\n#{actual}" unless actual == expected
      1
    end
    puts "#{parts} parts are the same" unless path
    parts
  end

  def describe(value)
    case value
    when Class then value < Sparpack::Service ? service(value) : schema(value.schema)
    when Sparpack::Enum then enum(value)
    when Module then of(value)
    when Sparpack::Type, Sparpack::Type::Name then type(value.resolve(Object))
    else [value.class.name.to_s.sub(PREFIX, ""), value.frozen?, plain(value)]
    end
  end

  # Precedes the names of classes in a nameless module.
  PREFIX = /\A#<Module:0x\h+>::/

  def schema(schema)
    [schema.shape, schema.idl_name, schema.annotations, schema.fields.map { |found| field(found) }]
  end

  def field(field)
    [field.id, field.name, field.reader, field.idl_name, field.requiredness, field.annotations, type(field.type),
     plain(field.default)]
  end

  def type(type)
    parts = [type.element, type.key].compact.map { |part| type(part) }
    [type.kind, type.typedef, type.annotations, type.target&.name&.sub(PREFIX, ""), *parts]
  end

  def enum(enum)
    [enum.idl_name, enum.annotations, enum.names.map { |name| [name, enum.value_of(name), enum.annotations(name)] },
     enum.values.map { |value| enum.idl_name_of(value) }]
  end

  def service(service)
    [service.idl_name, service.annotations, service.superclass.name.sub(PREFIX, ""), service.own_functions.map do |function|
      [function.name, function.idl_name, function.oneway?, function.annotations, schema(function.arguments.schema),
       function.result && schema(function.result.schema)]
    end]
  end

  def plain(value)
    case value
    when Sparpack::Value then [value.class.name.sub(PREFIX, ""), plain(value.to_h)]
    when Array then value.map { |element| plain(element) }
    when Set then ["set", *value.map { |element| plain(element) }]
    when Hash then value.map { |key, element| [plain(key), plain(element)] }
    when String then [value, value.encoding]
    else value
    end
  end
end
