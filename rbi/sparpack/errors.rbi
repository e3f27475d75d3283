# typed: true

# Generated from sig/sparpack/errors.rbs by `rake rbi`: do not edit.

module Sparpack
  class Error < ::StandardError
    # What all errors of this gem say about a fault.
    module Details
      sig { returns(T.nilable(::String)) }
      attr_reader :path

      sig { returns(T.nilable(::String)) }
      attr_reader :expected

      sig { returns(T.nilable(::String)) }
      attr_reader :found

      sig { returns(T.nilable(::Integer)) }
      attr_reader :offset

      sig { returns(T.nilable(::Integer)) }
      attr_reader :message_offset

      sig do
        params(
          message: T.nilable(::String),
          path: T.nilable(::String),
          expected: T.nilable(::String),
          found: T.nilable(::String),
          offset: T.nilable(::Integer),
          message_offset: T.nilable(::Integer)
        ).void
      end
      def initialize(message = nil, path: nil, expected: nil, found: nil, offset: nil, message_offset: nil); end
    end

    include ::Sparpack::Error::Details

    sig { params(exception: T.untyped).returns(T::Boolean) }
    def self.===(exception); end
  end

  class ConversionError < ::ArgumentError
    include ::Sparpack::Error::Details

    sig { returns(T::Array[::Sparpack::ConversionError]) }
    def errors; end
  end

  class SchemaError < ::Sparpack::Error; end

  class EncodeError < ::Sparpack::Error
    class MissingField < ::Sparpack::EncodeError; end
    class TypeMismatch < ::Sparpack::EncodeError; end
    class OutOfRange < ::Sparpack::EncodeError; end
    class InvalidString < ::Sparpack::EncodeError; end
    class LimitExceeded < ::Sparpack::EncodeError; end
  end

  class DecodeError < ::Sparpack::Error
    sig { returns(T.nilable(::Integer)) }
    attr_reader :line

    sig { returns(T.nilable(::Integer)) }
    attr_reader :column

    sig do
      params(
        message: T.nilable(::String),
        line: T.nilable(::Integer),
        column: T.nilable(::Integer),
        path: T.nilable(::String),
        expected: T.nilable(::String),
        found: T.nilable(::String),
        offset: T.nilable(::Integer),
        message_offset: T.nilable(::Integer)
      ).void
    end
    def initialize(
      message = nil,
      line: nil,
      column: nil,
      path: nil,
      expected: nil,
      found: nil,
      offset: nil,
      message_offset: nil
    ); end

    class Truncated < ::Sparpack::DecodeError; end
    class Malformed < ::Sparpack::DecodeError; end
    class TypeMismatch < ::Sparpack::DecodeError; end
    class OutOfRange < ::Sparpack::DecodeError; end
    class MissingField < ::Sparpack::DecodeError; end
    class LimitExceeded < ::Sparpack::DecodeError; end
  end

  class ValidationError < ::Sparpack::Error; end

  class AssemblyError < ::Sparpack::Error
    sig { returns(::Integer) }
    attr_reader :line

    sig { returns(::Integer) }
    attr_reader :column
  end
end
