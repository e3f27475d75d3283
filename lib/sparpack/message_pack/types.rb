# frozen_string_literal: true

module Sparpack
  module MessagePack
    # The extension types that are registered: how each class is packed, and how each type is unpacked. It never changes.
    #
    # @api private
    class Types
      # How the values of a class are packed. A codec takes the place of the Proc.
      Entry = ::Struct.new(:klass, :type, :proc, :builtin, :recursive, :oversized) do
        # @return [Proc, nil]
        def callable = proc.is_a?(Codec) ? proc.method(:encode).to_proc : proc
      end

      # How an extension type is unpacked.
      Reader = ::Struct.new(:type, :klass, :proc, :builtin, :recursive) do
        # @return [Proc, nil]
        def callable = proc.is_a?(Codec) ? proc.method(:decode).to_proc : proc
      end
      private_constant :Entry, :Reader

      # @return [Array<Object>] in order of registration
      attr_reader :entries

      # @return [Array<Object>] in order of types
      attr_reader :readers

      def initialize(entries = [], readers = [])
        @entries = entries.freeze
        @readers = readers.sort_by(&:type).freeze
        setup(entries.map(&:to_a), @readers.map(&:to_a))
      end

      def with_entry(klass, type, proc: nil, builtin: nil, recursive: false, oversized: false)
        entry = Entry.new(klass, type, proc, builtin, recursive, oversized).freeze
        place = @entries.index { |other| other.klass.equal?(klass) } || @entries.size
        Types.new([*@entries].tap { |entries| entries[place] = entry }, [*@readers])
      end

      def with_reader(type, klass, proc: nil, builtin: nil, recursive: false)
        reader = Reader.new(type, klass, proc, builtin, recursive).freeze
        Types.new([*@entries], @readers.reject { |other| other.type == type } << reader)
      end
    end
  end
end
