# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Where the native part calls what is registered for extension types.
    #
    # @api private
    module Extensions
      # A fiber's holds some 50 extension types, one in the other.
      SMALL_STACK = "more levels of extension types than this thread's or fiber's stack holds"
      private_constant :SMALL_STACK

      module_function

      # @raise [RangeError] if it is no number of an extension type
      def check_number(type)
        raise ::RangeError, "integer #{type} too big to convert to `signed char'" unless type.between?(-128, 127)
      end

      # Writes a value that is none of MessagePack's own: by what is registered for its class, else by its `to_msgpack`.
      def write(packer, value, types)
        type, proc, recursive = types&.find(value)
        return value.to_msgpack(packer) unless type

        payload = recursive ? packer.send(:capture) { proc.call(value, packer) } : proc.call(value)
        packer.write_ext(type, payload)
      rescue SystemStackError
        raise StackError, SMALL_STACK
      end

      # Answers what is registered for a type, or the value as it is.
      def read(reader, type, payload, depth, flags, types)
        return ExtensionValue.new(type, payload) unless reader
        return reader.proc.call(payload) unless reader.recursive

        reader.proc.call(Unpacker.nested(payload, flags, types, depth))
      rescue SystemStackError
        raise StackError, SMALL_STACK
      end
    end

    # How values of classes are packed as extension types.
    #
    # @api private
    class Types
      Entry = ::Struct.new(:type, :proc, :recursive, :oversized) do
        # @return [Array(Integer, Proc, Boolean)]
        def to_a = [type, proc, recursive]
        alias_method :to_ary, :to_a
      end
      private_constant :Entry

      # @return [Hash{Module => Object}] in order of registration
      attr_reader :entries

      def initialize(entries = {})
        @entries = entries
      end

      def register(klass, type, proc, recursive, oversized)
        @entries[klass] = Entry.new(type, proc, recursive, oversized)
      end

      # Integers are packed as such while they fit.
      def registered?(value) = !find(value).nil?

      # Of an exact class, else of the first registered that the value is one of.
      def find(value)
        entry = @entries[value.class] || @entries.find { |klass, _| klass === value }&.last # rubocop:disable Style/CaseEquality
        entry if entry&.proc && (entry.oversized || !value.is_a?(Integer))
      end

      def dup = Types.new(@entries.dup)
    end
  end
end
