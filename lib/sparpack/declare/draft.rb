# frozen_string_literal: true

module Sparpack
  # What a class has declared so far, for checking its next field. Only the main Ractor declares fields, so only it needs
  # this.
  #
  # @api private
  class Draft
    # @return [Class] the class. A copied class has the instance variables of the original, but needs a draft of its own.
    attr_reader :struct_class

    # @return [Symbol, nil] as {Declared.shape}
    attr_reader :shape

    # @return [Boolean] whether nothing between the class and Sparpack's own base class can have fields
    attr_reader :plain

    # @return [Hash{Integer, Symbol => Field}] the fields by id, name and reader. A Hash, because a class may have thousands.
    attr_reader :taken

    # @return [FieldChain, nil] its fields
    attr_accessor :chain

    # @return [Module, nil] the module with its readers and writers
    attr_accessor :accessors

    # @param struct_class [Class]
    # @param shape [Symbol, nil]
    # @param chain [FieldChain, nil]
    # @param fields [Array<Field>]
    def initialize(struct_class, shape, chain, fields)
      @struct_class = struct_class
      @shape = shape
      @plain = [Struct, Union, Exception].include?(struct_class.superclass)
      @chain = chain
      @taken = {}
      @accessors = nil
      fields.each { |field| take(field) }
    end

    # @param field [Field]
    # @return [void]
    def take(field) = @taken[field.id] = @taken[field.name] = @taken[field.reader] = field

    # @return [Integer] the index of the next field in the class
    def next_slot = @chain ? @chain.size : 0
  end
  private_constant :Draft
end
