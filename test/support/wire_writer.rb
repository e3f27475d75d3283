# frozen_string_literal: true

# Writes wires from their specifications, without any code of ours. So it knows what ours should write, and it can
# write what nobody should.
#
# A type is a Symbol (:bool :i8 :i16 :i32 :i64 :double :string :uuid :struct), [:list, t], [:set, t], [:map, k, v], or an
# Integer, which is used as a type code. A struct's value is a list of [id, type, value], in the order in which it is
# written. {raw} makes a value of bytes that are written as they are.
class WireWriter
  Raw = Struct.new(:bytes)

  # @param wire [Symbol]
  # @param struct_class [Class, nil] the class of the messages, for wires whose fields do not go by id
  # @return [WireWriter]
  def self.for(wire, struct_class = nil)
    case wire
    when :compact then CompactWriter.new
    when :binary  then BinaryWriter.new
    when :message_pack       then MessagePackWriter.new(struct_class, :array)
    when :message_pack_names then MessagePackWriter.new(struct_class, :names)
    when :message_pack_ids   then MessagePackWriter.new(struct_class, :ids)
    when :json then JsonWriter.new(struct_class)
    when :thrift_json then ThriftJsonWriter.new(struct_class)
    when :tuple   then TupleWriter.new(struct_class)
    when :sexp    then SexpWriter.new(struct_class)
    else raise "#{wire} is new: it needs a writer in #{__FILE__}"
    end
  end

  def self.raw(*bytes) = Raw.new(bytes.map { |part| part.is_a?(Integer) ? part.chr : part.b }.join)

  # @return [String] a whole message
  def message(*fields) = fields(fields) << stop

  # @return [String] a struct's fields, without the stop byte
  def fields(fields)
    last = 0
    fields.each_with_object("".b) do |(id, type, value), bytes|
      bytes << field(id, type, value, last)
      last = id
    end
  end

  def value(type, value)
    return value.bytes if value.is_a?(Raw)

    kind, *parts = type
    case kind
    when :struct     then message(*value)
    when :list, :set then list(parts[0], value.size, value.map { |v| value(parts[0], v) }.join)
    when :map        then map(*parts, value.size, value.map { |k, v| value(parts[0], k) + value(parts[1], v) }.join)
    when :string     then string(value.bytesize, value)
    when :i8         then [value].pack("c")
    when :uuid       then [value.delete("-")].pack("H*")
    else scalar(kind, value)
    end
  end

  # A list or a set that claims to have `count` elements.
  def list(element, count, bytes = "") = list_header(element, count) + bytes.b

  # A map that claims to have `count` pairs.
  def map(key, value, count, bytes = "") = map_header(key, value, count) + bytes.b

  # A string that claims to have `size` bytes.
  def string(size, bytes = "") = size(size) + bytes.b

  def stop = "\0".b

  private

  def code(type)
    kind, = type
    kind.is_a?(Integer) ? kind : self.class::CODES.fetch(kind)
  end
end

# thrift-compact-protocol.md
class CompactWriter < WireWriter
  CODES = { bool: 1, i8: 3, i16: 4, i32: 5, i64: 6, double: 7, string: 8, list: 9, set: 10, map: 11, struct: 12,
            uuid: 13 }.freeze

  def field(id, type, value, last)
    return header(id, value ? 1 : 2, last) if type == :bool && [true, false].include?(value)

    header(id, code(type), last) + value(type, value)
  end

  def header(id, code, last)
    (1..15).cover?(id - last) ? [((id - last) << 4) | code].pack("C") : long_header(id, code)
  end

  def long_header(id, code) = [code].pack("C") + varint(zigzag(id))

  def varint(number)
    bytes = "".b
    while number > 0x7f
      bytes << ((number & 0x7f) | 0x80)
      number >>= 7
    end
    bytes << number
  end

  def zigzag(number) = number.negative? ? (-2 * number) - 1 : 2 * number

  def size(size) = varint(size)

  def list_header(element, count)
    return [(count << 4) | code(element)].pack("C") if count < 15

    [0xf0 | code(element)].pack("C") + varint(count)
  end

  def map_header(key, value, count)
    return "\0".b if count.zero?

    varint(count) + [(code(key) << 4) | code(value)].pack("C")
  end

  def scalar(kind, value)
    case kind
    when :bool            then [value ? 1 : 2].pack("C")
    when :i16, :i32, :i64 then varint(zigzag(value))
    when :double          then [value].pack("E")
    end
  end
end

# thrift-binary-protocol.md
class BinaryWriter < WireWriter
  CODES = { bool: 2, i8: 3, double: 4, i16: 6, i32: 8, i64: 10, string: 11, struct: 12, map: 13, set: 14, list: 15,
            uuid: 16 }.freeze

  FORMATS = { i16: "s>", i32: "l>", i64: "q>", double: "G" }.freeze

  def field(id, type, value, _last) = header(id, code(type)) + value(type, value)

  def header(id, code) = [code, id].pack("Cs>")

  def size(size) = [size].pack("l>")

  def list_header(element, count) = [code(element), count].pack("Cl>")

  def map_header(key, value, count) = [code(key), code(value), count].pack("CCl>")

  def scalar(kind, value)
    return [value ? 1 : 0].pack("C") if kind == :bool

    [value].pack(FORMATS.fetch(kind))
  end
end

require_relative "json_writer"
require_relative "test_wire_writers"
require_relative "message_pack_writer"
require_relative "thrift_json_writer"
