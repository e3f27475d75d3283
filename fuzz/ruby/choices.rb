# frozen_string_literal: true

module Fuzzing
  # Decisions that bytes make, in the place of a Random: a fuzzer that changes some bytes changes some decisions, and the
  # generators of random values need not know. The first four bytes are a seed. It decides what is still open when the bytes
  # end, so that few bytes make much, and what is decided at the end does not change with each byte before it.
  class Choices
    SEED_SIZE = 4

    # @param bytes [String]
    def initialize(bytes)
      @bytes = bytes
      @at = SEED_SIZE
      @state = ((bytes.byteslice(0, SEED_SIZE).unpack1("L") || 0) | 1) * 0x9e37_79b9
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
      number = 0
      (((limit - 1).bit_length + 7) / 8).times { number = (number << 8) | byte }
      number % limit
    end

    def byte
      found = @bytes.getbyte(@at) || drawn
      @at += 1
      found
    end

    # Marsaglia's xorshift.
    def drawn
      @state ^= (@state << 13) & 0xffff_ffff_ffff_ffff
      @state ^= @state >> 7
      @state ^= (@state << 17) & 0xffff_ffff_ffff_ffff
      @state & 0xff
    end
  end
end
