# frozen_string_literal: true

module Sparpack
  # The methods that a field gives a class: readers, writers, and constructors of unions.
  #
  # @api private
  module Accessors
    # What a class is declared by. While the class is declared they are called with a type, or the like. After that they make
    # the variant of their name.
    WORDS = %i[field list set map idl default_codec].freeze

    # Which of these take one argument.
    OF_ONE = %i[list set idl default_codec].freeze

    # Methods that run a block as the body of a class.
    BODIES = %w[initialize class_eval class_exec module_eval module_exec instance_eval instance_exec].freeze
    private_constant :WORDS, :OF_ONE, :BODIES

    class << self
      # They are in a module of their own, so that a class can define a reader itself and call `super`.
      #
      # @param klass [Class]
      # @param field [Field]
      # @param slot [Integer]
      # @return [void]
      def define(klass, field, slot)
        accessors = accessors(klass)
        reader = field.reader
        unless Native.define_accessors(accessors, slot, reader, :"#{reader}=")
          name = field.name
          accessors.class_eval("def #{reader} = self[:#{name}]; def #{reader}=(value); self[:#{name}] = value; end",
                               __FILE__, __LINE__ - 1)
        end
        accessors.alias_method(:"#{field.name}=", :"#{reader}=") unless reader == field.name
      end

      # @param klass [Class] a union
      # @param name [Symbol] a variant's
      # @param taken [Hash{Symbol => Field}] the class's fields by name
      # @return [void]
      def define_constructor(klass, name, taken)
        constructor = Names.constructor(name)
        return if constructor != name && taken[constructor]&.name == constructor # another variant's

        forget(klass, constructor)
        return define_word(klass, name) if WORDS.include?(name)

        klass.define_singleton_method(constructor) { |value| new(name => value) }
      end

      # @param klass [Class] a union
      # @return [Boolean] whether the caller's caller stands in the body of a class that is still declared
      def declaring?(klass)
        return false if Native.sealed?(klass)

        caller, outer = caller_locations(2, 2)
        return true if caller.base_label.start_with?("<class:")

        caller.label.start_with?("block") && BODIES.include?(outer&.base_label)
      end

      private

      def accessors(klass)
        return klass.instance_variable_get(:@accessors) if klass.instance_variable_get(:@accessors_of).equal?(klass)

        klass.instance_variable_set(:@accessors_of, klass)
        klass.instance_variable_set(:@accessors, Module.new.tap { |made| klass.include(made) })
      end

      # Ruby warns of methods that are defined again.
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
