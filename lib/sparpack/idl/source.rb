# frozen_string_literal: true

module Sparpack
  module IDL
    # A .thrift text. It converts byte offsets to lines and columns.
    class Source
      BLOCK = 4096
      private_constant :BLOCK

      # @return [String] the path that error messages show
      attr_reader :path

      # @return [String] the text in UTF-8, or in BINARY if it is not valid UTF-8
      attr_reader :text

      # Keeps a text, converted to UTF-8.
      #
      # @param text [String] the IDL. A BINARY String is read as UTF-8. Other encodings are converted to UTF-8.
      # @param path [String] the path that error messages show
      # @raise [TypeError] if the text is not a String
      # @raise [EncodingError] if the text cannot be converted to UTF-8
      def initialize(text, path = "(text)")
        raise TypeError, "the text of an IDL must be a String, not #{text.class}" unless text.is_a?(String)

        utf8 = Source.utf8(text)
        @text = utf8.valid_encoding? ? utf8 : utf8.b
        @path = Source.utf8(path.to_s)
      end

      # @param text [String]
      # @return [String] the text in UTF-8, valid or not
      # @raise [EncodingError] if the text cannot be converted to UTF-8
      # @api private
      def self.utf8(text)
        case text.encoding
        when Encoding::UTF_8 then text
        when Encoding::BINARY, Encoding::US_ASCII then text.dup.force_encoding(Encoding::UTF_8)
        else text.encode(Encoding::UTF_8)
        end
      end

      # Converts an offset to a line.
      #
      # @param offset [Integer] an offset in bytes
      # @return [Integer] its line, from 1
      # @example
      #   Sparpack::IDL::Source.new("struct A {\n}", "a.thrift").line(11) # => 2
      def line(offset) = index_of(offset) + 1

      # Converts an offset to a column.
      #
      # @param offset [Integer] an offset in bytes
      # @return [Integer] its column in characters, from 1
      # @example
      #   Sparpack::IDL::Source.new("struct A {\n}", "a.thrift").column(7) # => 8
      def column(offset)
        start = starts[index_of(offset)]
        before(offset) - before(start) + 1
      end

      # @param offset [Integer] an offset in bytes
      # @return [String] its place as `file:line:column`
      # @api private
      def place(offset) = "#{Quote.path(path)}:#{line(offset)}:#{column(offset)}"

      # Reads the word at an offset.
      #
      # @param offset [Integer] an offset in bytes
      # @return [String] the text from there to the next space, at most 60 bytes
      # @example
      #   Sparpack::IDL::Source.new("struct A {\n}", "a.thrift").word(7) # => "A"
      def word(offset) = text.byteslice(offset, 60).scrub("")[/\A\S*/]

      private

      # The offsets of the first byte of each line. They are computed only if a line is needed.
      def starts
        @starts ||= begin
          found = [0]
          at = -1
          bytes = text.b
          found << (at + 1) while (at = bytes.index("\n", at + 1))
          found.freeze
        end
      end

      # How many characters begin before an offset. The characters of each block are counted once, because lines may be long
      # and many faults may be on one line.
      def before(offset)
        return offset if text.ascii_only? || text.encoding == Encoding::BINARY

        block = offset / BLOCK
        characters[block] + beginning(block * BLOCK, offset - (block * BLOCK))
      end

      def characters
        @characters ||= (0..(text.bytesize / BLOCK)).each_with_object([0]) do |block, counts|
          counts << (counts.last + beginning(block * BLOCK, BLOCK))
        end.freeze
      end

      # Counts the bytes that do not continue a character.
      def beginning(offset, size) = text.byteslice(offset, size).b.count("\x00-\x7F\xC0-\xFF".b)

      def index_of(offset) = starts.bsearch_index { |start| start > offset }&.pred || (starts.size - 1)
    end
  end
end
