# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Which classes are packed as which extension types, and how these are read.
    #
    # @example
    #   factory = Sparpack::MessagePack::Factory.new
    #   factory.register_type(1, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
    #   factory.load(factory.dump([1r / 3])) # => [(1/3)]
    class Factory
      autoload :Pool, "sparpack/message_pack/pool"

      # How values of an extension type are read.
      #
      # @api private
      Reader = ::Struct.new(:klass, :proc, :recursive)

      def initialize
        @types = Types.new
        @readers = {}
      end

      # @param type [Integer] -128 to 127
      # @param klass [Module]
      # @param options [Hash] `packer:` and `unpacker:` (Proc, Method, Symbol or String, or what has `call`; nil for none),
      #   `recursive:` whether they are given a packer or unpacker for what is inside, `oversized_integer_extension:` whether
      #   Integers of more than 64 bits are meant
      # @return [nil]
      # @raise [ArgumentError, TypeError, FrozenError]
      def register_type(type, klass, options = { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext })
        raise FrozenError, "can't modify frozen #{self.class}" if frozen?
        raise ::ArgumentError, "expected Module/Class but found #{klass.class}." unless klass.is_a?(Module)

        Extensions.check_number(type)

        options ||= {}
        recursive = options[:recursive] ? true : false
        packer = Factory.callable(options[:packer], :packer, &:to_proc)
        unpacker = Factory.callable(options[:unpacker], :unpacker) { |name| klass.method(name).to_proc }
        oversized = klass != Integer || options[:oversized_integer_extension]
        @types.register(klass, type, packer, recursive, oversized)
        @readers[type] = Reader.new(klass, unpacker, recursive)
        nil
      end

      # @api private
      def self.callable(given, name)
        case given
        when nil, Proc then given
        when String, Symbol then yield given.to_sym
        else
          return given.method(:call).to_proc if given.respond_to?(:call)

          raise ::TypeError, "expected :#{name} argument to be a callable object, got: #{given.inspect}"
        end
      end

      # @param selector [Symbol] `:both`, `:packer` or `:unpacker`
      # @return [Array<Hash>] with `type:`, `class:`, `packer:` and `unpacker:`, in order of types
      # @raise [ArgumentError] for another selector
      def registered_types(selector = :both)
        found = { both: -> { both }, packer: -> { packers }, unpacker: -> { unpackers } }.fetch(selector) do
          raise ::ArgumentError, "invalid selector #{selector}"
        end
        found.call.sort_by { |entry| entry[:type] }
      end

      # @param klass_or_type [Module, Integer]
      # @param selector [Symbol] as {#registered_types}
      # @return [Boolean]
      # @raise [ArgumentError] for anything else
      def type_registered?(klass_or_type, selector = :both)
        case klass_or_type
        when Module then registered_types(selector).any? { |entry| entry[:class] && klass_or_type <= entry[:class] }
        when Integer then registered_types(selector).any? { |entry| entry[:type] == klass_or_type }
        else raise ::ArgumentError, "class or type id"
        end
      end

      # What packers go by; nil if nothing is registered.
      #
      # @return [Types, nil]
      # @api private
      def types = @types.entries.empty? ? nil : @types

      # @return [Hash{Integer => Object}]
      # @api private
      attr_reader :readers

      # @return [Packer] as {Packer#initialize}
      def packer(*arguments) = Packer.new(*arguments).tap { |packer| packer.send(:use, @types.dup) }

      # @return [Unpacker] as {Unpacker#initialize}
      def unpacker(*arguments) = Unpacker.new(*arguments).tap { |unpacker| unpacker.send(:use, @readers.dup) }

      # @param value [Object]
      # @param arguments [Array] as {Packer#initialize}
      # @return [String, nil]
      def dump(value, *arguments) = packer(*arguments).write(value).full_pack
      alias pack dump

      # @param source [String, IO]
      # @param options [Hash] as {Unpacker#initialize}
      # @return [Object]
      def load(source, options = nil)
        source.is_a?(String) ? unpacker(nil, options).feed(source).full_unpack : unpacker(source, options).full_unpack
      end
      alias unpack load

      # @param size [Integer] how many packers and unpackers are kept
      # @param options [Hash] as {Packer#initialize} and {Unpacker#initialize}
      # @return [Pool]
      def pool(size = 1, **options) = Pool.new(frozen? ? self : dup.freeze, size, options.empty? ? nil : options)

      # @return [self]
      def freeze
        @types.entries.freeze
        @readers.freeze
        super
      end

      private

      def initialize_copy(_other)
        @types = @types.dup
        @readers = @readers.dup
      end

      def packers
        @types.entries.filter_map do |klass, entry|
          { type: entry.type, class: klass, packer: entry.proc } if entry.proc
        end
      end

      def unpackers
        @readers.filter_map { |type, entry| { type:, class: entry.klass, unpacker: entry.proc } if entry.proc }
      end

      def both
        left = @readers.dup
        found = @types.entries.map do |klass, entry|
          reader = left.delete(entry.type) if left[entry.type]&.klass == klass
          { type: entry.type, class: klass, packer: entry.proc, unpacker: reader&.proc }
        end
        found + left.map { |type, entry| { type:, class: entry.klass, packer: nil, unpacker: entry.proc } }
      end
    end
  end
end
