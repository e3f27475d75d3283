# frozen_string_literal: true

module Bench
  module Peers
    # Oj, with its fastest writer and both of its parsers, because neither is always the faster one.
    class Oj < HashPeer
      self.title = "oj"

      # By default, Oj cuts numbers to 16 digits and reads long ones as BigDecimal, so they would differ from the document.
      OPTIONS = { mode: :strict, float_precision: 17, bigdecimal_load: :fast, cache_keys: true }.freeze

      private

      def ways
        parser = ::Oj::Parser.new(:usual)
        parser.cache_keys = true
        parser.decimal = :ruby
        [Way.new(nil, "::Oj.dump(object, options)", "::Oj.load(input, options)", { options: OPTIONS }),
         Way.new("parser", nil, "parser.parse(input)", { parser: })]
      end
    end
  end
end
