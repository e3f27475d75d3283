# frozen_string_literal: true

# A writer of a wire whose fields do not go by id. It needs the class whose fields it writes. Of a field that the class does
# not know, it makes up a name or a position.
class SchemaWriter < WireWriter
  SCALARS = %i[bool i8 i16 i32 i64 double string uuid enum].freeze

  # @param struct_class [Class] whose fields a message has
  def initialize(struct_class)
    super()
    @struct_class = struct_class or raise ArgumentError, "this wire needs to know the class of a message"
  end

  def message(*fields) = struct(fields, @struct_class)

  # There is no byte that ends a struct: this is a whole one, without fields.
  def stop = message

  def value(type, value, known = nil)
    return value.bytes if value.is_a?(Raw)

    kind, *parts = type
    case kind
    when :struct     then struct(value, known&.target)
    when :list, :set then list(value.map { |v| value(parts[0], v, known&.element) })
    when :map        then map(value.map { |k, v| [key(parts[0], k, known&.key), value(parts[1], v, known&.element)] })
    else scalar(kind, value, known)
    end
  end

  private

  # @return [Sparpack::Field, nil]
  def known_field(struct_class, id)
    return unless struct_class

    @known ||= {}.compare_by_identity
    (@known[struct_class] ||= struct_class.schema.fields.to_h { |field| [field.id, field] })[id]
  end

  def key(type, value, known) = value(type, value, known)
end
