# frozen_string_literal: true

module Sparpack
  module Rails
    # What a column holds.
    #
    # @api private
    class Row
      # How PostgreSQL writes bytes as text. No payload looks like that: a struct ends with a byte 0, MessagePack begins with
      # a greater byte.
      HEX = "\\x"
      private_constant :HEX

      # @param target [Target]
      def initialize(target)
        @target = target
        @json = target.reads?(:json)
      end

      # @param raw [String, ActiveModel::Type::Binary::Data]
      # @return [String] the payload
      def bytes(raw)
        raw = raw.to_s unless raw.instance_of?(::String)
        raw.start_with?(HEX) && raw.getbyte(-1) != 0 ? [raw.byteslice(2..)].pack("H*") : raw
      end

      # @param raw [String, ActiveModel::Type::Binary::Data]
      # @return [Value]
      # @raise [DecodeError] with advice
      def object(raw)
        bytes = bytes(raw)
        # No payload begins like this and is JSON.
        (@json && bytes.start_with?("{") && attempt(@target.readers[:json], bytes)) || @target.codec.decode(bytes)
      rescue DecodeError => e
        other(bytes) || raise(advised(e), cause: nil)
      end

      private

      def attempt(codec, bytes)
        codec.decode(bytes)
      rescue DecodeError
        nil
      end

      def other(bytes)
        @target.readers.each_value do |codec|
          found = attempt(codec, bytes)
          return found if found
        end
        nil
      end

      def advised(error)
        message = "#{error.message}: the row cannot be read as #{@target} on the wire #{@target.wire}. To replace what it " \
                  "holds, use update_all with another object"
        error.exception(message).tap { |said| said.set_backtrace(error.backtrace) }
      end
    end
  end
end
