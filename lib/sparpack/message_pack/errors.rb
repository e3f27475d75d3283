# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Bytes cannot be unpacked.
    class UnpackError < StandardError
      # @return [String, nil] the place in the value, written as in Ruby: `["users"][3]`. It is empty for the value itself,
      #   and nil if it is not known
      attr_reader :path

      # @return [Integer, nil] how many bytes come before the fault; nil if that is not known
      attr_reader :offset

      # @return [Integer, nil] where the value with the fault begins: how many bytes of the input come before it; nil if
      #   that is not known
      attr_reader :message_offset

      # Makes an error. Unpacking raises such errors.
      #
      # @param message [String, nil]
      # @param path [String, nil]
      # @param offset [Integer, nil]
      # @param message_offset [Integer, nil]
      def initialize(message = nil, path: nil, offset: nil, message_offset: nil)
        super(message)
        @path = path
        @offset = offset
        @message_offset = message_offset
      end
    end

    # Marks errors about a value of another type than the caller asked for.
    module TypeError; end

    # The bytes are not MessagePack, or they hold more than one value.
    class MalformedFormatError < UnpackError; end

    # The next value has another type than the caller asked for.
    class UnexpectedTypeError < UnpackError
      include TypeError
    end

    # A value has an extension type that is not registered.
    class UnknownExtTypeError < UnpackError; end

    # Arrays and Hashes are nested in more than 128 levels, or in more than {Limits#depth} allows.
    class StackError < UnpackError; end

    # The bytes need more than the {Limits} allow.
    class LimitExceeded < UnpackError; end
  end
end
