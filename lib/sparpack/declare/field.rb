# frozen_string_literal: true

module Sparpack
  # Describes a field of a struct, union or exception. It is frozen.
  #
  # @example
  #   field = Listing.schema[:listing_id]
  #   field.id        # => 1
  #   field.required? # => true
  class Field
    # @return [Integer] the field's number on the wire
    attr_reader :id

    # @return [Symbol] the field's name
    attr_reader :name

    # @return [Type, Type::Name] the field's type; in a {Schema} always a {Type}
    attr_reader :type

    # @return [Symbol] `:required`, `:optional`, or `:default`, which is Thrift's word for neither
    attr_reader :requiredness

    # @return [Object, nil] the default value, frozen deep; each object gets a copy
    attr_reader :default

    # @return [Symbol] the name of the reader: the field's name, with a `_` at the end if the name is in {RESERVED}
    attr_reader :reader

    # @return [String] the field's name in the IDL if there is one, otherwise its name
    attr_reader :idl_name

    # @return [Hash{String => String, Array<String>}] the annotations in the IDL
    attr_reader :annotations

    # Describes a field. {Declaration#field} declares one.
    #
    # @param id [Integer]
    # @param name [Symbol]
    # @param type [Type, Type::Name]
    # @param requiredness [Symbol]
    # @param default [Object, nil] frozen deep
    # @param reader [Symbol]
    # @param idl_name [String]
    # @param annotations [Hash{String => String, Array<String>}]
    def initialize(id:, name:, type:, requiredness: :default, default: nil, reader: name, idl_name: name.name,
                   annotations: {}.freeze)
      @id = id
      @name = name
      @type = type
      @requiredness = requiredness
      @default = default
      @reader = reader
      @idl_name = idl_name
      @annotations = annotations
      freeze
    end

    # @return [Boolean] whether encoding and decoding refuse an object without the field
    def required? = requiredness == :required

    # @return [Boolean] whether the field is declared optional
    def optional? = requiredness == :optional

    # Looks up the types that the field names.
    #
    # @param scope [Module] where to look names up
    # @return [Field] the same field with a type that is resolved and a default that is checked
    # @raise [SchemaError] if a type does not exist or the default does not fit the type
    def resolve(scope)
      found = type.resolve(scope)
      default = Default.check(self.default, found, scope, name)
      Field.new(id:, name:, type: found, requiredness:, default:, reader:, idl_name:, annotations:)
    rescue SchemaError => e
      Field.fail(scope, name, e)
    end

    # Raises an error about a field. Its message begins with the class and the field.
    #
    # @param struct_class [Class]
    # @param name [Object] the name of the field
    # @param error [SchemaError] the error, which may not say this yet
    # @raise [SchemaError] always
    # @api private
    def self.fail(struct_class, name, error)
      raise error if error.message.start_with?("#{Quote.plain(struct_class)}.")

      raise SchemaError, "#{Quote.member(struct_class, name)}: #{error.message}", cause: nil
    end

    # @param other [Object]
    # @return [Boolean] whether both have the same id, name, type, requiredness and default
    def ==(other)
      parts = %i[id name type requiredness default]
      other.is_a?(Field) && parts.all? { |part| public_send(part) == other.public_send(part) }
    end
    alias eql? ==

    # @return [Integer]
    def hash = [id, name, type, requiredness].hash

    # @return [String] the field as IDL would write it
    def inspect = "#<#{self.class} #{id}: #{requiredness} #{type} #{name}#{" = #{default.inspect}" unless default.nil?}>"
    alias to_s inspect
  end
end
