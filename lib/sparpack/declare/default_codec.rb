# frozen_string_literal: true

module Sparpack
  # Holds the default wire and options of classes. Only classes that declare some get the methods in {Encoding} and
  # {Decoding}, so the others stay as fast as they are.
  #
  # @api private
  module DefaultCodec
    USUAL = Ractor.make_shareable([:compact, {}])

    # How many codecs of calls a class keeps.
    RECENT = 16
    NONE = {}.freeze
    private_constant :USUAL, :RECENT, :NONE

    # The methods of objects whose class declares a default.
    module Encoding
      # Encodes the object, as {Value#encode} does.
      #
      # @return [String]
      def encode(*wire, **options)
        return DefaultCodec.codec(self.class).encode(self) if wire.empty? && options.empty?

        DefaultCodec.merge(self.class, wire, options, frame: false) { |all, merged| super(*all, **merged) }
      end
    end

    # The methods of classes that declare a default.
    module Decoding
      # Decodes one object, as {Declaration#decode} does.
      #
      # @return [Value]
      def decode(bytes, *wire, **options)
        return DefaultCodec.codec(self).decode(bytes) if wire.empty? && options.empty?

        DefaultCodec.merge(self, wire, options, frame: false) { |all, merged| super(bytes, *all, **merged) }
      end
    end

    class << self
      # Sets the default of a class.
      #
      # @param klass [Class]
      # @param wire [Symbol]
      # @param options [Hash]
      # @return [void]
      # @raise [ArgumentError] for an unknown wire or option
      # @raise [SchemaError] if the class or a subclass is in use already
      def declare(klass, wire, options)
        name = Quote.plain(klass)
        raise SchemaError, "#{name} is a base class: declare the default codec in a subclass" unless Declared.shape(klass)
        if options[:observe]
          raise ArgumentError, "observe: cannot be a default, because all Ractors share it: pass it to Sparpack::Codec.new"
        end
        raise SchemaError, "#{name} is in use already: declare its default codec before its first use" if used?(klass)

        Codec.new(Class.new(Struct), wire, **options) # checks them; the class itself may use types that do not exist yet
        klass.instance_variable_set(:@codec_defaults, Ractor.make_shareable([wire, options]))
        klass.include(Encoding)
        klass.extend(Decoding)
      end

      # @param klass [Class]
      # @return [Codec] frozen; the same each time in one Ractor
      def codec(klass)
        known = klass.instance_variable_get(:@default_codec)
        return known if known && known.struct_class.equal?(klass) # a copied class has the variables of the original
        return own_codecs[klass] ||= make(klass) unless Native.main_ractor?

        codec = make(klass)
        klass.instance_variable_set(:@default_codec, codec) unless klass.frozen?
        codec
      end

      # Returns the codec of a call.
      #
      # @param klass [Class]
      # @param wire [Array<Symbol>] at most one
      # @param options [Hash]
      # @param beside [Array<Symbol>] options that the call has beside those of the codec, for the hint
      # @return [Codec] frozen
      # @raise [ArgumentError] for an unknown wire or option
      def for(klass, wire, options, beside: [])
        return codec(klass) if wire.empty? && options.empty?

        hinting(options, beside) { merge(klass, wire, options) { |all, merged| Codec.new(klass, *all, **merged) } }
      end

      # Returns the codec of a call that only reads. All forms of a wire are read, so it has one that any class can have.
      #
      # @param klass [Class]
      # @param wire [Array<Symbol>] at most one
      # @param options [Hash]
      # @param beside [Array<Symbol>] options that the call has beside those of the codec, for the hint
      # @return [Codec] frozen
      # @raise [ArgumentError] for an unknown wire or option
      def reader(klass, wire, options, beside: [])
        return codec(klass) if wire.empty? && options.empty?

        recent(klass, options.empty? ? wire.first : [wire.first, options]) do
          hinting(options, beside) do
            merge(klass, wire, options) do |all, merged|
              merged = { keys: :ids, **merged } if Native::WIRE_OPTIONS[all.first]&.include?(:keys)
              Codec.new(klass, *all, **merged)
            end
          end
        end
      end

      # Yields the wire and options of a call, completed with the defaults of the class. Options that the default wire knows
      # and the wire of the call does not are left out.
      #
      # @param klass [Class]
      # @param wire [Array<Symbol>] at most one
      # @param options [Hash]
      # @param frame [Boolean] whether the call knows frames
      # @yieldparam wire [Array<Symbol>]
      # @yieldparam options [Hash]
      # @return [Object] the block's result
      def merge(klass, wire, options, frame: true)
        default, defaults = find(klass)
        defaults = defaults.except(:frame) unless frame
        defaults = known_to(wire.first, defaults) unless wire.empty?
        yield wire.empty? ? [default] : wire, { **defaults, **options }
      end

      private

      # Lets the hint of the block's error be about the options of the call, too, of which one may be `wire:`.
      def hinting(options, beside)
        yield
      rescue ArgumentError => e
        Options.refuse_similar(options.keys, beside)
        raise unless beside.include?(:wire)

        name = Options.refused(options, e)
        meant = Advice.wire_meant(name, options[name]) if name
        raise meant ? ArgumentError.new("unknown option #{Quote.value(name)} (use wire: #{Quote.value(meant)})") : e
      end

      # Keeps the codecs of the first few kinds of calls to a class, in the main Ractor alone. To make one takes several
      # times as long as to read a small payload.
      #
      # @param call [Object] what makes the codec
      # @yieldreturn [Codec]
      # @return [Codec]
      def recent(klass, call)
        known = Native.main_ractor? ? klass.instance_variable_get(:@recent_codecs) || NONE : NONE
        found = known[call]
        return found if found && found.struct_class.equal?(klass)

        codec = yield
        return codec if known.size >= RECENT || klass.frozen? || !Native.main_ractor?

        klass.instance_variable_set(:@recent_codecs, { **known, call => codec }.freeze)
        codec
      end

      # Leaves out options that other wires know, and this one does not.
      def known_to(wire, options)
        own = Native::WIRE_OPTIONS.fetch(wire) { return options }
        options.select { |name, _| own.include?(name) || Native::WIRE_OPTIONS.each_value.none? { |all| all.include?(name) } }
      end

      def make(klass)
        wire, options = find(klass)
        Ractor.make_shareable(Codec.new(klass, wire, **options))
      end

      # The codecs that a Ractor made for itself, because only the main Ractor can keep them in the classes.
      def own_codecs = ::Ractor.current[:sparpack_default_codecs] ||= {}.compare_by_identity

      # A mapping has no default of its own.
      def find(klass)
        return USUAL if klass.is_a?(Mapping)

        while Declared.shape(klass)
          found = klass.instance_variable_get(:@codec_defaults)
          return found if found

          klass = klass.superclass
        end
        USUAL
      end

      def used?(klass) = Native.sealed?(klass) || klass.subclasses.any? { |subclass| used?(subclass) }
    end
  end
end
