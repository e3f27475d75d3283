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
    # stands for a codec with `to_frame: :lines`, which matters for {#copy_stream} alone.
    #
    # The options are those of {Codec#initialize}, for the sides that are wires. `unknown:`, `mismatch:` and `frame:` are for
    # the side that is read. `keys:`, `enums:`, `i64:`, `compression:` and `to_frame:` are for the side that is written, and
    # `validate:`, `utf8:` and `limits:` for both.
    #
    # Payloads of a mapping are decoded and encoded again, so objects are made. Unknown fields are dropped, because these
    # objects have no place for them.
    #
    # @param struct_class [Class, Mapping] a subclass of {Struct}, {Union} or {Exception}, or a mapping of a plain class
    # @param from [Symbol, Codec] the wire that is read, or a codec
    # @param to [Symbol, Codec] the wire that is written, or a codec
    # @param options [Hash] options of the wires
    # @option options [Symbol] :unknown (:keep) what happens to unknown fields: `:keep`, `:skip` or `:reject`
    # @option options [Symbol, nil] :frame (nil) the frames that {#copy_stream} reads: `:varint`, `:framed` or `:lines`
    # @option options [Symbol, nil] :to_frame (nil) the frames that {#copy_stream} writes
    # @raise [ArgumentError] for an unknown class or wire, for an option that the wire does not know, for a codec of another
    #   class, and for an option of a side that is a codec
    # @raise [SchemaError] as {Codec#initialize}
    # @example
    #   Sparpack::Converter.new(Listing, from: :compact, to: :json, frame: :framed, enums: :names, i64: :string)
    # @example
    #   gateway = Sparpack::Codec.new(Listing, :message_pack, keys: :names, enums: :names)
    #   Sparpack::Converter.new(Listing, from: :compact, to: gateway, unknown: :reject)
    def initialize(struct_class, from:, to:, **options)
      reads, writes = Sides.options(from, to, options)
      reader = side(struct_class, from, usual_of_reader(struct_class, from), reads)
      writer = side(struct_class, to, to == :json ? { frame: :lines } : {}, writes)
      Native.converter_setup(self, reader, writer)
      freeze
    end

    # @!method convert(bytes)
    #   Converts one payload.
    #
    #   @param bytes [String] exactly one payload in the wire that is read
    #   @return [String] the payload in the wire that is written: unfrozen, in ASCII-8BIT, or in UTF-8 if the wire is JSON
    #   @raise [DecodeError] as {Codec#decode}, and if the result is larger than {Limits#memory} of the codec that reads
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
    # @param frame [Symbol, nil] other frames than those of the codec that reads
    # @param to_frame [Symbol, nil] other frames than those of the codec that writes
    # @param threads [Integer] how many native threads convert, from 1 to 64. With more than one, many payloads are passed
    #   to `write` at a time. See docs/concurrency.md
    # @return [Integer] how many bytes the target was given
    # @raise [DecodeError] at the first fault, as {Codec#decode_each} and {#convert}
    # @raise [EncodeError] as {Codec#encode_to}
    # @raise [EOFError] as {Codec#decode_each}
    # @raise [ArgumentError] for frames that the wire does not have, and for a wrong number of threads
    # @raise [TypeError] if `source` cannot be read or `target` is not an io
    # @example
    #   converter = Sparpack::Converter.new(Listing, from: :compact, to: :json)
    #   File.open("listings.jsonl", "wb") { |file| converter.copy_stream(Pathname("listings"), file) }
    def copy_stream(source, target, frame: from.options[:frame], to_frame: to.options[:frame], threads: 1, **unknown)
      Options.check(unknown, %i[frame to_frame threads]) unless unknown.empty?
      reads = Frame.find(frame, from.wire)
      writes = Frame.find(to_frame, to.wire, "to_frame")
      Ahead.check(threads)
      Input.check(source)
      Output.check(target)
      written = 0
      steps = Steps.new(self, writes)
      steps = steps.ahead(frame, to_frame, threads) if threads > 1
      from.each_payload(source, reads, steps) { |bytes| written += Output.write(target, bytes) }
      written
    end

    # @return [String] the class and both wires
    def inspect = "#<#{self.class} #{from.struct_class} from #{from.wire} to #{to.wire}>"
    alias to_s inspect

    # Reads payloads for {Codec#each_payload}, and makes payloads of the other wire of them, in their frames.
    #
    # @api private
    class Steps
      # @param converter [Converter]
      # @param frame [Frame, nil] that is written
      def initialize(converter, frame)
        @converter = converter
        @to = converter.to
        @frame = frame
      end

      # Reads the same on several threads, unless one payload may be anywhere behind another.
      #
      # @param frame [Symbol, nil]
      # @param to_frame [Symbol, nil]
      # @param threads [Integer]
      # @return [Ahead, Steps]
      def ahead(frame, to_frame, threads)
        return self if @converter.from.wire == :json && frame.nil?

        frames = [frame, to_frame].map { |name| Frame::CODES.fetch(name) }
        Ahead.new(self, threads) do |bytes, offset, size, most|
          Native.convert_many(@converter, bytes, offset, size, most, threads, *frames)
        end
      end

      # (see Native.decode_prefix)
      def decode_prefix(codec, bytes, offset, base, partial)
        payload, finish = without_objects(codec, bytes, offset, base)
        unless payload
          object, finish = Native.decode_prefix(codec, bytes, offset, base, partial)
          payload = Native.encode_converted(@to, object, codec, bytes, offset, finish, base)
        end
        [wrap(payload), finish]
      end

      # (see Native.decode_payload)
      def decode_payload(codec, bytes, base)
        payload = Native.convert_payload(@converter, bytes, base)
        return wrap(payload) if payload

        object = Native.decode_payload(codec, bytes, base)
        wrap(Native.encode_converted(@to, object, codec, bytes, 0, bytes.bytesize, base))
      end

      private

      def wrap(payload) = @frame ? @frame.wrap(payload, @to) : payload

      # The size of a payload says how long the output may be, but it is only known at the end. Few outputs are so long that
      # the end has to be looked for.
      def without_objects(codec, bytes, offset, base)
        Native.convert_prefix(@converter, bytes, offset, base, nil)
      rescue DecodeError::LimitExceeded
        size = Native.payload_end_find(Native.payload_end(codec), bytes.byteslice(offset..))
        Native.convert_prefix(@converter, bytes, offset, base, size) if size
      end
    end

    # Finds out which options are for the codec that reads, and which are for the one that writes.
    #
    # @api private
    module Sides
      READING = %i[unknown mismatch frame].freeze
      WRITING = %i[keys enums i64 compression to_frame].freeze
      BOTH = %i[validate utf8 limits].freeze
      private_constant :READING, :WRITING, :BOTH

      # All of them.
      OPTIONS = [*READING, *WRITING, *BOTH].freeze

      # Those of calls that have one payload.
      WITHOUT_FRAMES = (OPTIONS - %i[frame to_frame]).freeze

      class << self
        # @param from [Symbol, Codec]
        # @param to [Symbol, Codec]
        # @param given [Hash]
        # @return [Array(Hash, Hash)] the options of each codec
        # @raise [ArgumentError] for an unknown option, and for one of a side that is a codec
        def options(from, to, given)
          return [given, given] if given.empty?

          Options.check(given, OPTIONS)
          given = given.reject { |name, value| name == :unknown && value.nil? }
          given.each_key { |name| refuse_beside_codec(name, from, to) }
          Frame.check(given[:to_frame], to, "to_frame") if WIRES.include?(to)
          writes = given.slice(*WRITING, *BOTH).transform_keys(to_frame: :frame)
          [given.slice(*READING, *BOTH), writes]
        end

        private

        def refuse_beside_codec(name, from, to)
          sides = { from: READING, to: WRITING }.filter_map do |side, only|
            side if BOTH.include?(name) || only.include?(name)
          end
          return unless sides.all? { |side| (side == :from ? from : to).is_a?(Codec) }

          name = :frame if name == :to_frame
          raise ArgumentError, "#{name}: pass it to the codec#{"s" if sides.size > 1} of #{sides.map do |s|
            "#{s}:"
          end.join(" and ")}"
        end
      end
    end
    private_constant :Sides

    private

    # The options of a class's default codec hold here, too.
    def side(struct_class, given, usual, options)
      unless given.is_a?(Codec)
        return DefaultCodec.merge(struct_class, [given], options) do |wire, merged|
          Codec.new(struct_class, *wire, **usual, **merged)
        end
      end
      return given if given.struct_class.equal?(struct_class)

      raise ArgumentError, "expected a codec of #{name(struct_class)}, got one of #{name(given.struct_class)}"
    end

    # A mapping is named like its class.
    def name(struct_class) = "#{"a mapping of " if struct_class.is_a?(Mapping)}#{Quote.plain(struct_class)}"

    # All forms of a wire are read, so the codec has one that any class can have.
    def usual_of_reader(struct_class, wire)
      forms = Native::WIRE_OPTIONS[wire]&.include?(:keys)
      options = { unknown: struct_class.is_a?(Mapping) ? :skip : :keep }
      forms ? { **options, keys: :ids } : options
    end

    class << self
      # Returns a converter. The last ones of a class are kept.
      #
      # @api private
      def for(struct_class, from, to, options)
        Options.check(options, Sides::WITHOUT_FRAMES) if options
        key = [struct_class, from, to, options].freeze
        kept = main? ? struct_class.instance_variable_get(:@converters) || KEPT_NONE : KEPT_NONE
        kept.fetch(key) { new(struct_class, from:, to:, **options.to_h).tap { |made| keep(struct_class, kept, key, made) } }
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
