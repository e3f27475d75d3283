# frozen_string_literal: true

require_relative "contestant"

module Bench
  # A contestant that takes the next payload each turn, and begins again after the last one.
  class Cycling < Contestant
    # @param source [String] may use the local variable `input`, which is the payload whose turn it is
    # @param payloads [Array<String>] a power of two of them
    # @param expected [Cycling, nil] gives the right results
    def initialize(peer, source, payloads:, expected: nil, **options)
      @expected = expected
      super(peer, "input = payloads[turn & last]; #{source}", bytes: payloads.sum(&:bytesize) / payloads.size, payloads:,
                                                              last: payloads.size - 1, turn: 0, **options)
    end

    # Takes one turn with each payload.
    def verify
      @locals[:payloads].each_index do |index|
        result = at(index)
        next if @expected.nil? || result == @expected.at(index)

        raise WrongResult, "#{label} gave a wrong result: #{result.inspect[0, 400]}"
      end
    end

    # @return [Object] the result for one payload
    def at(index)
      @locals[:turn] = index
      once
    end
  end
end
