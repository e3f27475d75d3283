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

      # Control characters that a line of a comment could contain. Editors and other readers of source may end at them.
      CONTROL = /[[:cntrl:]&&[^\t]]/

      # Printable characters outside ASCII, which a literal shows as they are.
      FOREIGN = /[[:print:]&&[^[:ascii:]]]+/

      # Matches the line that {header} writes. `names` are the names of the .thrift files.
      HEADER = /\A# Generated from (?<names>.+) by sparpack generate: do not edit\.\r?\n?\z/

      # The header is among this many lines at the top of a file.
      HEADER_LINES = 3

      TOGETHER = [IDL::Model::Typedef, IDL::Model::Const].freeze
      private_constant :MAGIC, :CONTROL, :FOREIGN, :HEADER, :HEADER_LINES, :TOGETHER

      module_function

      # @param lines [Array<String>]
      # @return [Array<String>] the lines, indented by two columns
      def indent(lines) = lines.map { |line| line.empty? ? line : "  #{line}" }

      # @param doc [String, nil]
      # @return [Array<String>] the lines of the doc comment as Ruby comments
      def comment(doc)
        return [] if doc.nil? || doc.empty?

        doc.lines(chomp: true).map do |line|
          line.empty? ? "#" : "# #{line.delete("\r").gsub(CONTROL, "?").gsub(MAGIC, '\\\\\&')}"
        end
      end

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

      # @param programs [Array<IDL::Program>]
      # @return [String] the comment at the top of a file that is generated from these .thrift files
      def header(*programs)
        paths = programs.map { |program| File.basename(program.path).scrub("?").gsub(/[[:cntrl:]]/, "?") }.uniq
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
