# frozen_string_literal: true

module Sparpack
  # Converts values to the form in which they are decoded: the name of an enum's value to its number, an Array to a Set, a
  # Symbol to a String in UTF-8, an Integer to a Float, a uuid to lowercase, a Hash to a struct. A value of the wrong type
  # stays as it is.
  #
  # Containers are copied. A struct is copied only if it holds something that changes.
  #
  # @api private
  class Canonical
    # A value cannot be converted. Each level that the fault passes adds its piece of the path.
    class Fault < StandardError
      # A long path, such as that of a cycle, is shown by its beginning and its end.
      SHOWN = 16
      private_constant :SHOWN

      # @return [String]
      attr_reader :expected, :found

      # @param message [String]
      # @param expected [String]
      # @param found [String]
      # @param member [String] the last piece of the path if the message names it already
      def initialize(message, expected, found, member = nil)
        super(message)
        @expected = expected
        @found = found
        @member = member
        @pieces = []
      end

      # @param piece [String]
      # @return [self]
      def within(piece)
        @pieces << piece
        self
      end

      # @return [String] the path below the outermost object
      def path
        outer = @pieces.reverse
        return outer.join if outer.size <= SHOWN

        left_out = outer.size - SHOWN
        "#{outer.first(SHOWN / 2).join}...(#{left_out} more)...#{outer.last(SHOWN / 2).join}"
      end

      # @param struct_class [Class] the class of the outermost object
      # @return [ConversionError]
      def error(struct_class)
        root = Quote.plain(struct_class)
        text = @member && @pieces.empty? ? message : "#{root}#{path}: #{message}"
        error = ConversionError.new(text, path: "#{root}#{path}#{@member}", expected:, found:)
        error.instance_variable_set(:@place, "#{root}#{path}") if @member
        error
      end
    end

    UUID = /\A\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\z/
    DOUBLE_BITS = 1024

    # What may become of names that are not fields.
    UNKNOWN = %i[reject skip].freeze

    # Stands for the first argument if there are only keywords.
    KEYWORDS = Object.new.freeze
    private_constant :DOUBLE_BITS, :UNKNOWN

    # Makes an object from a Hash, as {Declaration#from_h} does.
    #
    # @param struct_class [Class]
    # @param hash [Hash{Symbol, String => Object}] values by field name, in Ruby or in the IDL; {KEYWORDS} if there was only
    #   a Hash without braces
    # @param options [Hash] `unknown:` and `coerce:`; or that Hash without braces
    # @return [Value]
    # @raise [ConversionError] as {Declaration#from_h}
    # @raise [ArgumentError] for an unknown option
    # @raise [TypeError] if `hash` is not a Hash
    def self.from_h(struct_class, hash, options)
      if hash.equal?(KEYWORDS)
        raise ArgumentError, "wrong number of arguments (given 0, expected 1)" if options.empty?

        hash = options
      elsif !options.empty?
        skip = skip?(options)
        hash = Coercion.new(struct_class, skip:).convert(hash) if options[:coerce]
      end
      unless hash.is_a?(Hash)
        found = Quote.plain(hash.class)
        raise TypeError, "expected a Hash for #{Quote.plain(struct_class)}, got #{found}#{Advice.hash(hash, struct_class)}"
      end

      Native.from_h(struct_class, hash, skip) || new(skip:).build(struct_class, hash)
    rescue Fault => e
      raise e.error(struct_class), cause: nil
    rescue SystemStackError # in a thread or fiber with a small stack
      raise too_deep.error(struct_class), cause: nil
    end

    # Checks the options of {from_h}.
    #
    # @return [Boolean] whether names that are not fields are ignored
    def self.skip?(options)
      Options.check(options, %i[unknown coerce])
      coerce = options.fetch(:coerce, false)
      raise ArgumentError, "coerce: expected true or false, got #{Quote.value(coerce)}" unless [true, false].include?(coerce)

      mode = options.fetch(:unknown, :reject)
      return mode == :skip if UNKNOWN.include?(mode)

      raise ArgumentError, "unknown: expected one of :reject, :skip, got #{Quote.value(mode)}#{Advice.choice(mode, UNKNOWN)}"
    end
    private_class_method :skip?

    # @param schema [Schema]
    # @param name [Object] a name that is not a field
    # @param value [Object] its value
    # @param similar [Boolean] whether to look for a similar name, which may take milliseconds
    # @return [Fault]
    def self.unknown_field(schema, name, value, similar: true)
      owner = Quote.plain(schema.struct_class)
      found = Quote.value(name)
      meant = (name == :unknown && UNKNOWN.include?(value)) || (name == :coerce && [true, false].include?(value))
      hint = " (for the option #{name}:, put braces around the Hash)" if meant
      hint ||= Names.hint(name, schema.fields.map(&:name)) if similar
      Fault.new("unknown field #{found} for #{owner}#{hint}", "a field of #{owner}", found, Quote.member("", name))
    end

    # @param names [Array<Symbol>] the fields of a union that have values
    # @return [Fault]
    def self.several_fields(names)
      names = names.map { |name| Quote.plain(name) }.join(" and ")
      Fault.new("a union holds one field, but found #{names}", "one field of a union", names)
    end

    # @return [Fault]
    def self.too_deep = Fault.new(*Levels.details)

    # Converts a default, whose type may hold structs that are not resolved yet.
    #
    # @param type [Type] resolved
    # @param value [Object]
    # @return [Object] the converted value
    # @raise [Fault]
    def self.default(type, value) = new(linked: false).value(type, value)

    # @param linked [Boolean] whether all types of nested structs can be resolved; if not, fields of other types stay as they
    #   are
    # @param skip [Boolean] whether names that are not fields are ignored
    def initialize(linked: true, skip: false)
      @linked = linked
      @skip = skip
      @known = {}.compare_by_identity
      @levels = 0 # If anything fails, the whole conversion does, so nobody needs to restore the count then.
    end

    # Makes an object of a class.
    #
    # @param struct_class [Class]
    # @param hash [Hash]
    # @return [Value]
    def build(struct_class, hash)
      raise Canonical.too_deep if (@levels += 1) > Limits::DEPTH_MAX

      schema = Declared.schema(struct_class)
      fields = {}
      field = nil
      hash.each do |name, value|
        field = schema.field_named(name)
        if field
          fields[field.name] = value(field.type, value)
        elsif !@skip
          raise Canonical.unknown_field(schema, name, value)
        end
      end
      field = nil
      @levels -= 1
      fill(struct_class, schema, fields)
    rescue Fault => e
      raise field ? e.within(".#{Quote.plain(field.name)}") : e
    end

    # Converts a value.
    #
    # @param type [Type]
    # @param value [Object]
    # @param keep [Boolean] whether a container stays the same object if nothing in it changes
    # @return [Object] the converted value
    def value(type, value, keep = false) # rubocop:disable Style/OptionalBooleanParameter -- called for each element
      case type.kind
      when :string then text(value)
      when :struct, :union then struct(type, value)
      when :list then value.is_a?(Array) ? list(type, value, keep) : value
      when :set then value.is_a?(Array) || value.is_a?(Set) ? set(type, value, keep) : value
      when :map then value.is_a?(Hash) ? map(type, value, keep) : value
      when :enum then number(type.target, value)
      when :double then real(value)
      when :binary then value.is_a?(String) && value.encoding != Encoding::BINARY ? value.b : value
      when :uuid then value.is_a?(String) && value.ascii_only? && value.match?(UUID) ? uuid(value) : value
      else value
      end
    end

    private

    def fill(struct_class, schema, fields)
      if schema.shape == :union && fields.count { |_, value| !value.nil? } > 1
        raise Canonical.several_fields(fields.compact.keys)
      end

      Native.fill(struct_class.allocate, fields)
    end

    def text(value)
      value = value.to_s if value.is_a?(Symbol)
      return value if !value.is_a?(String) || value.encoding == Encoding::UTF_8
      return utf8(value) if value.ascii_only? || value.encoding == Encoding::BINARY

      value.encoding == Encoding::US_ASCII ? value : value.encode(Encoding::UTF_8)
    rescue EncodingError
      value
    end

    def utf8(string)
      copy = string.dup.force_encoding(Encoding::UTF_8)
      copy.valid_encoding? ? copy : string
    end

    def uuid(string) = string.match?(/[A-F]/) ? string.downcase : string

    def real(value)
      return value unless value.is_a?(Integer) && value.bit_length <= DOUBLE_BITS

      real = value.to_f
      real.finite? ? real : value
    end

    def number(enum, value)
      return value unless value.is_a?(Symbol) || value.is_a?(String)

      Enum.find((@lookups ||= Enum.lookups)[enum], value) || raise(unknown_name(enum, value))
    end

    def unknown_name(enum, name)
      message, found = Enum.missing(enum, name)
      Fault.new(message, Quote.plain(enum), found)
    end

    def list(type, array, keep)
      copy = elements(type.element, array, "", keep)
      keep && same?(array, copy) ? array : copy
    end

    def set(type, elements, keep)
      copy = elements(type.element, elements, "", keep)
      # A NaN is never equal, so each one is compared with all before it. Decoding allows as few.
      raise too_many_nan(type) if Native.too_many_nan?(copy)

      keep && elements.is_a?(Set) && !elements.compare_by_identity? && same?(elements, copy) ? elements : copy.to_set
    end

    def too_many_nan(type)
      most = Native::NAN_KEYS_MAX
      Fault.new("at most #{most} elements of a #{type} can be NaN", "at most #{most} elements that are NaN", "more of them")
    end

    def map(type, hash, keep)
      keys = elements(type.key, KeyText.read(type.key, hash.keys), ".keys", keep)
      values = elements(type.element, hash.values, ".values", keep)
      same = keep && !hash.compare_by_identity? && same?(hash.keys, keys) && same?(hash.values, values)
      same ? hash : keys.zip(values).to_h
    end

    def elements(type, elements, part, keep)
      raise Canonical.too_deep if (@levels += 1) > Limits::DEPTH_MAX

      index = -1
      converted = elements.map do |element|
        index += 1
        value(type, element, keep)
      end
      @levels -= 1
      converted
    rescue Fault => e
      raise index ? e.within("#{part}[#{index}]") : e
    end

    def same?(elements, copy) = elements.each_with_index.all? { |element, index| element.equal?(copy[index]) }

    def struct(type, value)
      return value if type.target.is_a?(Mapping)
      return build(type.target, value) if value.is_a?(Hash)

      value.is_a?(Value) ? object(value) : value
    end

    # Converts an object. If it contains itself, that reference stays, because nobody knows yet whether there will be a copy.
    def object(value)
      return @known[value] if @known.key?(value)

      raise Canonical.too_deep if (@levels += 1) > Limits::DEPTH_MAX

      @known[value] = value
      values = Native.fields(value)
      copy = field = nil
      fields_of(value, values).each do |field_of_value|
        field = field_of_value
        old = values[field.name]
        new = old.nil? ? nil : value(field.type, old, true)
        Native.set(copy ||= Native.copy(value), field.name, new) unless new.equal?(old)
      end
      @levels -= 1
      copy ? @known[value] = copy : value
    rescue Fault => e
      raise field ? e.within(".#{Quote.plain(field.name)}") : e
    end

    def fields_of(value, values)
      owner = Native.fields_of(value)
      @linked ? Declared.schema(owner).fields_for(values) : Declared.fields(owner).select { |field| field.type.resolved? }
    end
  end
end
