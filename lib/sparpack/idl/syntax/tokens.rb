# frozen_string_literal: true

module Sparpack
  module IDL
    # A cursor over the tokens of a text. It also collects the faults that the parser finds.
    #
    # @api private
    class Tokens
      # Raised to leave a definition at its first fault.
      Fail = Class.new(StandardError)

      # @return [Array<Fault>] the faults that were found so far
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

      # @return [Symbol] the kind of the next token
      def kind = @kinds[@at]

      # @return [Object, nil] the value of the next token
      def value = @values[@at]

      # @return [Integer] where the next token begins, in bytes
      def offset = @lexer.starts[@at]

      # @return [Boolean] whether all tokens were taken
      def end? = @kinds[@at] == :end

      # @return [Integer] where the previous token ends, in bytes
      def finish = @at.zero? ? 0 : @lexer.ends[@at - 1]

      # Takes the next token.
      #
      # @return [Object] its value
      def take
        value = @values[@at]
        @at += 1 unless end?
        value
      end

      # Takes a symbol if it is the next token.
      #
      # @return [Boolean] whether it was
      def accept(symbol)
        return false unless @kinds[@at] == symbol

        @at += 1
        true
      end

      # @return [Boolean] whether the next token is the word
      def keyword?(word) = @kinds[@at] == :name && @values[@at] == word

      # Takes a word if it is the next token.
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

      # Takes a token of one kind.
      #
      # @param kind [Symbol]
      # @param expected [String] what the fault says was expected
      # @return [Object] the value of the token
      # @raise [Fail] if the next token is of another kind
      def expect_kind(kind, expected)
        @kinds[@at] == kind ? take : fail(expected)
      end

      # Takes a comma or semicolon if it is the next token. Separators are optional almost everywhere.
      def separator
        kind = @kinds[@at]
        @at += 1 if kind == :"," || kind == :";" # rubocop:disable Style/MultipleComparison -- an Array for each field
      end

      # @param count [Integer]
      # @return [Array<String>] the names among the `count` tokens before the next one
      def words_before(count)
        ([@at - count, 0].max...@at).filter_map { |index| @values[index] if @kinds[index] == :name }
      end

      # @return [String, nil] the text of the doc comment right before the next token
      def doc
        place = @lexer.docs[@at] or return
        start, finish = @lexer.comments[place]
        Doc.text(@source.text.byteslice(start, finish - start)).force_encoding(Encoding::UTF_8).scrub("?")
      end

      # Adds a fault at the next token and leaves the definition.
      #
      # @raise [Fail] always
      def fail(expected, found = describe, offset: self.offset)
        note(expected, found, offset:)
        raise Fail
      end

      # Adds a fault and continues.
      def note(expected, found = describe, offset: self.offset, text: nil)
        @faults << Fault.new(@source, offset, expected, found, text || @source.word(offset))
      end

      # Adds a hint to the last fault.
      #
      # @param hint [String]
      # @return [void]
      def explain(hint)
        fault = @faults.pop
        note(fault.expected, "#{fault.found}#{hint}", offset: fault.offset, text: fault.text)
      end

      # Skips to the next definition after a fault in one that began at the token `start`.
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
  end
end
