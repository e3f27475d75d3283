# frozen_string_literal: true

module Sparpack
  module IDL
    # The tokens of a text, one after the other, as a parser reads them; and what is wrong with them.
    #
    # @api private
    class Tokens
      # Leaves a definition at its first fault.
      Fail = Class.new(StandardError)

      # @return [Array<Fault>]
      attr_reader :faults

      # @return [Integer] the index of the next token
      attr_reader :at

      # @return [Source]
      attr_reader :source

      # @return [Lexer]
      attr_reader :lexer

      # @param source [Source]
      def initialize(source)
        @source = source
        @lexer = Lexer.new(source).run
        @kinds = @lexer.kinds
        @values = @lexer.values
        @at = 0
        @faults = @lexer.faults.dup
      end

      # @return [Symbol] the next token's
      def kind = @kinds[@at]

      # @return [Object, nil] the next token's
      def value = @values[@at]

      # @return [Integer] where the next token begins
      def offset = @lexer.starts[@at]

      # @return [Boolean]
      def end? = @kinds[@at] == :end

      # Where the token before this one ends.
      def finish = @at.zero? ? 0 : @lexer.ends[@at - 1]

      # @return [Object] what the token says
      def take
        value = @values[@at]
        @at += 1 unless end?
        value
      end

      # Takes a symbol or a keyword, if it is the next token. Answers whether it was.
      def accept(symbol)
        return false unless @kinds[@at] == symbol

        @at += 1
        true
      end

      # @return [Boolean] whether the next token is the word
      def keyword?(word) = @kinds[@at] == :name && @values[@at] == word

      # Takes a word, if it is the next token.
      #
      # @return [Boolean] whether it was
      def accept_keyword(word)
        return false unless keyword?(word)

        @at += 1
        true
      end

      # Takes a symbol.
      #
      # @raise [Fail] if it is not the next token
      def expect(symbol)
        accept(symbol) || fail("\"#{symbol}\"")
      end

      # A token of one kind.
      def expect_kind(kind, expected)
        @kinds[@at] == kind ? take : fail(expected)
      end

      # Separators may stand after most things, and need not.
      def separator
        @at += 1 if [:",", :";"].include?(@kinds[@at])
      end

      # @param count [Integer]
      # @return [Array<String>] the names among so many tokens before this one
      def words_before(count)
        ([@at - count, 0].max...@at).filter_map { |index| @values[index] if @kinds[index] == :name }
      end

      # @return [String, nil] the text of the doc comment right before the next token
      def doc
        place = @lexer.docs[@at] or return
        start, finish = @lexer.comments[place]
        Doc.text(@source.text.byteslice(start, finish - start)).force_encoding(Encoding::UTF_8).scrub("?")
      end

      # Notes a fault of the next token and leaves the definition.
      def fail(expected, found = describe, offset: self.offset)
        note(expected, found, offset:)
        raise Fail
      end

      # Notes a fault and goes on.
      def note(expected, found = describe, offset: self.offset, text: nil)
        @faults << Fault.new(@source, offset, expected, found, text || @source.word(offset))
      end

      # Goes on at the next definition, after a fault in one that began at `start`.
      def recover(start, keywords)
        depth = (start...@at).sum { |index| nesting(@kinds[index]) }
        until end?
          return if depth <= 0 && kind == :name && keywords.include?(value)

          depth = [depth + nesting(kind), 0].max
          @at += 1
        end
      end

      # @return [String] the next token, for a message
      def describe
        case kind
        when :end then "the end of the file"
        when :string then "a string"
        else Quote.value(value)
        end
      end

      private

      def nesting(kind)
        case kind
        when :"{" then 1
        when :"}" then -1
        else 0
        end
      end
    end

    # Doc comments.
    #
    # @api private
    module Doc
      # @param comment [String] with its marks
      # @return [String] without them, and without what indents all lines alike
      def self.text(comment)
        lines = comment.delete_prefix("/**").delete_suffix("*/").lines(chomp: true).map do |line|
          line.sub(/\A\s*\* ?/, "").rstrip
        end
        lines.shift while lines.first&.strip&.empty?
        lines.pop while lines.last&.empty?
        lines[0] = lines[0].lstrip if lines[0]
        lines.join("\n")
      end
    end
  end
end
