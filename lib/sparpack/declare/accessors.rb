# frozen_string_literal: true

module Sparpack
  # Defines the methods that a class gets for a field: the reader, the writer, and for a union the constructor.
  #
  # @api private
  module Accessors
    # The methods that declare a class. A union's variant may have one of these names. The method then still declares while
    # the class body runs, and makes the variant afterwards.
    WORDS = %i[field list set map idl default_codec].freeze

    # Those of them that can be called with one argument, as a constructor is.
    OF_ONE = %i[list set idl default_codec].freeze

    # The methods that run a block as a class body.
    BODIES = %w[initialize class_eval class_exec module_eval module_exec instance_eval instance_exec].freeze
    private_constant :WORDS, :OF_ONE, :BODIES

    class << self
      # @param klass [Class]
      # @return [Module] a module that the class includes, for its readers and writers. So a class can override a reader and
      #   call `super`.
      def module_of(klass) = Module.new.tap { |made| klass.include(made) }

      # Defines a reader and a writer.
      #
      # @param accessors [Module] as {module_of} returns it
      # @param field [Field]
      # @param shape [Symbol] that of the class
      # @param slot [Integer] the index of the field in the class
      # @return [void]
      def define(accessors, field, shape, slot)
        reader = field.reader
        writer = :"#{reader}="
        unless Native.define_accessors(accessors, slot, reader, writer)
          name = field.name
          accessors.class_eval("def #{reader} = self[:#{name}]; def #{reader}=(value); self[:#{name}] = value; end",
                               __FILE__, __LINE__ - 1)
        end
        accessors.alias_method(:"#{field.name}=", writer) unless reader == field.name
        define_message(accessors) if reader == :message && shape == :exception
      end

      # Defines the class method that makes a variant.
      #
      # @param klass [Class] a union
      # @param name [Symbol] the name of the variant
      # @param taken [Hash{Symbol => Field}] the fields of the class by name
      # @return [void]
      def define_constructor(klass, name, taken)
        constructor = Names.constructor(name)
        return if constructor != name && taken[constructor]&.name == constructor # another variant has this name

        forget(klass, constructor)
        return define_word(klass, name) if WORDS.include?(name)

        klass.define_singleton_method(constructor) { |value| new(name => value) }
      end

      # Tells whether the caller's caller is the body of a class that is still being declared.
      #
      # @param klass [Class] a union
      # @return [Boolean]
      def declaring?(klass)
        return false if Native.sealed?(klass)

        caller, outer = caller_locations(2, 2)
        return true if caller.base_label.start_with?("<class:")

        caller.label.start_with?("block") && BODIES.include?(outer&.base_label)
      end

      private

      # Replaces the reader of an exception's field `message`. Loggers and reporters of errors rely on a String. The new one
      # is not a block, so any Ractor may call it.
      def define_message(accessors)
        accessors.remove_method(:message)
        accessors.class_eval("def message = ::Sparpack::ExceptionText.get(self)", __FILE__, __LINE__)
      end

      # Removes a method first, because Ruby warns when one is redefined.
      def forget(klass, constructor)
        singleton = klass.singleton_class
        singleton.remove_method(constructor) if singleton.method_defined?(constructor, false)
      end

      def define_word(klass, name)
        klass.define_singleton_method(name) do |*arguments, **options, &block|
          given = options.empty? ? arguments : [*arguments, options]
          word = given.size != 1 || block || (OF_ONE.include?(name) && Accessors.declaring?(self))
          word ? super(*arguments, **options, &block) : new(name => given[0])
        end
      end
    end
  end
end
