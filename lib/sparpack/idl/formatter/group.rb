# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # One of several things between two brackets, or of the whole text: the `gap` before it, its `line`, and the `ending`
      # after it: a comma or nothing.
      #
      # @api private
      Item = ::Struct.new(:gap, :line, :ending)

      # Brackets and what stands between them: on one line if it fits, else one item per line.
      #
      # @api private
      class Group
        # @return [String]
        attr_reader :opener

        # @return [Array<Item>]
        attr_reader :items

        # @return [Gap] before the closer
        attr_reader :gap

        # @return [String]
        attr_reader :closer

        # @return [String, nil] all of it on one line; nil if it must end lines, or is too long
        attr_reader :flat

        # @param opener [String]
        # @param items [Array<Item>]
        # @param gap [Gap] before the closer
        # @param closer [String]
        # @param body [Boolean] whether its items always stand on lines of their own
        def initialize(opener, items, gap, closer, body:)
          @opener = opener
          @items = items
          @gap = gap
          @closer = closer
          @flat = on_one_line unless body
        end

        private

        def on_one_line
          parts = items.each_with_index.map { |item, index| flat_item(item, index) }
          parts << "#{" " unless items.empty? || gap.empty?}#{gap.flat}"
          return unless gap.flat && items.all? { |item| item.gap.flat && item.line.flat }

          text = "#{opener}#{parts.join}#{closer}"
          text if text.size <= WIDTH
        end

        # An ending stands between two items only.
        def flat_item(item, index)
          comments = "#{item.gap.flat} " unless item.gap.empty?
          "#{" " if index.positive?}#{comments}#{item.line.flat}#{item.ending if index < items.size - 1}"
        end
      end
    end
  end
end
