# frozen_string_literal: true

module Sparpack
  # The numbers of a column as {Codec#columns} returns them with `as: :packed`: in the layout of Apache Arrow, so libraries
  # that know it can use the bytes as they are. A column is frozen, and Ractors may share it.
  #
  # @example
  #   column = Listing.columns(bytes * 2, "listing_id", as: :packed)["listing_id"]
  #   column.type # => :i64
  #   column.to_a # => [1, 1]
  class Column
    # How String#unpack reads each type.
    FORMATS = { i8: "c*", i16: "s<*", i32: "l<*", i64: "q<*", double: "E*" }.freeze
    private_constant :FORMATS

    # @return [Symbol] `:bool`, `:i8`, `:i16`, `:i32`, `:i64` or `:double`. An enum is an `:i32`
    attr_reader :type

    # @return [Integer] how many rows there are, also those that are nil
    attr_reader :size

    # @return [String] the numbers one after the other, least significant byte first, and frozen: 1, 2, 4 or 8 bytes each.
    #   Those of `:bool` are bits, least significant first. A row that is nil has 0
    attr_reader :values

    # @return [String, nil] a bit for each row, least significant first: 1 if there is a value, 0 for nil. nil if no row is
    #   nil
    attr_reader :validity

    # @return [Integer] how many rows are nil
    attr_reader :null_count

    # @api private
    def initialize(type, size, values, validity, null_count)
      @type = type
      @size = size
      @values = values
      @validity = validity
      @null_count = null_count
      freeze
    end

    # @return [Array<Integer, Float, Boolean, nil>] the rows as Ruby's objects
    def to_a
      rows = type == :bool ? bits(values).map { |bit| bit == "1" } : values.unpack(FORMATS.fetch(type))
      return rows unless validity

      rows.zip(bits(validity)).map { |row, bit| row if bit == "1" }
    end

    # @return [String]
    def inspect = "#<#{self.class} #{type}, #{size} rows#{", #{null_count} nil" if null_count.positive?}>"
    alias to_s inspect

    private

    def bits(string) = string.unpack1("b#{size}").chars
  end
end
