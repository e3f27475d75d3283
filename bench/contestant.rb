# frozen_string_literal: true

module Bench
  # Raised when a contestant does not do what it is about to be timed for.
  WrongResult = Class.new(StandardError)

  # One thing to be timed: Ruby source and the local variables it uses.
  class Contestant
    # peer: who ("thrift"); variant: which of its ways ("pool"); wire: bytes of which kind, or nil.
    attr_reader :peer, :variant, :wire, :bytes

    # @param source [String] the expression that is timed
    # @param bytes [Integer, nil] how many bytes it reads; how many it writes is seen when it is verified
    # @param check [Proc, nil] is given the expression's result, answers whether it is right
    # @param locals [Hash{Symbol => Object}] what the expression names
    def initialize(peer, source, variant: nil, wire: nil, bytes: nil, check: nil, **locals)
      @peer = peer
      @variant = variant
      @wire = wire
      @bytes = bytes
      @check = check
      @locals = locals
      compile(source)
    end

    def label
      [peer, variant, wire].compact.join(" ")
    end

    def to_h = { peer:, variant:, wire:, bytes: }

    def verify
      result = once
      raise WrongResult, "#{label} gave a wrong result: #{result.inspect[0, 400]}" unless @check.nil? || @check[result]

      @bytes ||= result.bytesize if result.is_a?(String)
    end

    private

    # A loop written out around the expression costs 15 ns or less a turn, the same for all; a block would cost more
    # and share its inline caches among the contestants.
    def compile(source)
      fetches = @locals.each_key.map { |name| "#{name} = @locals[:#{name}]" }.join("; ")
      instance_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        # def once
        #   bytes = @locals[:bytes]
        #   Listing.decode(bytes)
        # end
        def once
          #{fetches}
          #{source}
        end

        # def run(count)
        #   bytes = @locals[:bytes]
        #   turn = 0
        #   while turn < count
        #     Listing.decode(bytes)
        #     turn += 1
        #   end
        # end
        def run(count)
          #{fetches}
          turn = 0
          while turn < count
            #{source}
            turn += 1
          end
        end
      RUBY
    end
  end
end
