# frozen_string_literal: true

module Sparpack
  class Inspector
    # One payload of several that follow one another. Its offsets are those of all bytes.
    #
    # @api private
    class Record < Inspector
      # @return [Integer] the first is 1
      attr_reader :number

      # @return [Array(Integer, Integer, Boolean)] where it begins, where it ends at the latest, and whether others may
      #   follow it without a frame
      attr_reader :extent

      # @param bytes [String] all bytes, frozen
      # @param struct_class [Class, Mapping, nil]
      # @param wire [Symbol]
      # @param number [Integer]
      # @param extent [Array(Integer, Integer, Boolean)]
      def initialize(bytes, struct_class, wire, number, extent) # rubocop:disable Lint/MissingSuper -- nothing is guessed
        @bytes = bytes
        @struct_class = struct_class
        @wire = wire
        @number = number
        @extent = extent.freeze
        freeze
      end

      # @return [Inspector] of the payload alone, with offsets of its own
      def alone = Inspector.new(bytes.byteslice(extent[0]...extent[1]), struct_class, from: wire)

      # (see Inspector#inflated)
      def inflated = alone.inflated
    end
  end
end
