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

      # Says which name was meant, if a path has one that its class does not know.
      #
      # @param pieces [Array<Array>, nil] what {pieces} returned
      # @param struct_class [Class, Mapping, nil]
      # @return [String, nil] such as ": Listing has no field nam (did you mean name?)"
      def unknown(pieces, struct_class)
        unknown_below(pieces, Type.new(:struct, target: struct_class)) if pieces && struct_class
      end

      def unknown_below(pieces, type)
        (kind, text, number), *rest = pieces
        case type.kind
        when :list, :set, :map then unknown_below(rest, type.element) if kind
        when :struct, :union then unknown_in(type.target, String.new(text, encoding: "UTF-8"), number, rest) if kind == :word
        end
      end
      private_class_method :unknown_below

      def unknown_in(struct_class, name, id, rest)
        fields = Declared.schema(struct_class).fields
        field = fields.find { |known| known.id == id || [known.name.to_s, known.idl_name].include?(name) }
        return unknown_below(rest, field.type) if field

        ": #{Quote.plain(struct_class)} has no field #{Quote.plain(name)}#{Names.hint(name, fields.map(&:idl_name))}"
      end
      private_class_method :unknown_in

      def piece(any, index, text, word)
        return [:any, "", nil] if any
        return [:index, "", number(index)] if index
        return [:text, Assembly::Scanner.text(text), nil] if text

        [:word, word.b.freeze, word.match?(/\A-?\d+\z/) ? number(word) : nil]
      end
      private_class_method :piece

      def number(text) = NUMBER.cover?(text.to_i) ? text.to_i : nil
      private_class_method :number

      def wrong(scan)
        raise ArgumentError, "wrong path at column #{scan.charpos + 1}: expected a name, an id, [index], [\"key\"] or *, " \
                             "found #{Quote.value(scan.rest[0, 20])}"
      end
      private_class_method :wrong
    end
  end
end
