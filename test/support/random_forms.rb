# frozen_string_literal: true

require_relative "random_schema"

# Random values in other forms: right ones, which encode to the same bytes, and wrong ones.
class RandomForms
  JUNK = [nil, 5, -1, 1 << 40, 1 << 70, 1 << 2000, 0.5, 1r, "text", "LOW", "low_one", "\xff", "\xff".b, :LOW, :low_one,
          :symbol, true, false, [], [nil], {}, { nil => nil }, Set[], Set[nil], 1..2, Object.new, RandomSchema::Made::Level,
          "00112233-4455-6677-8899-AABBCCDDEEFF", "é".encode("UTF-16LE"), "\xE9".b.force_encoding("US-ASCII")].freeze

  # @param random [Random]
  # @param hashes [Boolean] whether structs may be Hashes
  def initialize(random, hashes:)
    @random = random
    @hashes = hashes
  end

  # @param type [Sparpack::Type]
  # @param value [Object] in the form in which it is decoded
  # @return [Object] the same in another form, or in this one
  def right(type, value)
    case type.kind
    when :struct, :union then struct(value)
    when :list then value.map { |element| right(type.element, element) }
    when :set then set(value.map { |element| right(type.element, element) })
    when :map then value.to_h { |key, element| [right(type.key, key), right(type.element, element)] }
    else scalar(type, value)
    end
  end

  # @param type [Sparpack::Type]
  # @param value [Object]
  # @return [Object] the same with something else in one place
  def wrong(type, value)
    return pick(JUNK) if chance(0.4)

    case value
    when Array then value.empty? ? [pick(JUNK)] : replace(value) { |element| wrong(type.element, element) }
    when Set then value.empty? ? Set[pick(JUNK)] : replace(value.to_a) { |element| wrong(type.element, element) }.to_set
    when Hash then pair(type, value)
    when Sparpack::Value then wrong_object(value)
    else pick(JUNK)
    end
  end

  # @param object [Sparpack::Value]
  # @return [Sparpack::Value] a copy with something else in one place
  def wrong_object(object)
    fields = object.class.schema.fields
    fields = fields.select { |field| object.set?(field.name) } if object.is_a?(Sparpack::Union)
    return object if fields.empty?

    field = pick(fields)
    Sparpack.with(object, field.name => wrong(field.type, object[field.name]))
  end

  # @param object [Sparpack::Value]
  # @return [Hash{Symbol, String => Object}]
  def hash(object)
    object.class.schema.fields.each_with_object({}) do |field, found|
      value = object[field.name]
      found[pick([field.name, field.name.name])] = right(field.type, value) unless value.nil?
    end
  end

  private

  def struct(value)
    return hash(value) if @hashes && chance(0.7)

    value.class.new(**value.class.schema.fields.to_h { |field| [field.name, field_of(value, field)] }.compact)
  end

  def field_of(value, field) = value[field.name].nil? ? nil : right(field.type, value[field.name])

  def set(elements) = chance(0.5) ? elements : elements.to_set

  def scalar(type, value)
    case type.kind
    when :enum
      name = type.target.name_of(value)
      pick([value, name, name&.name, type.target.idl_name_of(value)&.to_sym, type.target.idl_name_of(value)].compact)
    when :double then value.finite? && value.to_i == value && !value.zero? ? pick([value, value.to_i]) : value
    when :string then pick([value, value.to_sym, value.b, value.encode("UTF-16LE"), value.dup.freeze])
    when :binary then pick([value, value.dup.force_encoding("UTF-8"), value.dup.force_encoding("ISO-8859-1")])
    when :uuid then pick([value, value.upcase, value.b])
    else value
    end
  end

  def replace(elements)
    at = @random.rand(elements.size)
    elements.each_with_index.map { |element, index| index == at ? yield(element) : element }
  end

  def pair(type, hash)
    return { pick(JUNK) => pick(JUNK) } if hash.empty?

    at = @random.rand(hash.size)
    hash.each_with_index.to_h do |(key, value), index|
      next [key, value] unless index == at

      chance(0.5) ? [wrong(type.key, key), value] : [key, wrong(type.element, value)]
    end
  end

  def pick(list) = list[@random.rand(list.size)]
  def chance(share) = @random.rand < share
end
