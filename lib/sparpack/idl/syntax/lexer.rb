# frozen_string_literal: true

require "strscan"

module Sparpack
  module IDL
    # Splits a .thrift text into tokens. The tokens are in parallel arrays and not in objects, because applications read
    # files of many thousand lines when they start.
    #
    # @api private
    class Lexer
      BYTE_ORDER_MARK = "\xEF\xBB\xBF".b.freeze
      UTF16   = ["\xFF\xFE".b, "\xFE\xFF".b].freeze
      SPACE   = /[ \t\r\n\v\f]++/ # possessive, so that it needs no memory for backtracking
      LINE    = %r{(?://|\#)[^\n]*+}
      OPEN    = %r{/\*}
      BLOCK   = %r{/\*.*?\*/}m
      NAME    = /[A-Za-z_][A-Za-z0-9_.]*+/
      NUMBER  = /[+-]?(?:0[xX][0-9A-Fa-f]+|(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)/
      SYMBOL  = /[{}()<>\[\],;:=&*]/
      STRING  = /"(?:[^"\\\n]++|\\[^\n])*+"|'(?:[^'\\\n]++|\\[^\n])*+'/
      BAD_NUMBER = /[+-]?(?:\d+\.(?!\d)|0[xX](?![0-9A-Fa-f])|\.(?!\d))|[+-](?![0-9.])/
      STRUCTURED = /@#{NAME}/
      CONTROL = (0..31)
      ESCAPES = { "r" => "\r", "n" => "\n", "t" => "\t", '"' => '"', "'" => "'", "\\" => "\\" }.freeze

      # The most characters of a name or a number. Longer names would not even fit into the names of generated files. And
      # output that repeats a name for each part of a definition would grow quadratically.
      LONGEST = 1000

      # The kind of token that begins with a byte, for each byte.
      FIRST = Array.new(256) do |byte|
        case byte.chr
        when /[A-Za-z_]/ then :name
        when /[0-9+\-.]/ then :number
        when /["']/ then :string
        when SYMBOL then :symbol
        end
      end.freeze

      # Whether a byte may begin a comment.
      COMMENT = Array.new(256) { |byte| "#/".include?(byte.chr) }.freeze

      # The symbols as tokens, by their bytes.
      SYMBOLS = Array.new(256) { |byte| byte.chr.to_sym if byte.chr.match?(SYMBOL) }.freeze
      private_constant :BYTE_ORDER_MARK, :UTF16, :SPACE, :LINE, :OPEN, :BLOCK, :NAME, :NUMBER, :SYMBOL, :STRING, :BAD_NUMBER,
                       :STRUCTURED, :CONTROL, :ESCAPES, :FIRST, :COMMENT, :SYMBOLS

      # The kind of each token: `:name`, `:integer`, `:double`, `:string`, the symbol itself, or `:end` for the last one. A
      # keyword is a `:name`, too. The parser decides, because fields may have keywords as names.
      #
      # @return [Array<Symbol>]
      attr_reader :kinds

      # @return [Array<String, Integer, Float, nil>] the value of each token
      attr_reader :values

      # @return [Array<Integer>] where each token begins, in bytes
      attr_reader :starts

      # @return [Array<Integer>] where each token ends, in bytes
      attr_reader :ends

      # @return [Hash{Integer => Integer}] the index in {#comments} of the doc comment before a token, by the token's index
      attr_reader :docs

      # @return [Array<Array(Integer, Integer)>] where each comment begins and ends, in bytes
      attr_reader :comments

      # @return [Array<Fault>] the parts of the text that are not tokens
      attr_reader :faults

      # @param source [Source]
      def initialize(source)
        @source = source
        @scanner = StringScanner.new(source.text)
        @kinds = []
        @values = []
        @starts = []
        @ends = []
        @docs = {}
        @comments = []
        @faults = []
      end

      # @return [self]
      def run
        @scanner.pos = 3 if @source.text.byteslice(0, 3).b == BYTE_ORDER_MARK
        utf16 if UTF16.include?(@source.text.byteslice(0, 2).b)
        until skip_space
          start = @scanner.pos
          case FIRST[@source.text.getbyte(start)]
          when :name then name(start)
          when :symbol then add_symbol(start)
          when :number then number(start)
          when :string then string(start)
          else unexpected(start)
          end
        end
        add(:end, nil, @scanner.pos)
        @values.map! { |value| value.is_a?(String) ? tag(value.dup) : value } unless @source.text.encoding == Encoding::UTF_8
        self
      end

      private

      # Most values of a text that is not UTF-8 as a whole are valid UTF-8. The others stay BINARY.
      def tag(value)
        value.force_encoding(Encoding::UTF_8)
        value.valid_encoding? ? value : value.force_encoding(Encoding::BINARY)
      end

      def add(kind, value, start)
        @kinds << kind
        @values << value
        @starts << start
        @ends << @scanner.pos
      end

      def add_symbol(start)
        @scanner.pos = start + 1
        symbol = SYMBOLS[@source.text.getbyte(start)]
        add(symbol, symbol.name, start)
      end

      # Returns whether the text ends here.
      def skip_space
        @scanner.skip(SPACE)
        while (byte = @source.text.getbyte(@scanner.pos)) && COMMENT[byte]
          return false unless comment(@scanner.pos)

          @scanner.skip(SPACE)
        end
        byte.nil?
      end

      # Returns whether there was a comment.
      def comment(start)
        if @scanner.skip(LINE)
          @comments << [start, @scanner.pos]
        elsif @scanner.match?(OPEN)
          block_comment(start)
          true
        end
      end

      # A doc comment belongs to the token after it. If there are several, only the last one does.
      def block_comment(start)
        unless @scanner.skip(BLOCK)
          fault(start, "the end of a comment, */", "the end of the file", @source.text.byteslice(start, 3))
          return @scanner.terminate
        end
        @comments << [start, @scanner.pos]
        length = @scanner.pos - start
        @docs[@kinds.size] = @comments.size - 1 if length > 4 && @source.text.getbyte(start + 2) == 42
      end

      def name(start)
        text = @scanner.scan(NAME)
        too_long(start, "a name", text) if text.bytesize > LONGEST
        add(:name, text, start)
      end

      def too_long(start, what, text)
        found = "one of #{text.bytesize} characters, #{Quote.value(text)}"
        fault(start, "#{what} of at most #{LONGEST} characters", found, @source.word(start))
      end

      def number(start)
        if (text = @scanner.scan(BAD_NUMBER))
          fault(start, "a number", Quote.value(text), @source.word(start))
        elsif (text = @scanner.scan(NUMBER)).bytesize > LONGEST
          too_long(start, "a number", text)
          add(:integer, 0, start)
        elsif double?(text)
          add(:double, text.to_f, start)
        else
          add(:integer, integer(text), start)
        end
      end

      # A leading zero does not mean octal.
      def integer(text)
        text.match?(/\A[+-]?0[xX]/) ? Integer(text) : text.to_i
      end

      def double?(text) = !text.match?(/\A[+-]?0[xX]/) && text.match?(/[.eE]/)

      def string(start)
        text = @scanner.scan(STRING) or return unended_string(start)
        add(:string, unescape(text[1..-2], start + 1), start)
      end

      def unended_string(start)
        quote = @source.text.byteslice(start, 1)
        @scanner.skip(/[^\n]*+/)
        fault(start, "the end of a string, #{quote}", "the end of the #{@scanner.eos? ? "file" : "line"}", quote)
      end

      def unescape(text, start)
        return text unless text.include?("\\")

        check_escapes(text, start)
        text.gsub(/\\(.)/m) { ESCAPES.fetch(::Regexp.last_match(1)) { ::Regexp.last_match(0) } }
      end

      def check_escapes(text, start)
        bytes = text.b
        at = -2
        while (at = bytes.index("\\", at + 2))
          next if ESCAPES.key?(bytes[at + 1])

          found = text.byteslice(at, 5).scrub("?")[0, 2]
          fault(start + at, "an escape (\\r \\n \\t \\\" \\' \\\\)", found.inspect, found)
        end
      end

      # Some editors write UTF-16. Without this check, every second byte would be a fault.
      def utf16
        fault(0, "text in UTF-8", "text in UTF-16", @source.text.byteslice(0, 2))
        @scanner.terminate
      end

      def unexpected(start)
        if (text = @scanner.scan(STRUCTURED))
          found = "#{Quote.value(text)}, which only fbthrift supports"
          return fault(start, "annotations in parentheses, such as (a = \"b\")", found, text)
        end

        return binary(start) if CONTROL.cover?(@source.text.getbyte(start))

        char = character
        foreign = ", which is not UTF-8" unless char.valid_encoding?
        fault(start, "a name, a number, a string or a symbol", "#{char.inspect}#{foreign}", char)
      end

      # Reads a whole character even if the text is treated as bytes because other parts of it are not UTF-8.
      def character
        bytes = @scanner.peek(4).force_encoding(Encoding::UTF_8)
        char = bytes[0].valid_encoding? ? bytes[0] : bytes.byteslice(0, 1)
        @scanner.pos += char.bytesize
        char
      end

      # Reading stops here. Otherwise each byte of a binary file would be a fault.
      def binary(start)
        byte = @source.text.byteslice(start, 1)
        fault(start, "text", format("the byte 0x%02X, which looks like binary data", byte.ord), byte)
        @scanner.terminate
      end

      def fault(offset, expected, found, text)
        @faults << Fault.new(@source, offset, expected, found, text)
      end
    end
  end
end
