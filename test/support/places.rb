# frozen_string_literal: true

# The places of all values in an object, as paths from the outside in.
module Places
  Place = ::Struct.new(:path, :type, :value, :parent) do
    # @return [Sparpack::Field, nil] the field of a struct or a union that has the value
    def field = parent.is_a?(Sparpack::Value) ? parent.class.schema.fields.find { |each| each.name == path.last } : nil

    def of_union? = parent.is_a?(Sparpack::Union)
    def inside?(other) = path.first(other.path.size) == other.path
  end

  module_function

  # @param object [Sparpack::Value]
  # @return [Array<Place>]
  def of(object, type = Sparpack::Type.new(:struct, target: object.class), path = [])
    below(object, type).flat_map do |step, value, inner|
      place = Place.new([*path, step], inner, value, object)
      value.nil? ? [place] : [place, *of(value, inner, place.path)]
    end
  end

  # Gives the value at a path another one.
  def set(object, path, value)
    *way, last = path
    parent = dig(object, way)
    parent.is_a?(Sparpack::Value) ? Sparpack::Native.set(parent, last, value) : parent[last] = value
  end

  # Follows a path as far as it leads.
  def dig(object, path)
    path.each do |step|
      break if object.nil?

      object = object.is_a?(Sparpack::Value) ? Sparpack::Native.get(object, step) : object[step]
    end
    object
  end

  # @return [Boolean] whether two values are equal, also if there is NaN in them
  def same?(one, other) = one == other || Marshal.dump(one) == Marshal.dump(other)

  def below(value, type)
    case type.kind
    when :struct, :union
      value.class.schema.fields.map { |field| [field.name, Sparpack::Native.get(value, field.name), field.type] }
    when :list then value.each_with_index.map { |element, index| [index, element, type.element] }
    when :map then value.map { |key, element| [key, element, type.element] }
    else []
    end
  end
  private_class_method :below
end
