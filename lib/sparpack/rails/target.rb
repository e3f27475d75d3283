# frozen_string_literal: true

module Sparpack
  module Rails
    # The class of an attribute, by itself or by its name, and the codecs with which it is written and read. A name is looked
    # up each time, because the class may have been loaded again.
    #
    # @api private
    class Target
      # Stands for a class that is not there yet.
      class Nothing < Struct; end
      private_constant :Nothing

      # The class as it is now, with its codecs.
      Known = ::Struct.new(:klass, :codec, :readers)
      private_constant :Known

      # @return [Symbol]
      attr_reader :wire

      # @return [Array] what makes two of them equal
      attr_reader :identity

      # @param of [Class, Mapping, Codec, String]
      # @param wire [Symbol, nil] nil for that of a codec, or `:compact`
      # @param reads [Array<Symbol>, Symbol] wires that are read besides
      # @param options [Hash] as {Codec#initialize} takes them
      # @param own [Array<Symbol>] the options that an attribute has beside those, for the hint
      # @raise [ArgumentError] for an unknown wire or option, or if `of` is no class
      def initialize(of, wire, reads, options, own: [])
        @wire = wire || (of.is_a?(Codec) ? of.wire : :compact)
        options = { **of.options.except(:frame), **options } if of.is_a?(Codec)
        @options = options.freeze
        @reads = (Array(reads) - [@wire]).freeze
        @find = find(of.is_a?(Codec) ? of.struct_class : of)
        @name = of if of.is_a?(String)
        @identity = [@name&.delete_prefix("::") || @find.call, @wire, @reads, @options].freeze
        check(own)
      end

      # @return [Class, Mapping]
      # @raise [NameError] if there is no class of that name
      # @raise [ArgumentError] if what has the name is something else
      def klass = known.klass

      # @return [Codec] which writes, and is the first to read
      # @raise [NameError, ArgumentError] as {klass}
      def codec = known.codec

      # @return [Hash{Symbol => Codec}] by the wires that are read besides
      def readers = known.readers

      # @param wire [Symbol]
      # @return [Boolean] whether it is one that is read besides
      def reads?(wire) = @reads.include?(wire)

      # @param wire [Symbol]
      # @return [Codec] which reads another wire, with the options that this wire knows
      def reader(wire, klass = self.klass) = Media::Bodies.codec(klass, wire, @options)

      # @return [Codec] which reads JSON, and skips what does not fit
      def skipping_reader
        Media::Bodies.codec(klass, :json, { **@options, mismatch: :skip, validate: :none, unknown: :skip })
      end

      # @return [Boolean] whether a name that is not a field is a fault
      def rejects_unknown? = @options[:unknown] == :reject

      # @return [String] the class, as errors show it
      def to_s = @name || Quote.plain(klass)

      private

      def known
        klass = @find.call
        known = @known
        return known if known && known.klass.equal?(klass)

        known = Known.new(klass, own(klass), @reads.to_h { |wire| [wire, reader(wire, klass)] }.freeze).freeze
        @known = known unless frozen? # other threads may look at it
        known
      end

      def own(klass)
        klass.is_a?(Mapping) ? Codec.new(klass, wire, **@options) : DefaultCodec.for(klass, [wire], @options)
      end

      # A constant in code is found faster than by Module#const_get, which takes as long as encoding a small object.
      def find(of)
        return -> { of } unless of.is_a?(String)
        raise ArgumentError, "of: expected the name of a class, got #{Quote.value(of)}" unless of.match?(Advice::CONSTANT)

        eval("-> { ::#{of.delete_prefix("::")} }", TOPLEVEL_BINDING, __FILE__, __LINE__) # rubocop:disable Security/Eval -- a name
      end

      def check(own)
        klass = @name ? Nothing : @find.call
        raise ArgumentError, "unknown option :frame (a column holds one payload)" if @options.key?(:frame)

        Codec.new(klass, wire, **@options)
        @reads.each { |wire| Media::Bodies.codec(klass, wire, @options) }
      rescue ArgumentError
        @options.each_key { |name| Options.check({ name => true }, own) if Names.closest(name, own) }
        raise
      end
    end
  end
end
