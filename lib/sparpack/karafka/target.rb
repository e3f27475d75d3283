# frozen_string_literal: true

module Sparpack
  module Karafka
    # A class whose objects are read, by itself or by its name, and its codecs by wires. A name is looked up each time,
    # because the class may have been loaded again.
    #
    # @api private
    class Target
      # @param target [Class, Mapping, Codec, String]
      # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
      # @raise [ArgumentError] for an unknown option, or if it is no class
      def initialize(target, options)
        Media::Bodies.check(target, options)
        @target = target
        @options = options
        @codecs = {}.freeze
      end

      # @param wire [Symbol]
      # @return [Codec]
      # @raise [NameError] if there is no class of that name
      def codec(wire)
        klass = @target.is_a?(String) ? Object.const_get(@target) : @target
        known, codec = @codecs[wire]
        return codec if codec && known.equal?(klass)

        codec = Media::Bodies.codec(klass, wire, @options)
        @codecs = { **@codecs, wire => [klass, codec].freeze }.freeze # other threads may look at it
        codec
      end
    end
  end
end
