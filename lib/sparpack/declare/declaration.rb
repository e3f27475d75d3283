# frozen_string_literal: true

module Sparpack
  # The class methods of structs, unions and exceptions.
  module Declaration
    # Declares a field, and defines its reader and writer.
    #
    # @param id [Integer] the field's number on the wire, 0 to 32767
    # @param name [Symbol] the field's name
    # @param type [Symbol, Module, String, Type] one of `:bool :i8 :i16 :i32 :i64 :double :string :binary :uuid`, or the
    #   class of a struct, union or exception, or the module of an enum, or the name of one that is defined later, or what
    #   {#list}, {#set} or {#map} returns
    # @param misplaced [Array<Object>] nothing; more arguments raise an error that says how to pass them
    # @param required [Boolean] whether encoding and decoding refuse an object without the field
    # @param optional [Boolean] whether the IDL calls the field optional; a nil field is left out in any case
    # @param default [Object, nil] the value that a new object gets a copy of, and a decoded one whose bytes lack the field
    # @param idl_name [String, nil] the field's name in the IDL if that is different
    # @param annotations [Hash{String => String, Array<String>}] the field's annotations in the IDL
    # @param implicit [Boolean] whether the IDL compiler chose the id, which may be negative then
    # @yieldreturn [Object] the type; the block is called when the class is first used
    # @return [Symbol] the name of the reader, which differs from the field's name if that is in {RESERVED}
    # @raise [SchemaError] if the declaration contradicts itself or another one
    # @raise [ArgumentError] for an unknown option, or too few or too many arguments
    # @example
    #   field 3, :labels, map(:string, set(:i32)), default: {}
    def field(id, name = (nameless = true), type = nil, *misplaced, required: false, optional: false, default: nil,
              idl_name: nil, annotations: {}, implicit: false, **unknown, &block)
      Declared.refuse_nameless(self, id, unknown) if nameless
      unless unknown.empty?
        Options.refuse(unknown, Declaration.instance_method(:field)) { |*given| Advice.field_option(*given) }
      end
      Declared.refuse_misplaced(self, name, type, misplaced) unless misplaced.empty?
      Declared.field(self, id, name, type, required:, optional:, default:, idl_name:, annotations:, implicit:, &block)
    end

    # Makes the type of an Array. If `element` is not a type, {#field} raises an error that names the field.
    #
    # @param element [Object] the type of the elements, as {#field} takes it
    # @yieldreturn [Object] the type of the elements; the block is called when the class is first used
    # @return [Type]
    # @example
    #   field 1, :names, list(:string)
    def list(element = nil, &block) = Type::Wrong.unless { Type.list(element, &block) }

    # Makes the type of a Set. An Array is accepted, too, when it is encoded.
    # If `element` is not a type, {#field} raises an error that names the field.
    #
    # @param element [Object] the type of the elements, as {#field} takes it
    # @yieldreturn [Object] the type of the elements; the block is called when the class is first used
    # @return [Type]
    # @example
    #   field 1, :ids, set(:i64)
    def set(element = nil, &block) = Type::Wrong.unless { Type.set(element, &block) }

    # Makes the type of a Hash. If `key` or `value` is not a type, {#field} raises an error that names the field.
    #
    # @param key [Object] the type of the keys, as {#field} takes it
    # @param value [Object] the type of the values, as {#field} takes it
    # @yieldreturn [Object] the type of the values; the block is called when the class is first used
    # @return [Type]
    # @example
    #   field 1, :labels, map(:string, set(:i32))
    def map(key, value = nil, &block) = Type::Wrong.unless { Type.map(key, value, &block) }

    # Returns the schema of the class, and looks up all types that it uses. No fields can be added after that.
    #
    # @return [Schema] frozen
    # @raise [SchemaError] if a type does not exist
    # @example
    #   Listing.schema[:neighborhoods].id # => 7
    def schema = Declared.schema(self)

    # Returns the names of all fields.
    #
    # @return [Array<Symbol>] in order of declaration
    # @raise [SchemaError] as {#schema}
    # @example
    #   Neighborhood.members # => [:neighborhood_id, :name]
    def members = Sparpack.members(self)

    # Returns a codec for the class. Without arguments it is the default codec, and the same object each time. Arguments
    # override the default wire and options of the class.
    #
    # @param wire [Array<Symbol>] at most one, such as `:binary`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Codec]
    # @raise [ArgumentError] for an unknown wire or option
    # @raise [SchemaError] as {#schema}
    # @example
    #   Listing.codec(:compact, freeze: true).decode(bytes)
    def codec(*wire, **options) = DefaultCodec.for(self, wire, options)

    # @!method decode(bytes, wire = :compact, **options)
    #   Decodes one object.
    #
    #   @param bytes [String] exactly one encoded object
    #   @param wire [Symbol] such as `:binary`; without it, the default of the class
    #   @param options [Hash] as {Codec#initialize} takes them
    #   @return [Value] an object of this class
    #   @raise [DecodeError] if the bytes are anything else
    #   @raise [ArgumentError] for an unknown wire or option
    #   @raise [TypeError] if `bytes` is not a String
    #   @example
    #     Listing.decode(bytes, :compact, freeze: true)

    # Reads one object from an io, and not one byte behind it: see {Codec#decode_from}.
    #
    # @param io [#readpartial, #read]
    # @param wire [Array<Symbol>] at most one; without it, the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Value, nil] an object of this class, or nil if the io is at its end
    # @raise [DecodeError, EOFError, IOError, TypeError] as {Codec#decode_from}
    # @raise [ArgumentError] for an unknown wire or option
    # @example
    #   listing = Listing.decode_from(io, frame: :varint)
    def decode_from(io, *wire, **options) = DefaultCodec.reader(self, wire, options).decode_from(io)

    # Decodes one object after another, without loading the whole input: see {Codec#decode_each}.
    #
    # @param source [String, IO, Pathname] bytes, an io or the path of a file
    # @param wire [Array<Symbol>] at most one; without it, the default of the class
    # @param on_error [#call, nil] what is called with the error of each object that is skipped: see {Codec#decode_each}
    # @param processes [Integer, nil] how many processes share the work, from 1 to 64: see {Codec#decode_each}
    # @param options [Hash] as {Codec#initialize} takes them
    # @yieldparam object [Value] each object
    # @return [self, Enumerator, Array<Object>] an Enumerator if there is no block; with `processes:`, the
    #   block's results
    # @raise [DecodeError, EOFError, TypeError] as {Codec#decode_each}
    # @raise [ArgumentError] for an unknown wire or option, or for `on_error:` without a frame
    # @example
    #   Listing.decode_each(Pathname("listings")) { |listing| puts listing.listing_id }
    #   Listing.decode_each("\x01\x16".b, frame: :varint, on_error: ->(error) { puts error.path }).to_a # => []
    def decode_each(source, *wire, on_error: nil, processes: nil, **options, &block)
      codec = DefaultCodec.reader(self, wire, options, beside: %i[on_error processes])
      read = codec.decode_each(source, on_error:, processes:, &block)
      return enum_for(:decode_each, source, *wire, on_error:, processes:, **options) unless block

      processes ? read : self
    end

    # Checks bytes as {#decode} does, without making an object.
    #
    # @param bytes [String]
    # @param wire [Symbol, nil] such as `:binary`; nil for the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [true]
    # @raise [DecodeError, ArgumentError, TypeError] as {#decode}
    # @example
    #   Listing.check(bytes) # => true
    def check(bytes, wire: nil, **options) = DefaultCodec.reader(self, [*wire], options, beside: [:wire]).check(bytes)

    # Counts the objects of a source, without making them: see {Codec#count}.
    #
    # @param source [String, IO, Pathname] bytes, an io or the path of a file
    # @param wire [Symbol, nil] such as `:binary`; nil for the default of the class
    # @param threads [Integer] how many native threads check the objects; more than one need the option `frame:`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Integer]
    # @raise [DecodeError, EOFError, TypeError] as {Codec#decode_each}
    # @raise [ArgumentError] for an unknown wire or option
    # @example
    #   Listing.count(Pathname("listings"))
    def count(source, wire: nil, threads: 1, **options)
      DefaultCodec.reader(self, [*wire], options, beside: %i[wire threads]).count(source, threads:)
    end

    # Yields where each object of a source begins and ends, without making it: see {Codec#each_range}.
    #
    # @param source [String, IO, Pathname] bytes, an io or the path of a file
    # @param wire [Symbol, nil] such as `:binary`; nil for the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @yieldparam range [Range<Integer>] the bytes of each payload
    # @return [self, Enumerator] an Enumerator if there is no block
    # @raise [DecodeError, EOFError, TypeError] as {Codec#decode_each}
    # @raise [ArgumentError] for an unknown wire or option
    # @example
    #   Listing.each_range(bytes) { |range| puts range.size }
    def each_range(source, wire: nil, **options, &block)
      ranges = DefaultCodec.reader(self, [*wire], options, beside: [:wire]).each_range(source, &block)
      block ? self : ranges
    end

    # Collects the values of paths in the objects of a source, without making the objects: see {Codec#columns}.
    #
    # @param source [String, IO, Pathname] bytes, an io or the path of a file
    # @param paths [Array<String, Array<Object>>] such as `"listings[].title"`
    # @param wire [Symbol, nil] such as `:binary`; nil for the default of the class
    # @param as [Symbol] `:arrays`, or `:packed` for numbers in the layout of Apache Arrow
    # @param share [Boolean] whether equal Strings are one frozen object; not with `as: :packed`
    # @param threads [Integer] how many native threads read; more than one need `as: :packed` and the option `frame:`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Hash{String, Array<Object> => Array, Column}] the rows by the paths as they were given
    # @raise [DecodeError, EOFError, TypeError] as {Codec#columns}
    # @raise [ArgumentError] as {Codec#columns}, and for an unknown wire or option
    # @example
    #   Listing.columns(Pathname("listings"), "listing_id", "neighborhoods[].name")
    def columns(source, *paths, wire: nil, as: :arrays, share: false, threads: 1, **options)
      codec = DefaultCodec.reader(self, [*wire], options, beside: %i[wire as share threads])
      codec.columns(source, *paths, as:, share:, threads:)
    end

    # Decodes one value of a payload, and makes no other object: see {Codec#dig}.
    #
    # @param bytes [String] exactly one payload
    # @param path [Array<Object>] names of fields, indexes of elements and keys of maps
    # @param wire [Symbol, nil] such as `:binary`; without it, the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Object, nil]
    # @raise [DecodeError, TypeError] as {Codec#dig}
    # @raise [ArgumentError] as {Codec#dig}, and for an unknown wire or option
    # @example
    #   Listing.dig(bytes, :neighborhoods, 0, :name) # => "Mitte"
    def dig(bytes, *path, wire: nil, **options)
      DefaultCodec.reader(self, [*wire], options, beside: [:wire]).dig(bytes, *path)
    end

    # Changes some values of a payload, and copies everything else as it is: see {Codec#patch}.
    #
    # @param bytes [String] exactly one payload
    # @param changes [Hash{Array => Object}] the new values by their paths; without braces, too
    # @param wire [Symbol, nil] such as `:binary`; without it, the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [String] the new bytes
    # @raise [EncodeError, DecodeError, TypeError] as {Codec#patch}
    # @raise [ArgumentError] as {Codec#patch}, and for an unknown wire or option
    # @example
    #   Listing.patch(bytes, [:neighborhoods, 0, :name] => "Mitte", [:offset_lat] => nil)
    def patch(bytes, changes = nil, wire: nil, **options)
      if changes.nil?
        options, changes = options.partition { |name, _| name.is_a?(Symbol) }.map(&:to_h)
        raise Steps.wrong_changes(nil) if changes.empty?
      end
      DefaultCodec.for(self, [*wire], options, beside: [:wire]).patch(bytes, changes)
    end

    # Converts a payload of one wire to another, without making an object: see {Converter}.
    #
    # @param bytes [String] exactly one payload
    # @param from [Symbol, Codec] the wire that is read, or a codec
    # @param to [Symbol, Codec] the wire that is written, or a codec
    # @param options [Hash] as {Converter#initialize} takes them, without frames
    # @return [String] as {Converter#convert}
    # @raise [DecodeError, EncodeError, TypeError] as {Converter#convert}
    # @raise [ArgumentError] as {Converter#initialize}
    # @example
    #   Listing.convert(bytes, from: :compact, to: :json)
    def convert(bytes, from:, to:, **options)
      Converter.for(self, from, to, (options unless options.empty?)).convert(bytes)
    end

    # Makes an object from JSON, as `decode(text, :json)` does, or an Array of objects from an array.
    #
    # @param text [String] one JSON object, or one array of objects. Text in another encoding than UTF-8 is transcoded
    # @param options [Hash] as {Codec#initialize} takes them. The limits hold for the whole text
    # @return [Value, Array<Value>] an object of this class; an Array if the text is an array. To read a large array one
    #   element at a time, use {#decode_each}
    # @raise [DecodeError] if the text is anything else
    # @raise [ArgumentError] for an unknown option
    # @raise [TypeError] if `text` is not a String
    # @example
    #   Listing.from_json('{"listing_id": 1}').listing_id # => 1
    #   Listing.from_json('[{"listing_id": 1}, {"listing_id": 2}]').map(&:listing_id) # => [1, 2]
    def from_json(text, **options)
      options = DefaultCodec.merge(self, [:json], options, frame: false) { |_, merged| merged }
      text = Rendering.utf8(self, text) if text.is_a?(::String) && !Rendering::READABLE[text.encoding]
      Native.from_json(self, text, options)
    end

    # Makes an object from a Hash. This is the inverse of `to_h(deep: true)`.
    #
    # Values are converted, at every depth, to the form in which they are decoded: the name of an enum's value to its
    # number, an Array to a Set, a Symbol to a String, an Integer to a Float, a uuid to lowercase, a String to UTF-8 or
    # bytes. So the object equals its decoded copy. A value of the wrong type stays as it is, and {Value#errors} finds it.
    #
    # All keys of JSON are text. So a map whose keys are integers, doubles, booleans or enums also takes `"1"` for 1, and
    # `"true"` for true. Values are read from text only with `coerce: true`.
    #
    # **With `coerce: true`** the Hash may hold the parameters of a form. Text is read by the rules of Active Model's types,
    # but text that these rules would misread is refused: `"12"` is 12 and `"12 pieces"` is an error. Text that is blank
    # becomes nil, except in a `:string` or `:binary`. A list or set may be a Hash whose keys are numbers, which are its
    # order. An element of a container that becomes nil is left out. A value that does not become one of the field's type is
    # an error, and the error tells all of them. docs/rails.md has the rules for each type.
    #
    # @param hash [Hash{Symbol, String => Object}] values by field name, in Ruby or in the IDL; nested structs may be Hashes.
    #   Write it in braces to pass an option, too. With `coerce: true`, permitted `ActionController::Parameters`, too
    # @param options [Hash] `unknown: :skip` to ignore names that are not fields, at every depth, as when the Hash comes from
    #   a newer version of a program; the default is `:reject`. `coerce: true` to read values from text
    # @return [Value] an object of this class
    # @raise [ConversionError] for an unknown name of a field or of an enum's value, for two fields of a union, for more than
    #   1,000 levels, or if a set has more than 256 elements that are NaN; with `coerce: true` also for values that do not
    #   have the type of their field
    # @raise [ArgumentError] for an unknown option
    # @raise [TypeError] if `hash` is not a Hash
    # @example
    #   Listing.from_h(listing_id: 1, neighborhoods: [{ neighborhood_id: 7, name: "Mitte" }])
    #   Listing.from_h({ "listing_id" => 1, "color" => "red" }, unknown: :skip)
    #   Listing.from_h({ "listing_id" => "1", "neighborhoods" => { "0" => { "neighborhood_id" => "7" } } }, coerce: true)
    def from_h(hash = Canonical::KEYWORDS, **options) = Canonical.from_h(self, hash, options)

    # Decodes what {Value#to_msgpack_ext} wrote. Fields that this version of the class does not know are kept. Other options
    # are those of the class's default codec.
    #
    # If the program uses Active Support's caches, bytes that cannot be decoded raise
    # `ActiveSupport::Cache::DeserializationError`. The cache then treats an entry that another version of the class wrote
    # as a miss.
    #
    # @param bytes [String] an object in the compact protocol
    # @return [Value] an object of this class
    # @raise [DecodeError] if the bytes are anything else
    # @example
    #   ActiveSupport::MessagePack.register_type(20, Listing, packer: :to_msgpack_ext, unpacker: :from_msgpack_ext)
    def from_msgpack_ext(bytes)
      decode = Declaration.instance_method(:decode) # a union's variant may be called decode
      options = DefaultCodec.merge(self, [:compact], { unknown: :keep, utf8: :keep }, frame: false) { |_, merged| merged }
      decode.bind_call(self, bytes, :compact, **options)
    rescue DecodeError => e
      raise unless defined?(::ActiveSupport::Cache::DeserializationError)

      raise ::ActiveSupport::Cache::DeserializationError, e.message
    end

    # Prepares a new subclass. Ruby calls this method.
    #
    # @param subclass [Class]
    # @return [void]
    def inherited(subclass)
      super
      Native.load_parts
      Native.hold(subclass)
    end

    # Freezes the class. Its schema and default codec are made first, because they are kept in the class.
    #
    # @return [self]
    # @raise [SchemaError] as {#schema}
    def freeze
      DefaultCodec.codec(self) if Declared.shape(self)
      super
    end

    private

    # Sets the default wire and options for `encode`, `decode`, `encode_to`, `decode_from`, `decode_each` and `codec`. A call
    # can override the wire and each option. Subclasses inherit them.
    #
    # @param wire [Symbol] such as `:binary`
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [void]
    # @raise [ArgumentError] for an unknown wire or option
    # @raise [SchemaError] if the class or a subclass is in use already
    # @example
    #   class Listing < Sparpack::Struct
    #     default_codec :binary, unknown: :keep
    #   end
    #   Listing.codec # => #<Sparpack::Codec Listing binary, unknown: :keep>
    def default_codec(wire = :compact, **options) = DefaultCodec.declare(self, wire, options)

    # Sets the class's name and annotations in the IDL.
    #
    # @param name [String, nil] its name in the IDL if that is not the last part of the class's name
    # @param annotations [Hash{String => String, Array<String>}]
    # @return [void]
    # @raise [SchemaError] if the name is not a String, or the annotations are not a Hash
    # @example
    #   idl "point_t", annotations: { "deprecated" => "1" }
    def idl(name = nil, annotations: {}) = Declared.idl(self, name, annotations:)
  end
end
