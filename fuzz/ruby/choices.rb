# frozen_string_literal: true

module Fuzzing
  # Decisions that bytes make, in the place of a Random: a fuzzer that changes some bytes changes some decisions, and the
  # generators of random values need not know. The first four bytes are a seed. It decides what is still open when the bytes
  # end, so that few bytes make much, and what is decided at the end does not change with each byte before it.
  class Choices
    SEED_SIZE = 4

    MASK = 0xffff_ffff

    # @param bytes [String]
    def initialize(bytes)
      @bytes = bytes
      @at = SEED_SIZE
      @state = (((bytes.byteslice(0, SEED_SIZE).unpack1("L") || 0) | 1) * 0x9e37_79b9) & MASK
      @drawn = 0 # bytes, behind a 1
    end

    # As Random#rand.
    #
    # @param limit [Integer, Range<Integer>, nil]
    # @return [Integer, Float]
    def rand(limit = nil)
      case limit
      when nil then below(1 << 16) / 65_536.0
      when Integer then below(limit)
      when Range then range(limit)
      else rand * limit
      end
    end

    # As Random#bytes.
    def bytes(size) = Array.new(size) { byte }.pack("C*")

    # @return [Object] one of a list
    def pick(list) = list[below(list.size)]

    # @param share [Float] of 1
    # @return [Boolean]
    def chance(share) = rand < share

    # @return [String] the bytes that have not decided anything
    def rest
      rest = @bytes.byteslice(@at..) || ""
      @at = @bytes.bytesize
      rest.b
    end

    private

    def range(range)
      return range.begin + (rand * (range.end - range.begin)) if range.begin.is_a?(Float)

      range.begin + below(range.size)
    end

    def below(limit)
      return byte % limit if limit <= 256

      number = 0
      (((limit - 1).bit_length + 7) / 8).times { number = (number << 8) | byte }
      number % limit
    end

    def byte
      found = @bytes.getbyte(@at) || drawn
      @at += 1
      found
    end

    # Four bytes of each number of Marsaglia's xorshift, which need no Bignum.
    def drawn
      @drawn = next_state | (1 << 32) if @drawn <= 1
      found = @drawn & 0xff
      @drawn >>= 8
      found
    end

    def next_state
      state = @state
      state ^= (state << 13) & MASK
      state ^= state >> 17
      @state = state ^ ((state << 5) & MASK)
    end
  end
end
