# frozen_string_literal: true

module Sparpack
  module IDL
    # A .thrift text and where its lines are.
    class Source
      BLOCK = 4096
      private_constant :BLOCK

      # @return [String] as messages name it
      attr_reader :path

      # @return [String] UTF-8; what is not UTF-8 is looked at as bytes
      attr_reader :text

      # @param text [String] of another encoding than UTF-8 it is transcoded; a BINARY one, as files are read, is not
      # @param path [String] how messages name it
      # @raise [TypeError] if the text is no String
      # @raise [EncodingError] if it cannot be transcoded
      def initialize(text, path = "(text)")
        raise TypeError, "an IDL's text is a String, not #{text.class}" unless text.is_a?(String)

        utf8 = Source.utf8(text)
        @text = utf8.valid_encoding? ? utf8 : utf8.b
        @path = Source.utf8(path.to_s)
      end

      # @param text [String]
      # @return [String] in UTF-8, valid or not
      # @raise [EncodingError] if it cannot be transcoded
      # @api private
      def self.utf8(text)
        case text.encoding
        when Encoding::UTF_8 then text
        when Encoding::BINARY, Encoding::US_ASCII then text.dup.force_encoding(Encoding::UTF_8)
        else text.encode(Encoding::UTF_8)
        end
      end

      # @param offset [Integer] in bytes
      # @return [Integer] from 1
      def line(offset) = index_of(offset) + 1

      # @param offset [Integer] in bytes
      # @return [Integer] from 1, in characters
      def column(offset)
        start = starts[index_of(offset)]
        before(offset) - before(start) + 1
      end

      # @param offset [Integer] in bytes
      # @return [String] `file:line:column`
      # @api private
      def place(offset) = "#{Quote.path(path)}:#{line(offset)}:#{column(offset)}"

      # @param offset [Integer] in bytes
      # @return [String] what stands there, up to a space and not too much of it
      def word(offset) = text.byteslice(offset, 60).scrub("")[/\A\S*/]

      private

      # Offsets of the lines' first bytes; asked for by errors, and by nodes that say where they are.
      def starts
        @starts ||= begin
          found = [0]
          at = -1
          bytes = text.b
          found << (at + 1) while (at = bytes.index("\n", at + 1))
          found.freeze
        end
      end

      # How many characters begin before an offset. They are counted block by block, once: lines may be long, and many may
      # ask.
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

      # Bytes that are not the continuation of a character.
      def beginning(offset, size) = text.byteslice(offset, size).b.count("\x00-\x7F\xC0-\xFF".b)

      def index_of(offset) = starts.bsearch_index { |start| start > offset }&.pred || (starts.size - 1)
    end
  end
end
