# frozen_string_literal: true

module Sparpack
  module IDL
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
