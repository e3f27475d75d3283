# frozen_string_literal: true

module Sparpack
  # The base class of services. A service is the schema of a server's functions. If it extends another service, it is a
  # subclass of it.
  #
  # @example
  #   class Calculator < Sparpack::Service
  #     function :ping, oneway: true
  #     function :divide, :double do
  #       argument 1, :dividend, :double
  #       argument 2, :divisor, :double
  #       throws 1, :failure, DivisionByZero
  #     end
  #   end
  #   Calculator[:divide].arguments.new(dividend: 1.0, divisor: 2.0).encode
  class Service
    # A function of a service. It is frozen.
    class Function
      # @return [Symbol]
      attr_reader :name

      # @return [String] the name in the IDL and in messages on the wire
      attr_reader :idl_name

      # @return [Class] a struct of the arguments
      attr_reader :arguments

      # @return [Class, nil] a struct with the result (`success`, id 0) and the exceptions; nil if the function is oneway
      attr_reader :result

      # @return [Hash{String => String, Array<String>}] the annotations in the IDL
      attr_reader :annotations

      # Makes a function. {Service.function} declares one.
      #
      # @param name [Symbol]
      # @param arguments [Class]
      # @param result [Class, nil]
      # @param idl_name [String]
      # @param annotations [Hash{String => String, Array<String>}]
      def initialize(name, arguments, result, idl_name: name.name, annotations: {})
        @name = name
        @arguments = arguments
        @result = result
        @idl_name = idl_name.dup.freeze
        @annotations = Ractor.make_shareable(annotations.dup)
        freeze
      end

      # @return [Boolean] whether the caller does not wait for a reply
      def oneway? = result.nil?

      # @return [Type, nil] the type of the result; nil for void
      def type
        success = Declared.schema(result)[0] if result
        success&.type
      end

      # @return [Array<Field>] the exceptions that it throws
      def throws = result ? Declared.schema(result).fields.reject { |field| field.id.zero? } : []

      # @return [String]
      def inspect = "#<#{self.class} #{"oneway " if oneway?}#{type || "void"} #{name}>"
      alias to_s inspect
    end

    # The methods that declare the parts of a function. They take types as {Declaration#field} does.
    class Signature
      # Makes the object that the block of {Service.function} runs in.
      #
      # @param arguments [Class]
      # @param result [Class, nil]
      def initialize(arguments, result)
        @arguments = arguments
        @result = result
      end

      # Declares an argument, as {Declaration#field} declares a field.
      #
      # @param id [Integer] the argument's number on the wire, 0 to 32767
      # @param name [Symbol] the argument's name
      # @param type [Object] the argument's type
      # @param options [Hash] as {Declaration#field} takes them
      # @yieldreturn [Object] the type; the block is called when the service is first used
      # @return [Symbol] the name of the reader
      # @raise [SchemaError, ArgumentError] as {Declaration#field}
      def argument(id, name, type = nil, **options, &block) = @arguments.field(id, name, type, **options, &block)

      # Declares an exception that the function throws, as {Declaration#field} declares a field.
      #
      # @param id [Integer] the exception's number on the wire, 1 to 32767
      # @param name [Symbol] the exception's name
      # @param type [Object] the class of the exception
      # @param options [Hash] as {Declaration#field} takes them
      # @yieldreturn [Object] the class; the block is called when the service is first used
      # @return [Symbol] the name of the reader
      # @raise [SchemaError, ArgumentError] as {Declaration#field}; also if the function is oneway
      def throws(id, name, type = nil, **options, &block)
        raise SchemaError, "#{Quote.plain(@arguments)}: a oneway function throws nothing" unless @result

        @result.field(id, name, type, optional: true, **options, &block)
      end

      # Makes the type of an Array, as {Declaration#list} does.
      #
      # @param element [Object] the type of the elements
      # @return [Type]
      def list(element = nil, &block) = Type::Wrong.unless { Type.list(element, &block) }

      # Makes the type of a Set, as {Declaration#set} does.
      #
      # @param element [Object] the type of the elements
      # @return [Type]
      def set(element = nil, &block) = Type::Wrong.unless { Type.set(element, &block) }

      # Makes the type of a Hash, as {Declaration#map} does.
      #
      # @param key [Object] the type of the keys
      # @param value [Object] the type of the values
      # @return [Type]
      def map(key, value = nil, &block) = Type::Wrong.unless { Type.map(key, value, &block) }
    end

    class << self
      # @return [Array<Function>] the inherited functions, then its own, in order of declaration
      def functions
        inherited = superclass.respond_to?(:functions) ? superclass.functions : []
        [*inherited, *own_functions].freeze
      end

      # @return [Array<Function>] its own functions, without the inherited ones
      def own_functions = @together || @own_functions || [].freeze

      # Publishes all functions that a block declares at once, because a service may have thousands.
      #
      # @return [void]
      # @api private
      def declare_together
        @together = own_functions.dup
        yield
        @own_functions = Ractor.make_shareable(@together)
      ensure
        @together = nil
      end

      # Finds a function by its name in Ruby or in the IDL, among its own and the inherited ones.
      #
      # @param name [Symbol, String]
      # @return [Function, nil] nil if there is no such function
      # @example
      #   Calculator[:ping].oneway? # => true
      def [](name)
        functions.reverse_each.find { |function| function.name.name == name.to_s || function.idl_name == name.to_s }
      end

      # @return [String, nil] the name in the IDL if there is one, otherwise the last part of the class's name
      def idl_name = (@idl && @idl[0]) || name&.split("::")&.last

      # @return [Hash{String => String, Array<String>}] the annotations in the IDL
      def annotations = @idl ? @idl[1] : {}.freeze

      # Writes the service's definition as IDL.
      #
      # @param options [Hash] `names:`, as {IDL.dump} takes it
      # @return [String]
      # @raise [SchemaError] if IDL cannot express the service or a type that it uses
      # @example
      #   Calculator.to_idl # => "service Calculator {\n  oneway void ping(),\n}\n"
      def to_idl(**options) = Sparpack.to_idl(self, **options)

      private

      # Declares a function. Its arguments and its result become structs in the service: `Add_args` and `Add_result` for
      # `add`.
      #
      # @param name [Symbol]
      # @param type [Object, nil] the type of the result, as {Declaration#field} takes it; nil for void
      # @param oneway [Boolean] whether the caller does not wait for a reply
      # @param idl_name [String, nil] its name in the IDL if that is different
      # @param annotations [Hash{String => String, Array<String>}] the annotations in the IDL
      # @yield arguments and exceptions, see {Signature}
      # @return [Symbol] its name
      # @raise [SchemaError] if the declaration contradicts itself or another
      # @raise [ArgumentError] for an unknown option
      def function(name, type = nil, oneway: false, idl_name: nil, annotations: {}, **unknown, &block)
        Options.refuse(unknown, method(:function)) unless unknown.empty?
        check_function(name, type, oneway)
        made = []
        arguments = declare(name, "args", made)
        result = declare(name, "result", made) unless oneway
        Signature.new(arguments, result).instance_exec(&block) if block
        result&.field(0, success(result), type, optional: true) if type
        function = Function.new(name, arguments, result, idl_name: idl_name || name.name, annotations:)
        made.clear
        @together ? @together << function : @own_functions = Ractor.make_shareable([*own_functions, function])
        name
      ensure
        made&.each { |constant| remove_const(constant) } # removes what a fault leaves behind
      end

      # These methods make types, as {Declaration#list}, {Declaration#set} and {Declaration#map} do for structs.
      def list(element = nil, &block) = Type::Wrong.unless { Type.list(element, &block) }
      def set(element = nil, &block) = Type::Wrong.unless { Type.set(element, &block) }
      def map(key, value = nil, &block) = Type::Wrong.unless { Type.map(key, value, &block) }

      # Sets the service's name and annotations in the IDL.
      #
      # @param name [String, nil] its name in the IDL if that is not the last part of the class's name
      # @param annotations [Hash{String => String, Array<String>}]
      # @return [void]
      def idl(name = nil, annotations: {})
        @idl = Ractor.make_shareable([name, annotations], copy: true)
      end

      def check_function(name, type, oneway)
        raise SchemaError, "#{Quote.plain(self)} is a base class: declare functions in a subclass" if equal?(Service)
        raise SchemaError, "#{Quote.plain(self)} is frozen: declare functions before that" if frozen?

        unless Names.member?(name)
          raise SchemaError, "#{Quote.plain(self)}: a name is a Symbol of letters, digits and _, not #{Quote.value(name)}"
        end
        raise SchemaError, "#{Quote.member(self, name)}: a oneway function has no result" if oneway && type
      end

      def declare(name, part, made)
        constant = "#{Names.constant(name.name)}_#{part}"
        if const_defined?(constant, false)
          same = own_functions.any? { |function| function.name == name }
          what = same ? "the function is declared" : "#{Quote.plain(constant)} is another function's"
          raise SchemaError, "#{Quote.member(self, name)}: #{what} already"
        end

        made << constant
        const_set(constant, Class.new(Sparpack::Struct))
      end

      def success(result) = Names.success(Declared.fields(result).map(&:name))
    end
  end
end
