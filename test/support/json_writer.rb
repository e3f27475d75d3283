# frozen_string_literal: true

require_relative "schema_writer"

# Writes JSON by the rules of docs/json.md, without the json gem.
class JsonWriter < SchemaWriter
  ESCAPES = { "\"" => '\\"', "\\" => "\\\\", "\b" => '\b', "\f" => '\f', "\n" => '\n', "\r" => '\r', "\t" => '\t' }.freeze

  ESCAPED = /["\\\x00-\x1f]/n

  # @return [String] a text in quotes, with the escapes that JSON demands
  def self.quote(text)
    text = text.b
    text = text.gsub(ESCAPED) { |byte| ESCAPES.fetch(byte) { format('\u%04x', byte.ord) } } if text.match?(ESCAPED)
    "\"#{text}\"".b
  end

  def value(...) = super.force_encoding(Encoding::UTF_8)

  private

  def struct(fields, struct_class)
    members = fields.map do |id, type, value|
      field = known_field(struct_class, id)
      "#{quote(field ? field.idl_name : "unknown#{id}")}:".b + value(type, value, field&.type).b
    end
    join("{", members, "}")
  end

  def list(values) = join("[", values, "]")

  def map(pairs) = join("{", pairs.map { |pair| pair.map(&:b).join(":") }, "}")

  def join(first, parts, last) = (first.b + parts.map(&:b).join(",") + last).force_encoding(Encoding::UTF_8)

  # A key is text. If its value is not, that becomes text.
  def key(type, value, known)
    text = value(type, value, known)
    text.start_with?('"') ? text : quote(text)
  end

  def scalar(kind, value, known)
    case kind
    when :double then value.finite? ? value.to_s : quote(value.to_s)
    when :uuid   then quote(value.downcase)
    when :string then quote(known&.kind == :binary ? [value].pack("m0") : value)
    else value.to_s
    end.dup
  end

  def quote(text) = JsonWriter.quote(text)
end
