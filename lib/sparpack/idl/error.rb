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

    # Raised if .thrift files are not valid. The message shows the faults, one per line. {#faults} returns all of them. The
    # other methods describe the first one.
    #
    # @example
    #   begin
    #     Sparpack::IDL.parse("struct A {\n  1: i32\n}", "a.thrift")
    #   rescue Sparpack::IDL::Error => e
    #     e.message # => "a.thrift:3:1: expected the name of a field, found \"}\""
    #   end
    class Error < Sparpack::Error
      # The most faults that the message shows.
      #
      # @api private
      SHOWN = 20

      # @return [Array<Fault>] all faults, file by file, in the order of their places
      attr_reader :faults

      # Raises an error if there are faults.
      #
      # @param faults [Array<Fault>]
      # @return [void]
      # @raise [Error] with all of the faults
      # @api private
      def self.check(faults)
        raise new(faults) unless faults.empty?
      end

      # Makes an error whose message shows the faults.
      #
      # @param faults [Array<Fault>] at least one
      def initialize(faults)
        @faults = faults.group_by(&:source).each_value.flat_map { |found| found.sort_by(&:offset) }.freeze
        first = @faults.first
        lines = @faults.first(SHOWN).map(&:message)
        lines << "and #{@faults.size - SHOWN} more" if @faults.size > SHOWN
        super(lines.join("\n"), expected: first.expected, found: first.found, offset: first.offset)
      end

      # @return [String] the path of the file with the first fault
      def file = faults.first.source.path

      # @return [Integer] the line of the first fault, from 1
      def line = faults.first.line

      # @return [Integer] the column of the first fault in characters, from 1
      def column = faults.first.column
    end
  end
end
