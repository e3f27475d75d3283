# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # An item between two brackets, or of the whole text. It has the `gap` before it, its `line`, and the `ending` after
      # it, which is a comma or empty.
      #
      # @api private
      Item = ::Struct.new(:gap, :line, :ending)
    end
  end
end
