# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Converts Integers of any size to payloads and back. A payload holds the sign, then 32 bits at a time, the lowest first.
    #
    # @example
    #   bigint = Sparpack::MessagePack::Bigint
    #   bigint.from_msgpack_ext(bigint.to_msgpack_ext(2**70)) == 2**70 # => true
    module Bigint
      # The number of bits in each part.
      CHUNK_BITLENGTH = 32

      # How Array#pack writes the parts.
      CHUNK_FORMAT = "L>*"

      # How Array#pack writes the sign and the parts.
      FORMAT = "C#{CHUNK_FORMAT}".freeze

      # Makes the payload of an Integer.
      #
      # @param integer [Integer]
      # @return [String]
      # @example
      #   Sparpack::MessagePack::Bigint.to_msgpack_ext(2**32) # => "\x00\x00\x00\x00\x00\x00\x00\x00\x01".b
      def self.to_msgpack_ext(integer)
        words = integer.zero? ? [] : integer.abs.digits(1 << CHUNK_BITLENGTH)
        [integer.negative? ? 1 : 0, *words].pack(FORMAT)
      end

      # Reads a payload.
      #
      # @param data [String]
      # @return [Integer]
      # @example
      #   Sparpack::MessagePack::Bigint.from_msgpack_ext("\x01\x00\x00\x00\x05") # => -5
      def self.from_msgpack_ext(data)
        sign, *words = data.unpack(FORMAT)
        number = words.reverse.pack(CHUNK_FORMAT).unpack1("H*").to_i(16)
        sign.to_i.zero? ? number : -number # an empty payload has neither a sign nor words
      end
    end
  end
end
