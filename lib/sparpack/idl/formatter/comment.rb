# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # A comment, with its marks.
      #
      # @api private
      class Comment
        # At the ends of lines. Looked for where a run of them begins only: a long one is walked once.
        BLANKS = /(?<![ \t\r\v\f])[ \t\r\v\f]++$/
        private_constant :BLANKS

        # @return [String] without blanks at the ends of its lines
        attr_reader :text

        # @return [Integer] line breaks between what stands before it and itself: 0, 1, or 2 for more
        attr_reader :breaks

        # @param text [String]
        # @param breaks [Integer]
        # @param margin [String, nil] the blanks before it, if it is the first on its line
        def initialize(text, breaks, margin)
          @text = text.gsub(BLANKS, "")
          @breaks = breaks
          @margin = margin
        end

        # @return [Boolean] whether it ends with its line: `//` or `#`
        def line? = !text.start_with?("/*")

        # @return [Boolean] whether the parser gives it to the token after it
        def doc? = text.start_with?("/**") && text.bytesize > 4

        # @return [String, nil] as it stands between words; nil where a line ends in it or after it
        def flat = (text unless line? || text.include?("\n"))

        # Lines that begin with `*` are aligned. Others move with the first one, but for those of doc comments, whose blanks
        # are part of what they say.
        #
        # @param indent [String] of the line on which it begins
        # @param leads [Boolean] whether it is the first on that line
        # @return [String]
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
