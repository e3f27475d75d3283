# frozen_string_literal: true

require "strscan"

module Sparpack
  class Inspector
    # Parses a path such as `neighborhoods[3].name`, `7[3].2`, `labels["a"]` or `neighborhoods[*].name`.
    #
    # @api private
    module Path
      NUMBER = -(1 << 63)..((1 << 63) - 1)
      PIECE = /\.?(?:(\*|\[\*\])|\[(-?\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.\[\]"]+))/
      private_constant :NUMBER, :PIECE

      module_function

      # @param path [String]
      # @return [Array<Array>] the kind, the text, and the number or nil of each piece
      def pieces(path)
        scan = StringScanner.new(Assembly::Scanner.utf8(path))
        pieces = []
        until scan.eos?
          scan.scan(PIECE) || wrong(scan)
          pieces << piece(*(1..4).map { |group| scan[group] }).freeze
        end
        pieces.freeze
      end

      def piece(any, index, text, word)
        return [:any, "", nil] if any
        return [:index, "", number(index)] if index
        return [:text, Assembly::Scanner.text(text), nil] if text

        [:word, word.b.freeze, word.match?(/\A-?\d+\z/) ? number(word) : nil]
      end
      private_class_method :piece

      def number(text) = NUMBER.cover?(text.to_i) ? text.to_i : -1
      private_class_method :number

      def wrong(scan)
        raise ArgumentError, "wrong path at column #{scan.charpos + 1}: expected a name, an id, [index], [\"key\"] or *, " \
                             "found #{Quote.value(scan.rest[0, 20])}"
      end
      private_class_method :wrong
    end
  end
end
