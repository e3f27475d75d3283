# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Gives a class `to_msgpack`, which a packer calls, too. What includes it has a private method
    # `to_msgpack_with_packer(packer)`, which writes the object by the packer.
    #
    # {ExtensionValue} includes it; Ruby's own classes do only after `require "sparpack/drop_in/msgpack"`.
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
    #   Point.new(1, 2).to_msgpack # => "\x92\x01\x02"
    module CoreExt
      # @param packer_or_io [Packer, #write, #<<, nil]
      # @return [String, nil, Packer] the bytes; nil where an io has them; the packer where one is given
      # @raise [RangeError, NoMethodError, StackError] as {MessagePack.pack}
      def to_msgpack(packer_or_io = nil)
        return MessagePack.pack(self, packer_or_io) unless packer_or_io.is_a?(Packer)

        to_msgpack_with_packer(packer_or_io)
        packer_or_io
      end
    end
  end
end
