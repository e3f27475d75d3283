# frozen_string_literal: true

module Sparpack
  # What a class that is a struct, union or exception can say of itself, and what it can do. {Struct}, {Union} and
  # {Exception} have these as class methods.
  module Declaration
    # Declares a field, with a reader, a writer and a place in all that goes by name.
    #
    # @param id [Integer] its number on the wire, 0 to 32767
    # @param name [Symbol]
    # @param type [Symbol, Module, String, Type] one of `:bool :i8 :i16 :i32 :i64 :double :string :binary :uuid`, a struct,
    #   union, exception or enum, the name of one that is defined later, or {#list}, {#set}, {#map} of these
    # @param required [Boolean] encode and decode refuse an object without it
    # @param optional [Boolean] Thrift's third state, told by the schema; nil is left out either way
    # @param default [Object, nil] what a new object gets a copy of, and one that was read without the field
    # @param idl_name [String] its name in the IDL, where that is another
    # @param annotations [Hash{String => String, Array<String>}] what IDL says of it besides
    # @param implicit [Boolean] whether its id was counted by IDL and may be negative
    # @yieldreturn [Object] the type, when it is first used
    # @return [Symbol] the reader's name
    # @raise [SchemaError] if the declaration contradicts itself or another
    # @raise [ArgumentError] for an unknown option
    # @example
    #   field 3, :labels, map(:string, set(:i32)), default: {}
    def field(id, name, type = nil, *misplaced, required: false, optional: false, default: nil, idl_name: nil,
              annotations: {}, implicit: false, **unknown, &block)
      Options.refuse(unknown, Declaration.instance_method(:field)) unless unknown.empty?
      Declared.refuse_misplaced(self, name, misplaced) unless misplaced.empty?
      Declared.field(self, id, name, type, required:, optional:, default:, idl_name:, annotations:, implicit:, &block)
    end

    # @param element [Object] a type, as {#field} takes it
    # @yieldreturn [Object] the type, when it is first used
    # @return [Type] of an Array
    def list(element = nil, &block) = Type.list(element, &block)

    # @param element [Object] a type, as {#field} takes it
    # @yieldreturn [Object] the type, when it is first used
    # @return [Type] of a Set; an Array is written, too
    def set(element = nil, &block) = Type.set(element, &block)

    # @param key [Object] a type, as {#field} takes it
    # @param value [Object] a type, as {#field} takes it
    # @yieldreturn [Object] the values' type, when it is first used
    # @return [Type] of a Hash
    def map(key, value = nil, &block) = Type.map(key, value, &block)

    # @return [Schema] the frozen schema; links all that it names
    # @raise [SchemaError] if a name does not exist
    def schema = Declared.schema(self)

    # @return [Array<Symbol>] the names of all fields, in order of declaration
    # @example
    #   Neighborhood.members # => [:neighborhood_id, :name]
    def members = Sparpack.members(self)

    # Without arguments it is the class's default codec, the same one each time. What is given wins over the class's default
    # wire and options.
    #
    # @param wire [Array<Symbol>] none, or `:compact` or `:binary`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Codec] for this class
    # @raise [ArgumentError] for an unknown wire or option
    def codec(*wire, **options)
      return Defaults.codec(self) if wire.empty? && options.empty?

      Defaults.merge(self, wire, options) { |all, merged| Codec.new(self, *all, **merged) }
    end

    # @!method decode(bytes, wire = :compact, **options)
    #   @param bytes [String]
    #   @param wire [Symbol] `:compact` or `:binary`
    #   @param options [Hash] as {Codec#initialize} takes them
    #   @return [Value] an object of this class
    #   @raise [DecodeError] if the bytes are not one
    #   @raise [ArgumentError] for an unknown wire or option

    # Reads structs that follow one another, without loading the whole input.
    #
    # @param source [String, IO, Pathname] as {Codec#decode_each} takes it
    # @param wire [Array<Symbol>] none, which takes the class's default, or one
    # @param options [Hash] as {Codec#initialize} takes them
    # @yieldparam object [Value]
    # @return [self, Enumerator]
    # @raise [DecodeError, EOFError, TypeError] as {Codec#decode_each}
    # @raise [ArgumentError] for an unknown wire or option
    def decode_each(source, *wire, **options, &block)
      codec = Defaults.merge(self, wire, options) { |all, merged| Codec.new(self, *all, **merged) }
      Input.check(source)
      return enum_for(:decode_each, source, *wire, **options) unless block

      codec.decode_each(source, &block)
      self
    end

    # The inverse of `to_h(deep: true)`. All values take the form in which they are decoded, at every depth: the numbers of
    # enums for their names, a Set for an Array, a String for a Symbol, a Float for an Integer, lowercase uuids, Strings in
    # UTF-8 or as bytes. So the object equals its decoded copy. Values that are not of their type stay as they are:
    # {Value#errors} finds them.
    #
    # @param hash [Hash{Symbol, String => Object}] by Ruby's names of fields or the IDL's; nested structs as Hashes
    # @return [Value]
    # @raise [ArgumentError] for a name that no field has, or no value of an enum; or if more than 256 elements of a set are
    #   NaN
    # @raise [TypeError] for anything but a Hash
    # @example
    #   Listing.from_h(listing_id: 1, neighborhoods: [{ neighborhood_id: 7, name: "Mitte" }])
    def from_h(hash) = Canonical.from_h(self, hash)

    # The inverse of {Value#to_msgpack_ext}. Fields that this version of the class does not know are kept.
    #
    # In a program that has Active Support's caches, bytes that the class cannot read raise their
    # `ActiveSupport::Cache::DeserializationError`, so that an entry which another version of the class wrote is a miss.
    #
    # @param bytes [String]
    # @return [Value]
    # @raise [DecodeError] if the bytes are not an object of the class
    # @example
    #   ActiveSupport::MessagePack.register_type(20, Listing, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext)
    def from_msgpack_ext(bytes)
      decode = Declaration.instance_method(:decode) # a union's variant may be called decode
      decode.bind_call(self, bytes, :compact, unknown: :keep, utf8: :keep)
    rescue DecodeError => e
      raise unless defined?(::ActiveSupport::Cache::DeserializationError)

      raise ::ActiveSupport::Cache::DeserializationError, e.message
    end

    # A class has a place for its plan from the start.
    #
    # @param subclass [Class]
    # @return [void]
    def inherited(subclass)
      super
      Native.hold(subclass)
    end

    # Plans are kept by the class, so a frozen class has one.
    #
    # @return [self]
    def freeze
      Declared.schema(self) if Declared.shape(self)
      super
    end

    private

    # Sets the wire and options that `encode`, `decode`, `encode_to`, `decode_each` and `codec` use where none are given.
    # Subclasses inherit them. Each option that is given wins.
    #
    # @param wire [Symbol] `:compact` or `:binary`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [void]
    # @raise [ArgumentError] for an unknown wire or option
    # @raise [SchemaError] if the class, or one that inherits from it, is in use already
    # @example
    #   class Listing < Sparpack::Struct
    #     default_codec :binary, unknown: :keep
    #   end
    #   Listing.codec # => #<Sparpack::Codec Listing binary, unknown: :keep>
    def default_codec(wire = :compact, **options) = Defaults.declare(self, wire, options)

    # Says what IDL says of the class besides its fields.
    #
    # @param name [String, nil] its name there, where that is another than the last part of the class's
    # @param annotations [Hash{String => String, Array<String>}]
    # @return [void]
    # @example
    #   idl "point_t", annotations: { "deprecated" => "1" }
    def idl(name = nil, annotations: {}) = Declared.idl(self, name, annotations:)
  end
end
