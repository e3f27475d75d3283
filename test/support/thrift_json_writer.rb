# frozen_string_literal: true

require_relative "json_writer"

# Writes Thrift's JSON protocol. It does not tell text from binary, so this writer needs the class whose fields it writes. An
# unknown string is text if it is UTF-8.
class ThriftJsonWriter < SchemaWriter
  NAMES = { bool: "tf", i8: "i8", i16: "i16", i32: "i32", i64: "i64", double: "dbl", string: "str", struct: "rec",
            map: "map", set: "set", list: "lst", uuid: "uid" }.freeze

  # @param struct_class [Class, nil] whose fields a message has; nil if it has no binary fields
  def initialize(struct_class) = super(struct_class || Class.new(Sparpack::Struct))

  def message(...) = super.force_encoding(Encoding::UTF_8)

  def value(type, value, known = nil)
    return value.bytes if value.is_a?(Raw)

    kind, *parts = type
    case kind
    when :list, :set then list(parts[0], value.size, value.map { |v| value(parts[0], v, known&.element) }.join(","))
    when :map        then map(*parts, value.size, pairs(*parts, value, known).join(","))
    else super
    end.b
  end

  # A container that claims to have `count` elements or pairs. `text` is the JSON of these.
  def list(element, count, text = "") = "[#{[name(element), count, *(text unless text.empty?)].join(",")}]".b

  def map(key, value, count, text = "") = "[#{name(key)},#{name(value)},#{count},{#{text}}]".b

  private

  def name(type)
    kind, = type
    "\"#{NAMES.fetch(kind) { "t#{kind}" }}\""
  end

  def struct(fields, struct_class)
    texts = fields.map do |id, type, value|
      "\"#{id}\":{#{name(type)}:".b + value(type, value, known_field(struct_class, id)&.type) + "}".b
    end
    "{#{texts.join(",")}}".b
  end

  def pairs(key, value, pairs, known)
    pairs.map { |k, v| "#{quoted(value(key, k, known&.key))}:".b + value(value, v, known&.element) }
  end

  # Apache's libraries do not put structs and containers in quotes.
  def quoted(text) = text.start_with?('"', "[", "{") ? text : "\"#{text}\""

  def scalar(kind, value, known)
    case kind
    when :bool   then value ? "1" : "0"
    when :double then value.finite? ? value.to_s : "\"#{value}\""
    when :uuid   then "\"#{value.delete("-").sub(/\A(.{8})(.{4})(.{4})(.{4})/, '\1-\2-\3-\4-')}\""
    when :string then string(value, known)
    else value.to_s
    end
  end

  def string(value, known)
    binary = known ? known.kind == :binary : !value.dup.force_encoding("UTF-8").valid_encoding?
    binary ? "\"#{[value].pack("m0")}\"" : JsonWriter.quote(value)
  end
end
