# frozen_string_literal: true

module Sparpack
  # What structs, unions and exceptions have in common: they behave like Ruby's own value classes. nil is "not set".
  #
  # A field's reader wins over the methods here that are not in {RESERVED}; {Sparpack} itself has those, too:
  # `Sparpack.errors(object)`.
  module Value
    # @!method initialize(**fields)
    #   Makes an object. Every field may be left out. A field that has a default then gets a copy of it.
    #
    #   @param fields [Hash] values by name, converted as {#[]=} converts them
    #   @yieldparam object [Value] the new object, after its fields are set
    #   @raise [ArgumentError] for a name that no field has, or that the field's enum does not have
    #   @example
    #     Listing.new(listing_id: 1)
    #     Listing.new { |listing| listing.listing_id = 1 }

    # @!method [](name)
    #   @param name [Symbol, String]
    #   @return [Object, nil]
    #   @raise [ArgumentError] for an unknown name

    # @!method []=(name, value)
    #   @param name [Symbol, String]
    #   @param value [Object, nil] an enum's name becomes its number, a Symbol for text a String, a uuid lowercase. All else
    #     is held as it is, and checked by {#validate} and {#encode}
    #   @raise [ArgumentError] for a name that no field has, or no value of the enum

    # @!method set?(name)
    #   @param name [Symbol, String]
    #   @return [Boolean] whether the field is not nil
    #   @raise [ArgumentError] for an unknown name

    # @!method ==(other)
    #   @param other [Object]
    #   @return [Boolean] whether it is of the same class and all fields are equal, unknown ones that were kept too

    # @!method eql?(other)
    #   @param other [Object]
    #   @return [Boolean] the same with `eql?`

    # @!method hash
    #   @return [Integer]

    # @!method inspect
    #   @return [String] the fields that are set

    # @!method deconstruct_keys(names)
    #   @param names [Array<Symbol>, nil]
    #   @return [Hash{Symbol => Object}] for pattern matching; of a union, the field that is set

    # @!method encode(wire = :compact, **options)
    #   @param wire [Symbol] `:compact` or `:binary`
    #   @param options [Hash] as {Codec#initialize} takes them
    #   @return [String] unfrozen, ASCII-8BIT
    #   @raise [EncodeError] if it cannot be written
    #   @raise [ArgumentError] for an unknown wire or option
    #   @example
    #     listing.encode(:binary)

    # @param io [#write] as {Codec#encode_to} takes it
    # @param wire [Array<Symbol>] none, which takes the class's default, or one
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Integer] how many bytes were written. An object that cannot be encoded writes none
    # @raise [EncodeError] as {#encode}
    # @raise [TypeError] if nothing can be written to the io
    def encode_to(io, *wire, **options) = Sparpack.encode_to(self, io, *wire, **options)

    # @param deep [Boolean] whether nested structs become Hashes, too
    # @return [Hash{Symbol => Object}] all fields; of a union, the one that is set
    def to_h(deep: false) = deep ? Conversion.to_h(self) : Native.fields(self)

    # Returns a copy with changes. With a block, as Active Support has it, the object itself has the changes while the block
    # runs, and its own values again after it.
    #
    # @param changes [Hash] by name
    # @yieldparam object [Value] the object itself
    # @return [Value, Object] a copy, in which a union holds the field that is given; with a block, what that returns
    # @raise [ArgumentError] for an unknown name
    # @raise [FrozenError] with a block, if the object is frozen
    # @example
    #   listing.with(listing_id: 3)                    # another listing
    #   listing.with(listing_id: 3) { |it| it.encode } # bytes; listing is what it was
    def with(**changes, &block) = Sparpack.with(self, **changes, &block)

    # @return [Array<Symbol>] the names of all fields, in order of declaration
    # @example
    #   neighborhood.members # => [:neighborhood_id, :name]
    def members = Sparpack.members(self)

    # Finds what is nested in fields, Arrays, Hashes and structs, as Ruby's Struct does.
    #
    # @param name [Symbol, String] of a field
    # @param others [Array<Object>] names, indexes and keys further down
    # @return [Object, nil] nil as soon as something on the way is nil
    # @raise [ArgumentError] for an unknown name
    # @raise [TypeError] for names below something that has no `dig`
    # @example
    #   listing.dig(:neighborhoods, 0, :name) # => "Mitte"
    def dig(name, *others) = Sparpack.dig(self, name, *others)

    # @return [Schema] the class's
    def schema = Declared.schema(self.class)

    # @param mode [Symbol] `:normal` looks for required fields, `:strict` also at the types of this struct's own fields,
    #   `:recursive` goes through every nested struct
    # @return [self]
    # @raise [ValidationError] at the first fault
    def validate(mode = :normal) = Sparpack.validate(self, mode)

    # @param mode [Symbol] as {#validate}
    # @return [Boolean]
    def valid?(mode = :normal) = Sparpack.valid?(self, mode)

    # @param mode [Symbol] as {#validate}
    # @return [Array<ValidationError>] all faults
    def errors(mode = :normal) = Sparpack.errors(self, mode)

    # @!method dup(deep: false)
    #   @param deep [Boolean] whether everything that it holds is copied, too: nested structs, containers and Strings. Keys
    #     of maps and elements of sets that are frozen deep are shared
    #   @return [Value] a copy that is not frozen
    #   @example
    #     copy = frozen.dup(deep: true)
    #     copy.neighborhoods[0].name << "!"

    # @param deep [Boolean] whether everything that it holds is frozen, too
    # @return [self]
    def freeze(deep: false) = deep ? Ractor.make_shareable(self) : super()

    # The fields that are set, for JSON: enums as Integers, binaries in base64, keys of maps as text. Nothing is checked.
    #
    # A list of names is a Symbol, a String, or an Array of these; Ruby's and the IDL's names of fields work. A Hash in it
    # leads further down: `only: [:id, { lines: [:cents] }]`.
    #
    # @param options [Hash, nil] any other option is ignored, such as those that Rails passes
    # @option options [Object] :only a list of the fields to render, of this object; what is below them is rendered whole,
    #   unless a Hash says which part
    # @option options [Object] :except a list of the fields to leave out at every depth: in nested structs, in elements, in
    #   keys and values of maps
    # @option options [Object] :include as ActiveModel has it: nested fields that are rendered in spite of `only:`, with
    #   options for each: `include: { lines: { except: [:token] } }`
    # @option options [Object] :methods as ActiveModel has it: methods to call, the results of which are rendered, too
    # @option options [true, String, Symbol] :root as ActiveModel has it: a name under which all of it stands; with true
    #   that of the class
    # @return [Hash{String => Object}]
    # @example
    #   listing.as_json(only: [:listing_id, { neighborhoods: [:name] }])
    #   # => {"listing_id"=>1, "neighborhoods"=>[{"name"=>"Mitte"}]}
    def as_json(options = nil) = Rendering.as_json(self, options)

    # With Active Support, as its encoder writes it: `<`, `>`, `&`, U+2028 and U+2029 are escaped, and NaN is null.
    #
    # @param arguments [Array] options as {#as_json} takes them, and those of the json gem; or the state of its generator
    # @return [String]
    # @raise [JSON::GeneratorError] for text that is not UTF-8, and without Active Support for NaN and infinity
    # @example
    #   listing.to_json(except: [:token])
    def to_json(*arguments)
      Kernel.require "json"
      options = arguments.first
      return as_json.to_json(*arguments) unless options.is_a?(::Hash)

      as_json(options).to_json(*Rendering.arguments(options))
    end

    # By field id, so that what one version of a class dumped, another loads. A field that is absent gets its default. Kept
    # are nil over a default, unknown fields, and an exception's message and backtrace, too.
    #
    # @return [Array]
    def marshal_dump = Conversion.marshal_dump(self)

    # @param dump [Array]
    # @return [void]
    def marshal_load(dump) = Conversion.marshal_load(self, dump)

    # The bytes by which serializers of MessagePack store an object whose class they do not know, as Active Support's caches
    # do with `serializer: :message_pack`: the object in the compact protocol. Text that is not UTF-8 is written as it is.
    #
    # @return [String]
    # @raise [EncodeError] if it cannot be written
    # @example
    #   Listing.from_msgpack_ext(listing.to_msgpack_ext) == listing # => true
    def to_msgpack_ext = encode(:compact, utf8: :keep)

    # For `pp`: as {#inspect}, on several lines where it is long.
    #
    # @param printer [PP]
    # @return [void]
    def pretty_print(printer)
      fields = Native.fields(self).compact
      printer.group(1, "#<#{self.class}", ">") do
        printer.seplist(fields, -> { printer.text "," }) do |name, value|
          printer.breakable
          printer.group(1, "#{name}=") { printer.pp value }
        end
      end
    end

    # @param printer [PP]
    # @return [void]
    def pretty_print_cycle(printer) = printer.text("#<#{self.class} ...>")

    # For YAML: by name, with all that {#marshal_dump} keeps.
    #
    # @param coder [Psych::Coder]
    # @return [void]
    # @raise [TypeError] if the class has no name
    def encode_with(coder) = Conversion.yaml_dump(self, coder)

    # For YAML: a field that is absent gets its default.
    #
    # @param coder [Psych::Coder]
    # @return [void]
    def init_with(coder) = Conversion.yaml_load(self, coder.map)
  end
end
