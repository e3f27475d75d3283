# frozen_string_literal: true

# Compares values more strictly than `==`: doubles by their bits (NaN is like NaN, 0.0 is not like -0.0), Integer is not
# Float, strings with their encoding, sets and maps in their order, structs with their class.
module Difference
  module_function

  # @return [String, nil] the first difference, or nil if there is none
  def between(expected, actual, path = "")
    return "#{path}: expected #{brief(expected)}, got #{brief(actual)}" unless expected.instance_of?(actual.class)

    case expected
    when Sparpack::Union then union(expected, actual, path)
    when Sparpack::Struct, Sparpack::Exception then entries(expected.to_h, actual.to_h, path)
    when Hash then entries(expected, actual, path)
    when Array, Set then elements(expected.to_a, actual.to_a, path)
    else leaf(expected, actual, path)
    end
  end

  def union(expected, actual, path)
    return leaf(expected.field, actual.field, path) unless expected.field == actual.field

    between(expected.value, actual.value, "#{path}.#{expected.field}")
  end

  def entries(expected, actual, path)
    keys = elements(expected.keys, actual.keys, "#{path} keys")
    return keys if keys

    expected.each_key.with_index do |key, index|
      place = key.is_a?(Symbol) ? "#{path}.#{key}" : "#{path}[#{brief(key)}]"
      found = between(expected.values[index], actual.values[index], place)
      return found if found
    end
    nil
  end

  def elements(expected, actual, path)
    return "#{path}: expected #{expected.size} elements, got #{actual.size}" unless expected.size == actual.size

    expected.each_with_index do |value, index|
      found = between(value, actual[index], "#{path}[#{index}]")
      return found if found
    end
    nil
  end

  def leaf(expected, actual, path)
    return if identity(expected) == identity(actual)

    "#{path}: expected #{brief(expected)}, got #{brief(actual)}"
  end

  def identity(value)
    case value
    when Float then [value].pack("G")
    when String then [value.encoding, value.b]
    else value
    end
  end

  def brief(value)
    text = value.inspect
    text = "#{text} in #{value.encoding}" if value.is_a?(String)
    text.size > 200 ? "#{text[0, 200]}…" : text
  end
end
