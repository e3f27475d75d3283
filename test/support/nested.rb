# frozen_string_literal: true

# Values that are nested in Arrays, Sets and Hashes.
module Nested
  # @param value [Object]
  # @yieldparam leaf [Object] what is no container
  # @return [Object] a copy with what the block returns in place of each leaf
  def self.map(value, &block)
    case value
    when Array then value.map { |element| map(element, &block) }
    when Set then value.to_set { |element| map(element, &block) }
    when Hash then value.to_h { |key, element| [map(key, &block), map(element, &block)] }
    else yield value
    end
  end
end
