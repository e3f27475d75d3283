# typed: true

# Generated from sig/sparpack/idl.rbs by `rake rbi`: do not edit.

module Sparpack
  # Thrift's interface definition language.
  module IDL
    sig { params(text: ::String, path: ::String).returns(::Sparpack::IDL::AST::Document) }
    def self.parse(text, path = T.unsafe(nil)); end

    sig { params(text: ::String, path: ::String).returns(::String) }
    def self.format(text, path = T.unsafe(nil)); end

    sig do
      params(
        path: ::String,
        include: T::Array[::String],
        allow_neg_keys: T::Boolean,
        block: T.nilable(T.proc.params(warning: ::String).void)
      ).returns(::Sparpack::IDL::Program)
    end
    def self.link(path, include: T.unsafe(nil), allow_neg_keys: T.unsafe(nil), &block); end

    sig { params(path: ::String, into: ::Module).returns(T::Array[::String]) }
    def self.unload(path, into: T.unsafe(nil)); end

    sig do
      params(
        path: ::String,
        include: T::Array[::String],
        into: ::Module,
        names: ::Symbol,
        allow_neg_keys: T::Boolean,
        block: T.nilable(T.proc.params(warning: ::String).void)
      ).returns(::Module)
    end
    def self.load(
      path,
      include: T.unsafe(nil),
      into: T.unsafe(nil),
      names: T.unsafe(nil),
      allow_neg_keys: T.unsafe(nil),
      &block
    ); end

    sig { params(classes: ::Module, names: ::Symbol).returns(T::Hash[::String, ::String]) }
    def self.dump(*classes, names: T.unsafe(nil)); end

    # Raised if a .thrift text cannot be used.
    class Error < ::Sparpack::Error
      sig { returns(T::Array[::Sparpack::IDL::Fault]) }
      attr_reader :faults

      sig { params(faults: T::Array[::Sparpack::IDL::Fault]).void }
      def initialize(faults); end

      sig { returns(::String) }
      def file; end

      sig { returns(::Integer) }
      def line; end

      sig { returns(::Integer) }
      def column; end
    end

    # One fault in the text.
    class Fault
      sig { returns(::Sparpack::IDL::Source) }
      attr_reader :source

      sig { returns(::Integer) }
      attr_reader :offset

      sig { returns(::String) }
      attr_reader :expected

      sig { returns(::String) }
      attr_reader :found

      sig { returns(T.nilable(::String)) }
      attr_reader :text

      sig { returns(T::Array[::String]) }
      attr_reader :chain

      sig do
        params(
          source: ::Sparpack::IDL::Source,
          offset: ::Integer,
          expected: ::String,
          found: ::String,
          text: T.nilable(::String),
          chain: T::Array[::String]
        ).void
      end
      def initialize(source, offset, expected, found, text = nil, chain = T.unsafe(nil)); end

      sig { params(chain: T::Array[::String]).returns(::Sparpack::IDL::Fault) }
      def in(chain); end

      sig { returns(::Integer) }
      def line; end

      sig { returns(::Integer) }
      def column; end

      sig { returns(::String) }
      def message; end
    end

    # A .thrift text and the places of its lines.
    class Source
      sig { returns(::String) }
      attr_reader :path

      sig { returns(::String) }
      attr_reader :text

      sig { params(text: ::String, path: ::String).void }
      def initialize(text, path = T.unsafe(nil)); end

      sig { params(offset: ::Integer).returns(::Integer) }
      def line(offset); end

      sig { params(offset: ::Integer).returns(::Integer) }
      def column(offset); end

      sig { params(offset: ::Integer).returns(::String) }
      def word(offset); end
    end

    # Formats .thrift texts.
    class Formatter
      # The greatest length of a line.
      WIDTH = T.let(T.unsafe(nil), ::Integer)

      sig { params(source: ::Sparpack::IDL::Source).void }
      def initialize(source); end

      sig { returns(::String) }
      def run; end
    end

    # A .thrift file and its includes, with all names resolved.
    class Program
      sig { returns(::Sparpack::IDL::AST::Document) }
      attr_reader :document

      sig { returns(T::Array[::Sparpack::IDL::Program]) }
      attr_reader :includes

      sig { returns(T::Array[::String]) }
      attr_reader :chain

      sig do
        returns(T::Array[T.any(::Sparpack::IDL::Model::Typedef, ::Sparpack::IDL::Model::Enum, ::Sparpack::IDL::Model::Record, ::Sparpack::IDL::Model::Const, ::Sparpack::IDL::Model::Service)])
      end
      attr_reader :definitions

      sig { params(document: ::Sparpack::IDL::AST::Document, chain: T::Array[::String]).void }
      def initialize(document, chain = T.unsafe(nil)); end

      sig { returns(::Sparpack::IDL::Source) }
      def source; end

      sig { returns(::String) }
      def path; end

      sig { returns(::String) }
      def name; end

      sig { returns(T.nilable(::String)) }
      def doc; end

      sig { params(scope: ::String).returns(T.nilable(::String)) }
      def namespace(scope); end

      sig { returns(T::Array[::Sparpack::IDL::Model::Typedef]) }
      def typedefs; end

      sig { returns(T::Array[::Sparpack::IDL::Model::Enum]) }
      def enums; end

      sig { returns(T::Array[::Sparpack::IDL::Model::Record]) }
      def records; end

      sig { returns(T::Array[::Sparpack::IDL::Model::Const]) }
      def constants; end

      sig { returns(T::Array[::Sparpack::IDL::Model::Service]) }
      def services; end

      sig { returns(T::Array[::Sparpack::IDL::Program]) }
      def all; end

      sig do
        params(
          name: ::String
        ).returns(T.nilable(T.any(::Sparpack::IDL::Model::Typedef, ::Sparpack::IDL::Model::Enum, ::Sparpack::IDL::Model::Record)))
      end
      def type(name); end

      sig { params(name: ::String).returns(T.nilable(::Sparpack::IDL::Model::Const)) }
      def constant(name); end

      sig { params(name: ::String).returns(T.nilable(::Sparpack::IDL::Model::Service)) }
      def service(name); end

      sig { returns(T::Array[::String]) }
      def type_names; end

      sig { returns(T::Array[::String]) }
      def constant_names; end

      sig { returns(T::Array[::String]) }
      def service_names; end

      sig { returns(T.self_type) }
      def freeze; end

      sig { returns(::String) }
      def inspect; end
    end
  end
end
