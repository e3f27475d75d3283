# frozen_string_literal: true

module Sparpack
  # The wire and options that a class encodes and decodes with where none are given. Only classes that declare some have the
  # methods here: the others encode and decode as quickly as before.
  #
  # @api private
  module Defaults
    USUAL = Ractor.make_shareable([:compact, {}])
    private_constant :USUAL

    # Of classes that declare a default.
    module Encoding
      # @return [String] as {Value#encode}
      def encode(*wire, **options)
        return Defaults.codec(self.class).encode(self) if wire.empty? && options.empty?

        Defaults.merge(self.class, wire, options) { |all, merged| super(*all, **merged) }
      end
    end

    # Of classes that declare a default, as class methods.
    module Decoding
      # @return [Value] as {Declaration#decode}
      def decode(bytes, *wire, **options)
        return Defaults.codec(self).decode(bytes) if wire.empty? && options.empty?

        Defaults.merge(self, wire, options) { |all, merged| super(bytes, *all, **merged) }
      end
    end

    class << self
      # @param klass [Class]
      # @param wire [Symbol]
      # @param options [Hash]
      # @return [void]
      # @raise [ArgumentError] for an unknown wire or option
      # @raise [SchemaError] if the class, or one that inherits from it, is in use
      def declare(klass, wire, options)
        name = Quote.plain(klass)
        raise SchemaError, "#{name} is a base: a default codec belongs to a subclass" unless Declared.shape(klass)
        raise SchemaError, "#{name} is in use already: its default codec is declared before" if used?(klass)

        Codec.new(Class.new(Struct), wire, **options) # which checks them; the class may name others that do not exist yet
        klass.instance_variable_set(:@codec_defaults, Ractor.make_shareable([wire, options]))
        klass.include(Encoding)
        klass.extend(Decoding)
      end

      # @param klass [Class]
      # @return [Codec] frozen; the same each time in the main Ractor
      def codec(klass)
        known = klass.instance_variable_get(:@default_codec)
        return known if known && known.struct_class.equal?(klass) # a copy of a class has the other's variables

        wire, options = find(klass)
        codec = Ractor.make_shareable(Codec.new(klass, wire, **options))
        klass.instance_variable_set(:@default_codec, codec) if Native.main_ractor? && !klass.frozen?
        codec
      end

      # @param klass [Class]
      # @param wire [Array<Symbol>] none or one
      # @param options [Hash]
      # @yieldparam wire [Array<Symbol>] the one that is given, else the class's
      # @yieldparam options [Hash] the class's, but for those that are given
      # @return [Object] what the block returns
      def merge(klass, wire, options)
        default, defaults = find(klass)
        yield wire.empty? ? [default] : wire, { **defaults, **options }
      end

      private

      def find(klass)
        while Declared.shape(klass)
          found = klass.instance_variable_get(:@codec_defaults)
          return found if found

          klass = klass.superclass
        end
        USUAL
      end

      def used?(klass) = Native.sealed?(klass) || klass.subclasses.any? { |subclass| used?(subclass) }
    end
  end
end
