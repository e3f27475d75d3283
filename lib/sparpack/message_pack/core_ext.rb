# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Adds `to_msgpack` to a class, so that its objects can be packed. The class defines a private method
    # `to_msgpack_with_packer(packer)`, which writes the object to the packer.
    #
    # {ExtensionValue} includes this module. Ruby's own classes include it only after `require "sparpack/drop_in/msgpack"`.
    #
    # @example
    #   class Point < Struct.new(:x, :y)
    #     include Sparpack::MessagePack::CoreExt
    #
    #     private
    #
    #     def to_msgpack_with_packer(packer) = packer.write_array([x, y])
    #   end
    #
    #   Point.new(1, 2).to_msgpack # => "\x92\x01\x02".b
    module CoreExt
      # Packs the object.
      #
      # @param packer_or_io [Packer, #write, #<<, nil] what to write to
      # @return [String, nil, Packer] the bytes; nil if there is an io; the packer if there is one
      # @raise [RangeError, NoMethodError, StackError] as {MessagePack.pack}
      # @example
      #   Sparpack::MessagePack::ExtensionValue.new(5, "a").to_msgpack # => "\xD4\x05a".b
      def to_msgpack(packer_or_io = nil)
        return MessagePack.pack(self, packer_or_io) unless packer_or_io.is_a?(Packer)

        to_msgpack_with_packer(packer_or_io)
        packer_or_io
      end
    end
  end
end
