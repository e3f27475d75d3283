# frozen_string_literal: true

module Sparpack
  # Makes an object of what people type into forms, and keeps the values that do not fit as they came. So a form can show
  # them again, and {Value#errors} finds them. Values that fit are converted as {Declaration#from_h} does.
  #
  # A name that is not a field has no place in an object, so it is a fault, as are two values for a union.
  #
  # @api private
  class Keeping < Coercion
    # Makes an object.
    #
    # @param struct_class [Class]
    # @param given [Hash] values by field name
    # @param coerce [Boolean] whether values are read from text, as with `coerce: true`
    # @param skip [Boolean] whether names that are not fields are ignored
    # @param json [Boolean] whether the Hash is parsed JSON, in which binary values are base64
    # @return [Value]
    # @raise [ConversionError] for all names that are not fields; for two fields of a union; for more than 1,000 levels
    def self.object(struct_class, given, coerce: true, skip: false, json: false)
      unless json
        object = Native.from_h(struct_class, given, skip)
        return object if object && (!coerce || Native.validate(object, :recursive, false).empty?)
      end
      given = new(struct_class, skip:, json:).convert(given) if coerce
      (Native.from_h(struct_class, given, skip) unless json) || Names.new(skip:).build(struct_class, given)
    rescue Canonical::Fault => e
      raise e.error(struct_class), cause: nil
    rescue SystemStackError # in a thread or fiber with a small stack
      raise Canonical.too_deep.error(struct_class), cause: nil
    end

    UTF8 = [Encoding::UTF_8, Encoding::US_ASCII].freeze
    private_constant :UTF8

    # Keeps names that an enum does not have.
    class Names < Canonical
      private

      def number(enum, value)
        return value unless value.is_a?(Symbol) || value.is_a?(String)

        Enum.find((@lookups ||= Enum.lookups)[enum], value) || value
      end

      def fill(struct_class, schema, fields)
        odd = fields.select { |name, value| Dumps.unknown_name?(schema[name].type, value) }
        return super if odd.empty?

        object = super(struct_class, schema, fields.except(*odd.keys))
        odd.each { |name, value| Native.set_as_is(object, name, value) }
        object
      end
    end

    # @param json [Boolean]
    def initialize(struct_class, skip:, json: false)
      super(struct_class, skip:)
      @json = json
      @refused = false
    end

    private

    # The innermost value that is refused is the one that is kept.
    def value(type, given)
      converted = super
      return converted unless @refused

      @refused = false
      given
    end

    def refuse(*) = (@refused = true) && nil

    # A blank key has no value, so it stays.
    def add_pair(pairs, type, key, element)
      converted = value(type, key)
      pairs[converted.nil? ? key : converted] = element
    end

    def text(type, given)
      return super unless given.is_a?(::String)

      text = @canonical.value(type, given)
      text.valid_encoding? && UTF8.include?(text.encoding) ? text : refuse(type, given)
    end

    # No message is made of what is wrong, because a hint at a similar name takes time.
    def number(type, given)
      return super unless given.is_a?(::String)

      Enum.find((@lookups ||= Enum.lookups)[type.target], given) || integer(type, given)
    end

    def binary(type, given)
      return super unless @json && given.is_a?(::String)

      bytes = given.unpack1("m0")
      bytes.nil? ? refuse(type, given) : bytes
    rescue ArgumentError
      refuse(type, given)
    end
  end
end
