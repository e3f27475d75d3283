# frozen_string_literal: true

module Sparpack
  # Describes the fields of a struct, union or exception. A schema is frozen and shareable between Ractors.
  #
  # @example
  #   Listing.schema.fields.map(&:name) # => [:listing_id, :offset_lat, :neighborhoods, :labels]
  #   Listing.schema[:neighborhoods].type.to_s # => "list<Neighborhood>"
  class Schema
    # @return [Class] the class that declared the fields
    attr_reader :struct_class

    # @return [Symbol] `:struct`, `:union` or `:exception`
    attr_reader :shape

    # @return [Array<Field>] in order of declaration
    attr_reader :fields

    # @return [String, nil] the name in the IDL if there is one, otherwise the last part of the class's name
    attr_reader :idl_name

    # @return [Hash{String => String, Array<String>}] the annotations in the IDL
    attr_reader :annotations

    # Makes a schema. {Declaration#schema} returns the schema of a class.
    #
    # @param struct_class [Class]
    # @param shape [Symbol]
    # @param fields [Array<Field>] resolved
    # @param idl_name [String, nil]
    # @param annotations [Hash{String => String, Array<String>}]
    def initialize(struct_class, shape, fields, idl_name: nil, annotations: {}.freeze)
      @struct_class = struct_class
      @shape = shape
      @fields = fields.freeze
      @idl_name = idl_name || struct_class.name&.split("::")&.last
      @annotations = annotations
      @by_name = fields.flat_map { |field| [[field.name, field], [field.name.name, field]] }.to_h.freeze
      @by_id = fields.to_h { |field| [field.id, field] }.freeze
      @by_any_name = fields.to_h { |field| [field.idl_name, field] }
                           .merge(fields.to_h { |field| [field.name.name, field] }).freeze
      freeze
    end

    # @return [String, nil] the class's name
    def name = struct_class.name

    # Finds a field by its name or id.
    #
    # @param name_or_id [Symbol, String, Integer]
    # @return [Field, nil] nil if there is no such field
    # @example
    #   Listing.schema[:listing_id].id # => 1
    #   Listing.schema[1].name         # => :listing_id
    def [](name_or_id)
      case name_or_id
      when Integer then @by_id[name_or_id]
      when Symbol, String then @by_name[name_or_id] # an unknown String must not become a Symbol
      end
    end

    # Returns all fields; of a union, only the one that has a value, because a union may have thousands of fields.
    #
    # @param values [Hash{Symbol => Object}] the result of {Value#to_h}
    # @return [Array<Field>]
    # @api private
    def fields_for(values) = shape == :union ? values.keys.filter_map { |name| self[name] } : fields

    # Finds a field by its name in Ruby, or else by its name in the IDL.
    #
    # @param name [Symbol, String]
    # @return [Field, nil]
    # @api private
    def field_named(name) = @by_any_name[name.is_a?(Symbol) ? name.name : name]

    # Writes the class's definition as IDL.
    #
    # @param options [Hash] `names:`, as {IDL.dump} takes it
    # @return [String]
    # @raise [SchemaError] if IDL cannot express the class or a type that it uses
    # @example
    #   Shop::Order.schema.to_idl # => "struct Order {\n  1: required i64 id,\n}\n"
    def to_idl(**options) = Sparpack.to_idl(struct_class, **options)

    # @param other [Object]
    # @return [Boolean] whether both describe the same class with equal fields
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
    alias to_s inspect
  end
end
