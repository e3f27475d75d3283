# frozen_string_literal: true

require "active_job"

module Sparpack
  module Rails
    # Lets structs, unions and exceptions be arguments of Active Job's jobs, also inside Arrays and Hashes. Fields that a
    # worker does not know are kept.
    #
    # `sparpack/rails` registers it in a Rails application. Elsewhere, do it yourself, as the example shows.
    #
    # @example
    #   ActiveJob::Serializers.add_serializers(Sparpack::Rails::JobSerializer)
    class JobSerializer < ActiveJob::Serializers::ObjectSerializer
      # Tells whether the serializer is for an argument.
      #
      # @param argument [Object]
      # @return [Boolean]
      # @example
      #   Sparpack::Rails::JobSerializer.serialize?(order) # => true
      def serialize?(argument) = argument.is_a?(Value)

      # Makes what JSON can express of a struct.
      #
      # @param struct [Value]
      # @return [Hash{String => String}] the names of this serializer and of the struct's class, and the compact payload in
      #   Base64
      # @raise [ActiveJob::SerializationError] if the class has no name
      # @raise [EncodeError] if the struct cannot be encoded
      # @example
      #   Sparpack::Rails::JobSerializer.serialize(order)["class"] # => "Shop::Order"
      def serialize(struct)
        codec, name, = StructNames.of(struct.class)
        super("class" => name, "compact" => [codec.encode(struct)].pack("m0"))
      rescue StructNames::Unnamed => e
        raise ActiveJob::SerializationError, "#{Quote.plain(struct.class)}: #{e.message}"
      end

      # Makes the struct again. Active Job raises an `ActiveJob::DeserializationError` because of the errors here.
      #
      # @param hash [Hash{String => String}] what {#serialize} returned
      # @return [Value]
      # @raise [DecodeError] if the payload does not fit the class
      # @raise [NameError] if there is no such class of structs
      # @raise [ArgumentError] if something is missing
      # @example
      #   Sparpack::Rails::JobSerializer.deserialize(hash) # => order
      def deserialize(hash)
        name, payload = hash.values_at("class", "compact")
        raise ArgumentError, "expected the name of a class and a payload" unless name.is_a?(String) && payload.is_a?(String)

        StructNames.codec(name).decode(payload.unpack1("m0"))
      end

      # Newer versions of Active Job look serializers up by this.
      #
      # @return [Module]
      # @example
      #   Sparpack::Rails::JobSerializer.instance.klass # => Sparpack::Value
      def klass = Value
    end
  end
end
