# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # The tokens of a text, one after the other, and the gaps between them.
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
          @reached = 0  # where what was answered last ends, in bytes
          @held = NONE
        end

        # @return [Symbol] the next token's
        def kind = @kinds[@at]

        # @return [Object, nil] what the next token says
        def value = @values[@at]

        # @param words [Array<String>]
        # @return [Boolean] whether the next token is one of them
        def word?(*words) = kind == :name && words.include?(value)

        # @return [Boolean] whether the next token ends a group, or the text
        def closer? = CLOSERS.include?(kind)

        # @return [Gap] what stands before the next token
        def gap = Gap.new(comments, breaks(between(@starts[@at])), closing: closer?)

        # @return [Array<Comment>] those before the next token
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

        # @return [String] the next token, as it is printed
        def take
          text = token
          @reached = @ends[@at] if @held.empty?
          @at += 1
          text
        end

        # Makes the comments before the next token stand after it. Doc comments stay, with those before them: they would
        # belong to another node.
        #
        # @param inline [Boolean] whether those stay, too, that stand on the line of the token before them and do not end it
        # @return [Array<Comment>] those that stay
        def hold(inline:)
          comments = self.comments
          staying = (comments.rindex(&:doc?) || -1) + 1
          staying += 1 while inline && comments[staying]&.flat && comments[staying].breaks.zero?
          @held = comments.drop(staying)
          comments.take(staying)
        end

        private

        # Literals are as they were written.
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
