# frozen_string_literal: true

require "sparpack"
require_relative "memory_search"

# Thrift payloads for {MemorySearch}: a list of values of one shape.
class MemoryThrift
  KINDS = {
    bool: [0, 0], small: [0, 0], big: [0, 0], huge: [0, 0], real: [0, 0], heap_real: [0, 0], uuid: [0, 0],
    text: [1, 0], bytes: [1, 0], exception: [1, 0], list: [1, 1], set: [1, 1], map: [1, 2], struct: [2, 1], union: [0, 1],
    default: [1, 1], unknown: [2, 1], chain: [2, 1]
  }.freeze

  TYPES = { bool: :bool, small: :i32, big: :i64, huge: :i64, real: :double, heap_real: :double, uuid: :uuid, text: :string,
            bytes: :binary }.freeze

  # Options of a reader, without limits.
  OPTIONS = [{}, {}, { freeze: true }, { unknown: :keep }].freeze

  class Fault < Sparpack::Exception
    field 1, :message, :string
  end

  LEVELS = 60

  class Nothing < Sparpack::Struct
  end

  def initialize
    @types = {}
    @classes = {}
  end

  def kinds = KINDS

  def plain = [Shape.of(:bool), Shape.of(:big), Shape.of(:heap_real), Shape.of(:text, 3)]

  # Payloads that once took more than their limit, each for another reason, on every wire.
  # @return [Array<Array(Shape, Hash)>]
  def known
    shapes = [
      Shape.of(:list, 100, :big), Shape.of(:list, 100, :heap_real), Shape.of(:struct, 5, 5, :big),
      Shape.of(:struct, 5, 5, :heap_real), Shape.of(:map, 1, :small, :bool), Shape.of(:map, 17, :big, :heap_real),
      Shape.of(:set, 1, :small), Shape.of(:set, 9, :heap_real), Shape.of(:default, 9, :bool), Shape.of(:unknown, 1, 1, :big),
      Shape.of(:unknown, 4, 4, Shape.of(:text, 3000)), Shape.of(:chain, 60, 300, :small), Shape.of(:chain, 5, 1500, :small),
      Shape.of(:struct, 136, 136, :bool), Shape.of(:set, 64, :small), Shape.of(:map, 32, :small, :bool),
      Shape.of(:map, 128, :small, :bool), Shape.of(:struct, 1018, 1018, Shape.of(:list, 8, :bool))
    ]
    shapes.flat_map { |shape| wires(shape).map { |wire| [shape, { wire: }] } }
  end

  # @return [Proc] takes a number of elements and returns the payload
  def payloads(shape, random, wire: wires(shape).sample(random:))
    options = keeps?(shape) ? { unknown: :keep } : OPTIONS.sample(random:)
    list, message = classes_of(shape)
    bytes = message.new(v: [value(shape, 0)]).encode(wire)
    lambda do |count|
      repeated = repeat(bytes, wire, count)
      Payload.new("#{count} times #{shape} in #{wire} with #{options}", 0, reader(list, repeated, wire, options))
    end
  end

  private

  Payload = MemorySearch::Payload
  private_constant :Payload

  # Thrift's JSON has scalars as keys only.
  def wires(shape)
    wires = keeps?(shape) ? %i[compact binary thrift_json] : Sparpack::WIRES
    scalar = shape.nodes.none? { |node| node.kind == :map && !TYPES.key?(node.parts[0].kind) }
    scalar ? wires : wires - %i[thrift_json]
  end

  def keeps?(shape) = shape.nodes.any? { |node| node.kind == :unknown }

  def reader(list, bytes, wire, options)
    lambda do |memory|
      codec = Sparpack::Codec.new(list, wire, **options, limits: Sparpack::Limits.new(memory:))
      read = lambda do
        codec.decode(bytes)
      rescue Sparpack::DecodeError::LimitExceeded => e
        e
      end
      [read, nil]
    end
  end

  # Repeats the element of a message with one element.
  def repeat(bytes, wire, count)
    return json(bytes, '{"v":[', "]}", count) if wire == :json
    return json(bytes, bytes[/\A\{"1":\{"lst":\["\w+",1,/], "]}}", count) if wire == :thrift_json
    return ["\x92\xc0\xdd", count, bytes.byteslice(3..) * count].pack("a*Na*") if wire == :message_pack

    head = wire == :binary ? [bytes[0, 4], count].pack("a*N") : long_head(bytes, count)
    head << (bytes[(wire == :binary ? 8 : 2)...-1] * count) << 0
  end

  def json(bytes, head, tail, count)
    element = bytes.byteslice(head.bytesize...-tail.bytesize)
    "#{head.sub(/1,\z/, "#{count},")}#{([element] * count).join(",")}#{tail}"
  end

  # The header of a list in compact, for any number of elements.
  def long_head(bytes, count)
    [bytes[0], (bytes.getbyte(1) & 15) | 0xF0, varint(count)].pack("a*Ca*")
  end

  def varint(number) = number < 128 ? [number].pack("C") : [(number & 127) | 128].pack("C") + varint(number >> 7)

  # Returns the reader's class and the writer's, which may write more fields.
  def classes_of(shape)
    @classes[shape] ||= [type(shape), written(shape)].map do |element|
      Class.new(Sparpack::Struct) { field 1, :v, list(element) }
    end
  end

  def type(shape) = @types[[shape, :type]] ||= make_type(shape) { |part| type(part) }
  def written(shape) = @types[[shape, :written]] ||= make_written(shape)

  def make_written(shape)
    case shape.kind
    when :unknown then struct(Sparpack::Struct, [shape.numbers[0], 1].max, written(shape.parts[0]))
    when :default then type(shape)
    else make_type(shape) { |part| written(part) }
    end
  end

  def make_type(shape, &inside)
    parts = shape.parts.map(&inside)
    case shape.kind
    when :list      then Sparpack::Struct.list(*parts)
    when :set       then Sparpack::Struct.set(*parts)
    when :map       then Sparpack::Struct.map(*parts)
    when :struct    then struct(Sparpack::Struct, [shape.numbers[0], 1].max, parts[0])
    when :union     then struct(Sparpack::Union, 2, parts[0])
    when :chain     then chain(shape.numbers[1], parts[0])
    when :default   then with_default(shape, parts[0])
    when :unknown   then Nothing
    when :exception then Fault
    else TYPES.fetch(shape.kind)
    end
  end

  def struct(base, width, type)
    Class.new(base) { width.times { |i| field i + 1, :"f#{i}", type } }
  end

  # The first field has the same class, so that the values of inner objects overflow the stack of pending values.
  def chain(width, type)
    Class.new(Sparpack::Struct) do
      field(1, :next) { self }
      width.times { |i| field i + 2, :"f#{i}", type }
    end
  end

  # Written without the field, and read as a copy of the default.
  def with_default(shape, element)
    values = Array.new(shape.numbers[0]) { |i| value(shape.parts[0], i, :type) }
    Class.new(Sparpack::Struct) do
      field 1, :values, list(element), default: values
      field 2, :pairs, map(:i32, element), default: values.each_with_index.to_h { |value, i| [i, value] }
      field 3, :set, set(:i32), default: (0...values.size).to_set
      field 4, :text, :string, default: "x" * values.size
    end
  end

  # @param side [Symbol] whose class structs get: `:type` for the reader's, or `:written`
  def value(shape, number, side = :written)
    size, filled = shape.numbers
    inside = ->(i) { value(shape.parts[0], i, side) }
    case shape.kind
    when :uuid      then format("%08x-0000-0000-0000-000000000000", number)
    when :list      then Array.new(size) { |i| inside[i] }
    when :set       then Array.new(size) { |i| inside[i + number] }.to_set
    when :map       then Array.new(size) { |i| [inside[i + number], value(shape.parts[1], i, side)] }.to_h
    when :struct    then struct_of(send(side, shape), inside, filled, number)
    when :chain     then (1..size.clamp(1, LEVELS)).reduce(nil) { |inner, _| send(side, shape).new(next: inner) }
    when :union     then send(side, shape).new(f0: inside[number])
    when :default   then send(side, shape).new(values: nil, pairs: nil, set: nil, text: nil)
    when :unknown   then side == :type ? Nothing.new : struct_of(written(shape), inside, filled, number)
    when :exception then Fault.new(Scalars.text(size, number))
    else Scalars.value(shape.kind, size, number)
    end
  end

  def struct_of(klass, inside, count, number)
    klass.new(**klass.schema.fields.first(count).each_with_index.to_h { |field, i| [field.name, inside[i + number]] })
  end
end
