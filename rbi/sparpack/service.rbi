# typed: true

# Generated from sig/sparpack/service.rbs by `rake rbi`: do not edit.

module Sparpack
  # The base of services. A service is a schema of the functions of a server.
  class Service
    sig { returns(T::Array[::Sparpack::Service::Function]) }
    def self.functions; end

    sig { returns(T::Array[::Sparpack::Service::Function]) }
    def self.own_functions; end

    sig { params(name: T.any(::Symbol, ::String)).returns(T.nilable(::Sparpack::Service::Function)) }
    def self.[](name); end

    sig { returns(T.nilable(::String)) }
    def self.idl_name; end

    sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
    def self.annotations; end

    sig { params(names: ::Symbol).returns(::String) }
    def self.to_idl(names: T.unsafe(nil)); end

    class Function
      sig { returns(::Symbol) }
      attr_reader :name

      sig { returns(::String) }
      attr_reader :idl_name

      sig { returns(T.class_of(::Sparpack::Struct)) }
      attr_reader :arguments

      sig { returns(T.nilable(T.class_of(::Sparpack::Struct))) }
      attr_reader :result

      sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
      attr_reader :annotations

      sig do
        params(
          name: ::Symbol,
          arguments: T.class_of(::Sparpack::Struct),
          result: T.nilable(T.class_of(::Sparpack::Struct)),
          idl_name: ::String,
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
        ).void
      end
      def initialize(name, arguments, result, idl_name: T.unsafe(nil), annotations: T.unsafe(nil)); end

      sig { returns(T::Boolean) }
      def oneway?; end

      sig { returns(T.nilable(::Sparpack::Type)) }
      def type; end

      sig { returns(T::Array[::Sparpack::Field]) }
      def throws; end

      sig { returns(::String) }
      def inspect; end

      sig { returns(::String) }
      def to_s; end
    end

    # The methods that the block of a function can call.
    class Signature
      sig { params(arguments: T.class_of(::Sparpack::Struct), result: T.nilable(T.class_of(::Sparpack::Struct))).void }
      def initialize(arguments, result); end

      sig do
        params(
          id: ::Integer,
          name: ::Symbol,
          type: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          required: T::Boolean,
          optional: T::Boolean,
          default: T.untyped,
          idl_name: T.nilable(::String),
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])],
          implicit: T::Boolean,
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Symbol)
      end
      def argument(
        id,
        name,
        type = nil,
        required: T.unsafe(nil),
        optional: T.unsafe(nil),
        default: T.unsafe(nil),
        idl_name: nil,
        annotations: T.unsafe(nil),
        implicit: T.unsafe(nil),
        &block
      ); end

      sig do
        params(
          id: ::Integer,
          name: ::Symbol,
          type: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          default: T.untyped,
          idl_name: T.nilable(::String),
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])],
          implicit: T::Boolean,
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Symbol)
      end
      def throws(
        id,
        name,
        type = nil,
        default: T.unsafe(nil),
        idl_name: nil,
        annotations: T.unsafe(nil),
        implicit: T.unsafe(nil),
        &block
      ); end

      sig do
        params(
          element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Sparpack::Type)
      end
      def list(element = nil, &block); end

      sig do
        params(
          element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Sparpack::Type)
      end
      def set(element = nil, &block); end

      sig do
        params(
          key: T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name),
          value: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Sparpack::Type)
      end
      def map(key, value = nil, &block); end
    end

    class << self
      private

      sig do
        params(
          name: ::Symbol,
          type: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          oneway: T::Boolean,
          idl_name: ::String,
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])],
          block: T.nilable(T.proc.bind(::Sparpack::Service::Signature).void)
        ).returns(::Symbol)
      end
      def function(
        name,
        type = nil,
        oneway: T.unsafe(nil),
        idl_name: T.unsafe(nil),
        annotations: T.unsafe(nil),
        &block
      ); end

      sig do
        params(
          element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Sparpack::Type)
      end
      def list(element = nil, &block); end

      sig do
        params(
          element: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Sparpack::Type)
      end
      def set(element = nil, &block); end

      sig do
        params(
          key: T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name),
          value: T.nilable(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)),
          block: T.nilable(T.proc.returns(T.any(::Symbol, ::String, ::Module, ::Sparpack::Mapping, ::Sparpack::Type, ::Sparpack::Type::Name)))
        ).returns(::Sparpack::Type)
      end
      def map(key, value = nil, &block); end

      sig do
        params(
          name: T.nilable(::String),
          annotations: T::Hash[::String, T.any(::String, T::Array[::String])]
        ).void
      end
      def idl(name = nil, annotations: T.unsafe(nil)); end
    end
  end
end
