# frozen_string_literal: true

module Sparpack
  class Mapping
    # Finds out how a member is read: by a method, or directly if the method does nothing else.
    #
    # @api private
    class Reader
      # @return [Symbol] the name of the member
      attr_reader :name

      # @return [Integer, nil] the member's place in a Struct or a Data
      attr_reader :place

      # @param klass [Class]
      # @param name [Symbol]
      # @raise [SchemaError] if there is no public method of the name that takes no arguments
      def initialize(klass, name)
        @klass = klass
        @name = name
        @method = find
        @place = Construction.members(klass).index(name) if Construction.structure?(klass)
      end

      # @return [Boolean] whether the method returns the instance variable of its name, or the Struct's member, and does
      #   nothing else
      def plain?
        return false if RubyVM::InstructionSequence.of(@method) || @method.original_name != @name

        place ? returns_member? : returns_variable?
      end

      private

      def find
        fail_with "#{missing}#{Names.close(name, @klass.public_instance_methods(false))}" unless @klass.method_defined?(name)
        fail_with "its method #{name} is protected: make it public" unless @klass.public_method_defined?(name)

        method = @klass.instance_method(name)
        return method if [0, -1].include?(method.arity)

        fail_with "its method #{name} takes arguments, so it is not a reader"
      end

      def missing
        return "its method #{name} is private: make it public" if @klass.private_method_defined?(name)

        "it has no public method #{name} to read the member: define one, as attr_reader does"
      end

      # The accessors of Data cannot be tried out, because a Data cannot be made without its values.
      def returns_member?
        return false if @method.source_location
        return @method.owner <= ::Data unless @klass < ::Struct

        returns? { |object, value| ::Struct.instance_method(:[]=).bind_call(object, name, value) }
      end

      # An attr_reader is written in Ruby, but it has no instructions.
      def returns_variable?
        return false unless @method.source_location

        returns? { |object, value| ::Kernel.instance_method(:instance_variable_set).bind_call(object, :"@#{name}", value) }
      end

      # Tries a method that is not written in Ruby.
      def returns?
        object = ::Class.instance_method(:allocate).bind_call(@klass)
        value = ::Object.new
        yield object, value
        value.equal?(@method.bind_call(object))
      rescue StandardError
        false
      end

      def fail_with(message) = raise(SchemaError, "#{Quote.plain(@klass)}: #{message}")
    end
    private_constant :Reader
  end
end
