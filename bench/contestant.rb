# frozen_string_literal: true

module Bench
  # Raised if a contestant gives a wrong result.
  WrongResult = Class.new(StandardError)

  # One thing to be timed: Ruby source and the local variables it uses.
  class Contestant
    # peer: the name of the library ("thrift"); variant: one of its ways ("pool"); wire: the format of the bytes, or nil.
    attr_reader :peer, :variant, :wire, :bytes

    # @param source [String] the expression that is timed
    # @param bytes [Integer, nil] how many bytes it reads; #verify sets how many it writes
    # @param check [Proc, nil] receives the expression's result, returns whether it is right
    # @param locals [Hash{Symbol => Object}] the local variables of the expression
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

    # Compiles a loop around the expression. It costs at most 15 ns per turn, the same for all contestants. A block would
    # cost more, and the contestants would share its inline caches.
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
