# frozen_string_literal: true

module Sparpack
  module Karafka
    # A deserializer of keys (see {Karafka.key}).
    #
    # @api private
    class Key
      # @param type [Symbol, Class, String]
      # @param options [Hash] as {Scalar.reader} takes them
      # @raise [ArgumentError] if anything is wrong
      def initialize(type, **options)
        @reader = Scalar.reader(type, **options)
      end

      # @param metadata [::Karafka::Messages::Metadata]
      # @return [Object, nil]
      # @raise [DecodeError] which says the record, too
      def call(metadata)
        key = metadata.raw_key
        key && Record.of(metadata, "key") { @reader.call(key) }
      end
    end
  end
end
