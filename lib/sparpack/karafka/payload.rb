# frozen_string_literal: true

module Sparpack
  module Karafka
    # A deserializer of payloads (see {Karafka.payload}).
    #
    # @api private
    class Payload
      CONTENT_TYPE = "content-type"

      # Confluent's serializers write a zero and the number of a schema before a payload.
      CONFLUENT = 5
      private_constant :CONFLUENT

      # @param target [Class, Mapping, Codec, String, Hash]
      # @param wire [Symbol]
      # @param options [Hash] as {Codec#initialize} takes them
      # @raise [ArgumentError] if anything is wrong
      def initialize(target, wire, header:, media:, frame:, strip:, **options)
        Media.type(wire) # raises
        (media ? Media::TYPES.keys : [wire]).each { |each| Frame.check(frame, each) } # a header may name any of them
        unless strip.is_a?(Integer) && !strip.negative?
          raise ArgumentError, "strip: expected a number of bytes, got #{Quote.value(strip)}"
        end

        @wire = wire
        @media = media
        @frame = frame
        @strip = strip
        @header = header
        @targets = targets(target, header, options)
      end

      # @param message [::Karafka::Messages::Message]
      # @return [Value, nil] nil for a tombstone
      # @raise [DecodeError] which says the record, too
      def call(message)
        bytes = message.raw_payload
        return if bytes.nil?

        codec = (@header ? target(message) : @targets).codec(@media ? wire(message) : @wire)
        bytes = bytes.byteslice(@strip..) || "" if @strip.positive?
        @frame ? framed(codec, bytes) : codec.decode(bytes)
      rescue DecodeError => e
        raise Record.at(hinted(e, codec, message.raw_payload), message), cause: nil
      end

      private

      def targets(target, header, options)
        unless target.is_a?(Hash)
          raise ArgumentError, "header: needs a Hash of several classes" if header

          return Target.new(target, options)
        end
        found = target.to_h { |name, each| [name.to_s, Target.new(each, options)] }
        return found if header

        raise ArgumentError, "several classes need header:, the name of the header that says which one"
      end

      def target(message)
        name = said(message, @header)
        @targets.fetch(name) do
          raise DecodeError::Malformed, "the header #{Quote.value(@header)}: #{expected(name)}"
        end
      end

      def expected(name)
        "expected one of #{@targets.keys.map { |each| Quote.value(each) }.join(", ")}, " \
          "found #{name ? Quote.value(name) : "none"}"
      end

      def wire(message)
        type = said(message, CONTENT_TYPE)
        return @wire unless type

        Media.wire(type) or raise DecodeError::Malformed, "the header #{CONTENT_TYPE}: #{Media::Unsupported.of(type).message}"
      end

      # The last one counts if a header comes several times.
      def said(message, name)
        value = message.raw_headers&.[](name)
        value.is_a?(Array) ? value.last : value
      end

      def framed(codec, bytes)
        objects = codec.decode_each(bytes, frame: @frame).first(2)
        return objects.first if objects.size == 1

        raise DecodeError::Malformed, "expected one frame, found #{objects.empty? ? "none" : "several"}"
      end

      def hinted(error, codec, bytes)
        return error unless codec && @strip.zero? && bytes.bytesize > CONFLUENT && bytes.getbyte(0).zero?
        return error unless codec.decode(bytes.byteslice(CONFLUENT..))

        error.exception("#{error.message}; there is a payload behind 5 bytes, as Confluent's serializers write them: " \
                        "pass strip: 5")
      rescue DecodeError
        error
      end
    end
  end
end
