# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Extension types that are packed and unpacked without Ruby code.
    #
    # @api private
    module Builtins
      # The name in the native core, the class, and the number in the specification.
      ALL = {
        time: [:time, ::Time, -1], bigint: [:integer, ::Integer], bigdecimal: [:decimal], set: [:set, ::Set],
        symbol: [:symbol, ::Symbol], rational: [:rational, ::Rational], struct: [:structure], data: [:structure]
      }.each_value(&:freeze).freeze
      private_constant :ALL

      module_function

      # @return [Array(Symbol, Class, Integer)] the name in the native core, the class, and the number or nil
      # @raise [ArgumentError] for an unknown name or a class that does not fit it
      def find(name, klass)
        builtin, known, type = ALL.fetch(name) do
          raise ::ArgumentError, "no built-in type is named #{Quote.value(name)}#{Names.hint(name, ALL.keys)}"
        end
        return [builtin, made(name, klass)] if builtin == :structure
        raise ::ArgumentError, "#{Quote.value(name)} takes no class, got #{Quote.value(klass)}" if klass

        [builtin, known || big_decimal, type]
      end

      # @param klass [Class] the class of a value that cannot be packed
      # @return [String] a hint at the built-in type for it, to append to a message
      def hint(klass)
        name, (_, _, type) = ALL.find do |each, (_, known)|
          klass == known || (each == :bigdecimal && klass.name == "BigDecimal")
        end
        name ? ": factory.register_builtin(#{Quote.value(name)}#{", 1" unless type})" : ""
      end

      # Checks the class for `:struct` or `:data`.
      def made(name, klass)
        base = name == :struct ? ::Struct : (::Data if defined?(::Data.define))
        raise ::ArgumentError, ":data needs Ruby 3.2 or newer" unless base
        return klass if klass.is_a?(Class) && klass < base

        raise ::ArgumentError, "expected a subclass of #{base}, got #{Quote.value(klass)}"
      end
      private_class_method :made

      # BigDecimal is in a gem, which may be missing.
      def big_decimal
        require "bigdecimal"
        ::BigDecimal
      end
      private_class_method :big_decimal
    end
  end
end
