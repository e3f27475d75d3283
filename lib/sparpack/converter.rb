# frozen_string_literal: true

module Sparpack
  # Turns payloads of one wire into payloads of another, without making objects. The result is what a decode and an encode
  # give, and so are the errors. A converter is frozen, so make it once and share it between threads and Ractors.
  #
  # @example
  #   TO_JSON = Sparpack::Converter.new(Listing, from: :compact, to: :json)
  #   TO_JSON.convert(Listing.new(listing_id: 1).encode) # => "{\"listing_id\":1,\"labels\":{}}"
  class Converter
    # Makes a converter. Each side is a wire, or a codec of the same class with its options.
    #
    # A wire that is read stands for a codec with `unknown: :keep`: fields that the class does not have are copied if the
    # other wire can carry them, and dropped otherwise. A codec does what its own options say. A wire `:json` that is written
    # stands for a codec with `frame: :lines`, which matters for {#copy_stream} alone.
    #
    # Payloads of a mapping are decoded and encoded again, so objects are made. Unknown fields are dropped, because these
    # objects have no place for them.
    #
    # @param struct_class [Class, Mapping] a subclass of {Struct}, {Union} or {Exception}, or a mapping of a plain class
    # @param from [Symbol, Codec] the wire that is read, or a codec
    # @param to [Symbol, Codec] the wire that is written, or a codec
    # @param unknown [Symbol] what happens to unknown fields if `from` is a wire: `:keep`, `:skip` or `:reject`, as
    #   {Codec#initialize} takes it
    # @raise [ArgumentError] for an unknown class, wire or option, for a codec of another class, and if both a codec to read
    #   and `unknown:` are given
    # @raise [SchemaError] as {Codec#initialize}
    # @example
    #   gateway = Sparpack::Codec.new(Listing, :message_pack, keys: :names, enums: :names)
    #   Sparpack::Converter.new(Listing, from: :compact, to: gateway, unknown: :reject)
    def initialize(struct_class, from:, to:, unknown: nil, **others)
      Options.refuse(others, Converter.instance_method(:initialize)) unless others.empty?
      raise ArgumentError, "unknown: pass it to the codec of from:" if unknown && from.is_a?(Codec)

      reader = side(struct_class, from, reading_options(struct_class, from, unknown), *(:unknown if unknown))
      writer = side(struct_class, to, to == :json ? { frame: :lines } : {})
      Native.converter_setup(self, reader, writer)
      freeze
    end

    # @!method convert(bytes)
    #   Converts one payload.
    #
    #   @param bytes [String] exactly one payload in the wire that is read
    #   @return [String] the payload in the wire that is written: unfrozen, in ASCII-8BIT, or in UTF-8 if the wire is JSON
    #   @raise [DecodeError] as {Codec#decode}
    #   @raise [EncodeError] as {Codec#encode}
    #   @raise [TypeError] if `bytes` is not a String
    #   @example
    #     json = Sparpack::Converter.new(Listing, from: :compact, to: :json).convert(bytes)

    # @!method from
    #   @return [Codec] the codec whose payloads are read

    # @!method to
    #   @return [Codec] the codec whose payloads are written

    # Converts one payload after another, without loading the whole input. Each side has the frames of its codec. One
    # payload may have at most {Limits#message} bytes, and that is what bounds the memory of the call.
    #
    # Payloads before a fault are written. What the source or the target raises is passed on. By then the source may have
    # been read further than to the last payload that was written.
    #
    # Each payload is passed to `write` once. Like `IO#write`, it must take all of it, or raise. What it returns is not used,
    # because that is something else for many ios: one that compresses returns another number, some return nil.
    #
    # @param source [String, IO, Pathname] as {Codec#decode_each} takes it
    # @param target [#write] as {Codec#encode_to} takes it
    # @return [Integer] how many bytes the target was given
    # @raise [DecodeError] at the first fault, as {Codec#decode_each}
    # @raise [EncodeError] as {Codec#encode_to}
    # @raise [EOFError] as {Codec#decode_each}
    # @raise [TypeError] if `source` cannot be read or `target` is not an io
    # @example
    #   converter = Sparpack::Converter.new(Listing, from: :compact, to: :json)
    #   File.open("listings.jsonl", "wb") { |file| converter.copy_stream(Pathname("listings"), file) }
    def copy_stream(source, target)
      Input.check(source)
      Output.check(target)
      reads, writes = [from, to].map { |codec| Frame.find(codec.options[:frame], codec.wire) }
      written = 0
      from.each_payload(source, reads, Steps.new(self)) do |payload|
        written += Output.write(target, writes ? writes.wrap(payload, to) : payload)
      end
      written
    end

    # @return [String] the class and both wires
    def inspect = "#<#{self.class} #{from.struct_class} from #{from.wire} to #{to.wire}>"
    alias to_s inspect

    # Reads payloads for {Codec#each_payload}, and makes payloads of the other wire of them.
    #
    # @api private
    class Steps
      # @param converter [Converter]
      def initialize(converter)
        @converter = converter
        @to = converter.to
      end

      # (see Native.decode_prefix)
      def decode_prefix(codec, bytes, offset, base, partial)
        found = Native.convert_prefix(@converter, bytes, offset)
        return found if found

        object, offset = Native.decode_prefix(codec, bytes, offset, base, partial)
        [@to.encode(object), offset]
      end

      # (see Native.decode_payload)
      def decode_payload(codec, bytes, base)
        Native.convert_payload(@converter, bytes) || @to.encode(Native.decode_payload(codec, bytes, base))
      end
    end
    private_constant :Steps

    private

    # The options of a class's default codec hold here, too.
    def side(struct_class, given, usual, *fixed)
      unless given.is_a?(Codec)
        return DefaultCodec.merge(struct_class, [given], usual.slice(*fixed)) do |wire, options|
          Codec.new(struct_class, *wire, **usual, **options)
        end
      end
      return given if given.struct_class.equal?(struct_class)

      raise ArgumentError, "expected a codec of #{name(struct_class)}, got one of #{name(given.struct_class)}"
    end

    # A mapping is named like its class.
    def name(struct_class) = "#{"a mapping of " if struct_class.is_a?(Mapping)}#{Quote.plain(struct_class)}"

    # All forms of a wire are read, so the codec has one that any class can have.
    def reading_options(struct_class, wire, unknown)
      forms = Native::WIRE_OPTIONS[wire]&.include?(:keys)
      options = { unknown: unknown || (struct_class.is_a?(Mapping) ? :skip : :keep) }
      forms ? { **options, keys: :ids } : options
    end

    class << self
      # Returns a converter. The last ones of a class are kept.
      #
      # @api private
      def for(struct_class, from, to, unknown)
        key = [struct_class, from, to, unknown].freeze
        kept = main? ? struct_class.instance_variable_get(:@converters) || KEPT_NONE : KEPT_NONE
        kept.fetch(key) { new(struct_class, from:, to:, unknown:).tap { |made| keep(struct_class, kept, key, made) } }
      end

      private

      def main? = Native.main_ractor?

      # A copied class has the variables of the original, so the key names the class.
      def keep(struct_class, kept, key, converter)
        return if !main? || struct_class.frozen? || kept.size == MOST_KEPT || key.any?(Codec)

        struct_class.instance_variable_set(:@converters, { **kept, key => converter }.freeze)
      end
    end

    KEPT_NONE = {}.freeze
    MOST_KEPT = 32
    private_constant :KEPT_NONE, :MOST_KEPT
  end
end
