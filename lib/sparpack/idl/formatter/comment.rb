# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # A comment, including its marks.
      #
      # @api private
      class Comment
        # Blanks at the ends of lines. The search starts only at the beginning of a run of blanks, so a long run is searched
        # once.
        BLANKS = /(?<![ \t\r\v\f])[ \t\r\v\f]++$/
        private_constant :BLANKS

        # @return [String] the comment without blanks at the ends of its lines
        attr_reader :text

        # @return [Integer] the number of line breaks before the comment: 0, 1, or 2 for more
        attr_reader :breaks

        # @param text [String] the comment
        # @param breaks [Integer] the number of line breaks before it, as {#breaks}
        # @param margin [String, nil] the blanks before it if it is the first on its line
        def initialize(text, breaks, margin)
          @text = text.gsub(BLANKS, "")
          @breaks = breaks
          @margin = margin
        end

        # @return [Boolean] whether it extends to the end of its line, because it begins with `//` or `#`
        def line? = !text.start_with?("/*")

        # @return [Boolean] whether it is a doc comment, which belongs to the token after it
        def doc? = text.start_with?("/**") && text.bytesize > 4

        # @return [String, nil] the comment for use inside a line; nil if a line ends in it or after it
        def flat = (text unless line? || text.include?("\n"))

        # Indents the lines of the comment. Lines that begin with `*` are aligned. Other lines move with the first one,
        # except in doc comments, because their blanks are part of the text.
        #
        # @param indent [String] the indentation of the line on which it begins
        # @param leads [Boolean] whether it is the first on that line
        # @return [String] the indented comment
        def at(indent, leads)
          return text if line? || !text.include?("\n")

          first, *rest = text.split("\n")
          return [first, *align(rest, indent)].join("\n") if rest.all?(/\A\s*(\*|\z)/)
          return text if doc? || !leads || !@margin

          [first, *rest.map { |line| line.start_with?(@margin) ? move(line, indent) : line }].join("\n")
        end

        private

        def align(lines, indent) = lines.map { |line| line.empty? ? line : "#{indent} #{line.lstrip}" }

        def move(line, indent) = line.empty? ? line : "#{indent}#{line.delete_prefix(@margin)}"
      end
    end
  end
end
