# frozen_string_literal: true

module Sparpack
  # The base of all errors of this gem. What is wrong with the call itself (an unknown option, wire or field) is Ruby's own
  # ArgumentError or TypeError.
  class Error < StandardError
    # @return [String, nil] where it went wrong, as one would write it in Ruby: `Listing.neighborhoods[2].name`
    attr_reader :path

    # @return [String, nil] what was expected there
    attr_reader :expected

    # @return [String, nil] what was found instead; never the contents of strings
    attr_reader :found

    # @return [Integer, nil] when decoding: where in the input, in bytes from its start
    attr_reader :offset

    # @param message [String, nil]
    # @param path [String, nil]
    # @param expected [String, nil]
    # @param found [String, nil]
    # @param offset [Integer, nil]
    def initialize(message = nil, path: nil, expected: nil, found: nil, offset: nil)
      @path = path
      @expected = expected
      @found = found
      @offset = offset
      super(message)
    end
  end

  # A declaration that contradicts itself or names what does not exist.
  class SchemaError < Error; end

  # An object that cannot be written.
  class EncodeError < Error
    # A required field is nil, or a union holds no field.
    class MissingField < EncodeError; end

    # A value of another class than the field's type takes.
    class TypeMismatch < EncodeError; end

    # An Integer that does not fit into the field's type. It is never cut.
    class OutOfRange < EncodeError; end

    # A String that is not valid UTF-8, nor can be transcoded to it; or is no uuid.
    class InvalidString < EncodeError; end

    # More levels, elements or bytes than the limits allow; a cycle is such a case.
    class LimitExceeded < EncodeError; end
  end

  # Bytes that cannot be read. Whatever the bytes are, nothing else is raised.
  class DecodeError < Error
    # The input ends too early, or claims more than it holds.
    class Truncated < DecodeError; end

    # The input breaks the rules of its wire.
    class Malformed < DecodeError; end

    # A known field, or the elements of one, have another type on the wire.
    class TypeMismatch < DecodeError; end

    # A required field is absent.
    class MissingField < DecodeError; end

    # More levels, elements, bytes or memory than the limits allow.
    class LimitExceeded < DecodeError; end
  end

  # A fault that a validation found.
  class ValidationError < Error; end
end
