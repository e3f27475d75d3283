# frozen_string_literal: true

require "strscan"

module Sparpack
  # Parses a path such as `neighborhoods[3].name`, `7[3].2`, `labels["a"]` or `neighborhoods[].name`. {Inspector} and
  # {Codec#columns} take such paths, and errors show them.
  #
  # @api private
  module Path
    NUMBER = -(1 << 63)..((1 << 63) - 1)
    PIECE = /\.?(?:(\*|\[\*?\])|\[(-?\d+)\]|\[(x?"(?:[^"\\]|\\.)*")\]|([^.\[\]"]+))/
    PLAIN = /\A[a-z_]\w*(?:\[\])?(?:\.[a-z_]\w*(?:\[\])?)*\z/i
    FROM_THE_END = ": the inspector does not know where a list ends, so it counts no index from there"
    BARE = /\A\[([^\[\]"]{1,40})\]/ # a key without its quotes
    private_constant :NUMBER, :PIECE, :PLAIN, :BARE, :FROM_THE_END

    module_function

    # @param path [String]
    # @return [Array<Array>] the kind, the text, and the number or nil of each piece
    def pieces(path) = parse(path).map(&:first).freeze

    # Finds what a path leads to in a class.
    #
    # @param path [String]
    # @param struct_class [Class, Mapping]
    # @return [Array<Object>] the steps, as {Codec#dig} takes them, and `:[]` for every element
    # @raise [ArgumentError] if the path is wrong, or the class does not have it
    def steps(path, struct_class)
      type = Type.new(:struct, target: struct_class)
      parse(path).map do |piece, column|
        step, type = Steps.next(type, *piece)
        step
      rescue ArgumentError => e
        raise ArgumentError, "wrong path at column #{column}: #{e.message}", cause: nil
      end
    end

    # @param path [String]
    # @return [Array<String, Symbol>, nil] the steps of a path of names and `[]`, without a look at any class
    def plain(path)
      return unless path.ascii_only? && path.match?(PLAIN)

      path.gsub("[]", ".[]").split(".").map! { |step| step == "[]" ? Steps::ANY : step }
    end

    # Says which name was meant, if a path has one that its class does not know.
    #
    # @param pieces [Array<Array>, nil] what {pieces} returned
    # @param struct_class [Class, Mapping, nil]
    # @return [String, nil] such as ": Listing has no field nam (did you mean name?)"
    def unknown(pieces, struct_class)
      unknown_below(pieces, Type.new(:struct, target: struct_class)) if pieces && struct_class
    end

    # Returns each piece and the column where it begins.
    def parse(path)
      path = Assembly::Scanner.utf8(path) unless path.encoding == Encoding::UTF_8
      raise ArgumentError, "wrong path: expected UTF-8, found #{Quote.value(path)}" unless path.valid_encoding?

      scan = StringScanner.new(path)
      found = []
      until scan.eos?
        scan.scan(PIECE) || wrong(scan)
        column = scan.charpos - scan.matched.length + (scan.matched.start_with?(".") ? 2 : 1)
        found << [piece_at(column, scan).freeze, column]
      end
      found
    end
    private_class_method :parse

    def piece_at(column, scan)
      piece(*(1..4).map { |group| scan[group] })
    rescue AssemblyError => e
      raise ArgumentError, "wrong path at column #{column}: expected #{e.expected}, found #{e.found}", cause: nil
    end
    private_class_method :piece_at

    def unknown_below(pieces, type)
      (kind, text, number), *rest = pieces
      case type.kind
      when :list, :set, :map
        return FROM_THE_END if type.kind == :list && number&.negative?

        unknown_below(rest, type.element) if kind
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
      return [:text, unquoted(text), nil] if text

      [:word, word.b.freeze, word.match?(/\A-?\d+\z/) ? number(word) : nil]
    end
    private_class_method :piece

    # Ractors cannot load the scanner before Ruby 3.4, and most keys do without it.
    def unquoted(text)
      return text[1..-2].b.freeze if text.valid_encoding? && text.start_with?('"') && !text.match?(/[\\\n]/)

      Assembly::Scanner.text(text)
    end
    private_class_method :unquoted

    def number(text) = NUMBER.cover?(text.to_i) ? text.to_i : nil
    private_class_method :number

    def wrong(scan)
      key = scan.rest[BARE, 1]
      hint = " (did you mean [\"#{Quote.plain(key)}\"]?)" if key
      raise ArgumentError, "wrong path at column #{scan.charpos + 1}: expected a name, an id, [index], [\"key\"], [] " \
                           "or *, found #{Quote.value(scan.rest[0, 20])}#{hint}"
    end
    private_class_method :wrong
  end
end
