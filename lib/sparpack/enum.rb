# frozen_string_literal: true

module Sparpack
  # Makes a module of Integers an enum that fields can have as their type. Enums are open: a value that the module does not
  # name is read, kept and written; only `:strict` validation objects.
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
    # @return [Array<Integer>] in order of definition, each once
    def values = enum_table[:names].keys

    # @return [Array<Symbol>] in order of definition, aliases too
    def names = enum_table[:numbers].keys

    # @param value [Integer]
    # @return [Symbol, nil] its name, the first where it has several
    def name_of(value) = enum_table[:names][value]

    # @param name [Symbol, String] Ruby's name of a value, or the IDL's where that is another
    # @return [Integer, nil]
    def value_of(name)
      lookup = enum_table[:lookup]
      return lookup[name] unless name.is_a?(String)

      lookup[name.to_sym] if name.valid_encoding?
    end

    # @return [Hash{Symbol => Integer}] frozen
    def to_h = enum_table[:numbers]

    # @return [String, nil] the enum's name in the IDL, where it was declared there, else the last part of the module's name
    def idl_name = (@idl && @idl[:name]) || name&.split("::")&.last

    # @param value [Integer, Symbol] a number, or a name: several that have one number may have other names in the IDL
    # @return [String, nil] the value's name in the IDL
    def idl_name_of(value)
      found = value.is_a?(Symbol) ? (value if to_h.key?(value)) : name_of(value)
      found && ((@idl && @idl[:values][found]) || found.name)
    end

    # @param name [Symbol, nil] of a value; of the enum itself if nil
    # @return [Hash{String => String, Array<String>}] what IDL says of it besides
    def annotations(name = nil)
      return NO_IDL[:annotations] unless @idl

      name ? @idl[:value_annotations].fetch(name, NO_IDL[:annotations]) : @idl[:annotations]
    end

    # Writes the enum's definition as IDL.
    #
    # @param options [Hash] `names:`, as {IDL.dump} takes it
    # @return [String]
    # @raise [SchemaError] if IDL cannot say something of it
    # @example
    #   Status.to_idl # => "enum Status {\n  ACTIVE = 1,\n  CLOSED = 2,\n}\n"
    def to_idl(**options) = Sparpack.to_idl(self, **options)

    # The names and numbers of the module's constants, as of now: constants may be added until it is first used in a plan.
    #
    # @return [Hash] frozen
    # @raise [SchemaError] if a value has more than 32 bits
    # @api private
    def enum_table
      table = @enum_table
      return table if table && table[:count] == constants(false).size && table[:idl].equal?(@idl)

      table = Ractor.make_shareable(Enum.table(self))
      @enum_table = table if Native.main_ractor?
      table
    end

    # @return [Array<Symbol>, nil] the constants in order, where all are told
    # @api private
    def idl_order = @idl && @idl[:values].keys

    NO_IDL = { name: nil, values: {}, annotations: {}, value_annotations: {} }.each_value(&:freeze).freeze
    private_constant :NO_IDL

    # @api private
    def self.table(mod)
      numbers = ordered(mod).to_h { |name| [name, mod.const_get(name, false)] }.select { |_, v| v.is_a?(Integer) }
      name, = numbers.find { |_, value| !Type::RANGES[:enum].cover?(value) }
      raise SchemaError, "#{Quote.plain(mod)}::#{Quote.plain(name)}: an enum's values have 32 bits" if name

      names = numbers.each_with_object({}) { |(key, value), found| found[value] ||= key }
      idl = mod.instance_variable_get(:@idl)
      lookup = (idl || NO_IDL)[:values].to_h { |key, idl_name| [idl_name.to_sym, numbers[key]] }.compact.merge(numbers)
      { count: mod.constants(false).size, idl:, numbers:, names:, lookup: }
    end

    # How many names a message lists.
    LISTED = 12
    private_constant :LISTED

    # @param mod [Enum]
    # @param name [Object] what is none of its names
    # @return [String] " (…)": the name that is close to it, and those that there are
    # @api private
    def self.hint(mod, name)
      names = mod.names
      return " (it has no values)" if names.empty?

      close = Names.closest(name, names)
      listed = names.first(LISTED).map { |known| Quote.value(known) }.join(", ")
      listed += " and #{names.size - LISTED} more" if names.size > LISTED
      " (#{"did you mean #{Quote.value(close)}? " if close}known: #{listed})"
    end

    # Ruby does not keep constants in order of definition: by their lines, and on one line as their names were met.
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

    # Says what IDL says of the enum besides its values.
    #
    # @param name [String, nil] its name there, where that is another than the last part of the module's
    # @param values [Hash{Symbol => String}] names of values there, where they are others
    # @param annotations [Hash{String => String, Array<String>}]
    # @param value_annotations [Hash{Symbol => Hash}] those of the values
    # @return [void]
    # @example
    #   idl "status_t", values: { ACTIVE: "active" }
    def idl(name = nil, values: {}, annotations: {}, value_annotations: {})
      @idl = Ractor.make_shareable({ name:, values:, annotations:, value_annotations: }, copy: true)
    end
  end
end
