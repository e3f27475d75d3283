# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Extension types that need no Ruby code, by their names.
    #
    # @api private
    module Builtins
      # The native part's name, the class, and the type that the specification gives.
      ALL = {
        time: [:time, ::Time, -1], bigint: [:integer, ::Integer], bigdecimal: [:decimal], set: [:set, ::Set],
        symbol: [:symbol, ::Symbol], rational: [:rational, ::Rational], struct: [:structure], data: [:structure]
      }.each_value(&:freeze).freeze
      private_constant :ALL

      module_function

      # @return [Array(Symbol, Class, Integer)] the native part's name, the class, the type or nil
      # @raise [ArgumentError]
      def find(name, klass)
        builtin, known, type = ALL.fetch(name) do
          raise ::ArgumentError, "no built-in type is named #{Quote.value(name)}#{Names.hint(name, ALL.keys)}"
        end
        return [builtin, made(name, klass)] if builtin == :structure
        raise ::ArgumentError, "the class of #{Quote.value(name)} is known" if klass

        [builtin, known || big_decimal, type]
      end

      # The class of a Struct or Data.
      def made(name, klass)
        base = name == :struct ? ::Struct : (::Data if defined?(::Data.define))
        raise ::ArgumentError, "Ruby has Data from version 3.2 on" unless base
        return klass if klass.is_a?(Class) && klass < base

        raise ::ArgumentError, "expected a class made by #{base}, got #{Quote.value(klass)}"
      end
      private_class_method :made

      # It is a gem, which may be missing.
      def big_decimal
        require "bigdecimal"
        ::BigDecimal
      end
      private_class_method :big_decimal
    end
  end
end
