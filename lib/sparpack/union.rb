# frozen_string_literal: true

module Sparpack
  # The base of unions: objects that hold one of their fields. Each field has a constructor.
  #
  # @example
  #   class Answer < Sparpack::Union
  #     field 1, :text, :string
  #     field 2, :number, :i64
  #   end
  #   answer = Answer.text("x")
  #   answer.field # => :text
  #   answer.value # => "x"
  #   case answer
  #   in { text: String => text } then puts text
  #   end
  class Union
    include Value
    extend Declaration

    # @return [String] as {Value#inspect}
    def to_s = inspect

    # Declares a field, as {Declaration#field}, and a constructor of its name unless classes have such a method already.
    #
    # @return [Symbol] the reader's name
    # @raise [SchemaError] as {Declaration#field}
    def self.field(id, name, ...)
      super.tap do
        define_singleton_method(name) { |value| new(name => value) } unless class_method?(name)
      end
    end

    # Kernel's private methods are no hindrance; what classes answer to, or call themselves, is.
    #
    # @param name [Symbol]
    # @return [Boolean] whether a field of this name gets no constructor
    # @api private
    def self.class_method?(name)
      Union.respond_to?(name) || [Declaration, Class, Module].any? { |owner| owner.private_method_defined?(name, false) }
    end

    # @return [Symbol, nil] the name of the field that is set
    def field = Sparpack.field(self)

    # @return [Object, nil] the value of the field that is set
    def value = Sparpack.value(self)

    # @return [Boolean] whether it was read with a field that this version of the class does not know
    def unknown? = Sparpack.unknown?(self)
  end
end
