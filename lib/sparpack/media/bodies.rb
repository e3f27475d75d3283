# frozen_string_literal: true

module Sparpack
  module Media
    # Bodies of requests, answers and messages: an object, or a list of objects, on one of the wires.
    #
    # @api private
    module Bodies
      class << self
        # Encodes an object or a list. Options that other wires know are left out, because who calls need not know the wire.
        # A list is not compressed.
        #
        # @param object [Value, #to_ary]
        # @param wire [Symbol]
        # @param options [Hash] as {Codec#initialize} takes them
        # @param mapping [Mapping, nil] of the objects, if they are plain ones
        # @return [String] as {Codec#encode} returns it
        # @raise [TypeError] if it is something else, or an element is
        # @raise [EncodeError] if an object cannot be encoded
        def encode(object, wire, options, mapping = nil)
          options = known_to(wire, options)
          return encode_all([object], wire, options, mapping).first if one?(object, mapping)
          raise TypeError, "expected #{expected(mapping)}, got #{Quote.value(object)}" unless object.respond_to?(:to_ary)

          options = { **options, compression: nil } if wire == :message_pack # only a whole payload can be compressed
          Lists.join(encode_all(object.to_ary, wire, options, mapping), wire)
        end

        # @param object [Object]
        # @param mapping [Mapping, nil] as for {encode}
        # @return [Boolean] whether {encode} takes it: an object or a list of objects, which may be empty
        def encodes?(object, mapping = nil)
          one?(object, mapping) || (object.is_a?(Array) && object.all? { |element| one?(element, mapping) })
        end

        # @param mapping [Object]
        # @return [void]
        # @raise [ArgumentError] unless it is one, or nil
        def check_mapping(mapping)
          return if mapping.nil? || mapping.is_a?(Mapping)

          raise ArgumentError, "mapping: expected a Sparpack::Mapping, got #{Quote.value(mapping)}"
        end

        # Decodes an object or a list.
        #
        # @param bytes [String]
        # @param target [Class, Mapping, Codec, String, Array] the class, or what stands for it; for a list, an Array that
        #   holds it
        # @param wire [Symbol]
        # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
        # @return [Value, Array<Value>]
        # @raise [DecodeError] if the bytes are anything else
        # @raise [ArgumentError] if there is no such class or option
        def decode(bytes, target, wire, options)
          element = target.is_a?(Array) ? only(target) : target
          codec = codec(element, wire, options)
          # An error must not tell which files exist.
          bytes = Native.unlocked(bytes).b unless bytes.encoding == Encoding::BINARY
          return Lists.decode(bytes, codec) if target.is_a?(Array)

          wire == :json ? decode_json(bytes, codec) : codec.decode(bytes)
        end

        # @param target [Object] as {decode} takes it
        # @return [Boolean] whether it is a list
        def list?(target) = target.is_a?(Array)

        # Checks what can be checked before a body comes. A name is looked up only then.
        #
        # @param target [Object] as {decode} takes it
        # @param options [Hash]
        # @return [void]
        # @raise [ArgumentError] as {decode}
        def check(target, options)
          element = list?(target) ? only(target) : target
          element = Nothing if element.is_a?(String)
          TYPES.each_key { |wire| codec(element, wire, options) }
        end

        # @param element [Class, Mapping, Codec, String] the class, or what stands for it
        # @param wire [Symbol]
        # @param options [Hash] as {decode} takes them
        # @return [Codec]
        # @raise [ArgumentError] if there is no such class or option
        def codec(element, wire, options)
          element = Object.const_get(element) if element.is_a?(String)
          if element.is_a?(Codec)
            options = { **element.options.except(:frame), **options }
            element = element.struct_class
          end
          options = known_to(wire, options)
          return DefaultCodec.reader(element, [wire], options) if element.is_a?(Class) && Declared.shape(element)

          options = { keys: :ids, **options } if wire == :message_pack # any class can have it, and all are read
          Codec.new(element, wire, **options)
        end

        private

        # On the other wires, a list begins like an object.
        def decode_json(bytes, codec)
          codec.decode(bytes)
        rescue DecodeError => e
          raise unless bytes.match?(/\A[ \t\r\n]*\[/n)

          raise e.exception("#{e.message} (for a list, pass the class in an Array: [#{Quote.plain(codec.struct_class)}])"),
                cause: nil
        end

        def one?(object, mapping) = object.is_a?(Value) || (!mapping.nil? && object.is_a?(mapping.mapped_class))

        def expected(mapping) = mapping ? "#{Lists::EXPECTED}, or a #{mapping}" : Lists::EXPECTED

        def encode_all(objects, wire, options, mapping)
          codec = Codec.new(mapping, wire, **options) if mapping
          objects.map do |object|
            unless one?(object, mapping)
              raise TypeError, "expected #{expected(mapping)}, got a list with #{Quote.value(object)}"
            end

            object.is_a?(Value) ? encode_one(object, wire, options) : codec.encode(object)
          end
        end

        def encode_one(object, wire, options)
          return DefaultCodec.for(object.class, [wire], options).encode(object) if options.key?(:observe)

          object.encode(wire, **options)
        end

        def only(target)
          return target.first if target.size == 1

          raise ArgumentError, "expected an Array of one class, which stands for a list, got one of #{target.size}"
        end

        def known_to(wire, options)
          foreign = options.keys & FORMS
          foreign.empty? ? options : options.except(*(foreign - Native::WIRE_OPTIONS.fetch(wire, [])))
        end
      end

      # Stands for a class that is not there yet.
      class Nothing < Struct; end

      # The options that not all wires know.
      FORMS = Native::WIRE_OPTIONS.values.flatten.uniq.freeze
      private_constant :Nothing, :FORMS
    end
  end
end
