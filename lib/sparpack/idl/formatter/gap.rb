# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # The comments and line breaks between two tokens.
      #
      # @api private
      class Gap
        # @return [Array<Comment>] the comments in the gap
        attr_reader :comments

        # @return [Boolean] whether a blank line belongs here
        attr_writer :apart

        # @param comments [Array<Comment>]
        # @param after [Integer] the number of line breaks before the next token: 0, 1, or 2 for more
        # @param closing [Boolean] whether that token ends a group or the text
        def initialize(comments, after, closing:)
          @comments = comments
          @after = after
          @closing = closing
          @apart = false
        end

        # @return [Boolean] whether there are no comments
        def empty? = comments.empty?

        # @return [String, nil] the comments on one line; nil if one of them ends a line or has its own line
        def flat
          return "" if empty?

          comments.map(&:flat).join(" ") if comments.all?(&:flat) && !alone?
        end

        # Computes the line breaks if the next token begins a line. Comments on the line of the previous token stay there.
        # Comments between two tokens of the same line move with the second one.
        #
        # @param first [Boolean] whether the previous token is an opening bracket
        # @return [Array<Integer>] the number of line breaks before each comment and before the next token
        def breaks(first:)
          found = written
          found[0] = 1 if found.all?(&:zero?) && (first || !@closing)
          found[0] = 1 if first && found[0] == 2
          found[-1] = 1 if @closing
          found[found.index(&:positive?)] = 2 if @apart && !found.include?(2)
          found
        end

        private

        # The line breaks as they are in the source.
        def written = [*comments.map(&:breaks), @after]

        # Whether a comment has its own line. (A closing bracket will be on a new line if a comment is.)
        def alone?
          *before, after = written
          [*before, @closing ? 1 : after].each_cons(2).any? { |two| two.all?(&:positive?) }
        end
      end
    end
  end
end
