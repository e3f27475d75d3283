# frozen_string_literal: true

module Sparpack
  module Karafka
    # Middleware for WaterDrop that encodes structs (see {Karafka.encoder}).
    #
    # @api private
    class Encoder
      CONTENT_TYPE = "content-type"
      I64 = (-1 << 63)...(1 << 63)
      private_constant :CONTENT_TYPE, :I64

      # @param wire [Symbol]
      # @param options [Hash] as {Codec#initialize} takes them
      # @raise [ArgumentError] if anything is wrong
      def initialize(wire, types:, header:, frame:, bytes:, mapping:, **options)
        @type = Media.type(wire) # raises
        @frame = Frame.find(frame, wire)
        Target.new("Object", options)
        unless types.is_a?(Hash)
          raise ArgumentError, "types: expected a Hash of what the header says to classes, got #{Quote.value(types)}"
        end

        Media::Bodies.check_mapping(mapping)
        @mapped = Media::Bodies.codec(mapping, wire, options) if mapping
        @wire = wire
        @types = types.to_h { |name, type| [type.to_s, name.to_s] }
        @header = header
        @bytes = bytes
        @options = options
      end

      # @param message [Hash] as WaterDrop takes it
      # @return [Hash] the same, or a changed copy
      # @raise [EncodeError] if an object cannot be encoded
      # @raise [RangeError] if an Integer is no key of 8 bytes
      def call(message)
        payload = message[:payload]
        message = { **message, payload: encoded(payload), headers: headers(message, payload) } if encodes?(payload)
        key = message[:key]
        return message if key.nil? || key.is_a?(String)

        key = key_of(key)
        key ? { **message, key: } : message # WaterDrop refuses another one
      end

      private

      def encodes?(object)
        object.is_a?(Value) || (@mapped && object.is_a?(@mapped.struct_class.mapped_class))
      end

      def encoded(object)
        bytes = object.is_a?(Value) ? Media::Bodies.encode(object, @wire, @options) : @mapped.encode(object)
        @frame ? @frame.wrap(bytes, @mapped || Media::Bodies.codec(object.class, @wire, @options)) : bytes
      end

      # What the caller says counts.
      def headers(message, payload)
        name = @types[payload.class.name]
        { CONTENT_TYPE => @type, **(name ? { @header => name } : {}), **message[:headers].to_h }
      end

      def key_of(key)
        return encoded_key(key) unless key.is_a?(Integer)
        return key.to_s unless @bytes
        raise RangeError, "key: expected an i64, found an Integer of #{key.bit_length} bits" unless I64.cover?(key)

        [key].pack("q>")
      end

      def encoded_key(key) = (key.encode(:compact) if key.is_a?(Value))
    end
  end
end
