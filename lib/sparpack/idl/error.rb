# frozen_string_literal: true

module Sparpack
  module IDL
    # One thing that is wrong in a .thrift text.
    class Fault
      # So many of the includes that led to a file are told.
      #
      # @api private
      INCLUDES = 16

      # @return [Source]
      attr_reader :source

      # @return [Integer] where it begins, in bytes
      attr_reader :offset

      # @return [String]
      attr_reader :expected

      # @return [String]
      attr_reader :found

      # @return [String, nil] the offending text
      attr_reader :text

      # @return [Array<String>] `file:line` of the includes that led to the file, the nearest first; of many, the first
      attr_reader :chain

      # @param source [Source]
      # @param offset [Integer]
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

      # @param chain [Array<String>]
      # @return [Fault] the same in a file that was included
      def in(chain) = Fault.new(source, offset, expected, found, text, chain)

      # @return [Integer] from 1
      def line = source.line(offset)

      # @return [Integer] from 1, in characters
      def column = source.column(offset)

      # @return [String] `file:line:column: expected …, found …`, and which includes led to the file
      def message
        told = chain.first(INCLUDES).join(", ")
        included = " (included from #{told}#{", …" if chain.size > INCLUDES})" unless chain.empty?
        "#{source.place(offset)}: expected #{expected}, found #{found}#{included}".scrub("?")
      end
    end

    # A .thrift text that cannot be used. It tells the first fault; {#faults} are all that were found in one go.
    #
    # @example
    #   begin
    #     Sparpack::IDL.parse("struct A {\n  1: i32\n}", "a.thrift")
    #   rescue Sparpack::IDL::Error => e
    #     e.message # => "a.thrift:3:1: expected the name of a field, found \"}\""
    #   end
    class Error < Sparpack::Error
      # So many faults are told by the message.
      #
      # @api private
      TOLD = 20

      # @return [Array<Fault>] file by file, in order of place
      attr_reader :faults

      # @param faults [Array<Fault>]
      # @return [void]
      # @raise [Error] with all of them, if there are any
      # @api private
      def self.check(faults)
        raise new(faults) unless faults.empty?
      end

      # @param faults [Array<Fault>] at least one
      def initialize(faults)
        @faults = faults.group_by(&:source).each_value.flat_map { |found| found.sort_by(&:offset) }.freeze
        first = @faults.first
        told = @faults.first(TOLD).map(&:message)
        told << "and #{@faults.size - TOLD} more" if @faults.size > TOLD
        super(told.join("\n"), expected: first.expected, found: first.found, offset: first.offset)
      end

      # @return [String] how the source is named
      def file = faults.first.source.path

      # @return [Integer] from 1
      def line = faults.first.line

      # @return [Integer] from 1, in characters
      def column = faults.first.column
    end
  end
end
