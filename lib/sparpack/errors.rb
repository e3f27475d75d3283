# frozen_string_literal: true

module Sparpack
  # The base class of all errors in this gem. If the call itself is wrong (an unknown option, wire or field), Ruby's own
  # ArgumentError or TypeError is raised instead.
  #
  # `rescue Sparpack::Error` also catches a {ConversionError}, which is an ArgumentError.
  class Error < StandardError
    # What all errors of this gem say about a fault.
    module Details
      # @return [String, nil] the place of the fault, written as in Ruby: `Listing.neighborhoods[2].name`
      attr_reader :path

      # @return [String, nil] what was expected there
      attr_reader :expected

      # @return [String, nil] what was found there. Only a {ConversionError} shows what a String contains: the unknown name.
      #   Of a String in a payload, only the size is shown
      attr_reader :found

      # @return [Integer, nil] when decoding: the place in the input, in bytes from its start
      attr_reader :offset

      # Tells how much of a stream could be decoded. The bytes before this place are whole payloads. With
      # {Codec#decode_each} and {Codec#decode_prefix} it may be any place in the input, and with {Codec#decode} it is 0.
      #
      # @return [Integer, nil] when decoding: where the payload with the fault begins, in bytes from the start of the input
      # @example
      #   error = Listing.decode_each("\x16\x02\x00\x16".b).to_a rescue $!
      #   error.message_offset # => 3
      attr_reader :message_offset

      # Makes an error. Encoding, decoding and validation raise such errors.
      #
      # @param message [String, nil]
      # @param path [String, nil]
      # @param expected [String, nil]
      # @param found [String, nil]
      # @param offset [Integer, nil]
      # @param message_offset [Integer, nil]
      def initialize(message = nil, path: nil, expected: nil, found: nil, offset: nil, message_offset: nil)
        @path = path
        @expected = expected
        @found = found
        @offset = offset
        @message_offset = message_offset
        super(message)
      end
    end

    include Details

    # Tells whether an exception is an error of this gem. `rescue` calls this method.
    #
    # @param exception [::Exception]
    # @return [Boolean] of {Error} itself, true also for a {ConversionError}
    # @example
    #   begin
    #     Listing.from_h({ "listing" => 1 })
    #   rescue Sparpack::Error => e
    #     e.path
    #   end
    #   # => "Listing.listing"
    def self.===(exception) = super || (equal?(Error) && exception.is_a?(ConversionError))
  end

  # A value cannot be converted: an enum does not have the name, or {Declaration#from_h} finds a name that is not a field,
  # two values for a union, or too many levels. With `coerce: true`, it also finds values that do not have the type of their
  # field. The values often come from a user of the program, so the error is easy to tell from other ArgumentErrors.
  # `rescue Sparpack::Error` catches it, too.
  class ConversionError < ArgumentError
    include Error::Details

    # Makes one error of several.
    #
    # @param message [String]
    # @param errors [Array<ConversionError>]
    # @return [ConversionError] its parts are those of the first
    # @api private
    def self.of(message, errors)
      first = errors.first
      error = new(message, path: first.path, expected: first.expected, found: first.found)
      error.instance_variable_set(:@errors, errors.freeze)
      error
    end

    # @return [String] the path without a name that is not a field, which comes from outside
    # @api private
    def place = @place || path

    # Returns all faults. Only {Declaration#from_h} with `coerce: true` finds more than one.
    #
    # @return [Array<ConversionError>] one error for each fault, with `path`, `expected` and `found`
    # @example
    #   error = Listing.from_h({ "listing_id" => "x", "offset_lat" => "y" }, coerce: true) rescue $!
    #   error.errors.map(&:path) # => ["Listing.listing_id", "Listing.offset_lat"]
    def errors = @errors || [self]
  end

  # A declaration contradicts itself or names something that does not exist.
  class SchemaError < Error; end

  # An object cannot be encoded.
  class EncodeError < Error
    # A required field is nil, or a union holds no field.
    class MissingField < EncodeError; end

    # A value has a class that the field's type does not accept.
    class TypeMismatch < EncodeError; end

    # An Integer does not fit the field's type. Integers are never cut.
    class OutOfRange < EncodeError; end

    # A String is not valid UTF-8 and cannot be converted to it, or it is not a uuid.
    class InvalidString < EncodeError; end

    # The object has more levels, elements or bytes than the limits allow. A cycle has too many levels.
    class LimitExceeded < EncodeError; end
  end

  # Bytes cannot be decoded. Whatever the bytes are, decoding raises only this class and its subclasses.
  class DecodeError < Error
    # @return [Integer, nil] of a wire that is text: the line of the fault, from 1 on. It counts from {#message_offset}
    attr_reader :line

    # @return [Integer, nil] of a wire that is text: the column of the fault in characters, from 1 on
    # @example
    #   error = Listing.from_json("{\n  \"listing_id\": 1,\n}") rescue $!
    #   [error.line, error.column] # => [3, 1]
    attr_reader :column

    # (see Error::Details#initialize)
    #
    # @param line [Integer, nil]
    # @param column [Integer, nil]
    def initialize(message = nil, line: nil, column: nil, **details)
      super(message, **details)
      @line = line
      @column = column
    end

    # The input ends too early, or announces more bytes than it has.
    class Truncated < DecodeError; end

    # The input breaks the rules of its wire.
    class Malformed < DecodeError; end

    # A known field, or its elements, have another type on the wire.
    class TypeMismatch < DecodeError; end

    # A number does not fit the field's type. Numbers are never cut.
    class OutOfRange < DecodeError; end

    # A required field is absent.
    class MissingField < DecodeError; end

    # The input needs more levels, elements, bytes or memory than the limits allow.
    class LimitExceeded < DecodeError; end
  end

  # Validation found a fault.
  class ValidationError < Error; end

  # A text that {Sparpack.assemble} should turn into bytes is wrong.
  class AssemblyError < Error
    # @return [Integer] the line, from 1 on
    attr_reader :line

    # @return [Integer] the column in characters, from 1 on
    attr_reader :column

    # @api private
    # @param line [Integer]
    # @param column [Integer]
    # @param expected [String]
    # @param found [String]
    def initialize(message = nil, line: 0, column: 0, expected: nil, found: nil)
      super(message || "line #{line}, column #{column}: expected #{expected}, found #{found}", expected:, found:)
      @line = line
      @column = column
    end
  end
end
