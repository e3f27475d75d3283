# frozen_string_literal: true

module Sparpack
  # The methods of structs, unions and exceptions. They behave like Ruby's own value classes. A field that is nil is not set.
  #
  # A field's reader hides a method of the same name, unless the name is in {RESERVED}. Such methods can still be called as
  # functions of {Sparpack}: `Sparpack.errors(object)`.
  module Value
    # @!method initialize(**fields)
    #   Makes an object. Every field may be left out. A field that has a default then gets a copy of it.
    #
    #   @param fields [Hash] values by name, converted as {#[]=} converts them
    #   @yieldparam object [Value] the new object, after its fields are set
    #   @raise [ArgumentError] for a name that no field has
    #   @raise [ConversionError] for a name that the field's enum does not have
    #   @example
    #     Listing.new(listing_id: 1)
    #     Listing.new { |listing| listing.listing_id = 1 }

    # @!method [](name)
    #   Returns the value of a field.
    #
    #   @param name [Symbol, String] the name of the field
    #   @return [Object, nil] nil if the field is not set
    #   @raise [ArgumentError] for an unknown name
    #   @example
    #     listing[:listing_id] # => 1

    # @!method []=(name, value)
    #   Sets a field. The name of an enum's value becomes its number, a Symbol for a `:string` becomes a String, and a uuid
    #   becomes lowercase. Any other value is held as it is, and checked by {#validate} and {#encode}.
    #
    #   @param name [Symbol, String] the name of the field
    #   @param value [Object, nil] nil to unset the field
    #   @raise [ArgumentError] for an unknown name of a field, or if the union holds another field
    #   @raise [ConversionError] for a name that the field's enum does not have
    #   @raise [FrozenError] if the object is frozen
    #   @example
    #     listing[:listing_id] = 2

    # @!method set?(name)
    #   Tells whether a field is set, which means not nil.
    #
    #   @param name [Symbol, String] the name of the field
    #   @return [Boolean]
    #   @raise [ArgumentError] for an unknown name
    #   @example
    #     listing.set?(:offset_lat) # => false

    # @!method ==(other)
    #   Tells whether the other object has the same class and equal fields, including unknown fields that were kept.
    #
    #   @param other [Object]
    #   @return [Boolean]
    #   @example
    #     Listing.decode(listing.encode) == listing # => true

    # @!method eql?(other)
    #   Compares as {#==} does, but with `eql?` of the fields.
    #
    #   @param other [Object]
    #   @return [Boolean]
    #   @example
    #     Listing.new(offset_lat: 1).eql?(Listing.new(offset_lat: 1.0)) # => false

    # @!method hash
    #   Returns the same number for objects that are `eql?`.
    #
    #   @return [Integer]

    # @!method inspect
    #   Shows the class and the fields that are set, of an exception also its text if that is not in a field. Says if the
    #   object keeps unknown fields. Characters that nobody sees, or that change the direction of text, are escaped.
    #
    #   @return [String]
    #   @example
    #     neighborhood.inspect # => "#<Neighborhood neighborhood_id=7, name=\"Mitte\">"

    # @!method deconstruct_keys(names)
    #   Returns fields for pattern matching; of a union, only the field that it holds.
    #
    #   @param names [Array<Symbol>, nil] names of fields; nil for all
    #   @return [Hash{Symbol => Object}]
    #   @raise [TypeError] for anything but an Array or nil
    #   @example
    #     case listing
    #     in { listing_id: Integer => id } then id
    #     end

    # @!method encode(wire = :compact, **options)
    #   Encodes the object.
    #
    #   @param wire [Symbol] such as `:binary`; without it, the default of the class
    #   @param options [Hash] as {Codec#initialize} takes them
    #   @return [String] the bytes, unfrozen and in ASCII-8BIT
    #   @raise [EncodeError] if the object cannot be encoded
    #   @raise [ArgumentError] for an unknown wire or option
    #   @example
    #     listing.encode(:binary)

    # Encodes the object and writes it to an io, as {Codec#encode_to} does.
    #
    # @param io [#write] the io; for a file, pass `path.open("wb")`
    # @param wire [Array<Symbol>] at most one; without it, the default of the class
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Integer] how many bytes were written
    # @raise [EncodeError] if the object cannot be encoded; nothing is written then
    # @raise [TypeError] if `io` is not an io
    # @raise [ArgumentError] for an unknown wire or option
    # @example
    #   File.open("listings", "wb") { |file| listing.encode_to(file) }
    def encode_to(io, *wire, **options) = Sparpack.encode_to(self, io, *wire, **options)

    # @!method to_h(deep: false)
    #   Returns all fields by name; of a union, only the field that it holds.
    #
    #   @param deep [Boolean] whether nested structs become Hashes, too. {Declaration#from_h} makes objects of them again
    #   @yieldparam name [Symbol] with a block, the name of each field of this object
    #   @yieldparam value [Object] its value
    #   @yieldreturn [Array(Object, Object)] what stands for the two in the Hash, as for Struct#to_h
    #   @return [Hash{Symbol => Object}]
    #   @raise [EncodeError::LimitExceeded] with `deep: true`, for more than 1,000 levels, as if the object contains itself
    #   @raise [ArgumentError] for an unknown option
    #   @example
    #     neighborhood.to_h # => { neighborhood_id: 7, name: "Mitte" }
    #     neighborhood.to_h { |name, value| [name.to_s, value] } # => { "neighborhood_id" => 7, "name" => "Mitte" }

    # Returns a copy with changes. With a block, it changes the object itself while the block runs, and restores the values
    # after it, as Active Support's `Object#with` does.
    #
    # @param misplaced [Array<Object>] nothing; an argument raises an error that says how to pass it
    # @param changes [Hash{Symbol => Object}] new values by field name; a union then holds the field that is given
    # @yieldparam object [Value] the object itself
    # @return [Value, Object] the copy; with a block, the block's result
    # @raise [ArgumentError] for an unknown name of a field, or for arguments that are not keywords
    # @raise [ConversionError] for a name that the field's enum does not have
    # @raise [FrozenError] with a block, if the object is frozen
    # @example
    #   listing.with(listing_id: 3)                    # another listing
    #   listing.with(listing_id: 3) { |it| it.encode } # bytes; listing is what it was
    def with(*misplaced, **changes, &block)
      Copy.refuse_misplaced(misplaced) unless misplaced.empty?
      block ? Copy.change_during(self, changes, &block) : Copy.change(dup, changes)
    end

    # Returns a copy with the fields that are set in another object. The copy is shallow, as that of {#with}. A field that
    # holds a struct or a container is replaced as a whole.
    #
    # A field with a default is set in every new object, so its default wins, too. To leave such a field as it is, set it to
    # nil in the other object. If the other object keeps unknown fields, they replace those that this object keeps. A union
    # then holds what the other union holds, unless that is nothing. An exception gets the other's text if there is one.
    #
    # @param other [Value] an object of the same class, or of a subclass or parent class with the same fields
    # @return [Value] a copy of this object; it is not frozen
    # @raise [TypeError] if `other` has another class
    # @example
    #   Neighborhood.new(neighborhood_id: 7, name: "Mitte").merge(Neighborhood.new(name: "Wedding"))
    #   # => #<Neighborhood neighborhood_id=7, name="Wedding">
    def merge(other) = Sparpack.merge(self, other)

    # Returns the names of all fields.
    #
    # @return [Array<Symbol>] in order of declaration
    # @example
    #   neighborhood.members # => [:neighborhood_id, :name]
    def members = Sparpack.members(self)

    # Finds a value that is nested in structs, Arrays and Hashes, as `dig` of Ruby's Struct does.
    #
    # @param name [Symbol, String] the name of a field
    # @param others [Array<Object>] names, indexes and keys further down
    # @return [Object, nil] nil if something on the way is nil
    # @raise [ArgumentError] for an unknown name
    # @raise [TypeError] if something on the way has no `dig`
    # @example
    #   listing.dig(:neighborhoods, 0, :name) # => "Mitte"
    def dig(name, *others) = Sparpack.dig(self, name, *others)

    # Returns the schema of the class.
    #
    # @return [Schema] frozen
    # @raise [SchemaError] if the class uses a type that does not exist
    # @example
    #   listing.schema[:listing_id].type.to_s # => "i64"
    def schema = Declared.schema(self.class)

    # Tells whether the object keeps fields that this version of the class does not know, as after a decode with
    # `unknown: :keep`. Such fields are part of `==` and are written again. A union tells whether it was decoded with a field
    # that its class does not know, kept or not.
    #
    # @return [Boolean]
    # @example
    #   listing.unknown? # => false
    def unknown? = Sparpack.unknown?(self)

    # Raises if the object is not valid.
    #
    # @param mode [Symbol] `:normal` checks the required fields, `:strict` also the types and ranges of the object's own
    #   fields, and `:recursive` everything that the object holds
    # @return [self]
    # @raise [ValidationError] at the first fault
    # @raise [ArgumentError] for an unknown mode
    # @example
    #   listing.validate(:recursive)
    def validate(mode = :normal) = Sparpack.validate(self, mode)

    # Tells whether the object is valid.
    #
    # @param mode [Symbol] as for {#validate}
    # @return [Boolean]
    # @raise [ArgumentError] for an unknown mode
    # @example
    #   Neighborhood.new(name: "Mitte").valid? # => false
    def valid?(mode = :normal) = Sparpack.valid?(self, mode)

    # Returns all faults of the object. The list ends where the object is nested too deeply.
    #
    # @param mode [Symbol] as for {#validate}
    # @return [Array<ValidationError>] empty if the object is valid
    # @raise [ArgumentError] for an unknown mode
    # @example
    #   Neighborhood.new(name: "Mitte").errors.map(&:path) # => ["Neighborhood.neighborhood_id"]
    def errors(mode = :normal) = Sparpack.errors(self, mode)

    # @!method dup(deep: false)
    #   Returns a copy that is not frozen.
    #
    #   @param deep [Boolean] whether to copy everything that the object holds, too: nested structs, containers and Strings.
    #     Keys of maps and elements of sets that are frozen deep are shared
    #   @return [Value]
    #   @raise [EncodeError::LimitExceeded] if the object has so many levels that a deep copy does not fit on the stack
    #   @raise [ArgumentError] for an unknown option
    #   @example
    #     copy = frozen.dup(deep: true)
    #     copy.neighborhoods[0].name << "!"

    # Freezes the object.
    #
    # @param deep [Boolean] whether to freeze everything that the object holds, too; Ractors can then share it
    # @return [self]
    # @raise [ArgumentError] for an unknown option
    # @example
    #   Ractor.shareable?(listing.freeze(deep: true)) # => true
    def freeze(deep: false, **unknown)
      Options.check(unknown, %i[deep]) unless unknown.empty?
      return Ractor.make_shareable(self) if deep

      Native.wake(self) # what sleeps could not be written into a frozen object
      super()
    end

    # Returns the fields that are set, in a form for JSON: the names of fields are the IDL's, enums are
    # Integers, binaries are in base64, and keys of maps are text. Fields are in ascending order of ids. The object is not
    # validated.
    #
    # A list of names is a Symbol, a String, or an Array of these. Names in Ruby and in the IDL work. A Hash selects fields
    # further down: `only: [:id, { lines: [:cents] }]`. Names that no field has are ignored, so test that secrets are left
    # out.
    #
    # @param options [Hash, nil] other options are ignored, because encoders pass the options for a whole document
    # @option options [Object] :only a list of this object's fields to render. Everything below them is rendered, unless a
    #   Hash selects a part
    # @option options [Object] :except a list of fields to leave out at every depth: in nested structs, and in the elements,
    #   keys and values of containers
    # @option options [Object] :include nested fields to render in addition to `only:`, with options for each, as in Active
    #   Model: `include: { lines: { except: [:token] } }`
    # @option options [Object] :methods the names of methods whose results are rendered, too, as in Active Model
    # @option options [true, String, Symbol] :root a name under which everything is nested, as in Active Model; true means
    #   the name of the class
    # @option options [Symbol] :enums (:numbers) `:names` renders enums by the names of their values in the IDL
    # @option options [Symbol] :i64 (:number) `:string` renders an i64 as a String
    # @return [Hash{String => Object}]
    # @raise [ArgumentError] for another value of `enums:` or `i64:`
    # @raise [EncodeError::LimitExceeded] for more than 1,000 levels of structs, as if the object contains itself
    # @example
    #   listing.as_json(only: [:listing_id, { neighborhoods: [:name] }])
    #   # => {"listing_id"=>1, "neighborhoods"=>[{"name"=>"Mitte"}]}
    def as_json(options = nil) = Rendering.as_json(self, options)

    # Renders the object as JSON text. If Active Support is loaded, the text is that of its encoder: `<`, `>`, `&`, U+2028
    # and U+2029 are escaped, and NaN is null.
    #
    # @param options [Hash, JSON::State, nil] the options of {#as_json} and of the json gem, or the state of its generator.
    #   Those that Rails' `render` passes are ignored
    # @return [String]
    # @raise [ArgumentError] for an unknown option, unless `render` passes it
    # @raise [EncodeError::LimitExceeded] as {#as_json}
    # @raise [JSON::GeneratorError] for text that is not UTF-8; without Active Support, also for NaN and infinity
    # @example
    #   listing.to_json(except: [:token])
    def to_json(options = nil)
      (Native.plain_json(self) if options.nil?) || NativeText.of(self, options) || Rendering.to_json(self, options)
    end

    # Returns what Marshal stores: the fields by id, so that another version of the class can load them. Unknown fields are
    # kept, as are nil in a field with a default, and the message and backtrace of an exception.
    #
    # @return [Array]
    # @example
    #   Marshal.load(Marshal.dump(listing)) == listing # => true
    def marshal_dump = Dumps.marshal_dump(self)

    # Restores what {#marshal_dump} returned. A field that is absent gets its default.
    #
    # @param dump [Array]
    # @return [void]
    def marshal_load(dump) = Dumps.marshal_load(self, dump)

    # Encodes the object for serializers of MessagePack, such as Active Support's caches with `serializer: :message_pack`.
    # They call this method of classes that they do not know. Text that is not UTF-8 is written as it is.
    #
    # @return [String] the object in the compact protocol
    # @raise [EncodeError] if the object cannot be encoded
    # @example
    #   Listing.from_msgpack_ext(listing.to_msgpack_ext) == listing # => true
    def to_msgpack_ext = encode(:compact, utf8: :keep)

    # Shows the object for `pp`, on several lines if it is long.
    #
    # @param printer [PP]
    # @return [void]
    def pretty_print(printer)
      parts = Native.fields(self).compact.map { |name, value| ["#{name}=", value] }
      parts << ["unknown fields"] if Native.unknown(self)
      text = ExceptionText.plain(self) if is_a?(::Exception)
      printer.group(1, "#<#{self.class}#{":" unless text.nil?}", ">") do
        parts.unshift(["", text]) unless text.nil?
        printer.seplist(parts, -> { printer.text "," }) do |part|
          name, *value = part
          printer.breakable
          printer.group(1, name) { value.each { |shown| Quote.pretty_print(printer, shown) } }
        end
      end
    end

    # Shows an object for `pp` that contains itself.
    #
    # @param printer [PP]
    # @return [void]
    def pretty_print_cycle(printer) = printer.text("#<#{self.class} ...>")

    # Stores the object for YAML. It keeps the same as {#marshal_dump}, with fields by name.
    #
    # @param coder [Psych::Coder]
    # @return [void]
    # @raise [TypeError] if the class has no name
    def encode_with(coder) = Dumps.yaml_dump(self, coder)

    # Restores what {#encode_with} stored. A field that is absent gets its default.
    #
    # @param coder [Psych::Coder]
    # @return [void]
    def init_with(coder) = Dumps.yaml_load(self, coder.map)
  end
end
