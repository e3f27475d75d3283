# frozen_string_literal: true

require_relative "symbols"

module Sparpack
  module MessagePack
    # Calls what is registered for extension types. The native core uses these functions.
    #
    # @api private
    module Extensions
      # The stack of a fiber is large enough for all levels, unless much else is on it.
      SMALL_STACK = "the stack of this thread or fiber is too small for so many levels of extension types"
      private_constant :SMALL_STACK

      module_function

      # Checks the number of an extension type.
      #
      # @raise [RangeError] if the number is out of range
      # @raise [TypeError] if it is not an Integer
      def check_number(type)
        raise ::TypeError, "no implicit conversion from nil to integer" if type.nil?
        raise ::TypeError, "no implicit conversion of #{type.class} into Integer" unless type.is_a?(::Integer)

        Arguments.refuse_number(type) unless type.between?(-128, 127)
      end

      # @return [Limits, nil] the limits in the options
      # @raise [ArgumentError] if they are not a Limits
      def limits_in(options)
        limits = options[:limits]
        return limits if limits.nil? || limits.is_a?(Limits)

        raise ::ArgumentError, "limits: expected a Sparpack::Limits, got #{Quote.value(limits)}#{Advice.limits(limits)}"
      end

      # @return [Proc] the Proc for the name of a method that makes a payload
      def packer_named(klass, name)
        lacking = klass == ::Symbol && name == :to_msgpack_ext && !klass.method_defined?(name)
        lacking ? Symbols.method(name).to_proc : name.to_proc
      end

      # @return [Proc] the Proc for the name of a method that reads a payload
      def unpacker_named(klass, name)
        lacking = klass == ::Symbol && name == :from_msgpack_ext && !klass.respond_to?(name)
        (lacking ? Symbols : klass).method(name).to_proc
      end

      # Symbols are packed without a call if the method would be Ruby's own.
      #
      # @return [Symbol, nil] the builtin
      def packer_builtin(klass, name)
        return unless klass == ::Symbol && %w[to_msgpack_ext name to_s].include?(name.to_s)

        :symbol if !klass.method_defined?(name) || klass.instance_method(name).source_location.nil?
      end

      # Symbols are unpacked without a call if the method would be {Symbols.from_msgpack_ext}.
      #
      # @return [Symbol, nil] the builtin
      def unpacker_builtin(klass, name)
        return unless klass == ::Symbol && name.to_s == "from_msgpack_ext"

        own = Symbols.method(:from_msgpack_ext).source_location
        :symbol if !klass.respond_to?(name) || klass.method(name).source_location == own
      end

      # Packs a value that MessagePack has no type for, by the registered Proc or else by its `to_msgpack`.
      def write(value, packer, proc)
        proc ? proc.call(value, packer) : value.__send__(:to_msgpack, packer) # the method may be private
      rescue SystemStackError
        raise StackError, SMALL_STACK
      end

      # Unpacks a value by the registered Proc. All of its bytes are there.
      def read(proc, unpacker)
        proc.call(unpacker)
      rescue SystemStackError
        raise StackError, SMALL_STACK
      end

      # @return [BigDecimal, nil] nil if the text is not a number
      def decimal(text)
        BigDecimal(text)
      rescue ::ArgumentError
        nil
      end

      # Makes a Data. Missing members are nil, and superfluous values are ignored.
      def data(klass, values) = klass.new(**klass.members.zip(values).to_h)
    end
  end
end
