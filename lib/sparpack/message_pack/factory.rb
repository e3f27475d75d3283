# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Packs and unpacks values with extension types of its own.
    #
    # @example
    #   factory = Sparpack::MessagePack::Factory.new
    #   factory.register_type(1, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
    #   factory.load(factory.dump([1r / 3])) # => [1r / 3]
    class Factory
      # Makes a factory without extension types.
      def initialize
        self.types = Types.new
      end

      # Registers an extension type.
      #
      # @param type [Integer] the number of the type, -128 to 127
      # @param klass [Module] the class of the values
      # @param options [Hash]
      # @option options [Proc, Method, Symbol, String, #call, nil] :packer returns the payload of a value, as a String; nil
      #   if the type is only unpacked
      # @option options [Proc, Method, Symbol, String, #call, nil] :unpacker returns the value of a payload; nil if the type
      #   is only packed
      # @option options [Boolean] :recursive (false) whether the packer also gets a {Packer} to write the payload to, and the
      #   unpacker gets an {Unpacker} to read it from
      # @option options [Boolean] :oversized_integer_extension (false) whether the type is for Integers of more than 64 bits
      # @option options [Boolean] :optimized_symbols_parsing (false) whether Symbols are unpacked without calling `unpacker:`
      # @option options [Codec] :codec packs and unpacks the values in place of `packer:` and `unpacker:`, such as that of a
      #   {Mapping}. It writes them straight into the output and reads them where their bytes are
      # @return [nil]
      # @raise [ArgumentError] if `klass` is not a Module, for an unknown option, or for a codec of another class
      # @raise [TypeError] if `packer:` or `unpacker:` cannot be called, or if `type` is not an Integer
      # @raise [RangeError] if `type` is out of range
      # @raise [FrozenError] if the factory is frozen
      # @example
      #   factory.register_type(1, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
      def register_type(type, klass, options = { packer: :to_msgpack_ext, unpacker: :from_msgpack_ext })
        raise FrozenError, "can't modify frozen #{self.class}" if frozen?
        raise ::ArgumentError, "expected Module/Class but found #{klass.class}." unless klass.is_a?(Module)

        Extensions.check_number(type)
        Arguments.check_options(:register_type, options)
        options ||= {}
        codec = options.key?(:codec) ? Factory.check_codec(klass, options) : nil
        recursive = options[:recursive] ? true : false
        self.types = types.with_entry(klass, type, recursive:, **packing(klass, options), **by_codec(codec, :encode))
                          .with_reader(type, klass, recursive:, **reading(klass, options), **by_codec(codec, :decode))
        nil
      end

      # Registers an extension type that is packed and unpacked without Ruby code, which is faster.
      #
      # @param name [Symbol] `:time` (the timestamp of the specification), `:bigint` (Integers of more than 64 bits, as
      #   {Bigint}), `:bigdecimal`, `:set`, `:symbol`, `:rational`, or `:struct` and `:data`, whose members are stored in
      #   order
      # @param type [Integer, nil] the number of the type, -128 to 127; nil means -1 for `:time`
      # @param klass [Class, nil] a subclass of Struct for `:struct`, or of Data for `:data`; nil for the others
      # @return [nil]
      # @raise [ArgumentError] for an unknown name, without a type, for a class that does not fit the name, or if another
      #   class has the type. (A class may have several types. Its values are written with the last one and read with each.)
      # @raise [FrozenError, RangeError, TypeError] as {#register_type}
      # @example
      #   factory.register_builtin(:time)
      #   factory.register_builtin(:set, 5)
      #   factory.register_builtin(:struct, 6, Point)
      def register_builtin(name, type = nil, klass = nil)
        raise FrozenError, "can't modify frozen #{self.class}" if frozen?

        builtin, found, standard = Builtins.find(name, klass)
        type ||= standard or raise ::ArgumentError, "pass the number of the type for #{Quote.value(name)}, -128 to 127"
        Extensions.check_number(type)
        check_free(type, found)
        self.types = types.with_entry(found, type, builtin:, oversized: true).with_reader(type, found, builtin:)
        nil
      end

      # @return [Codec] that of the options
      # @raise [ArgumentError]
      # @api private
      def self.check_codec(klass, options)
        codec = options[:codec]
        raise ::ArgumentError, "codec: expected a Sparpack::Codec, got #{Quote.value(codec)}" unless codec.is_a?(Codec)

        given = %i[packer unpacker recursive].find { |name| options[name] }
        raise ::ArgumentError, "codec: #{given}: cannot be given, too, because the codec does its work" if given

        mapped = codec.struct_class
        mapped = mapped.mapped_class if mapped.is_a?(Mapping)
        unless klass.equal?(mapped)
          raise ::ArgumentError, "codec: expected one of #{Quote.plain(klass)}, got one of #{Quote.plain(mapped)}"
        end

        codec
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

      # Returns the registered extension types.
      #
      # @param selector [Symbol] `:packer` for those that are packed, `:unpacker` for those that are unpacked, or `:both`
      # @return [Array<Hash>] Hashes with `type:`, `class:`, `packer:` and `unpacker:`, sorted by type
      # @raise [ArgumentError] for another selector
      # @example
      #   factory.register_builtin(:set, 5)
      #   factory.registered_types.first[:class] # => Set
      def registered_types(selector = :both)
        found = { both: -> { both }, packer: -> { packers }, unpacker: -> { unpackers } }.fetch(selector) do
          raise ::ArgumentError, "invalid selector #{Quote.value(selector)}"
        end
        found.call.sort_by { |entry| entry[:type] }
      end

      # Tells whether an extension type is registered.
      #
      # @param klass_or_type [Module, Integer] the class of the values, or the number of the type
      # @param selector [Symbol] as for {#registered_types}
      # @return [Boolean]
      # @raise [ArgumentError] for anything else
      # @example
      #   factory.type_registered?(Rational) # => false
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

      # Makes a packer with the extension types of the factory.
      #
      # @param arguments [Array] as {Packer#initialize} takes them
      # @return [Packer]
      # @raise [ArgumentError, TypeError] as {Packer#initialize}
      # @example
      #   factory.packer(sort_keys: true).write({ "b" => 1, "a" => 2 }).to_s
      def packer(*arguments) = Packer.new(*arguments).tap { |packer| packer.send(:use, used_types) }

      # Makes an unpacker with the extension types of the factory.
      #
      # @param arguments [Array] as {Unpacker#initialize} takes them
      # @return [Unpacker]
      # @raise [ArgumentError, TypeError] as {Unpacker#initialize}
      # @example
      #   factory.unpacker(symbolize_keys: true).feed("\x81\xA1a\x01").read # => { a: 1 }
      def unpacker(*arguments) = Unpacker.new(*arguments).tap { |unpacker| unpacker.send(:use, used_types) }

      # Packs a value, and returns the bytes or writes them to an io.
      #
      # @param value [Object]
      # @param arguments [Array] an io or options, as {Packer#initialize} takes them; and `compression:`, as
      #   {MessagePack.pack} takes it
      # @return [String, nil] the bytes; nil if there is an io
      # @raise [RangeError, NoMethodError, StackError, LoadError] as {MessagePack.pack}
      # @raise [ArgumentError] for an unknown option, and for `compression:` if the factory has a type of the same number
      # @example
      #   factory.dump({ "id" => 1 })
      def dump(value, *arguments)
        return dump_by(value, nil) if arguments.empty?
        return dump_with(value, arguments[0]) if arguments.size == 1 && arguments[0].is_a?(Hash)
        return dump_compressed(value, *arguments) if arguments[1].is_a?(Hash) && arguments[1][:compression]

        Arguments.open_output(arguments[0]) { |io| packer(io, *arguments.drop(1)).write(value).full_pack }
      end
      alias pack dump

      # Unpacks one value.
      #
      # @param source [String, IO, Pathname] the bytes, an io, or the path of a file
      # @param options [Hash, nil] as {Unpacker#initialize} takes them
      # @return [Object]
      # @raise [UnpackError, EOFError] as {MessagePack.unpack}
      # @example
      #   factory.load(factory.dump({ "id" => 1 })) # => { "id" => 1 }
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

      # Unpacks a part of a value, and skips the rest: see {MessagePack.dig}.
      #
      # @param bytes [String] one packed value
      # @param steps [Array<Object>] keys of Hashes and indexes of Arrays
      # @param options [Hash] as {Unpacker#initialize} takes them, without those of {Buffer}
      # @return [Object, nil] nil if there is no such part
      # @raise [EOFError, UnpackError, ArgumentError] as {MessagePack.dig}
      # @example
      #   factory.dig(bytes, "users", 3, "name")
      def dig(bytes, *steps, **options)
        Options.check(options, Arguments::DIG)
        Native.message_pack_dig(bytes, used_types, steps, Unpacker.row(options))
      end

      # @!method dump_by(value, row)
      #   @param value [Object]
      #   @param row [Array, nil] of {Packer.row}
      #   @return [String]
      #   @api private

      # Makes a pool of packers and unpackers with the present extension types of the factory.
      #
      # @param size [Integer] how many packers and how many unpackers to keep
      # @param options [Hash] as {Packer#initialize} and {Unpacker#initialize} take them
      # @return [Pool]
      # @raise [ArgumentError] for an unknown option
      # @example
      #   pool = factory.pool(5, symbolize_keys: true)
      def pool(size = 1, **options) = Pool.new(frozen? ? self : dup.freeze, size, options.empty? ? nil : options)

      private

      def dump_with(value, options)
        Arguments.check_options(:packer, options)
        form = options[:compression]
        return dump_by(value, Packer.row(options)) if form.nil?

        Compression.check_types(form, types.readers)
        Compression.compress(dump_by(value, Packer.row(options)), form)
      end

      # The whole value is compressed before the first byte of it is written.
      def dump_compressed(value, io, options)
        bytes = dump_with(value, options)
        return bytes if io.nil?

        Arguments.open_output(io) do |opened|
          packer = self.packer(opened, options.except(:compression))
          packer.buffer << bytes
          packer.full_pack
        end
      end

      # The gem's `register_type` replaces what another class has registered, and the values of that class are then read as
      # something else. A class that was reloaded takes the place of the old one.
      def check_free(type, klass)
        other = [*types.entries, *types.readers].find { |entry| entry.type == type && entry.klass != klass } or return
        return if klass.name && other.klass&.name == klass.name

        owner = other.klass ? Quote.value(other.klass) : "another class"
        raise ::ArgumentError, "the extension type #{type} belongs to #{owner} already: choose another number for " \
                               "#{Quote.value(klass)}"
      end

      # Checks for bytes after the value, because an unpacker does not read on to find them.
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

      # A codec works without a Proc, unless a subclass has a method of its own.
      def by_codec(codec, name)
        return {} unless codec

        method = codec.method(name)
        method.owner.equal?(Codec) ? { proc: codec, builtin: :codec } : { proc: method.to_proc }
      end

      # Packers and unpackers that exist already keep the types that they have.
      def types=(types)
        hold(types)
        Native.message_pack_default(types) if @default
      end

      # Makes this the factory of {MessagePack.pack} and {MessagePack.unpack}.
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
          { type: entry.type, class: entry.klass, packer: entry.callable } if entry.proc || entry.builtin
        end
      end

      def unpackers
        types.readers.filter_map do |entry|
          { type: entry.type, class: entry.klass, unpacker: entry.callable } if entry.proc || entry.builtin
        end
      end

      def both
        left = types.readers.to_h { |entry| [entry.type, entry] }
        found = types.entries.map do |entry|
          reader = left.delete(entry.type) if left[entry.type]&.klass == entry.klass
          { type: entry.type, class: entry.klass, packer: entry.callable, unpacker: reader&.callable }
        end
        found + left.map { |type, entry| { type:, class: entry.klass, packer: nil, unpacker: entry.callable } }
      end
    end
  end
end
