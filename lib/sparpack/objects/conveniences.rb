# frozen_string_literal: true

# The methods of objects and classes that a field's reader or a union's constructor may hide, as functions.
module Sparpack
  class << self
    # Encodes an object and writes it to an io, as {Value#encode_to} does.
    #
    # @param object [Value]
    # @param io [#write]
    # @param wire [Array<Symbol>] at most one; without it, the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Integer] how many bytes were written
    # @raise [EncodeError] if the object cannot be encoded
    # @raise [TypeError] if `io` is not an io
    # @raise [ArgumentError] for an unknown wire or option
    # @example
    #   Sparpack.encode_to(listing, io, :binary)
    def encode_to(object, io, *wire, **options)
      Output.check(io)
      codec = DefaultCodec.for(object.class, wire, options)
      bytes = object.encode(*wire, **options.except(:frame))
      frame = Frame.find(codec.options[:frame], codec.wire)
      Output.write(io, frame ? frame.wrap(bytes, codec) : bytes)
    end

    # Returns a copy with changes, or changes the object while a block runs, as {Value#with} does.
    #
    # @param object [Value]
    # @param misplaced [Array<Object>] nothing; an argument raises an error that says how to pass it
    # @param changes [Hash{Symbol => Object}] new values by field name
    # @yieldparam object [Value] the object itself
    # @return [Value, Object] the copy; with a block, the block's result
    # @raise [ArgumentError] for an unknown name of a field, or for arguments that are not keywords
    # @raise [ConversionError] for a name that the field's enum does not have
    # @raise [FrozenError] with a block, if the object is frozen
    # @example
    #   Sparpack.with(listing, listing_id: 3)
    def with(object, *misplaced, **changes, &block)
      Copy.refuse_misplaced(misplaced) unless misplaced.empty?
      Native.fields_of(object) # raises for anything but a struct, union or exception

      block ? Copy.change_during(object, changes, &block) : Copy.change(object.dup, changes)
    end

    # Returns a copy with the fields that are set in another object, as {Value#merge} does.
    #
    # @param object [Value]
    # @param other [Value] an object with the same fields
    # @return [Value]
    # @raise [TypeError] if `other` has another class, or `object` is not a struct, union or exception
    # @example
    #   Sparpack.merge(listing, Listing.new(listing_id: 2)).listing_id # => 2
    def merge(object, other) = Copy.merge(object, other)

    # Returns the names of all fields, as {Value#members} does.
    #
    # @param object [Value, Class] an object, or the class of a struct, union or exception
    # @return [Array<Symbol>] in order of declaration
    # @example
    #   Sparpack.members(Neighborhood) # => [:neighborhood_id, :name]
    def members(object) = schema(object).fields.map(&:name)

    # Finds a nested value, as {Value#dig} does.
    #
    # @param object [Value]
    # @param name [Symbol, String] the name of a field
    # @param others [Array<Object>] names, indexes and keys further down
    # @return [Object, nil] nil if something on the way is nil
    # @raise [ArgumentError] for an unknown name
    # @raise [TypeError] if something on the way has no `dig`
    # @example
    #   Sparpack.dig(listing, :neighborhoods, 0, :name) # => "Mitte"
    def dig(object, name, *others)
      value = Native.get(object, name)
      others.each do |other|
        break if value.nil?

        value = dig_one(value, other)
      end
      value
    end

    # Returns the schema of an object or a class, as {Value#schema} does.
    #
    # @param object [Value, Class] an object, or the class of a struct, union or exception
    # @return [Schema] frozen
    # @raise [SchemaError] if the class uses a type that does not exist
    # @example
    #   Sparpack.schema(listing).fields.size
    def schema(object) = Declared.schema(object.is_a?(Class) ? object : object.class)

    # Makes an object from a Hash, as {Declaration#from_h} does.
    #
    # @param struct_class [Class] the class of a struct, union or exception
    # @param hash [Hash{Symbol, String => Object}] values by field name
    # @param options [Hash] as {Declaration#from_h} takes them
    # @return [Value]
    # @raise [ConversionError] as {Declaration#from_h}
    # @raise [TypeError] if `hash` is not a Hash
    # @example
    #   Sparpack.from_h(Neighborhood, { "neighborhood_id" => 7 })
    def from_h(struct_class, hash = Canonical::KEYWORDS, **options) = Canonical.from_h(struct_class, hash, options)

    # Tells whether a field is not nil, as {Value#set?} does.
    #
    # @param object [Value]
    # @param name [Symbol, String] the name of a field
    # @return [Boolean]
    # @raise [ArgumentError] for an unknown name
    # @example
    #   Sparpack.set?(listing, :offset_lat) # => false
    def set?(object, name) = !Native.get(object, name).nil?

    # Raises if an object is not valid, as {Value#validate} does.
    #
    # @param object [Value]
    # @param mode [Symbol] `:normal`, `:strict` or `:recursive`, as for {Value#validate}
    # @return [Value] the object
    # @raise [ValidationError] at the first fault
    # @raise [ArgumentError] for an unknown mode
    # @example
    #   Sparpack.validate(listing, :recursive)
    def validate(object, mode = :normal)
      fault = Native.validate(object, mode, false).first
      raise fault if fault

      object
    end

    # Tells whether an object is valid, as {Value#valid?} does.
    #
    # @param object [Value]
    # @param mode [Symbol] as for {Value#validate}
    # @return [Boolean]
    # @raise [ArgumentError] for an unknown mode
    # @example
    #   Sparpack.valid?(listing, :strict)
    def valid?(object, mode = :normal) = Native.validate(object, mode, false).empty?

    # Returns all faults of an object, as {Value#errors} does.
    #
    # @param object [Value]
    # @param mode [Symbol] as for {Value#validate}
    # @return [Array<ValidationError>] empty if the object is valid
    # @raise [ArgumentError] for an unknown mode
    # @example
    #   Sparpack.errors(listing, :recursive).map(&:message)
    def errors(object, mode = :normal) = Native.validate(object, mode, true)

    # Returns the name of the field that a union holds, as {Union#field} does.
    #
    # @param union [Union]
    # @return [Symbol, nil] nil if it holds none, or one that its class does not know
    # @raise [TypeError] for anything but a union
    # @example
    #   Sparpack.field(Answer.text("yes")) # => :text
    def field(union) = Native.union_field(union)

    # Returns the value that a union holds, as {Union#value} does.
    #
    # @param union [Union]
    # @return [Object, nil]
    # @raise [TypeError] for anything but a union
    # @example
    #   Sparpack.value(Answer.text("yes")) # => "yes"
    def value(union)
      name = Native.union_field(union)
      name && Native.get(union, name)
    end

    # Tells whether an object keeps fields that its class does not know, as {Value#unknown?} does.
    #
    # @param object [Value]
    # @return [Boolean]
    # @raise [TypeError] for anything but a struct, union or exception
    # @example
    #   Sparpack.unknown?(listing) # => false
    def unknown?(object) = !Native.unknown(object).nil?

    private

    # Does not call `dig` of a struct, because a field may hide it.
    def dig_one(value, name)
      return Native.get(value, name) if value.is_a?(Value)
      raise TypeError, "#{Quote.plain(value.class)} does not have #dig method" unless value.respond_to?(:dig)

      value.dig(name) # rubocop:disable Style/SingleArgumentDig -- an Array takes more by []
    end
  end
end
