# typed: true

# Generated from sig/sparpack/rails.rbs by `rake rbi`: do not edit.

module Sparpack
  # Structs in Rails applications. It is there after `require "sparpack/rails"`.
  module Rails
    sig do
      params(
        struct_class: T.any(T::Class[T.anything], ::String),
        only: T.nilable(T::Array[T.any(::Symbol, ::String)]),
        except: T::Array[T.any(::Symbol, ::String)],
        depth: T.nilable(::Integer)
      ).returns(T::Array[T.any(::Symbol, T::Hash[::Symbol, T.untyped])])
    end
    def self.permit(struct_class, only: nil, except: T.unsafe(nil), depth: nil); end

    sig { params(object: T.untyped).returns(T.untyped) }
    def self.bind(object); end

    sig { params(types: T.untyped).void }
    def self.register(types = T.unsafe(nil)); end

    # The type of such an attribute.
    class Type
      sig do
        params(
          of: T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec),
          wire: T.nilable(::Symbol),
          reads: T.any(T::Array[::Symbol], ::Symbol),
          coerce: T::Boolean,
          options: T.untyped
        ).void
      end
      def initialize(of:, wire: nil, reads: T.unsafe(nil), coerce: T.unsafe(nil), **options); end

      sig { returns(::Symbol) }
      def type; end

      sig { returns(T::Boolean) }
      def binary?; end

      sig { returns(T::Boolean) }
      def mutable?; end

      sig { params(value: T.untyped).returns(T.untyped) }
      def cast(value); end

      sig { params(value: T.untyped).void }
      def assert_valid_value(value); end

      sig { params(value: T.untyped).returns(T.untyped) }
      def serialize(value); end

      sig { params(raw: T.untyped).returns(T.untyped) }
      def deserialize(raw); end

      sig { params(raw: T.untyped, value: T.untyped).returns(T::Boolean) }
      def changed_in_place?(raw, value); end

      sig { params(other: T.untyped).returns(T::Boolean) }
      def ==(other); end

      sig { params(other: T.untyped).returns(T::Boolean) }
      def eql?(other); end

      sig { returns(::Integer) }
      def hash; end

      sig { returns(::String) }
      def inspect; end
    end

    # What `validates :order, sparpack: true` calls.
    class Validator
      sig { void }
      def check_validity!; end

      sig { params(record: T.untyped, attribute: ::Symbol, value: T.untyped).void }
      def validate_each(record, attribute, value); end
    end

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
