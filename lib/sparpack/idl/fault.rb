# frozen_string_literal: true

module Sparpack
  module IDL
    # One mistake in a .thrift text, with its place.
    class Fault
      # The most includes that the message shows.
      #
      # @api private
      INCLUDES = 16

      # @return [Source] the text with the mistake
      attr_reader :source

      # @return [Integer] where the mistake begins, in bytes
      attr_reader :offset

      # @return [String] what was expected
      attr_reader :expected

      # @return [String] what was found
      attr_reader :found

      # @return [String, nil] the wrong part of the text
      attr_reader :text

      # @return [Array<String>] the includes that led to the file, each as `file:line`, the nearest first. A long chain is
      #   cut.
      attr_reader :chain

      # Describes a mistake. The parameters are those that the readers return.
      #
      # @param source [Source]
      # @param offset [Integer] in bytes
      # @param expected [String]
      # @param found [String]
      # @param text [String, nil]
      # @param chain [Array<String>]
      def initialize(source, offset, expected, found, text = nil, chain = [])
        @source = source
        @offset = offset
        @expected = expected
        @found = found
        @text = text
        @chain = chain
        freeze
      end

      # Copies the fault and sets the includes that led to its file.
      #
      # @param chain [Array<String>] the includes, as {#chain} returns them
      # @return [Fault] the same fault, with this chain
      def in(chain) = Fault.new(source, offset, expected, found, text, chain)

      # @return [Integer] the line, from 1
      def line = source.line(offset)

      # @return [Integer] the column in characters, from 1
      def column = source.column(offset)

      # @return [String] `file:line:column: expected …, found …`, followed by the includes that led to the file
      def message
        nearest = chain.first(INCLUDES).join(", ")
        included = " (included from #{nearest}#{", …" if chain.size > INCLUDES})" unless chain.empty?
        "#{source.place(offset)}: expected #{expected}, found #{found}#{included}".scrub("?")
      end
    end
  end
end
