# frozen_string_literal: true

# Loads what Apache's compiler generated and what Sparpack loads from the same IDL, and compares the bytes of random objects:
#
#     ruby apache_twin.rb FILE.thrift FOLDER MODULE SEED COUNT

require "sparpack"
require "thrift"
require_relative "nested"
require_relative "random_schema"

# Makes random objects of ours, with values that pass Apache's checks.
class TwinDice < RandomSchema
  def value(type, depth) = type.kind == :enum ? pick(type.target.values) : super
end

# Turns one of our objects into one of Apache's.
module Twin
  OURS = Module.new

  module_function

  def of(value) = Nested.map(value) { |leaf| leaf.is_a?(Sparpack::Value) ? object(leaf) : leaf }

  def object(value)
    fields = value.to_h.compact.transform_values { |part| of(part) }
    return class_of(value.class).new(*fields.first) if value.is_a?(Sparpack::Union)

    made = class_of(value.class).new
    made.class::FIELDS.each_value { |field| made.public_send(:"#{field[:name]}=", fields[field[:name].to_sym]) }
    made
  end

  def class_of(ours) = Object.const_get(ours.name.delete_prefix("#{OURS.name}::"))
end

path, folder, namespace, seed, count = ARGV
$LOAD_PATH.unshift(folder)
Dir[File.join(folder, "*.rb")].each { |file| require file }

PROTOCOLS = { compact: Thrift::CompactProtocolFactory.new, binary: Thrift::BinaryProtocolFactory.new }.freeze

ours = Sparpack::IDL.load(path, into: Twin::OURS)
abort "#{ours} is not in #{namespace}" unless ours.name.end_with?(namespace)
dice = TwinDice.new(Random.new(Integer(seed)))
structs = ours.constants.map { |name| ours.const_get(name) }.select { |found| found.is_a?(Class) && found < Sparpack::Value }
structs += ours::Work.functions.flat_map { |f| [f.arguments, *f.result] }.reject { |found| found.name.include?("Base") }

def compare(object, wire)
  bytes = Thrift::Serializer.new(PROTOCOLS[wire]).serialize(Twin.of(object)).b
  return if object.encode(wire) == bytes && object.class.decode(bytes, wire) == object

  abort "#{wire}, #{object.inspect}:\n#{bytes.inspect}\n#{object.encode(wire).inspect}"
end

compared = structs.sort_by(&:name).sum do |found|
  objects = Array.new(Integer(count)) { dice.object(found) }
  objects << found.new unless found < Sparpack::Union || found.schema.fields.any? { |f| f.required? && f.default.nil? }
  objects.product(PROTOCOLS.keys).each { |object, wire| compare(object, wire) }
  objects.size
end

theirs = Object.const_get(namespace)
constants = theirs.constants.select { |name| ours.const_defined?(name, false) && !theirs.const_get(name).is_a?(Module) }
constants.each { |name| abort "#{name} differs" unless Twin.of(ours.const_get(name)) == theirs.const_get(name) }
puts "#{structs.size} structs, #{compared} objects, #{constants.size} constants"
