# frozen_string_literal: true

# Writers of the two wires that only tests have (test/wires).
require_relative "schema_writer"

# See test/wires/tuple.hpp.
class TupleWriter < SchemaWriter
  TAGS = { bool: 1, i8: 2, i16: 3, i32: 4, i64: 5, double: 6, text: 7, binary: 8, uuid: 9, list: 10, map: 11, struct: 12,
           union: 13 }.freeze

  private

  # The last of several fields with the same id counts.
  def struct(fields, struct_class)
    ids = struct_class ? struct_class.schema.fields.map(&:id).sort : []
    fields = fields.to_h { |id, type, value| [id, [type, value, known_field(struct_class, id)&.type]] }
    return union(fields, ids) if struct_class && struct_class < Sparpack::Union

    ids += fields.keys - ids
    positions = ids.each_with_index.map do |id, index|
      [index].pack("N").ljust(40, "Z") + (fields[id] ? value(*fields[id]) : "\0".b)
    end
    [TAGS[:struct], ids.size].pack("CN") + positions.join
  end

  def union(fields, ids)
    id, (type, value, known) = fields.first
    [TAGS[:union], ids.index(id) || (ids.size + 3)].pack("CN") + value(type, value, known)
  end

  def list(values) = [TAGS[:list], values.size].pack("CN") + values.join

  def map(pairs) = [TAGS[:map], pairs.size].pack("CN") + pairs.join

  def scalar(kind, value, known)
    kind = known&.kind == :binary ? :binary : :text if kind == :string
    [TAGS.fetch(kind)].pack("C") + contents(kind, value)
  end

  def contents(kind, value)
    case kind
    when :bool          then [value ? 1 : 0].pack("C")
    when :double        then [value].pack("G")
    when :text, :binary then [value.bytesize].pack("N") + value.b
    when :uuid          then [value.delete("-")].pack("H*")
    else format("%+021d", value)
    end
  end
end

# See test/wires/sexp.hpp.
class SexpWriter < SchemaWriter
  private

  def struct(fields, struct_class)
    texts = fields.map do |id, type, value|
      field = known_field(struct_class, id)
      "#{field ? field.idl_name : "unknown#{id}"}:#{value(type, value, field&.type)}".b
    end
    "{#{texts.join(",")}}".b
  end

  def list(values) = "[#{values.join(",")}]".b

  def map(pairs) = "<#{pairs.map { |pair| pair.join(":") }.join(",")}>".b

  def key(type, value, known) = (SCALARS.include?(type) ? "@".b : "".b) + super

  def scalar(kind, value, known)
    case kind
    when :bool   then value ? "t" : "f"
    when :double then "d#{[value].pack("G").unpack1("H*")}"
    when :uuid   then "##{value.delete("-")}"
    when :string then known&.kind == :binary ? "'#{value.unpack1("H*")}'" : text(value)
    else value.to_s
    end.b
  end

  def text(value)
    escaped = value.b.gsub(/[^ -~]|["\\]/n) { |byte| format('\u00%02x', byte.ord) }
    "\"#{escaped}\""
  end
end
