# typed: true

# Generated from sig/sparpack/http.rbs by `rake rbi`: do not edit.

module Sparpack
  # Bodies of requests and responses. It is there after `require "sparpack/rack"`.
  module Rack
    MAX = T.let(T.unsafe(nil), ::Integer)
    STATUSES = T.let(T.unsafe(nil), T::Hash[T::Class[T.anything], ::Integer])

    sig do
      params(
        env: T::Hash[::String, T.untyped],
        target: T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec, [T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec)]),
        max: ::Integer,
        options: T.untyped
      ).returns(T.untyped)
    end
    def self.body(env, target, max: T.unsafe(nil), **options); end

    sig { params(env: T::Hash[::String, T.untyped], max: ::Integer).returns(::String) }
    def self.read(env, max: T.unsafe(nil)); end

    sig do
      params(
        object: T.untyped,
        env: T::Hash[::String, T.untyped],
        status: ::Integer,
        wire: T.nilable(::Symbol),
        headers: T::Hash[::String, ::String],
        mapping: T.nilable(::Sparpack::Mapping),
        options: T.untyped
      ).returns([::Integer, T::Hash[::String, ::String], T::Array[::String]])
    end
    def self.response(
      object,
      env,
      status: T.unsafe(nil),
      wire: nil,
      headers: T.unsafe(nil),
      mapping: nil,
      **options
    ); end

    sig { params(error: T.untyped).returns(T.nilable(::Integer)) }
    def self.status(error); end

    class Faults
      sig { params(app: T.untyped).void }
      def initialize(app); end

      sig { params(env: T::Hash[::String, T.untyped]).returns(T.untyped) }
      def call(env); end
    end
  end

  # Middleware for Faraday. It is there after `require "sparpack/faraday"`. The classes are subclasses of Faraday::Middleware.
  module Faraday
    class Request
      sig { params(app: T.untyped, wire: ::Symbol, mapping: T.nilable(::Sparpack::Mapping), options: T.untyped).void }
      def initialize(app = T.unsafe(nil), wire: T.unsafe(nil), mapping: nil, **options); end

      sig { params(env: T.untyped).void }
      def on_request(env); end
    end

    class Response
      sig do
        params(
          app: T.untyped,
          target: T.nilable(T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec, [T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec)])),
          max: T.nilable(::Integer),
          preserve_raw: T::Boolean,
          options: T.untyped
        ).void
      end
      def initialize(app = T.unsafe(nil), target = nil, max: nil, preserve_raw: T.unsafe(nil), **options); end

      sig { params(env: T.untyped).void }
      def on_request(env); end

      sig { params(env: T.untyped).void }
      def on_complete(env); end
    end
  end
end
