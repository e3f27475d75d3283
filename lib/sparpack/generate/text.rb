# frozen_string_literal: true

module Sparpack
  module Generate
    # Makes and joins lines of source code.
    #
    # @api private
    module Text
      # The most columns of a line. Longer lines are broken if possible.
      WIDTH = 120

      # Comments that Ruby and Sorbet would read as instructions.
      MAGIC = /(?<=-)\*(?=-)|
               \A\W*(?:frozen[_-]string[_-]literal|shareable[_-]constant[_-]value|warn[_-]indent|typed)(?=\W*:)/xi

      # Characters that a line of a comment could contain. Readers of source may end at control characters and separators.
      # Embeddings, overrides and isolates change the direction of text, so that source looks different from what it is.
      CONTROL = /[[[:cntrl:]&&[^\t]]\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/

      # What Ruby would read as the encoding of the file if it were in the first line.
      CODING = /(?<=coding)(\s*)[:=]/i

      # Characters outside ASCII that a literal shows as they are: those that a reader can see.
      FOREIGN = /[[:print:]&&[^[:ascii:]]&&[^\p{Cf}]&&[^\p{DI}]&&[^\p{Zl}\p{Zp}]]+/

      # Matches the line that {header} writes. `names` are the names of the .thrift files.
      HEADER = /\A# Generated from (?<names>.+) by sparpack generate: do not edit\.\r?\n?\z/

      # The header is among this many lines at the top of a file.
      HEADER_LINES = 3

      TOGETHER = [IDL::Model::Typedef, IDL::Model::Const].freeze
      private_constant :MAGIC, :CONTROL, :CODING, :FOREIGN, :HEADER, :HEADER_LINES, :TOGETHER

      module_function

      # @param lines [Array<String>]
      # @return [Array<String>] the lines, indented by two columns
      def indent(lines) = lines.map { |line| line.empty? ? line : "  #{line}" }

      # @param doc [String, nil]
      # @return [Array<String>] the lines of the doc comment as Ruby comments
      def comment(doc)
        return [] if doc.nil? || doc.empty?

        doc.lines(chomp: true).map do |line|
          line.empty? ? "#" : "# #{plain(line.delete("\r"))}"
        end
      end

      # @param line [String] a part of a comment
      # @return [String] the same without control characters and without instructions for Ruby
      def plain(line) = line.gsub(CONTROL, "?").gsub(MAGIC, '\\\\\&')

      # @param blocks [Array<Array<String>>]
      # @return [Array<String>] the lines of all blocks, with an empty line between two blocks
      def separated(blocks) = blocks.reject(&:empty?).flat_map { |block| ["", *block] }.drop(1)

      # @param definitions [Array<Object>]
      # @yieldparam definition [Object]
      # @yieldreturn [Array<String>] its lines
      # @return [Array<String>] all lines, with empty lines between definitions. There is none between typedefs or between
      #   constants of one line each.
      def blocks(definitions)
        parts = definitions.map { |definition| [definition.class, yield(definition)] }.reject { |_, lines| lines.empty? }
        groups = parts.slice_when do |(kind, lines), (next_kind, next_lines)|
          !(TOGETHER.include?(kind) && kind == next_kind && [lines, next_lines].all? { |found| found.size == 1 })
        end
        separated(groups.map { |group| group.flat_map(&:last) })
      end

      # @param names [Array<String>] names of modules, from the outside in
      # @param body [Array<String>]
      # @return [Array<String>] the body inside these modules
      def in_modules(names, body)
        names.reverse.reduce(body) { |inner, name| ["module #{name}", *indent(inner), "end"] }
      end

      # Writes a String literal. String#inspect would not do, because its result depends on the locale.
      #
      # @param string [String]
      # @return [String] the literal, which is the same on every machine
      def literal(string)
        return "#{string.dump}.b" if string.encoding == Encoding::BINARY
        return string.dump unless string.valid_encoding?

        "\"#{string.split(/(#{FOREIGN})/o).each_with_index.map { |part, i| i.odd? ? part : part.dump[1..-2] }.join}\""
      end

      # @param name [Symbol, String] the name of a field or a function
      # @return [String] the literal of a Symbol. Symbol#inspect would not do, as with {literal}.
      def symbol(name) = ":#{IDL::RubyGrammar.member?(name.to_s) ? name : literal(name.to_s)}"

      # @param programs [Array<IDL::Program>]
      # @return [String] the comment at the top of a file that is generated from these .thrift files
      def header(*programs)
        paths = programs.map do |program|
          plain(File.basename(program.path).scrub("?").tr("\t", "?").gsub(CODING, '\\1?'))
        end.uniq
        "# Generated from #{paths.join(", ")} by sparpack generate: do not edit."
      end

      # @param text [String] the text of a file, or its first lines
      # @return [Array<String>, nil] the names of the .thrift files that it was generated from; nil if the file was not
      #   generated
      def sources(text)
        text.lines.first(HEADER_LINES).each do |line|
          found = HEADER.match(line.dup.force_encoding(Encoding::UTF_8).scrub("?")) or next
          return found[:names].split(", ")
        end
        nil
      end
    end
  end
end
