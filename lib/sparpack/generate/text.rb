# frozen_string_literal: true

module Sparpack
  module Generate
    # Lines of source.
    #
    # @api private
    module Text
      # Longer lines are broken where they can be.
      WIDTH = 120

      # What Ruby and Sorbet would take for an order to them.
      MAGIC = /(?<=-)\*(?=-)|
               \A\W*(?:frozen[_-]string[_-]literal|shareable[_-]constant[_-]value|warn[_-]indent|typed)(?=\W*:)/xi

      # What stands in a literal as it is, if only as characters of its own.
      FOREIGN = /[[:print:]&&[^[:ascii:]]]+/

      # What {header} writes, and nobody else does. The names are those of the .thrift files.
      HEADER = /\A# Generated from (?<names>.+) by sparpack generate: do not edit\.\r?\n?\z/

      # It stands in one of so many lines at a file's top.
      HEADER_LINES = 3

      TOGETHER = [IDL::Model::Typedef, IDL::Model::Const].freeze
      private_constant :MAGIC, :FOREIGN, :HEADER, :HEADER_LINES, :TOGETHER

      module_function

      # @param lines [Array<String>]
      # @return [Array<String>] two columns to the right
      def indent(lines) = lines.map { |line| line.empty? ? line : "  #{line}" }

      # @param doc [String, nil]
      # @return [Array<String>] as comments
      def comment(doc)
        return [] if doc.nil? || doc.empty?

        doc.lines(chomp: true).map { |line| line.empty? ? "#" : "# #{line.delete("\r").gsub(MAGIC, '\\\\\&')}" }
      end

      # @param blocks [Array<Array<String>>]
      # @return [Array<String>] with an empty line between them
      def separated(blocks) = blocks.reject(&:empty?).flat_map { |block| ["", *block] }.drop(1)

      # @param definitions [Array<Object>]
      # @yieldparam definition [Object]
      # @yieldreturn [Array<String>] its lines
      # @return [Array<String>] all lines; typedefs and constants of one line each stand together
      def blocks(definitions)
        parts = definitions.map { |definition| [definition.class, yield(definition)] }.reject { |_, lines| lines.empty? }
        groups = parts.slice_when do |(kind, lines), (next_kind, next_lines)|
          !(TOGETHER.include?(kind) && kind == next_kind && [lines, next_lines].all? { |found| found.size == 1 })
        end
        separated(groups.map { |group| group.flat_map(&:last) })
      end

      # @param names [Array<String>]
      # @param body [Array<String>]
      # @return [Array<String>] in modules of these names
      def in_modules(names, body)
        names.reverse.reduce(body) { |inner, name| ["module #{name}", *indent(inner), "end"] }
      end

      # By String#inspect it would depend on the locale.
      #
      # @param string [String]
      # @return [String] a literal of it, the same everywhere
      def literal(string)
        return "#{string.dump}.b" if string.encoding == Encoding::BINARY
        return string.dump unless string.valid_encoding?

        "\"#{string.split(/(#{FOREIGN})/o).each_with_index.map { |part, i| i.odd? ? part : part.dump[1..-2] }.join}\""
      end

      # @param programs [Array<IDL::Program>]
      # @return [String] what stands at a file's top
      def header(*programs)
        paths = programs.map { |program| File.basename(program.path).scrub("?").gsub(/[[:cntrl:]]/, "?") }.uniq
        "# Generated from #{paths.join(", ")} by sparpack generate: do not edit."
      end

      # @param text [String] of a whole file, or its first lines
      # @return [Array<String>, nil] the names of the .thrift files that it was generated from; nil if it was not generated
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
