# frozen_string_literal: true

module Sparpack
  # The last field that a class has declared so far, with those before it. Adding a field copies nothing, so a class may have
  # thousands. A chain is frozen, and shareable between Ractors if its fields are, because any Ractor may be the first to use
  # a class.
  #
  # @api private
  class FieldChain
    # @return [Integer] how many fields it has
    attr_reader :size

    # @return [Boolean] whether any Ractor may see it
    attr_reader :shareable

    # @param before [FieldChain, nil] the fields before
    # @param field [Field]
    # @return [FieldChain]
    def self.after(before, field)
      last = Declared.shareable([field])
      shareable = (before.nil? || before.shareable) && ::Ractor.shareable?(last)
      chain = new(before, last, shareable)
      shareable ? ::Ractor.make_shareable(chain) : chain
    end

    # @param fields [Array<Field>]
    # @return [FieldChain, nil] nil if there are none
    def self.of(fields) = fields.reduce(nil) { |chain, field| after(chain, field) }

    # @param before [FieldChain, nil]
    # @param last [Array(Field)]
    # @param shareable [Boolean]
    def initialize(before, last, shareable)
      @before = before
      @last = last
      @shareable = shareable
      @size = before ? before.size + 1 : 1
      freeze
    end

    # @return [Array<Field>] in order of declaration; shareable if the chain is
    def fields
      fields = Array.new(size)
      chain = self
      while chain
        fields[chain.size - 1] = chain.last[0]
        chain = chain.before
      end
      shareable ? ::Ractor.make_shareable(fields) : fields.freeze
    end

    # @return [String] a short text, without the fields
    def inspect = "#<#{self.class} of #{size}>"

    protected

    attr_reader :before, :last
  end
  private_constant :FieldChain
end
