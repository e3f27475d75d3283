# frozen_string_literal: true

module Sparpack
  # Turns a module of Integers into an enum, which can be the type of a field. Enums are open: a number without a name is
  # read, kept and written. Only `:strict` and `:recursive` validation reject it.
  #
  # @example
  #   module Status
  #     extend Sparpack::Enum
  #     ACTIVE = 1
  #     CLOSED = 2
  #   end
  #   Status.name_of(1)        # => :ACTIVE
  #   Status.value_of(:CLOSED) # => 2
  module Enum
    # Returns the numbers of the enum.
    #
    # @return [Array<Integer>] in order of definition, each once
    # @example
    #   Status.values # => [1, 2]
    def values = enum_table[:names].keys

    # Returns the names of the enum.
    #
    # @return [Array<Symbol>] in order of definition, including aliases
    # @example
    #   Status.names # => [:ACTIVE, :CLOSED]
    def names = enum_table[:numbers].keys

    # Returns the name of a number.
    #
    # @param value [Integer]
    # @return [Symbol, nil] the name, or the first one if there are several; nil if there is none
    # @example
    #   Status.name_of(2) # => :CLOSED
    def name_of(value) = enum_table[:names][value]

    # Returns the number of a name.
    #
    # @param name [Symbol, String] the name in Ruby or in the IDL
    # @return [Integer, nil] nil if there is no such name
    # @example
    #   Status.value_of("CLOSED") # => 2
    def value_of(name) = Enum.find(enum_table[:lookup], name)

    # Tells whether the enum has a value. Enums are open, so a field may hold a number that this version of the program does
    # not know.
    #
    # @param value [Integer, Symbol, String] a number or a name
    # @return [Boolean]
    # @example
    #   Status.known?(2)       # => true
    #   Status.known?(3)       # => false
    #   Status.known?(:CLOSED) # => true
    def known?(value) = value.is_a?(Integer) ? enum_table[:names].key?(value) : !value_of(value).nil?

    # Returns the numbers by name, including aliases.
    #
    # @return [Hash{Symbol => Integer}] frozen
    # @example
    #   Status.to_h # => { ACTIVE: 1, CLOSED: 2 }
    def to_h = enum_table[:numbers]

    # Returns the enum's name in the IDL.
    #
    # @return [String, nil] the last part of the module's name unless {#idl} declares another; nil if the module has no name
    # @example
    #   Status.idl_name # => "Status"
    def idl_name = (@idl && @idl[:name]) || name&.split("::")&.last

    # Returns the name of a value in the IDL.
    #
    # @param value [Integer, Symbol] a number or a name; pass the name if several names have the same number
    # @return [String, nil] nil if there is no such value
    # @example
    #   Status.idl_name_of(2) # => "CLOSED"
    def idl_name_of(value)
      found = value.is_a?(Symbol) ? (value if to_h.key?(value)) : name_of(value)
      found && ((@idl && @idl[:values][found]) || Names.utf8(found.name))
    end

    # Returns the annotations of the enum, or of one of its values, in the IDL.
    #
    # @param name [Symbol, nil] the name of a value; nil for the enum itself
    # @return [Hash{String => String, Array<String>}] frozen
    # @example
    #   Status.annotations # => {}
    def annotations(name = nil)
      return NO_IDL[:annotations] unless @idl

      name ? @idl[:value_annotations].fetch(name, NO_IDL[:annotations]) : @idl[:annotations]
    end

    # Writes the definition of the enum as IDL.
    #
    # @param options [Hash] `names:`, as {IDL.dump} takes it
    # @return [String]
    # @raise [SchemaError] if IDL cannot express the enum
    # @example
    #   Status.to_idl # => "enum Status {\n  ACTIVE = 1,\n  CLOSED = 2,\n}\n"
    def to_idl(**options) = Sparpack.to_idl(self, **options)

    # Returns the names and numbers of the module's present constants. More may be added until a class that uses the enum is
    # first used.
    #
    # @return [Hash] frozen
    # @raise [SchemaError] if a number has more than 32 bits
    # @api private
    def enum_table
      table = @enum_table
      return table if table && table[:count] == constants(false).size && table[:idl].equal?(@idl)

      table = Ractor.make_shareable(Enum.table(self))
      @enum_table = table if Native.main_ractor?
      table
    end

    # @return [Array<Symbol>, nil] the constants in the order of the IDL
    # @api private
    def idl_order = @idl && @idl[:values].keys

    NO_IDL = { name: nil, values: {}, annotations: {}, value_annotations: {} }.each_value(&:freeze).freeze
    private_constant :NO_IDL

    # Returns the number of a name, as {#value_of} does. Whoever looks up many names fetches the table only once, because
    # {#enum_table} takes time in proportion to its size.
    #
    # @param lookup [Hash{Symbol => Integer}] `enum_table[:lookup]`
    # @param name [Symbol, String]
    # @return [Integer, nil]
    # @api private
    def self.find(lookup, name)
      return lookup[name] unless name.is_a?(String)

      lookup[name.to_sym] if name.valid_encoding?
    end

    # @return [Hash{Enum => Hash}] the table to look names up in, for each enum that is asked for, fetched once
    # @api private
    def self.lookups = Hash.new { |known, mod| known[mod] = mod.enum_table[:lookup] }.compare_by_identity

    # @api private
    def self.table(mod)
      numbers = ordered(mod).to_h { |name| [name, mod.const_get(name, false)] }.select { |_, v| v.is_a?(Integer) }
      name, = numbers.find { |_, value| !Type::RANGES[:enum].cover?(value) }
      raise SchemaError, "#{Quote.plain(mod)}::#{Quote.plain(name)}: an enum's values have at most 32 bits" if name

      names = numbers.each_with_object({}) { |(key, value), found| found[value] ||= key }
      idl = mod.instance_variable_get(:@idl)
      lookup = (idl || NO_IDL)[:values].to_h { |key, idl_name| [idl_name.to_sym, numbers[key]] }.compact.merge(numbers)
      numbers.each { |key, value| lookup[Names.utf8(key.name).to_sym] ||= value unless key.name.ascii_only? }
      written = names.transform_values { |key| Names.utf8((idl && idl[:values][key]) || key.name) }
      { count: mod.constants(false).size, idl:, numbers:, names:, written:, lookup: }
    end

    # The most names that a message lists.
    LISTED = 12
    private_constant :LISTED

    # Returns text to append to a message: why the enum does not have a name, or a similar name and the names that exist.
    #
    # @param mod [Enum]
    # @param name [Object] something that was not one of its names when a class that uses it was first used; or a number
    # @param similar [Boolean] whether to look for a similar name, which may take milliseconds
    # @return [String]
    # @api private
    def self.hint(mod, name, similar: true)
      return similar ? grown(mod, mod.name_of(name)) : "" if name.is_a?(Integer)

      # A stranger's name must not become a Symbol.
      known = mod.enum_table[:lookup].each_key.find { |each| each.name == name.to_s }
      return grown(mod, known) if known

      names = mod.names
      return not_a_number(mod, mod.constants(false).min) if names.empty?

      constant = mod.constants(false).find { |known| known.name == name.to_s }
      return not_a_number(mod, constant) if constant

      close = Names.closest(name, names) if similar
      listed = names.first(LISTED).map { |known| Quote.value(known) }.join(", ")
      listed += " and #{names.size - LISTED} more" if names.size > LISTED
      " (#{"did you mean #{Quote.value(close)}? " if close}known: #{listed})"
    end

    # The form of a String that is meant as the name of a value, or as its number.
    NAME = /\A[[:word:]]{0,64}\z/
    private_constant :NAME

    # Returns what a message shows of an unknown name. A String that cannot be a name may be anything, even a secret, so only
    # its size is shown.
    #
    # @param name [Symbol, String]
    # @return [String]
    # @api private
    def self.shown(name)
      return Quote.value(name) if name.is_a?(Symbol) || (name.bytesize <= 256 && Quote.utf8(name).match?(NAME))

      "a String of #{name.bytesize} byte#{"s" unless name.bytesize == 1}"
    end

    # Describes a name that an enum does not have.
    #
    # @param mod [Enum]
    # @param name [Symbol, String]
    # @param similar [Boolean] as for {hint}
    # @return [Array(String, String)] the message, and what it shows of the name
    # @api private
    def self.missing(mod, name, similar: true)
      shown = shown(name)
      hint = hint(mod, name, similar:)
      ["#{Quote.plain(mod)} has no value #{"named by " if shown.start_with?("a ")}#{shown}#{hint}", shown]
    end

    # A class keeps the values that an enum has when it is first used.
    def self.grown(mod, name)
      return "" unless name

      " (#{Quote.plain(name)} was added after a class that uses #{Quote.plain(mod)} was first used: " \
        "define all values before that)"
    end
    private_class_method :grown

    def self.not_a_number(mod, name)
      return " (it has no values)" unless name

      found = Quote.plain(mod.const_get(name, false).class)
      " (#{Quote.plain(mod)}::#{Quote.plain(name)} is an instance of #{found}, not an Integer)"
    end
    private_class_method :not_a_number

    # Sorts the constants in order of definition, which Ruby does not keep: by their lines, and on the same line in the order
    # in which Ruby first met their names.
    def self.ordered(mod)
      names = mod.constants(false)
      order = mod.idl_order
      return order & names if order && (names - order).empty?

      places = names.to_h { |name| [name, mod.const_source_location(name, false) || []] }
      one_file = places.values.map(&:first).uniq.size == 1
      names.sort_by { |name| [one_file ? places[name].last.to_i : 0, Native.symbol_serial(name)] }
    end
    private_class_method :ordered

    private

    # Sets the names and annotations of the enum and its values in the IDL.
    #
    # @param name [String, nil] the enum's name in the IDL if that is not the last part of the module's name
    # @param values [Hash{Symbol => String}] the names in the IDL of values whose names are different there
    # @param annotations [Hash{String => String, Array<String>}] the annotations of the enum
    # @param value_annotations [Hash{Symbol => Hash}] the annotations of its values
    # @return [void]
    # @example
    #   module Status
    #     extend Sparpack::Enum
    #     idl "status_t", values: { ACTIVE: "active" }
    #     ACTIVE = 1
    #   end
    #   Status.idl_name_of(1) # => "active"
    def idl(name = nil, values: {}, annotations: {}, value_annotations: {})
      values = values.transform_values { |text| text.is_a?(String) ? Names.utf8(text) : text }
      @idl = Ractor.make_shareable({ name:, values:, annotations:, value_annotations: }, copy: true)
    rescue SchemaError => e
      raise SchemaError, "#{Quote.plain(self)}: #{e.message}", cause: nil
    end
  end
end
