# typed: true

# Generated from sig/sparpack/karafka.rbs by `rake rbi`: do not edit.

module Sparpack
  # Deserializers for Karafka, and middleware for WaterDrop. It is there after `require "sparpack/karafka"`.
  module Karafka
    sig do
      params(
        target: T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec, T::Hash[T.any(::String, ::Symbol), T.any(T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec)]),
        wire: ::Symbol,
        header: T.nilable(::String),
        media: T::Boolean,
        frame: T.nilable(::Symbol),
        strip: ::Integer,
        options: T.untyped
      ).returns(T.untyped)
    end
    def self.payload(
      target,
      wire = T.unsafe(nil),
      header: nil,
      media: T.unsafe(nil),
      frame: nil,
      strip: T.unsafe(nil),
      **options
    ); end

    sig do
      params(
        type: T.any(::Symbol, T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec),
        bytes: T::Boolean,
        wire: ::Symbol,
        options: T.untyped
      ).returns(T.untyped)
    end
    def self.key(type, bytes: T.unsafe(nil), wire: T.unsafe(nil), **options); end

    sig do
      params(
        types: T.nilable(T::Hash[T.any(::String, ::Symbol), T.any(::Symbol, T::Class[T.anything], ::String, ::Sparpack::Mapping, ::Sparpack::Codec)]),
        bytes: T::Boolean
      ).returns(T.untyped)
    end
    def self.headers(types = nil, bytes: T.unsafe(nil)); end

    sig { returns(T.untyped) }
    def self.raw; end

    sig do
      params(
        wire: ::Symbol,
        types: T::Hash[T.any(::String, ::Symbol), T.any(T::Class[T.anything], ::String)],
        header: ::String,
        frame: T.nilable(::Symbol),
        bytes: T::Boolean,
        mapping: T.nilable(::Sparpack::Mapping),
        options: T.untyped
      ).returns(T.untyped)
    end
    def self.encoder(
      wire = T.unsafe(nil),
      types: T.unsafe(nil),
      header: T.unsafe(nil),
      frame: nil,
      bytes: T.unsafe(nil),
      mapping: nil,
      **options
    ); end

    # What errors of these deserializers have, besides their own methods.
    module Record
      sig { returns(::String) }
      def topic; end

      sig { returns(::Integer) }
      def partition; end

      sig { returns(::Integer) }
      def record_offset; end
    end
  end
end
