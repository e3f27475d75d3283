# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # What stands between two tokens: comments and line breaks.
      #
      # @api private
      class Gap
        # @return [Array<Comment>]
        attr_reader :comments

        # @return [Boolean] whether a blank line belongs here
        attr_writer :apart

        # @param comments [Array<Comment>]
        # @param after [Integer] line breaks between the last comment and the token after it: 0, 1, or 2 for more
        # @param closing [Boolean] whether that token is a closer
        def initialize(comments, after, closing:)
          @comments = comments
          @after = after
          @closing = closing
          @apart = false
        end

        # @return [Boolean] whether it holds no comment
        def empty? = comments.empty?

        # @return [String, nil] the comments on one line; nil if one of them ends a line, or has one of its own
        def flat
          return "" if empty?

          comments.map(&:flat).join(" ") if comments.all?(&:flat) && !alone?
        end

        # Where lines end, if the token after it begins one: the comments that stand on the line of the token before it stay
        # there; those between two tokens of one line go with the second.
        #
        # @param first [Boolean] whether an opener stands before it
        # @return [Array<Integer>] line breaks before each comment, and before the token
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

        # Answers whether a comment has a line of its own. (A closer will begin one, if a comment does.)
        def alone?
          *before, after = written
          [*before, @closing ? 1 : after].each_cons(2).any? { |two| two.all?(&:positive?) }
        end
      end
    end
  end
end
