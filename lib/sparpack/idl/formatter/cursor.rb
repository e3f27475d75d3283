# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # A cursor over the tokens of a text and the gaps between them.
      #
      # @api private
      class Cursor
        CLOSERS = [:"}", :")", :"]", :end].freeze
        NONE    = [].freeze
        private_constant :CLOSERS, :NONE

        # @param source [Source]
        def initialize(source)
          @text = source.text
          lexer = Lexer.new(source).run
          @kinds = lexer.kinds
          @values = lexer.values
          @starts = lexer.starts
          @ends = lexer.ends
          @notes = lexer.comments
          @at = 0       # the next token
          @noted = 0    # the next comment
          @reached = 0  # where the last returned token or comment ends, in bytes
          @held = NONE
        end

        # @return [Symbol] the kind of the next token
        def kind = @kinds[@at]

        # @return [Object, nil] the value of the next token
        def value = @values[@at]

        # @param words [Array<String>]
        # @return [Boolean] whether the next token is one of them
        def word?(*words) = kind == :name && words.include?(value)

        # @return [Boolean] whether the next token ends a group or the text
        def closer? = CLOSERS.include?(kind)

        # @return [Gap] the comments and line breaks before the next token
        def gap = Gap.new(comments, breaks(between(@starts[@at])), closing: closer?)

        # @return [Array<Comment>] the comments before the next token
        def comments
          start = @starts[@at]
          return NONE if @held.empty? && (@notes[@noted]&.first || start) >= start

          found = @held.dup
          @held = NONE
          while (place = @notes[@noted]) && place[0] < start
            found << comment(*place)
            @noted += 1
          end
          found
        end

        # Takes the next token.
        #
        # @return [String] the token as it is printed
        def take
          text = token
          @reached = @ends[@at] if @held.empty?
          @at += 1
          text
        end

        # Moves the comments before the next token behind it. Doc comments, and the comments before them, do not move,
        # because a doc comment would then belong to another node.
        #
        # @param inline [Boolean] whether comments inside the line of the previous token do not move either
        # @return [Array<Comment>] the comments that do not move
        def hold(inline:)
          comments = self.comments
          staying = (comments.rindex(&:doc?) || -1) + 1
          staying += 1 while inline && comments[staying]&.flat && comments[staying].breaks.zero?
          @held = comments.drop(staying)
          comments.take(staying)
        end

        private

        # Numbers stay as they are in the text.
        def token
          case kind
          when :string then quoted(written)
          when :integer, :double then written
          else value
          end
        end

        def written = @text.byteslice(@starts[@at], @ends[@at] - @starts[@at])

        def comment(start, finish)
          blanks = between(start)
          @reached = finish
          Comment.new(@text.byteslice(start, finish - start), breaks(blanks), blanks[/\n([ \t\r\v\f]*)\z/, 1])
        end

        def between(offset) = @text.byteslice(@reached, offset - @reached)

        def breaks(blanks) = blanks.count("\n").clamp(0, 2)

        def quoted(text) = text.include?('"') ? text : "\"#{text[1..-2]}\""
      end
    end
  end
end
