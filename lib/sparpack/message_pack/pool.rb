# frozen_string_literal: true

module Sparpack
  module MessagePack
    class Factory
      # Keeps packers and unpackers of a factory and reuses them. They are frozen, so no types can be registered with them.
      # Threads can share a pool.
      #
      # @example
      #   pool = factory.pool(5)
      #   pool.load(pool.dump([1, 2])) # => [1, 2]
      class Pool
        # Makes a pool. {Factory#pool} is the usual way to do so.
        #
        # @param factory [Factory] a frozen factory
        # @param size [Integer] how many packers and how many unpackers to keep
        # @param options [Hash, nil] as {Packer#initialize} and {Unpacker#initialize} take them; and `compression:`, as
        #   {MessagePack.pack} takes it, with which the pool has no packers to lend
        # @raise [ArgumentError] for an unknown option, and for `compression:` if the factory has a type of the same number
        # @example
        #   Sparpack::MessagePack::Factory::Pool.new(factory.freeze, 5)
        def initialize(factory, size, options = nil)
          Arguments.check_options(:pool, options)
          @factory = factory
          @options = %i[packer unpacker].to_h { |kind| [kind, Arguments.only(kind, options)] }.freeze
          @compression = options && options[:compression]
          Compression.check_types(@compression, factory.send(:types).readers) if @compression
          @writing = Packer.row(options).freeze if options
          @reading = Unpacker.row(options).freeze if options
          @size = size
          @packers = Thread::Queue.new
          @unpackers = Thread::Queue.new
        end

        # Unpacks one value.
        #
        # @param bytes [String]
        # @return [Object]
        # @raise [UnpackError, EOFError] as {MessagePack.unpack}
        # @raise [TypeError] if `bytes` is not a String and cannot be converted to one
        # @example
        #   factory.pool.load("\x92\x01\x02") # => [1, 2]
        def load(bytes)
          return @factory.load_by(bytes, @reading) if bytes.is_a?(String)

          unpacker { |unpacker| unpacker.feed(bytes).full_unpack }
        end

        # Packs a value.
        #
        # @param value [Object]
        # @return [String]
        # @raise [RangeError, NoMethodError, StackError] as {MessagePack.pack}
        # @example
        #   factory.pool.dump([1, 2]) # => "\x92\x01\x02".b
        def dump(value) = Compression.compress(@factory.dump_by(value, @writing), @compression)

        # Lends a packer to the block.
        #
        # @yieldparam packer [Packer]
        # @return [Object] the block's result
        # @example
        #   factory.pool.packer { |packer| packer.write(1).write(2).to_s } # => "\x01\x02".b
        def packer(&) = with(@packers, :packer, &)

        # Lends an unpacker to the block.
        #
        # @yieldparam unpacker [Unpacker]
        # @return [Object] the block's result
        # @example
        #   factory.pool.unpacker { |unpacker| unpacker.feed_each("\x01\x02").to_a } # => [1, 2]
        def unpacker(&) = with(@unpackers, :unpacker, &)

        private

        # A packer or unpacker that raised can be used again after a reset.
        def with(queue, kind)
          member = taken(queue) || @factory.public_send(kind, nil, @options[kind]).freeze
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
