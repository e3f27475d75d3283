# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Symbols as payloads: their names. Where the extension type of Symbol is registered by the names of these methods, these
    # are used, for Symbol itself has them only after `require "sparpack/drop_in/msgpack"`.
    #
    # @example
    #   factory = Sparpack::MessagePack::Factory.new
    #   factory.register_type(0, Symbol)
    #   factory.load(factory.dump([:a, "a"])) # => [:a, "a"]
    module Symbols
      # @param symbol [Symbol]
      # @return [String] frozen
      def self.to_msgpack_ext(symbol) = symbol.name

      # @param data [String] UTF-8, whatever its encoding says; other bytes make a binary Symbol
      # @return [Symbol]
      def self.from_msgpack_ext(data)
        name = data.dup.force_encoding(Encoding::UTF_8)
        name.force_encoding(Encoding::BINARY) unless name.valid_encoding?
        name.to_sym
      end
    end
  end
end
