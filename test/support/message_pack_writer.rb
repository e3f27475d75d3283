# frozen_string_literal: true

# Writes structs in MessagePack, from the specification and from how MessagePack-CSharp documents its arrays and maps.
class MessagePackWriter < WireWriter
  # @param struct_class [Class, nil] whose fields a message has. Without it, fields have no names, and an array is as long as
  #   its fields need.
  # @param keys [Symbol] :array, :names or :ids
  def initialize(struct_class, keys)
    super()
    @struct_class = struct_class
    @keys = keys
  end

  def message(*fields) = struct(fields, @struct_class)

  # A whole struct without fields.
  def stop = message

  def value(type, value, known = nil)
    return value.bytes if value.is_a?(Raw)

    kind, *parts = type
    case kind
    when :struct     then struct(value, known&.target)
    when :list, :set then list(parts[0], value.size, value.map { |v| value(parts[0], v, known&.element) }.join)
    when :map
      pairs = value.map { |k, v| value(parts[0], k, known&.key) + value(parts[1], v, known&.element) }
      map(*parts, value.size, pairs.join)
    else scalar(kind, value, known)
    end
  end

  # See WireWriter: these claim to have more than they need to have.
  def list(_element, count, bytes = "") = array_header(count) + bytes.b
  def map(_key, _value, count, bytes = "") = map_header(count) + bytes.b
  def string(size, bytes = "") = sized(size, 0xa0, 31, 0xd9, 0xda, 0xdb) + bytes.b

  # The smallest form of an integer.
  def integer(number)
    case number
    when -32..-1                        then [number].pack("c")
    when 0..127                         then [number].pack("C")
    when 128..0xff                      then [0xcc, number].pack("CC")
    when 0x100..0xffff                  then [0xcd, number].pack("CS>")
    when 0x10000..0xffff_ffff           then [0xce, number].pack("CL>")
    when 0x1_0000_0000..(2**64)         then [0xcf, number].pack("CQ>")
    when -0x80...-32                    then [0xd0, number].pack("Cc")
    when -0x8000...-0x80                then [0xd1, number].pack("Cs>")
    when -0x8000_0000...-0x8000         then [0xd2, number].pack("Cl>")
    else [0xd3, number].pack("Cq>")
    end
  end

  # A header with the smallest of the sizes that it has.
  def sized(size, fixed, most, *codes)
    return [fixed | size].pack("C") if fixed && size <= most

    codes = { 0xff => "CC", 0xffff => "CS>", 0xffff_ffff => "CL>" }.to_a.last(codes.size).zip(codes)
    (_, format), code = codes.find { |(largest, _), _| size <= largest }
    [code, size].pack(format)
  end

  def array_header(size) = sized(size, 0x90, 15, 0xdc, 0xdd)
  def map_header(size) = sized(size, 0x80, 15, 0xde, 0xdf)
  def str(text) = sized(text.bytesize, 0xa0, 31, 0xd9, 0xda, 0xdb) + text.b
  def bin(bytes) = sized(bytes.bytesize, nil, 0, 0xc4, 0xc5, 0xc6) + bytes.b

  private

  # @return [Sparpack::Field, nil]
  def known_field(struct_class, id)
    return unless struct_class

    @known ||= {}.compare_by_identity
    (@known[struct_class] ||= struct_class.schema.fields.to_h { |field| [field.id, field] })[id]
  end

  def struct(fields, struct_class)
    values = fields.map { |id, type, value| [id, value(type, value, known_field(struct_class, id)&.type)] }
    return array(values.to_h, struct_class) if @keys == :array

    map_header(values.size) + values.flat_map { |id, bytes| [key_of(id, struct_class), bytes] }.join
  end

  def key_of(id, struct_class)
    return integer(id) if @keys == :ids

    str(known_field(struct_class, id)&.idl_name || "unknown#{id}")
  end

  # The last of several fields with the same id counts. A negative id has no place.
  def array(values, struct_class)
    union = struct_class && struct_class < Sparpack::Union
    return array_header(2) + integer(values.keys[0]) + values.values[0] if union && values.size == 1

    ids = values.keys
    ids += struct_class.schema.fields.map(&:id) if struct_class && !union
    size = ids.empty? ? 0 : ids.max + 1
    array_header(size) + (0...size).map { |id| values.fetch(id, "\xc0".b) }.join
  end

  def scalar(kind, value, known)
    case kind
    when :bool   then value ? "\xc3".b : "\xc2".b
    when :double then [0xcb, value].pack("CG")
    when :uuid   then str(value.delete("-").downcase.unpack("a8a4a4a4a12").join("-"))
    when :string then known&.kind == :binary ? bin(value) : str(value)
    else integer(value)
    end
  end
end
