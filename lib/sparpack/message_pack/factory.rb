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
      def initialize
        self.types = Types.new
      end

      # @param type [Integer] -128 to 127
      # @param klass [Module]
      # @param options [Hash] `packer:` and `unpacker:` (Proc, Method, Symbol or String, or what has `call`; nil for none),
      #   `recursive:` whether they are given a packer or unpacker for what is inside, `oversized_integer_extension:` whether
      #   Integers of more than 64 bits are meant, `optimized_symbols_parsing:` whether Symbols are read without `unpacker:`
      # @return [nil]
      # @raise [ArgumentError, TypeError, FrozenError]
      def register_type(type, klass, options = { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext })
        raise FrozenError, "can't modify frozen #{self.class}" if frozen?
        raise ::ArgumentError, "expected Module/Class but found #{klass.class}." unless klass.is_a?(Module)

        Extensions.check_number(type)
        Arguments.check_options(:register_type, options)
        options ||= {}
        recursive = options[:recursive] ? true : false
        self.types = types.with_entry(klass, type, recursive:, **packing(klass, options))
                          .with_reader(type, klass, recursive:, **reading(klass, options))
        nil
      end

      # Registers an extension type that is packed and read without Ruby code.
      #
      # @param name [Symbol] `:time` (the specification's timestamp), `:bigint` (Integers of more than 64 bits, as {Bigint}),
      #   `:bigdecimal`, `:set`, `:symbol`, `:rational`, or `:struct` and `:data` (by the order of their members)
      # @param type [Integer, nil] -128 to 127; nil for `:time` is -1
      # @param klass [Class, nil] which one, of `:struct` and `:data`
      # @return [nil]
      # @raise [ArgumentError] for another name, without a type, or for a class that is none
      # @raise [FrozenError, RangeError, TypeError] as {#register_type}
      # @example
      #   factory.register_builtin(:time)
      #   factory.register_builtin(:set, 5)
      #   factory.register_builtin(:struct, 6, Point)
      def register_builtin(name, type = nil, klass = nil)
        raise FrozenError, "can't modify frozen #{self.class}" if frozen?

        builtin, found, standard = Builtins.find(name, klass)
        type ||= standard or raise ::ArgumentError, "which extension type is #{Quote.value(name)} to have? (-128 to 127)"
        Extensions.check_number(type)
        self.types = types.with_entry(found, type, builtin:, oversized: true).with_reader(type, found, builtin:)
        nil
      end

      # @api private
      def self.callable(given, name)
        case given
        when nil, Proc then given
        when String, Symbol then yield given.to_sym
        else
          return given.method(:call).to_proc if given.respond_to?(:call)

          raise ::TypeError, "expected :#{name} argument to be a callable object, got: #{Quote.value(given)}"
        end
      end

      # @param selector [Symbol] `:both`, `:packer` or `:unpacker`
      # @return [Array<Hash>] with `type:`, `class:`, `packer:` and `unpacker:`, in order of types
      # @raise [ArgumentError] for another selector
      def registered_types(selector = :both)
        found = { both: -> { both }, packer: -> { packers }, unpacker: -> { unpackers } }.fetch(selector) do
          raise ::ArgumentError, "invalid selector #{Quote.value(selector)}"
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

      # @!method types
      #   @return [Types]
      #   @api private

      # @return [Packer] as {Packer#initialize}
      def packer(*arguments) = Packer.new(*arguments).tap { |packer| packer.send(:use, used_types) }

      # @return [Unpacker] as {Unpacker#initialize}
      def unpacker(*arguments) = Unpacker.new(*arguments).tap { |unpacker| unpacker.send(:use, used_types) }

      # @param value [Object]
      # @param arguments [Array] as {Packer#initialize}
      # @return [String, nil]
      def dump(value, *arguments)
        return dump_by(value, nil) if arguments.empty?
        return dump_with(value, arguments[0]) if arguments.size == 1 && arguments[0].is_a?(Hash)

        Arguments.open_output(arguments[0]) { |io| packer(io, *arguments.drop(1)).write(value).full_pack }
      end
      alias pack dump

      # @param source [String, IO, Pathname] one value
      # @param options [Hash] as {Unpacker#initialize}
      # @return [Object]
      def load(source, options = nil)
        Arguments.check_options(:unpacker, options)
        return load_by(source, options && Unpacker.row(options)) if source.is_a?(String)

        Arguments.check_source(source)
        return unpacker(source && Input.new(source, again: true), options).full_unpack unless Input.path?(source)

        Input.open(source) { |file| load_file(file, options) }
      end
      alias unpack load

      # @!method load_by(source, row)
      #   @param source [String]
      #   @param row [Array, nil] of {Unpacker.row}
      #   @return [Object]
      #   @api private

      # Reads a part of a value, and skips the rest without making anything of it: see {MessagePack.dig}.
      #
      # @param bytes [String] one value
      # @param steps [Array<Object>] keys of Hashes and indexes of Arrays
      # @param options [Hash] as {Unpacker#initialize}, without those of {Buffer}
      # @return [Object, nil] nil where there is none
      # @raise [EOFError, UnpackError, ArgumentError] as {MessagePack.dig}
      def dig(bytes, *steps, **options)
        Options.check(options, Arguments::DIG)
        Native.message_dig(bytes, used_types, steps, Unpacker.row(options))
      end

      # @!method dump_by(value, row)
      #   @param value [Object]
      #   @param row [Array, nil] of {Packer.row}
      #   @return [String]
      #   @api private

      # @param size [Integer] how many packers and unpackers are kept
      # @param options [Hash] as {Packer#initialize} and {Unpacker#initialize}
      # @return [Pool]
      # @raise [ArgumentError] for an unknown option
      def pool(size = 1, **options) = Pool.new(frozen? ? self : dup.freeze, size, options.empty? ? nil : options)

      private

      def dump_with(value, options)
        Arguments.check_options(:packer, options)
        dump_by(value, Packer.row(options))
      end

      # An unpacker does not look further than what it has read.
      def load_file(file, options)
        value = unpacker(file, options).full_unpack
        raise MalformedFormatError, "bytes are left after the value" unless file.eof?

        value
      end

      def packing(klass, options)
        oversized = options[:oversized_integer_extension]
        if oversized && klass != ::Integer
          raise ::ArgumentError, "oversized_integer_extension: true is only for Integer class"
        end

        { proc: Factory.callable(options[:packer], :packer) { |name| Extensions.packer_named(klass, name) },
          builtin: (Extensions.packer_builtin(klass, options[:packer]) unless options[:recursive]),
          oversized: oversized || klass != ::Integer }
      end

      def reading(klass, options)
        builtin = options[:optimized_symbols_parsing] && klass == ::Symbol ? :symbol : nil
        { proc: Factory.callable(options[:unpacker], :unpacker) { |name| Extensions.unpacker_named(klass, name) },
          builtin: builtin || (Extensions.unpacker_builtin(klass, options[:unpacker]) unless options[:recursive]) }
      end

      # Packers and unpackers that have theirs keep it.
      def types=(types)
        hold(types)
        Native.message_default(types) if @default
      end

      # From now on it is what {MessagePack.pack} and {MessagePack.unpack} go by.
      def become_default
        @default = true
        self
      end

      def initialize_copy(other)
        @default = false if @default
        hold(other.types)
      end

      def packers
        types.entries.filter_map do |entry|
          { type: entry.type, class: entry.klass, packer: entry.proc } if entry.proc || entry.builtin
        end
      end

      def unpackers
        types.readers.filter_map do |entry|
          { type: entry.type, class: entry.klass, unpacker: entry.proc } if entry.proc || entry.builtin
        end
      end

      def both
        left = types.readers.to_h { |entry| [entry.type, entry] }
        found = types.entries.map do |entry|
          reader = left.delete(entry.type) if left[entry.type]&.klass == entry.klass
          { type: entry.type, class: entry.klass, packer: entry.proc, unpacker: reader&.proc }
        end
        found + left.map { |type, entry| { type:, class: entry.klass, packer: nil, unpacker: entry.proc } }
      end
    end
  end
end
