# frozen_string_literal: true

module Sparpack
  module Karafka
    # A deserializer of headers (see {Karafka.headers}).
    #
    # @api private
    class Headers
      # @param types [Hash{String => Symbol, Class, String}]
      # @param bytes [Boolean]
      # @raise [ArgumentError] if anything is wrong
      def initialize(types, bytes: false)
        unless types.is_a?(Hash)
          raise ArgumentError, "expected a Hash of names of headers to types, got #{Quote.value(types)}"
        end

        @readers = types.to_h { |name, type| [name.to_s, Scalar.reader(type, bytes:)] }
      end

      # @param metadata [::Karafka::Messages::Metadata]
      # @return [Hash{String => Object}] a header that comes several times has an Array
      # @raise [DecodeError] which says the record, too
      def call(metadata)
        metadata.raw_headers.to_h do |name, value|
          reader = @readers[name]
          [name, reader ? read(metadata, name, value, reader) : value]
        end
      end

      private

      def read(metadata, name, value, reader)
        Record.of(metadata, "header #{Quote.value(name)}") do
          value.is_a?(Array) ? value.map { |each| each && reader.call(each) } : value && reader.call(value)
        end
      end
    end
  end
end
