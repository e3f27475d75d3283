# typed: true

# Generated from sig/sparpack/rails.rbs by `rake rbi`: do not edit.

module Sparpack
  # Structs in Rails applications. It is there after `require "sparpack/rails"`.
  module Rails
    class CacheSerializer
      MARK = T.let(T.unsafe(nil), ::String)
      class Unsupported < ::Sparpack::Error; end

      sig { params(value: T.untyped).returns(::String) }
      def self.dump(value); end

      sig { params(bytes: T.untyped).returns(T.untyped) }
      def self.load(bytes); end

      sig { params(reads: T::Array[::Symbol], writes: ::Symbol, other: ::Symbol).void }
      def initialize(reads: T.unsafe(nil), writes: T.unsafe(nil), other: T.unsafe(nil)); end

      sig { params(value: T.untyped).returns(::String) }
      def dump(value); end

      sig { params(bytes: T.untyped).returns(T.untyped) }
      def load(bytes); end
    end

    class CacheCompressor
      LIMIT = T.let(T.unsafe(nil), ::Integer)

      sig { params(bytes: ::String).returns(::String) }
      def self.deflate(bytes); end

      sig { params(bytes: ::String).returns(::String) }
      def self.inflate(bytes); end

      sig { params(writes: ::Symbol).void }
      def initialize(writes: T.unsafe(nil)); end

      sig { params(bytes: ::String).returns(::String) }
      def deflate(bytes); end

      sig { params(bytes: ::String).returns(::String) }
      def inflate(bytes); end
    end

    # A subclass of ActiveJob::Serializers::ObjectSerializer, whose own class method is `instance`.
    class JobSerializer
      sig { params(argument: T.untyped).returns(T::Boolean) }
      def serialize?(argument); end

      sig { params(struct: ::Sparpack::Value).returns(T::Hash[::String, T.untyped]) }
      def serialize(struct); end

      sig { params(hash: T.untyped).returns(T.untyped) }
      def deserialize(hash); end

      sig { returns(::Module) }
      def klass; end
    end

    # It is in every controller.
    module Requests
      FORMATS = T.let(T.unsafe(nil), T::Hash[::Symbol, ::Symbol])

      sig do
        params(
          target: T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec, [T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec)]),
          max: ::Integer,
          options: T.untyped
        ).returns(T.untyped)
      end
      def body_as(target, max: T.unsafe(nil), **options); end
    end
  end
end
