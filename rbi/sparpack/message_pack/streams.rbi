# typed: true

# Generated from sig/sparpack/message_pack/streams.rbs by `rake rbi`: do not edit.

module Sparpack
  module MessagePack
    class Buffer
      sig { returns(T.untyped) }
      attr_reader :io

      sig { params(io: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).void }
      def initialize(io = T.unsafe(nil), options = nil); end

      sig { returns(NilClass) }
      def clear; end

      sig { returns(::Integer) }
      def size; end

      sig { returns(T::Boolean) }
      def empty?; end

      sig { params(string: ::String).returns(T.self_type) }
      def <<(string); end

      sig { params(string: ::String).returns(::Integer) }
      def write(string); end

      sig { params(count: T.nilable(::Integer), into: T.nilable(::String)).returns(T.nilable(::String)) }
      def read(count = nil, into = nil); end

      sig { params(count: T.nilable(::Integer), into: T.nilable(::String)).returns(T.nilable(::String)) }
      def read_all(count = nil, into = nil); end

      sig { params(count: ::Integer).returns(::Integer) }
      def skip(count); end

      sig { params(count: ::Integer).returns(T.self_type) }
      def skip_all(count); end

      sig { returns(::String) }
      def to_s; end

      sig { returns(::String) }
      def to_str; end

      sig { returns(T::Array[::String]) }
      def to_a; end

      sig { returns(T.self_type) }
      def flush; end

      sig { returns(NilClass) }
      def close; end

      sig { params(io: T.untyped).returns(::Integer) }
      def write_to(io); end
    end

    class Packer
      sig { params(io: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).void }
      def initialize(io = T.unsafe(nil), options = nil); end

      sig { returns(::Sparpack::MessagePack::Buffer) }
      def buffer; end

      sig { returns(T::Boolean) }
      def compatibility_mode?; end

      sig do
        params(
          type: ::Integer,
          klass: ::Module,
          method_name: T.nilable(::Symbol),
          block: T.nilable(T.proc.params(value: T.untyped).returns(::String))
        ).returns(NilClass)
      end
      def register_type(type, klass, method_name = nil, &block); end

      sig { returns(T::Array[T::Hash[::Symbol, T.untyped]]) }
      def registered_types; end

      sig { params(klass_or_type: T.any(::Module, ::Integer)).returns(T::Boolean) }
      def type_registered?(klass_or_type); end

      sig { params(value: T.untyped).returns(T.self_type) }
      def write(value); end

      sig { params(value: T.untyped).returns(T.self_type) }
      def pack(value); end

      sig { returns(T.self_type) }
      def write_nil; end

      sig { returns(T.self_type) }
      def write_true; end

      sig { returns(T.self_type) }
      def write_false; end

      sig { params(number: ::Numeric).returns(T.self_type) }
      def write_float(number); end

      sig { params(number: ::Numeric).returns(T.self_type) }
      def write_float32(number); end

      sig { params(string: ::String).returns(T.self_type) }
      def write_string(string); end

      sig { params(string: ::String).returns(T.self_type) }
      def write_bin(string); end

      sig { params(array: T::Array[T.untyped]).returns(T.self_type) }
      def write_array(array); end

      sig { params(hash: T::Hash[T.untyped, T.untyped]).returns(T.self_type) }
      def write_hash(hash); end

      sig { params(symbol: ::Symbol).returns(T.self_type) }
      def write_symbol(symbol); end

      sig { params(integer: ::Integer).returns(T.self_type) }
      def write_int(integer); end

      sig { params(value: ::Sparpack::MessagePack::ExtensionValue).returns(T.self_type) }
      def write_extension(value); end

      sig { params(type: ::Integer, payload: ::String).returns(T.self_type) }
      def write_ext(type, payload); end

      sig { params(count: ::Integer).returns(T.self_type) }
      def write_array_header(count); end

      sig { params(count: ::Integer).returns(T.self_type) }
      def write_map_header(count); end

      sig { params(count: ::Integer).returns(T.self_type) }
      def write_bin_header(count); end

      sig { returns(T.self_type) }
      def flush; end

      sig { returns(NilClass) }
      def reset; end

      sig { returns(NilClass) }
      def clear; end

      sig { returns(::Integer) }
      def size; end

      sig { returns(T::Boolean) }
      def empty?; end

      sig { returns(::String) }
      def to_s; end

      sig { returns(::String) }
      def to_str; end

      sig { returns(T::Array[::String]) }
      def to_a; end

      sig { params(io: T.untyped).returns(::Integer) }
      def write_to(io); end

      sig { returns(T.nilable(::String)) }
      def full_pack; end
    end

    class Unpacker
      sig { returns(::Sparpack::MessagePack::Buffer) }
      attr_reader :buffer

      sig { params(io: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).void }
      def initialize(io = T.unsafe(nil), options = nil); end

      sig { returns(T::Boolean) }
      def symbolize_keys?; end

      sig { returns(T::Boolean) }
      def freeze?; end

      sig { returns(T::Boolean) }
      def allow_unknown_ext?; end

      sig do
        params(
          type: ::Integer,
          klass: T.nilable(::Module),
          method_name: T.nilable(::Symbol),
          block: T.nilable(T.proc.params(payload: ::String).returns(T.untyped))
        ).returns(NilClass)
      end
      def register_type(type, klass = nil, method_name = nil, &block); end

      sig { returns(T::Array[T::Hash[::Symbol, T.untyped]]) }
      def registered_types; end

      sig { params(klass_or_type: T.any(::Module, ::Integer)).returns(T::Boolean) }
      def type_registered?(klass_or_type); end

      sig { params(bytes: ::String).returns(T.self_type) }
      def feed(bytes); end

      sig { params(bytes: ::String).returns(T.self_type) }
      def feed_reference(bytes); end

      sig { returns(T.untyped) }
      def read; end

      sig { returns(T.untyped) }
      def unpack; end

      sig { returns(T.untyped) }
      def full_unpack; end

      sig { returns(T::Enumerator[T.untyped]) }
      sig { params(block: T.proc.params(value: T.untyped).void).returns(NilClass) }
      def each(&block); end

      sig { params(bytes: ::String).returns(T::Enumerator[T.untyped]) }
      sig { params(bytes: ::String, block: T.proc.params(value: T.untyped).void).returns(NilClass) }
      def feed_each(bytes, &block); end

      sig { returns(NilClass) }
      def skip; end

      sig { returns(T::Boolean) }
      def skip_nil; end

      sig { returns(::Integer) }
      def read_array_header; end

      sig { returns(::Integer) }
      def read_map_header; end

      sig { returns(NilClass) }
      def reset; end
    end

    class Factory
      sig { void }
      def initialize; end

      sig do
        params(
          type: ::Integer,
          klass: ::Module,
          options: T.nilable(T::Hash[::Symbol, T.untyped])
        ).returns(NilClass)
      end
      def register_type(type, klass, options = nil); end

      sig do
        params(
          name: ::Symbol,
          type: T.nilable(::Integer),
          klass: T.nilable(T::Class[T.anything])
        ).returns(NilClass)
      end
      def register_builtin(name, type = nil, klass = nil); end

      sig { params(bytes: ::String, steps: T.untyped, options: T.untyped).returns(T.untyped) }
      def dig(bytes, *steps, **options); end

      sig { params(selector: ::Symbol).returns(T::Array[T::Hash[::Symbol, T.untyped]]) }
      def registered_types(selector = T.unsafe(nil)); end

      sig { params(klass_or_type: T.any(::Module, ::Integer), selector: ::Symbol).returns(T::Boolean) }
      def type_registered?(klass_or_type, selector = T.unsafe(nil)); end

      sig { params(arguments: T.untyped).returns(::Sparpack::MessagePack::Packer) }
      def packer(*arguments); end

      sig { params(arguments: T.untyped).returns(::Sparpack::MessagePack::Unpacker) }
      def unpacker(*arguments); end

      sig { params(value: T.untyped, arguments: T.untyped).returns(T.nilable(::String)) }
      def dump(value, *arguments); end

      sig { params(value: T.untyped, arguments: T.untyped).returns(T.nilable(::String)) }
      def pack(value, *arguments); end

      sig { params(source: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.untyped) }
      def load(source, options = nil); end

      sig { params(source: T.untyped, options: T.nilable(T::Hash[::Symbol, T.untyped])).returns(T.untyped) }
      def unpack(source, options = nil); end

      sig { params(size: ::Integer, options: T.untyped).returns(::Sparpack::MessagePack::Factory::Pool) }
      def pool(size = T.unsafe(nil), **options); end

      class Pool
        sig do
          params(
            factory: ::Sparpack::MessagePack::Factory,
            size: ::Integer,
            options: T.nilable(T::Hash[::Symbol, T.untyped])
          ).void
        end
        def initialize(factory, size, options = nil); end

        sig { params(bytes: ::String).returns(T.untyped) }
        def load(bytes); end

        sig { params(value: T.untyped).returns(T.nilable(::String)) }
        def dump(value); end

        sig do
          type_parameters(:T)
            .params(
              block: T.proc.params(packer: ::Sparpack::MessagePack::Packer).returns(T.type_parameter(:T))
            ).returns(T.type_parameter(:T))
        end
        def packer(&block); end

        sig do
          type_parameters(:T)
            .params(
              block: T.proc.params(unpacker: ::Sparpack::MessagePack::Unpacker).returns(T.type_parameter(:T))
            ).returns(T.type_parameter(:T))
        end
        def unpacker(&block); end
      end
    end
  end
end
