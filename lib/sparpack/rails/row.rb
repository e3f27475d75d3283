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

      # How a struct begins in Thrift's JSON, where the keys are ids. Read as JSON, it would have only unknown fields.
      IDS = /\A\{\s*"-?\d+"/n
      private_constant :HEX, :IDS

      # @param target [Target]
      def initialize(target)
        @target = target
        @text = Native::TEXT_WIRES.any? { |wire| target.reads?(wire) }
      end

      # @param raw [String, ActiveModel::Type::Binary::Data]
      # @return [String] the payload
      def bytes(raw)
        raw = raw.to_s unless raw.instance_of?(::String)
        raw = raw.b unless raw.encoding.ascii_compatible?
        raw.start_with?(HEX) && raw.getbyte(-1) != 0 ? [raw.byteslice(2..)].pack("H*") : raw
      end

      # @param raw [String, ActiveModel::Type::Binary::Data]
      # @return [Value]
      # @raise [DecodeError] with advice
      def object(raw)
        bytes = bytes(raw)
        text = @text && text_reader(bytes)
        (text && attempt(text, bytes)) || @target.codec.decode(bytes)
      rescue DecodeError => e
        other(bytes) || raise(advised(e), cause: nil)
      end

      private

      # No payload of the other wires begins like this and is JSON.
      def text_reader(bytes)
        @target.readers[bytes.byteslice(0, 32).b.match?(IDS) ? :thrift_json : :json] if bytes.start_with?("{")
      end

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
