# frozen_string_literal: true

# Describes the classes of the thrift gem that a compiler generated, so that they can be compared with those of another:
#
#     ruby thrift_description.rb FOLDER MODULE…

require "pp"
require "thrift"

folder, *namespaces = ARGV
$LOAD_PATH.unshift(folder)
Dir[File.join(folder, "*.rb")].each { |file| require file }

# Lines of text about modules.
class Description
  def initialize(lines) = @lines = lines

  def describe(found)
    found.constants.sort.each do |name|
      value = found.const_get(name)
      case value
      when Class then describe_class(value)
      when Module then describe_module(value)
      else @lines << "#{found}::#{name} #{plain(value)}" unless name.end_with?("_FIELD_ID") || id?(found, name)
      end
    end
  end

  private

  # Before version 0.24, the constants of ids had the names of the fields.
  def id?(found, name)
    found.const_defined?(:FIELDS) && found::FIELDS.any? { |_, field| field[:name].upcase == name.name }
  end

  def describe_module(found)
    @lines << "module #{found}"
    describe(found)
  end

  def describe_class(found)
    @lines << "class #{found} < #{found.superclass} #{found.include?(Thrift::Struct)} #{found.include?(Thrift::Struct_Union)}"
    @lines << "#{found} #{methods(found)} #{methods(found.singleton_class)}"
    describe(found)
    check(found) if found.const_defined?(:FIELDS)
  end

  def methods(found)
    found.instance_methods(false).sort.map { |name| [name, found.instance_method(name).arity] }
  end

  # What validate does with no values, with all values, and without each of them.
  def check(found)
    return check_union(found) if found < Thrift::Union

    empty = found.allocate
    full = found.allocate
    found::FIELDS.each_value { |field| full.instance_variable_set("@#{field[:name]}", value(field)) }
    objects = { "empty" => empty, "full" => full }
    found::FIELDS.each_value do |field|
      objects["no #{field[:name]}"] = full.dup.tap { |object| object.instance_variable_set("@#{field[:name]}", nil) }
      objects["odd #{field[:name]}"] = full.dup.tap { |object| object.instance_variable_set("@#{field[:name]}", -99) }
    end
    objects.each { |name, object| @lines << "#{found} #{name}: #{outcome(object)}" }
    @lines << "#{found} new: #{plain(found.new)}"
  end

  def check_union(found)
    @lines << "#{found} empty: #{outcome(found.new)}"
    found::FIELDS.each_value do |field|
      [value(field), -99].each do |value|
        @lines << "#{found} #{field[:name]} #{value}: #{outcome(found.new(field[:name].to_sym, value))}"
      end
    end
  end

  def value(field) = field[:enum_class] ? field[:enum_class]::VALUE_MAP.keys.first : 1

  def outcome(object)
    object.validate
    "valid"
  rescue StandardError => e
    e.message # before version 0.24, the errors had other types
  end

  def plain(value)
    case value
    when Hash then "{#{value.map { |key, part| "#{plain(key)} => #{plain(part)}" }.sort.join(", ")}}"
    when Array then "[#{value.map { |part| plain(part) }.join(", ")}]"
    when Set then "Set[#{value.map { |part| plain(part) }.sort.join(", ")}]"
    when Thrift::Struct, Thrift::Union
      "#{value.class}(#{value.instance_variables.sort.map { |name| plain(value.instance_variable_get(name)) }.join(", ")})"
    else value.inspect
    end
  end
end

lines = []
namespaces.each { |name| Description.new(lines).describe(Object.const_get(name)) }
puts lines
