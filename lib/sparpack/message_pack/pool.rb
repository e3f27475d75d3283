# frozen_string_literal: true

module Sparpack
  module MessagePack
    class Factory
      # Packers and unpackers of a factory that are used again and again.
      class Pool
        # @param factory [Factory] frozen
        # @param size [Integer] how many are kept
        # @param options [Hash] as {Packer#initialize} and {Unpacker#initialize}
        def initialize(factory, size, options = nil)
          @size = size
          @packers = Thread::Queue.new
          @unpackers = Thread::Queue.new
          @new_packer = -> { factory.packer(nil, options) }
          @new_unpacker = -> { factory.unpacker(nil, options) }
        end

        # @param bytes [String]
        # @return [Object]
        def load(bytes) = unpacker { |unpacker| unpacker.feed(bytes).full_unpack }

        # @param value [Object]
        # @return [String]
        def dump(value) = packer { |packer| packer.write(value).full_pack }

        # @yieldparam packer [Packer]
        # @return [Object] the block's result
        def packer(&) = with(@packers, @new_packer, &)

        # @yieldparam unpacker [Unpacker]
        # @return [Object] the block's result
        def unpacker(&) = with(@unpackers, @new_unpacker, &)

        private

        # One that raised in the middle is as good as new after a reset.
        def with(queue, make)
          member = taken(queue) || make.call
          yield member
        ensure
          if member
            member.reset
            queue << member if queue.size < @size
          end
        end

        def taken(queue)
          queue.pop(true) unless queue.empty?
        rescue ThreadError # another thread took the last one
          nil
        end
      end
    end
  end
end
