# frozen_string_literal: true

module Sparpack
  # Reads keys of maps that JSON turned into text, because all keys of JSON are text: integers, doubles, true and false, and
  # the numbers of enums.
  #
  # @api private
  module KeyText
    # At most as many digits as an i64 has. JSON has no other way to write an integer.
    INTEGER = /\A(?:0|-?[1-9]\d{0,18})\z/
    REAL = /\A-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\z/
    BOOLS = { "true" => true, "false" => false }.freeze
    NOT_FINITE = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze
    KINDS = %i[bool i8 i16 i32 i64 double enum uuid].to_h { |kind| [kind, true] }.freeze
    private_constant :INTEGER, :REAL, :BOOLS, :NOT_FINITE, :KINDS

    class << self
      # @param type [Type] the type of the keys
      # @param keys [Array<Object>] keys of one map
      # @return [Array<Object>] the keys, with values in place of the texts that stand for one
      def read(type, keys)
        return keys unless KINDS[type.kind] && (keys.any?(String) || keys.any?(Symbol))

        lookup = type.target.enum_table[:lookup] if type.kind == :enum
        keys.map { |key| key.is_a?(String) || key.is_a?(Symbol) ? key(type, key, lookup) : key }
      end

      private

      def key(type, key, lookup)
        text = key.is_a?(Symbol) ? key.name : key
        return key unless text.ascii_only? && Quote.short?(text)

        case type.kind
        when :bool then BOOLS.fetch(text, key)
        when :uuid then text
        when :double then real(text) || key
        when :enum then Enum.find(lookup, key) || integer(text) || key # a name comes first
        else integer(text) || key
        end
      end

      def integer(text) = text.match?(INTEGER) ? text.to_i : nil

      # A number beyond the range of a double is left as it is.
      def real(text)
        return NOT_FINITE[text] unless text.match?(REAL)

        real = text.to_f
        real if real.finite?
      end
    end
  end
end
