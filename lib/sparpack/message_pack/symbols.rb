# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Converts Symbols to payloads, which are their names, and back. If an extension type for Symbol is registered by the
    # names of these methods, these are used. Symbol itself has them only after `require "sparpack/drop_in/msgpack"`.
    #
    # @example
    #   factory = Sparpack::MessagePack::Factory.new
    #   factory.register_type(0, Symbol)
    #   factory.load(factory.dump([:a, "a"])) # => [:a, "a"]
    module Symbols
      # Returns the payload of a Symbol.
      #
      # @param symbol [Symbol]
      # @return [String] the name, frozen
      # @example
      #   Sparpack::MessagePack::Symbols.to_msgpack_ext(:a) # => "a"
      def self.to_msgpack_ext(symbol) = symbol.name

      # Returns the Symbol of a payload.
      #
      # @param data [String] read as UTF-8, whatever its encoding; bytes that are not UTF-8 make a binary Symbol
      # @return [Symbol]
      # @example
      #   Sparpack::MessagePack::Symbols.from_msgpack_ext("a") # => :a
      def self.from_msgpack_ext(data)
        name = data.dup.force_encoding(Encoding::UTF_8)
        name.force_encoding(Encoding::BINARY) unless name.valid_encoding?
        name.to_sym
      end
    end
  end
end
