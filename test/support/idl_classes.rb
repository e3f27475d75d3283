# frozen_string_literal: true

# Makes classes by hand for what an IDL declares, and objects of them that can be written and compared between versions.
class IDLClasses
  Model = Sparpack::IDL::Model

  def initialize(program, random)
    @random = random
    @classes = {}
    program.enums.each { |enum| @classes[enum] = enum_module(enum) }
    program.records.each { |record| @classes[record] = struct_class(record) }
  end

  # @return [Class]
  def class_of(definition) = @classes.fetch(definition)

  # @return [Array<Sparpack::Value>] some with all fields, some with only the necessary ones, and others
  def objects(record, count)
    return record.fields.cycle.first(count).map { |field| object(record, [field]) } if record.kind == :union

    (0...count).filter_map do |index|
      share = [1, 0, 0.5][index % 3]
      object(record, record.fields.select { |field| field.requiredness == :required || @random.rand < share })
    end
  end

  private

  def enum_module(enum)
    values = enum.enum_values.to_h { |value| [value.name.upcase.to_sym, value] }
    Module.new do
      extend Sparpack::Enum

      values.each { |name, value| const_set(name, value.number) }
      idl enum.name, values: values.transform_values(&:name)
    end
  end

  def struct_class(record)
    bases = { struct: Sparpack::Struct, union: Sparpack::Union, exception: Sparpack::Exception }
    made = Class.new(bases.fetch(record.kind))
    record.fields.each do |field|
      options = { required: { required: true }, optional: { optional: true } }.fetch(field.requiredness, {})
      options = options.merge(default: field.default) unless field.default.nil?
      made.field(field.id, field.name.to_sym, type(made, field.type), **options)
    end
    made
  end

  def type(made, type)
    case type.kind
    when :list then made.list(type(made, type.element))
    when :set then made.set(type(made, type.element))
    when :map then made.map(type(made, type.key), type(made, type.element))
    when :struct, :union, :enum then @classes.fetch(type.target)
    else type.kind
    end
  end

  # There are no objects of a union without fields.
  def object(record, fields)
    return if record.kind == :union && fields.empty?

    values = fields.to_h { |field| [field.name.to_sym, value(field.type)] }.compact
    class_of(record).new(**left_out(record, fields), **values)
  end

  # A message lacks a field that has a default only if somebody has set the field to nil.
  def left_out(record, fields)
    others = record.kind == :union ? [] : record.fields - fields
    others.reject! { |field| field.requiredness == :required || @random.rand(2).zero? }
    others.to_h { |field| [field.name.to_sym, nil] }
  end

  def value(type)
    case type.kind
    when :list then Array.new(@random.rand(1..2)) { value(type.element) }.compact
    when :set then [value(type.element)].compact.to_set # values may be equal for readers that do not know all fields
    when :map then { value(type.key) => value(type.element) }.compact
    when :struct, :union then nested(type.target)
    when :enum then type.target.enum_values[@random.rand(type.target.enum_values.size)].number
    else scalar(type.kind)
    end
  end

  # Any field of a union may be the one that it holds.
  def nested(record)
    count = record.kind == :union ? record.fields.size : 3
    count.zero? ? nil : objects(record, count)[@random.rand(count)]
  end

  def scalar(kind)
    case kind
    when :bool then @random.rand(2).zero?
    when :double then @random.rand
    when :string, :binary then %w[x ü yz][@random.rand(3)]
    when :uuid then "00112233-4455-6677-8899-aabbccddeeff"
    else @random.rand(1..100)
    end
  end
end
