# frozen_string_literal: true

require "set"

module Sparpack
  # Converts the parameters of a form to values of the types that a class declares, for {Declaration#from_h} with
  # `coerce: true`. Text is read by the rules of Active Model's types. Where these would lose something, as with
  # `"12 pieces"` for an integer, the value is a fault. All faults are collected.
  #
  # Values may be anything, even a BasicObject, so they are asked for their class by `===`.
  #
  # @api private
  class Coercion
    # The most faults that are collected. Each costs an error object.
    FAULTS_MAX = 100

    # Only the messages of the first faults have hints at similar names, because each may take milliseconds.
    HINTS_MAX = 10

    # The most faults that the message shows.
    SHOWN = 5

    # The most bytes of text that may stand for a number, a boolean, a uuid or the name of an enum's value.
    TEXT_MAX = 1_000

    # What Active Model's validation of integers takes. `\s` and `\d` are ASCII only, as for String#to_i.
    INTEGER = /\A\s*[+-]?\d+\s*\z/
    REAL = /\A\s*[+-]?(?:(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?|\d+\.)\s*\z/
    NOT_FINITE = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze
    BOOLS = { true => %w[1 t T true TRUE on ON], false => %w[0 f F false FALSE off OFF] }
            .flat_map { |value, texts| texts.map { |text| [text, value] } }.to_h.merge(0 => false, 1 => true).freeze

    # The key of an element in a Hash that stands for a list. It is only compared, so it may be large.
    INDEX = /\A\d{1,19}\z/
    BLANK = /\A[[:space:]]*\z/
    private_constant :HINTS_MAX, :SHOWN, :TEXT_MAX, :INTEGER, :REAL, :NOT_FINITE, :BOOLS, :INDEX, :BLANK

    # rubocop:disable Style/CaseEquality, Style/MultipleComparison

    # @param struct_class [Class]
    # @param skip [Boolean] whether names that are not fields are ignored
    def initialize(struct_class, skip:)
      @struct_class = struct_class
      @skip = skip
      @faults = []
      @path = []
      @levels = 0
      @canonical = Canonical.new
      @schemas = {}.compare_by_identity
    end

    # @param given [Object] a Hash or permitted parameters
    # @return [Object] a Hash that holds values of the right types; anything else as it is
    # @raise [ConversionError] for all faults
    # @raise [SystemStackError] if the values have more levels than the stack has room for
    def convert(given)
      hash = hash_of(given) or return given

      fields = catch(:enough) { fields(@struct_class, hash) }
      @faults.empty? ? fields : raise(error, cause: nil)
    end

    private

    # --- faults ---------------------------------------------------------------------------------------------------------

    def error
      return @faults.first if @faults.one?

      shown = @faults.first(SHOWN).map(&:message)
      shown << "and #{@faults.size - SHOWN} more" if @faults.size > SHOWN
      count = "#{"at least " if @faults.size == FAULTS_MAX}#{@faults.size} faults"
      ConversionError.of("#{Quote.plain(@struct_class)}: #{count}: #{shown.join("; ")}", @faults)
    end

    # @return [nil]
    def add(fault)
      @path.reverse_each { |step| fault.within(piece(step)) }
      @faults << fault.error(@struct_class)
      throw :enough if @faults.size == FAULTS_MAX
    end

    def piece(step)
      case step
      when Field then ".#{Quote.plain(step.name)}"
      when Integer then "[#{step}]"
      else step
      end
    end

    # @return [nil]
    def refuse(type, found)
      expected = expected(type)
      add(Canonical::Fault.new("expected #{expected}, found #{found}", expected, found))
    end

    def expected(type) = type.target ? Quote.plain(type.target) : type.kind.name

    # Never shows what a String contains.
    def found(value)
      case value
      when Integer, true, false, nil then Quote.value(value)
      when ::String then size(value)
      else Quote.plain(::Kernel.instance_method(:class).bind_call(value))
      end
    end

    def size(text) = "a String of #{text.bytesize} byte#{"s" unless text.bytesize == 1}"

    def hints? = @faults.size < HINTS_MAX

    # --- structs and containers -----------------------------------------------------------------------------------------

    # Parameters of Rails that are not permitted raise Rails' own error.
    def hash_of(value)
      case value
      when Hash then value
      when ::Object then value.to_h if value.respond_to?(:permitted?) && value.respond_to?(:to_h)
      end
    end

    def level
      if (@levels += 1) > Limits::DEPTH_MAX
        add(Canonical.too_deep)
        throw :enough
      end
      result = yield
      @levels -= 1
      result
    end

    # @param step [Field, Integer, String]
    def at(step)
      @path.push(step)
      result = yield
      @path.pop
      result
    end

    def fields(struct_class, hash)
      schema = @schemas[struct_class] ||= Declared.schema(struct_class)
      level do
        found = {}
        hash.each do |name, value|
          field = schema.field_named(name)
          if field
            found[field.name] = at(field) { value(field.type, value) }
          elsif !@skip
            add(Canonical.unknown_field(schema, name, value, similar: hints?))
          end
        end
        schema.shape == :union ? variant(found) : found
      end
    end

    # A form has an input for each field of a union. If there are several, those that are left empty do not count.
    def variant(fields)
      fields.reject! { |_, value| value == "" } if fields.size > 1
      fields.compact!
      add(Canonical.several_fields(fields.keys)) if fields.size > 1
      fields
    end

    def value(type, value)
      case value # may be a BasicObject
      when nil then return
      when Symbol then value = value.name
      end
      kind = type.kind
      return text(type, value) if kind == :string
      return binary(type, value) if kind == :binary

      if ::String === value
        return refuse(type, size(value)) if value.bytesize > TEXT_MAX

        value = utf8(value)
        return if value.match?(BLANK)
      end

      case kind
      when :struct, :union then struct(type, value)
      when :list, :set then list(type, value)
      when :map then map(type, value)
      else scalar(type, value)
      end
    end

    def struct(type, value)
      hash = hash_of(value) unless type.target.is_a?(Mapping)
      return fields(type.target, hash) if hash

      type.target === value ? value : refuse(type, found(value))
    end

    def list(type, value)
      elements = value if Array === value || (Set === value && type.kind == :set)
      if elements
        elements = elements.each_with_index
      else
        hash = hash_of(value) or return refuse(type, found(value))
        elements = by_index(hash) or return refuse(type, "a Hash whose keys are not numbers")
      end
      level do
        elements.filter_map { |element, index| at(index) { wrap(value(type.element, element)) } }.flatten(1)
      end
    end

    # Keeps false apart from nil.
    def wrap(value) = value.nil? ? nil : [value]

    # @return [Array(Object, Integer), nil] each element with its number, in the order of the numbers
    def by_index(hash)
      found = hash.each_with_index.map do |(key, element), position|
        number = index(key) or return nil
        [number, position, element]
      end
      found.sort_by! { |number, position,| [number, position] }.map { |number, _, element| [element, number] }
    end

    def index(key)
      key = key.name if key.is_a?(Symbol)
      case key
      when Integer then key unless key.negative?
      when ::String then key.to_i if key.bytesize < TEXT_MAX && utf8(key).match?(INDEX)
      end
    end

    def map(type, value)
      hash = hash_of(value) or return refuse(type, found(value))
      level do
        index = -1
        hash.each_with_object({}) do |(key, element), pairs|
          index += 1
          converted = at(".values[#{index}]") { value(type.element, element) }
          at(".keys[#{index}]") { add_pair(pairs, type.key, key, converted) } unless converted.nil?
        end
      end
    end

    def add_pair(pairs, type, key, value)
      faults = @faults.size
      converted = value(type, key)
      return pairs[converted] = value unless converted.nil?

      refuse(type, found(key)) if @faults.size == faults
    end

    # --- scalars --------------------------------------------------------------------------------------------------------

    def utf8(text) = text.encoding == Encoding::UTF_8 && text.valid_encoding? ? text : Quote.utf8(text)

    def scalar(type, value)
      case type.kind
      when :bool then bool(type, value)
      when :double then real(type, value)
      when :uuid then uuid(type, value)
      when :enum then number(type, value)
      else integer(type, value)
      end
    end

    def text(type, value)
      case value
      when ::String
        text = @canonical.value(type, value)
        encoding = text.encoding
        return text if (encoding == Encoding::UTF_8 || encoding == Encoding::US_ASCII) && text.valid_encoding?

        found = "#{size(value)} in #{value.encoding}"
        add(Canonical::Fault.new("expected text that is valid UTF-8, found #{found}", "text that is valid UTF-8", found))
      when Integer then value.bit_length <= Quote::BITS ? value.to_s : refuse(type, found(value))
      when Float then value.to_s
      else refuse(type, found(value))
      end
    end

    def binary(type, value) = ::String === value ? value : refuse(type, found(value))

    def integer(type, value)
      case value
      when Integer then number = value
      when Float then number = value.to_i if value.finite? && value == value.floor
      when ::String
        return refuse(type, "text that is not an integer") unless value.match?(INTEGER)

        number = value.to_i
      end
      return refuse(type, found(value)) unless number

      Type::RANGES[type.kind].cover?(number) ? number : refuse(type, found(number))
    end

    def real(type, value)
      case value
      when Float then return value
      when Integer then real = @canonical.value(type, value)
      when ::String
        return NOT_FINITE[value] if NOT_FINITE.key?(value)
        return refuse(type, "text that is not a number") unless value.match?(REAL)

        real = value.to_f
        return refuse(type, "a number that is too large") if real.infinite?
      end
      real.is_a?(Float) ? real : refuse(type, found(value))
    end

    def bool(type, value)
      case value
      when true, false then value
      when ::String then BOOLS.fetch(value) { refuse(type, "text that is not a boolean") }
      when Integer then BOOLS.fetch(value) { refuse(type, found(value)) }
      else refuse(type, found(value))
      end
    end

    def uuid(type, value)
      ::String === value && value.match?(Canonical::UUID) ? value : refuse(type, found(value))
    end

    # A name comes first, then a number.
    def number(type, value)
      return integer(type, value) unless ::String === value

      Enum.find((@lookups ||= Enum.lookups)[type.target], value) || begin
        return integer(type, value) if value.match?(INTEGER)

        message, found = Enum.missing(type.target, value, similar: hints?)
        add(Canonical::Fault.new(message, expected(type), found))
      end
    end
    # rubocop:enable Style/CaseEquality, Style/MultipleComparison
  end
end
