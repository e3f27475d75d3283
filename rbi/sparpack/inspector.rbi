# typed: true

# Generated from sig/sparpack/inspector.rbs by `rake rbi`: do not edit.

module Sparpack
  class Inspector
    WIRES = T.let(T.unsafe(nil), T::Array[::Symbol])
    FORMATS = T.let(T.unsafe(nil), T::Array[::Symbol])

    class Fault < ::Struct
      sig { returns(::Integer) }
      attr_accessor :offset

      sig { returns(::String) }
      attr_accessor :path

      sig { returns(::String) }
      attr_accessor :expected

      sig { returns(::String) }
      attr_accessor :found

      sig { returns(T.nilable(T::Array[::String])) }
      attr_accessor :open

      sig { returns(::String) }
      def message; end

      sig { returns(::String) }
      def to_s; end
    end

    sig { returns(::String) }
    attr_reader :bytes

    sig { returns(T.nilable(T.any(T::Class[T.anything], ::Sparpack::Mapping))) }
    attr_reader :struct_class

    sig { returns(::Symbol) }
    attr_reader :wire

    sig { returns(T.nilable(::String)) }
    attr_reader :reason

    sig do
      params(
        bytes: ::String,
        struct_class: T.nilable(T.any(T::Class[T.anything], ::Sparpack::Mapping)),
        from: T.nilable(::Symbol)
      ).void
    end
    def initialize(bytes, struct_class = nil, from: nil); end

    sig do
      params(
        limit: T.nilable(::Integer),
        path: T.nilable(::String),
        range: T.nilable(T::Range[::Integer]),
        color: T::Boolean,
        strings: ::Integer
      ).returns(::String)
    end
    def tree(limit: nil, path: nil, range: nil, color: T.unsafe(nil), strings: T.unsafe(nil)); end

    sig { returns(::String) }
    def text; end

    sig do
      params(
        limit: T.nilable(::Integer),
        path: T.nilable(::String),
        range: T.nilable(T::Range[::Integer])
      ).returns(::String)
    end
    def json(limit: nil, path: nil, range: nil); end

    sig do
      params(
        limit: T.nilable(::Integer),
        path: T.nilable(::String),
        range: T.nilable(T::Range[::Integer]),
        title: T.nilable(::String)
      ).returns(::String)
    end
    def html(limit: nil, path: nil, range: nil, title: nil); end

    sig do
      type_parameters(:T)
        .params(
          target: T.type_parameter(:T),
          format: ::Symbol,
          options: T.untyped
        ).returns(T.type_parameter(:T))
    end
    def write(target, format = T.unsafe(nil), **options); end

    sig { returns(T.nilable(::Sparpack::Inspector)) }
    def inflated; end

    sig { returns(T.nilable(::Sparpack::Inspector::Fault)) }
    def fault; end

    sig { returns(::String) }
    def inspect; end
  end
end
