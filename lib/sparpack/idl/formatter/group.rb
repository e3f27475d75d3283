# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # Two brackets and the items between them. They are on one line if they fit. Otherwise each item has its own line.
      #
      # @api private
      class Group
        # @return [String] the opening bracket
        attr_reader :opener

        # @return [Array<Item>]
        attr_reader :items

        # @return [Gap] the gap before the closing bracket
        attr_reader :gap

        # @return [String] the closing bracket
        attr_reader :closer

        # @return [String, nil] the whole group on one line; nil if it needs several lines
        attr_reader :flat

        # @param opener [String] the opening bracket
        # @param items [Array<Item>]
        # @param gap [Gap] the gap before the closing bracket
        # @param closer [String] the closing bracket
        # @param body [Boolean] whether each item always has its own line
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

        # On one line, the last item has no ending.
        def flat_item(item, index)
          comments = "#{item.gap.flat} " unless item.gap.empty?
          "#{" " if index.positive?}#{comments}#{item.line.flat}#{item.ending if index < items.size - 1}"
        end
      end
    end
  end
end
