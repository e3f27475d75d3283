# frozen_string_literal: true

module Sparpack
  # Finds the classes that a class leads to by the types of its fields.
  #
  # @api private
  module Reach
    # @param klass [Class]
    # @yieldparam each [Class] the class, or one that it leads to; each comes once
    # @yieldreturn [Array<Class>, nil] the classes of its fields; nil if the class shall be left out
    # @return [Array<Class>]
    def self.from(klass)
      seen = {}.compare_by_identity
      queue = [klass]
      until queue.empty?
        each = queue.shift
        next if seen[each] || (further = yield(each)).nil?

        seen[each] = true
        queue.concat(further)
      end
      seen.keys
    end
  end
end
