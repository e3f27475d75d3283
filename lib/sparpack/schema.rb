# frozen_string_literal: true

module Sparpack
  # What a struct, union or exception holds. Frozen, and shareable between Ractors.
  #
  # @example
  #   Listing.schema.fields.map(&:name) # => [:listing_id, :offset_lat, …]
  #   Listing.schema[:neighborhoods].type.to_s # => "list<Neighborhood>"
  class Schema
    # @return [Class] the class that declared it
    attr_reader :struct_class

    # @return [Symbol] `:struct`, `:union` or `:exception`
    attr_reader :shape

    # @return [Array<Field>] in order of declaration
    attr_reader :fields

    # @param struct_class [Class]
    # @param shape [Symbol]
    # @param fields [Array<Field>] resolved
    def initialize(struct_class, shape, fields)
      @struct_class = struct_class
      @shape = shape
      @fields = fields.freeze
      @by_name = fields.to_h { |field| [field.name, field] }.freeze
      @by_id = fields.to_h { |field| [field.id, field] }.freeze
      freeze
    end

    # @return [String, nil] the class's name
    def name = struct_class.name

    # @param name_or_id [Symbol, String, Integer]
    # @return [Field, nil]
    def [](name_or_id)
      case name_or_id
      when Integer then @by_id[name_or_id]
      when Symbol, String then @by_name[name_or_id.to_sym]
      end
    end

    # @param other [Object]
    # @return [Boolean]
    def ==(other)
      other.is_a?(Schema) && struct_class == other.struct_class && shape == other.shape && fields == other.fields
    end
    alias eql? ==

    # @return [Integer]
    def hash = [struct_class, shape, fields].hash

    # @return [String]
    def inspect
      inside = fields.map { |field| "#{field.id}: #{field.type} #{field.name}" }.join(", ")
      "#<#{self.class} #{shape} #{struct_class} {#{inside}}>"
    end
  end
end
