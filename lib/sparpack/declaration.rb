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
    def field(id, name, type = nil, required: false, optional: false, default: nil, idl_name: nil, annotations: {},
              implicit: false, **unknown, &block)
      Options.refuse(unknown, Declaration.instance_method(:field)) unless unknown.empty?
      raise SchemaError, "#{Quote.member(self, name)}: a type is missing" if type.nil? && block.nil?
      raise SchemaError, "#{Quote.member(self, name)}: a field is required or optional, not both" if required && optional

      requiredness = { [true, false] => :required, [false, true] => :optional }[[!!required, !!optional]] || :default
      check_declared_once(id, name)
      check_class
      check_field(id, name, requiredness, default, implicit)
      default = Default.copy(default, Quote.member(self, name))
      add_field(id:, name:, requiredness:, type: Type.of(type, &block), default:,
                **idl_parts(idl_name || name.name, annotations))
    rescue SchemaError => e
      raise if e.message.start_with?(Quote.plain(self))

      raise SchemaError, "#{Quote.member(self, name)}: #{e.message}"
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
    def schema
      owner = field_owner
      return owner.schema unless owner.equal?(self)
      return @schema if @schema && @schema.struct_class.equal?(self) # a copy of a class has the other's variables

      fields = declared_fields.map { |field| field.resolve(self) }
      schema = Ractor.make_shareable(Schema.new(self, shape, fields, **(@idl || {})))
      Native.seal(self) unless Native.sealed?(self)
      @schema = schema if Native.main_ractor?
      schema
    end

    # @param wire [Symbol] `:compact` or `:binary`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Codec] for this class
    # @raise [ArgumentError] for an unknown wire or option
    def codec(wire = :compact, **options) = Codec.new(self, wire, **options)

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
    # @param wire [Symbol]
    # @param options [Hash] as {Codec#initialize} takes them
    # @yieldparam object [Value]
    # @return [self, Enumerator]
    # @raise [DecodeError, EOFError, TypeError] as {Codec#decode_each}
    # @raise [ArgumentError] for an unknown wire or option
    def decode_each(source, wire = :compact, **options, &block)
      codec = Codec.new(self, wire, **options)
      Input.check(source)
      return enum_for(:decode_each, source, wire, **options) unless block

      codec.decode_each(source, &block)
      self
    end

    # The inverse of `to_h(deep: true)`.
    #
    # @param hash [Hash{Symbol, String => Object}] nested structs as Hashes
    # @return [Value]
    # @raise [ArgumentError] for an unknown name, or if more than 256 elements of a set are NaN
    # @example
    #   Listing.from_h(listing_id: 1, neighborhoods: [{ neighborhood_id: 7, name: "Mitte" }])
    def from_h(hash) = Conversion.from_h(self, hash)

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
      decode(bytes, :compact, unknown: :keep, utf8: :keep)
    rescue DecodeError => e
      raise unless defined?(::ActiveSupport::Cache::DeserializationError)

      raise ::ActiveSupport::Cache::DeserializationError, e.message
    end

    # `:struct`, `:union` or `:exception`; nil for the bases themselves.
    #
    # @return [Symbol, nil]
    # @api private
    def shape
      { Struct => :struct, Union => :union, Exception => :exception }.each { |base, shape| return shape if self < base }
      nil
    end

    # The class that declared the fields: this one, or the one that it inherits them from.
    #
    # @return [Class]
    # @api private
    def field_owner
      ancestor = self
      ancestor = ancestor.superclass while ancestor.shape && ancestor.declared_fields.empty?
      ancestor.shape ? ancestor : self
    end

    # @return [Array<Field>] those of this class itself, in order of declaration
    # @api private
    def declared_fields = @together || @declared_fields || [].freeze

    # Publishes the fields that a block declares in one go: a class may have thousands.
    #
    # @return [void]
    # @api private
    def declare_together
      @together = declared_fields.dup
      yield
      @declared_fields = shareable(@together)
    ensure
      @together = nil
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
      schema if shape
      super
    end

    private

    # Says what IDL says of the class besides its fields.
    #
    # @param name [String, nil] its name there, where that is another than the last part of the class's
    # @param annotations [Hash{String => String, Array<String>}]
    # @return [void]
    # @example
    #   idl "point_t", annotations: { "deprecated" => "1" }
    def idl(name = nil, annotations: {})
      @idl = idl_parts(name, annotations)
    end

    def idl_parts(idl_name, annotations)
      unless idl_name.nil? || idl_name.is_a?(String)
        raise SchemaError, "an idl_name is a String, not #{Quote.value(idl_name)}"
      end
      raise SchemaError, "annotations are a Hash, not #{Quote.value(annotations)}" unless annotations.is_a?(Hash)

      { idl_name: idl_name&.dup&.freeze, annotations: Ractor.make_shareable(annotations.dup) }.freeze
    end

    def add_field(name:, type:, **parts)
      reader = Names.reader(name, exception: shape == :exception)
      taken = names_taken
      clash = taken[reader] || taken[name]
      raise SchemaError, "the reader #{Quote.plain(reader)} is that of the field #{Quote.plain(clash.name)} already" if clash

      field = Field.new(name:, type:, reader:, **parts)
      field = field.resolve(self) if type.resolved?
      define_accessors(field, declared_fields.size)
      @together ? @together << field : @declared_fields = shareable([*declared_fields, field])
      take_names(field, taken)
      reader
    end

    # Ractors may be the first to use a class; only types that are given by blocks keep them from it.
    def shareable(fields)
      Ractor.make_shareable(fields)
    rescue ::Ractor::IsolationError, ArgumentError
      fields.freeze
    end

    # Where a class is opened again by a second declaration of it: by generated code after its .thrift file was loaded, or by
    # a file that was required under two names.
    def check_declared_once(id, name)
      same = names_taken[id]
      return unless same && same.id == id && same.name == name

      raise SchemaError, "it is declared already (is the class declared twice, by two files, or loaded from .thrift, too?)"
    end

    def check_class
      raise SchemaError, "#{Quote.plain(self)} is a base: fields belong to a subclass" unless shape
      raise SchemaError, "it is in use already: fields are declared before" if Native.sealed?(self)

      owner = superclass.shape ? superclass.field_owner : self
      return if owner.declared_fields.empty? || owner.equal?(self)

      raise SchemaError, "#{Quote.plain(owner)} has fields: a subclass cannot add any"
    end

    def check_field(id, name, requiredness, default, implicit)
      unless id.is_a?(Integer) && id.between?(implicit ? -32_768 : 0, 32_767)
        raise SchemaError, "an id is an Integer from 0 to 32767, not #{Quote.value(id)}"
      end
      unless Names.member?(name)
        raise SchemaError, "a name is a Symbol of letters, digits and _, not #{Quote.value(name)}"
      end
      raise SchemaError, "a union's fields cannot be required" if shape == :union && requiredness == :required
      raise SchemaError, "a union's fields cannot have a default" if shape == :union && !default.nil?

      same = names_taken[id] || declared_name(name)
      return unless same

      raise SchemaError, "the #{same.name == name ? "name" : "id #{id}"} is that of another field, #{Quote.plain(same.name)}"
    end

    # Fields by id, name and reader: classes may have thousands.
    def names_taken
      return @names_taken if @names_taken_of.equal?(self) # a copy of a class has the other's variables

      @names_taken_of = self
      @names_taken = declared_fields.each_with_object({}) { |field, taken| take_names(field, taken) }
    end

    def take_names(field, taken) = [field.id, field.name, field.reader].each { |key| taken[key] = field }

    def declared_name(name)
      field = names_taken[name]
      field if field&.name == name
    end

    # In a module of their own, so that a class can define a reader itself and call `super`.
    def define_accessors(field, slot)
      unless @accessors_of.equal?(self)
        @accessors_of = self
        include(@accessors = Module.new)
      end
      reader = field.reader
      unless Native.define_accessors(@accessors, slot, reader, :"#{reader}=")
        name = field.name
        @accessors.class_eval("def #{reader} = self[:#{name}]; def #{reader}=(value); self[:#{name}] = value; end",
                              __FILE__, __LINE__ - 1)
      end
      @accessors.alias_method(:"#{field.name}=", :"#{reader}=") unless reader == field.name
    end
  end
end
