# frozen_string_literal: true

module Sparpack
  module MessagePack
    class Factory
      # Packers and unpackers of a factory that are used again and again. They are frozen: nothing is registered with one.
      class Pool
        # @param factory [Factory] frozen
        # @param size [Integer] how many are kept
        # @param options [Hash] as {Packer#initialize} and {Unpacker#initialize}
        # @raise [ArgumentError] for an unknown option
        def initialize(factory, size, options = nil)
          Arguments.check_options(:pool, options)
          @factory = factory
          @options = %i[packer unpacker].to_h { |kind| [kind, Arguments.only(kind, options)] }.freeze
          @writing = Packer.row(options).freeze if options
          @reading = Unpacker.row(options).freeze if options
          @size = size
          @packers = Thread::Queue.new
          @unpackers = Thread::Queue.new
        end

        # @param bytes [String]
        # @return [Object]
        # @raise [TypeError] if that is no String, nor becomes one
        def load(bytes)
          return @factory.load_by(bytes, @reading) if bytes.is_a?(String)

          unpacker { |unpacker| unpacker.feed(bytes).full_unpack }
        end

        # @param value [Object]
        # @return [String]
        def dump(value) = @factory.dump_by(value, @writing)

        # @yieldparam packer [Packer]
        # @return [Object] the block's result
        def packer(&) = with(@packers, :packer, &)

        # @yieldparam unpacker [Unpacker]
        # @return [Object] the block's result
        def unpacker(&) = with(@unpackers, :unpacker, &)

        private

        # One that raised in the middle is as good as new after a reset.
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
