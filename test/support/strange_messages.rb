# frozen_string_literal: true

require_relative "random_schema"
require_relative "wire_writer"

# Random messages, some of whose fields have values of another type: right away, or after many values that are as they should
# be. Each comes with a twin that lacks these fields. With `mismatch: :skip`, both are read as the same.
class StrangeMessages
  # Sizes of containers, beside the usual ones: around those of short headers, of runs, and of pending segments.
  SIZES = [14, 15, 24, 31, 44, 64, 128, 255, 256, 257, 512, 1023, 1024, 1025, 1100].freeze
  SCALARS = { enum: :i32, binary: :string }.freeze

  # From this depth on, all values are strange. Otherwise a class that refers to itself many times would have no end.
  DEEPEST = -10

  # @param random [Random]
  # @param wire [Symbol]
  # @param struct_class [Class] of the messages
  # @param budget [Integer] how many elements there may be in all
  def initialize(random, wire, struct_class, budget: 3000)
    @random = random
    @values = RandomSchema.new(random)
    @class  = struct_class
    @writer = WireWriter.for(wire, struct_class)
    @mixes  = !%i[compact binary thrift_json].include?(wire) # elements may have different types
    @budget = @room = budget
  end

  # @return [Array(String, String)] a message and its twin
  def pair
    @room = @budget
    fields(@class, 4).map { |fields| @writer.message(*fields) }
  end

  private

  # A value, and that of the twin: `other` is nil if there is none, because the value is strange.
  Made = Struct.new(:type, :value, :other)

  def fields(struct_class, depth)
    return variant(struct_class, depth) if struct_class < Sparpack::Union

    chosen = struct_class.schema.fields.select { |field| field.required? || chance(depth.positive? ? 0.7 : 0.3) }
    pairs = chosen.map { |field| field(field, depth) }
    [pairs.flat_map(&:first), pairs.flat_map(&:last)]
  end

  # A strange value may also come several times, with the right one behind it.
  def field(field, depth)
    made = value(field.type, depth)
    strange = [[field.id, made.type, made.value]]
    right = made.other.nil? ? [] : [[field.id, made.type, made.other]]
    strange.unshift(*([strange(field.type).to_a.first(2).unshift(field.id)] * number(1..3))) if right.any? && chance(0.1)
    [strange, right]
  end

  def variant(struct_class, depth)
    field = pick(struct_class.schema.fields)
    strange, right = field(field, depth)
    [strange.last(1), right.empty? ? [[unknown(struct_class), :bool, true]] : right]
  end

  def unknown(struct_class) = ([*40..60] - struct_class.schema.fields.map(&:id)).first

  # What fits no other type in any wire.
  def strange(type)
    return Made.new([:list, :i32], [1, 2]) if %i[bool i8 i16 i32 i64 double enum].include?(type.kind)

    Made.new(:bool, true)
  end

  def value(type, depth, strange = 0.05)
    return strange(type) if chance(strange) || depth < DEEPEST

    case type.kind
    when :struct, :union then Made.new(:struct, *fields(type.target, depth - 1))
    when :list, :set then elements(type, depth - 1)
    when :map then pairs(type, depth - 1)
    else Made.new(SCALARS.fetch(type.kind, type.kind), *([@values.value(type, 0)] * 2))
    end
  end

  def elements(type, depth)
    size = size(depth)
    some = inside(size) { Array.new(number(1..3)) { value(type.element, depth, 0.1) } }
    on_wire = usual(type.element)
    all = long(some, size, type.element, on_wire)
    Made.new([type.kind, on_wire], all.map(&:value), (all.map(&:other) unless all.any? { |made| made.other.nil? }))
  end

  # Repeats elements. One of the last may be strange.
  def long(some, size, type, on_wire)
    strange, right = some.partition { |made| made.other.nil? }
    right = right.flat_map { |made| [made] * ((size / right.size) + 1) }.first(size)
    right.insert(-number(1..2), *strange) if strange.any? && right.any?
    right = strange if right.empty? && size.positive?
    right.filter_map { |made| made.type == on_wire ? made : raw(made, type) }
  end

  # An element whose type is not that of the others. Where all have the same one, it is written nevertheless if its bytes are
  # a container, because only the container inside says which elements it has.
  def raw(made, type)
    return unless @mixes || Array(made.type)[0] == Array(usual(type))[0]

    known = @writer.method(:value).arity == 2 ? [] : [type]
    Made.new(made.type, WireWriter.raw(@writer.value(made.type, made.value, *known)), made.other)
  end

  def pairs(type, depth)
    size = size(depth)
    element = inside(size) { value(type.element, depth) }
    on_wire = element.type
    keys = Array.new(size) { @values.value(type.key, 0) }.uniq
    key = SCALARS.fetch(type.key.kind, type.key.kind)
    Made.new([:map, key, on_wire], keys.to_h { |k| [k, element.value] },
             (keys.to_h { |k| [k, element.other] } unless element.other.nil? && !keys.empty?))
  end

  def usual(type)
    case type.kind
    when :struct, :union then :struct
    when :list, :set then [type.kind, usual(type.element)]
    when :map then [:map, usual(type.key), usual(type.element)]
    else SCALARS.fetch(type.kind, type.kind)
    end
  end

  def size(depth)
    size = chance(0.3) ? pick(SIZES) : number(0..3)
    size = number(0..1) if depth <= 0 || size > @room
    @room -= size
    size
  end

  # Elements are repeated, and so is what is in them.
  def inside(size)
    room = @room
    @room /= [size, 1].max
    yield.tap { @room = room }
  end

  def pick(list) = list[@random.rand(list.size)]
  def number(range) = @random.rand(range)
  def chance(share) = @random.rand < share
end
