# frozen_string_literal: true

module Sparpack
  module Karafka
    # What an error says of the record in which the fault is. Errors of deserializers have these methods, besides their own.
    #
    # @example
    #   error = message.payload rescue $!
    #   error.message[/.*more bytes/] # => "orders/3 at 1042: Shop::Order: expected more bytes"
    #   error.topic         # => "orders"
    #   error.partition     # => 3
    #   error.record_offset # => 1042
    module Record
      # @return [String]
      attr_reader :topic

      # @return [Integer]
      attr_reader :partition

      # @return [Integer] the offset of the record in its partition; {Error#offset} is a place in its bytes
      attr_reader :record_offset

      class << self
        # Adds the place of a record to the errors of a block.
        #
        # @param place [#topic, #partition, #offset] a message, or its metadata
        # @param part [String, nil] which part of the record is read, if it is not the payload
        # @return [Object] what the block returns
        # @raise [DecodeError] one that is a {Record}, too
        # @api private
        def of(place, part = nil)
          yield
        rescue DecodeError => e
          raise at(e, place, part), cause: nil
        end

        # @param error [DecodeError]
        # @param place [#topic, #partition, #offset] as for {of}
        # @param part [String, nil] as for {of}
        # @return [DecodeError] the same error with the place of the record
        # @api private
        def at(error, place, part = nil)
          message = "#{place.topic}/#{place.partition} at #{place.offset}: #{"#{part}: " if part}#{error.message}"
          error.exception(message).extend(self).tap do |said|
            said.instance_variable_set(:@topic, place.topic)
            said.instance_variable_set(:@partition, place.partition)
            said.instance_variable_set(:@record_offset, place.offset)
            said.set_backtrace(error.backtrace)
          end
        end
      end
    end
  end
end
