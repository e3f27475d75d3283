# frozen_string_literal: true

require "strscan"

module Sparpack
  class Assembly
    # Reads the lines of a text word by word. What is wrong is raised with its line and column.
    #
    # @api private
    class Scanner
      # What the letters after a backslash mean.
      LETTERS = { "n" => "\n", "r" => "\r", "t" => "\t", "b" => "\b", "f" => "\f", "\"" => "\"", "\\" => "\\",
                  "/" => "/" }.freeze
      STRING = /"((?:[^"\\]|\\.)*)"/
      ESCAPE = /\\(?:u([dD][89abAB]\h\h)\\u([dD][c-fC-F]\h\h)|u(\h{4})|x(\h\h)|(.))/m
      INTEGERS = { "i8" => 8, "i16" => 16, "i32" => 32, "i64" => 64 }.freeze
      REAL = /nan|-?inf|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/
      UUID = /\h{8}-\h{4}-\h{4}-\h{4}-\h{12}/
      private_constant :LETTERS, :STRING, :ESCAPE, :INTEGERS, :REAL, :UUID

      attr_reader :line_number

      # @param text [String]
      # @return [String] the same in UTF-8, which may be broken
      def self.utf8(text)
        return text if text.encoding == Encoding::UTF_8
        return text.dup.force_encoding(Encoding::UTF_8) if [Encoding::BINARY, Encoding::US_ASCII].include?(text.encoding)

        text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
      end

      # @param quoted [String] a string with its quotes
      # @return [String] its bytes
      def self.text(quoted)
        scanner = new(quoted)
        bytes = nil
        scanner.each_line { bytes = scanner.string }
        bytes
      end

      # @param text [String]
      def initialize(text)
        @text = Scanner.utf8(text)
        @line_number = 0
        @scan = StringScanner.new("")
        @value_at = 0
      end

      # Yields each line that is not blank or a comment. The block must read it to its end.
      def each_line
        @text.each_line(chomp: true) do |line|
          @line_number += 1
          raise_at(1, "UTF-8", "bytes that are not UTF-8") unless line.valid_encoding?

          @scan.string = line
          spaces
          next if @scan.eos? || @scan.check(/#/)

          yield
          spaces
          fail("the end of the line") unless @scan.eos? || @scan.check(/#/)
        end
      end

      def spaces = @scan.skip(/[ \t\r]+/)
      def peek?(pattern) = !@scan.check(pattern).nil?

      # Reads a word if it is this one.
      def word?(word)
        return false unless next_word == word

        @scan.pos += word.bytesize
        spaces
        true
      end

      def one_of(words, expected)
        word = @scan.scan(/\w+/)
        fail_back("#{expected}: #{words.join(", ")}", word.to_s) unless words.include?(word)

        spaces
        word
      end

      # @return [String, nil] the word that comes next, which is not read
      def next_word = @scan.check(/[\w.]+/)

      def take(pattern, expected)
        found = @scan.scan(pattern) || fail(expected)
        spaces
        found
      end

      # Remembers that a value begins here.
      def value_begins = @value_at = @scan.charpos

      def field_id
        at = @scan.charpos
        text = @scan.scan(/-?\d{1,7}(?!\w)/) || fail("the id of a field, or }")
        id = text.to_i
        raise_at(at + 1, "a field id from -32768 to 32767", text) unless id.between?(-32_768, 32_767)

        @scan.skip(/:[\w.]+/)
        spaces || fail("a space and the type of the field")
        id
      end

      # @return [String] the bytes
      def hex(expected)
        at = @scan.charpos
        digits = @scan.scan(/\h+(?![^\s#])/) || fail(expected)
        raise_at(at + 1, "an even number of hexadecimal digits", "#{digits.size} digits") if digits.size.odd?

        spaces
        [digits].pack("H*")
      end

      # @return [Array(String, String)] what stands before a token, and the bytes of a line; nil if they follow from the rest
      def modifiers
        before = string("a string in quotes") if word?("before")
        exact = hex("the bytes of the line in hexadecimal digits") if word?("as")
        [before, exact]
      end

      # @return [String] } or ]
      def closing = @scan.getch.tap { spaces }

      # --- values ------------------------------------------------------------------------------------------------------

      # @return [String] the bytes of a string: "text" or x"00ff"
      def string(expected = "a string such as \"text\" or x\"00ff\"")
        at = @scan.charpos
        if @scan.scan(/x"(\h*)"/)
          digits = @scan[1]
          raise_at(at + 1, "an even number of hexadecimal digits", "#{digits.size} digits") if digits.size.odd?
          spaces
          return [digits].pack("H*")
        end
        @scan.scan(STRING) || fail(expected)
        text = @scan[1]
        spaces
        unescape(text, at)
      end

      # @param type [String] such as i32
      def integer(type)
        bits = INTEGERS.fetch(type)
        integer_in(-(1 << (bits - 1))..((1 << (bits - 1)) - 1), type)
      end

      def integer_in(range, type)
        at = @scan.charpos
        text = @scan.scan(/[-+]?\d{1,40}(?![\w.])/) || fail("#{type}, a whole number")
        raise_at(at + 1, "#{type}, a number from #{range.begin} to #{range.end}", text) unless range.cover?(text.to_i)

        spaces
        text.to_i
      end

      def real(type)
        text = @scan.scan(REAL) || fail("#{type}, a number, nan, inf or -inf")
        spaces
        { "nan" => Float::NAN, "inf" => Float::INFINITY, "-inf" => -Float::INFINITY }.fetch(text) { Float(text) }
      end

      def boolean = take(/(?:true|false)\b/, "true or false") == "true"
      def uuid = [take(UUID, "a uuid such as 00112233-4455-6677-8899-aabbccddeeff").delete("-")].pack("H*")

      # --- faults ------------------------------------------------------------------------------------------------------

      def fail(expected, found = nil) = raise_at(@scan.charpos + 1, expected, found || rest)

      # The same for what was just read.
      def fail_back(expected, found)
        raise_at([@scan.charpos - found.size, 0].max + 1, expected, found.empty? ? rest : found)
      end

      def fail_at_value(expected, found) = raise_at(@value_at + 1, expected, found)

      def fail_at(line, column, expected, found)
        raise AssemblyError.new(line:, column:, expected:, found:)
      end

      private

      def rest
        word = @scan.check(/\S{1,40}/)
        word ? Quote.plain(word) : "the end of the line"
      end

      # A text without a line has its fault in the first one.
      def raise_at(column, expected, found) = fail_at(@line_number.clamp(1..), column, expected, found)

      def unescape(text, at)
        return text.b unless text.include?("\\")

        bytes = "".b
        rest = StringScanner.new(text)
        until rest.eos?
          plain = rest.scan(/[^\\]+/)
          next bytes << plain.b if plain

          rest.scan(ESCAPE) || raise_at(at + 1, "a string in quotes", "a backslash at its end")
          bytes << escaped(rest, at)
        end
        bytes
      end

      def escaped(found, at)
        high, low, unit, byte, letter = (1..5).map { |group| found[group] } # older versions of captures have "" for nil
        return [0x10000 + ((high.hex - 0xd800) << 10) + (low.hex - 0xdc00)].pack("U").b if high
        return [byte.hex].pack("C") if byte
        return LETTERS[letter].b if letter && LETTERS.key?(letter)

        code = unit&.hex
        return [code].pack("U").b if code && !code.between?(0xd800, 0xdfff)

        raise_at(at + 2 + found.charpos - found.matched.size, "an escape such as \\n, \\u00e9 or \\xff", found.matched)
      end
    end
  end
end
