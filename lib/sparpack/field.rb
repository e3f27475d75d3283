# frozen_string_literal: true

module Sparpack
  # Describes a field of a struct, union or exception. It is frozen.
  #
  # @example
  #   field = Listing.schema[:listing_id]
  #   field.id        # => 1
  #   field.required? # => true
  class Field
    # @return [Integer] the field's number on the wire
    attr_reader :id

    # @return [Symbol] the field's name
    attr_reader :name

    # @return [Type, Type::Name] the field's type; in a {Schema} always a {Type}
    attr_reader :type

    # @return [Symbol] `:required`, `:optional`, or `:default`, which is Thrift's word for neither
    attr_reader :requiredness

    # @return [Object, nil] the default value, frozen deep; each object gets a copy
    attr_reader :default

    # @return [Symbol] the name of the reader: the field's name, with a `_` at the end if the name is in {RESERVED}
    attr_reader :reader

    # @return [String] the field's name in the IDL if there is one, otherwise its name
    attr_reader :idl_name

    # @return [Hash{String => String, Array<String>}] the annotations in the IDL
    attr_reader :annotations

    # Describes a field. {Declaration#field} declares one.
    #
    # @param id [Integer]
    # @param name [Symbol]
    # @param type [Type, Type::Name]
    # @param requiredness [Symbol]
    # @param default [Object, nil] frozen deep
    # @param reader [Symbol]
    # @param idl_name [String]
    # @param annotations [Hash{String => String, Array<String>}]
    def initialize(id:, name:, type:, requiredness: :default, default: nil, reader: name, idl_name: name.name,
                   annotations: {}.freeze)
      @id = id
      @name = name
      @type = type
      @requiredness = requiredness
      @default = default
      @reader = reader
      @idl_name = idl_name
      @annotations = annotations
      freeze
    end

    # @return [Boolean] whether encoding and decoding refuse an object without the field
    def required? = requiredness == :required

    # @return [Boolean] whether the field is declared optional
    def optional? = requiredness == :optional

    # Looks up the types that the field names.
    #
    # @param scope [Module] where to look names up
    # @return [Field] the same field with a type that is resolved and a default that is checked
    # @raise [SchemaError] if a type does not exist or the default does not fit the type
    def resolve(scope)
      found = type.resolve(scope)
      default = Default.check(self.default, found, scope, name)
      Field.new(id:, name:, type: found, requiredness:, default:, reader:, idl_name:, annotations:)
    rescue SchemaError => e
      Field.fail(scope, name, e)
    end

    # Raises an error about a field. Its message begins with the class and the field.
    #
    # @param struct_class [Class]
    # @param name [Object] the name of the field
    # @param error [SchemaError] the error, which may not say this yet
    # @raise [SchemaError] always
    # @api private
    def self.fail(struct_class, name, error)
      raise error if error.message.start_with?("#{Quote.plain(struct_class)}.")

      raise SchemaError, "#{Quote.member(struct_class, name)}: #{error.message}", cause: nil
    end

    # @param other [Object]
    # @return [Boolean] whether both have the same id, name, type, requiredness and default
    def ==(other)
      parts = %i[id name type requiredness default]
      other.is_a?(Field) && parts.all? { |part| public_send(part) == other.public_send(part) }
    end
    alias eql? ==

    # @return [Integer]
    def hash = [id, name, type, requiredness].hash

    # @return [String] the field as IDL would write it
    def inspect = "#<#{self.class} #{id}: #{requiredness} #{type} #{name}#{" = #{default.inspect}" unless default.nil?}>"
    alias to_s inspect
  end

  # Prepares the defaults of fields. A default is copied and frozen when it is declared, and checked against the type once
  # the type is known.
  #
  # @api private
  module Default
    module_function

    # Copies and freezes a default.
    #
    # @param value [Object, nil]
    # @param field [String] how messages name the field
    # @return [Object, nil] a copy, frozen deep
    # @raise [SchemaError] if the value cannot be a default
    def copy(value, field)
      raise SchemaError, "#{field}: a default must be a value, not a #{value.class}" if value.is_a?(Proc)

      Ractor.make_shareable(duplicate(value, {}.compare_by_identity))
    rescue TooLarge
      raise SchemaError, "#{field}: the default has more than #{Native::DEFAULT_OBJECTS} objects", cause: nil
    rescue TypeError, ::Ractor::Error => e
      raise SchemaError, "#{field}: a default must be copied and frozen, but this one cannot be: #{e.message}"
    rescue SystemStackError
      raise SchemaError, "#{field}: the default is nested too deeply"
    end

    # Copies a value deeply. An object that occurs twice in it occurs twice in the copy, too. (From Ruby 3.3 on,
    # Ractor.make_shareable does not copy objects whose fields are native.)
    #
    # @param value [Object, nil]
    # @param seen [Hash{Object => Object}] the copies that were made so far, compared by identity
    # @return [Object, nil]
    # @raise [TooLarge]
    def duplicate(value, seen)
      return value if ::Ractor.shareable?(value)
      return seen[value] if seen.key?(value)
      raise TooLarge if seen.size == Native::DEFAULT_OBJECTS

      case value
      when Array then (seen[value] = value.dup).map! { |element| duplicate(element, seen) }
      when Hash
        copy = seen[value] = value.dup.clear
        value.each { |key, element| copy[duplicate(key, seen)] = duplicate(element, seen) }
        copy
      when Set
        copy = seen[value] = value.dup.clear
        value.each { |element| copy.add(duplicate(element, seen)) }
        copy
      when Value
        copy = seen[value] = Native.copy(value)
        Native.fields(value).each { |name, element| Native.set(copy, name, duplicate(element, seen)) }
        copy
      else seen[value] = ::Ractor.make_shareable(value, copy: true)
      end
    end

    # Checks a default against the type of its field.
    #
    # @param value [Object, nil]
    # @param type [Type]
    # @param scope [Module] the class of the field
    # @param name [Symbol] the name of the field
    # @return [Object, nil] the value in the form in which it is decoded
    # @raise [SchemaError] if the value does not fit the type
    def check(value, type, scope, name)
      return if value.nil?

      value = Canonical.default(type, convert(value, type))
      check_objects(value, type, {}.compare_by_identity)
      Ractor.make_shareable(value)
    rescue Mismatch => e
      raise SchemaError, "#{Quote.member(scope, name)}: the default does not fit: expected #{e.message}"
    rescue Canonical::Fault => e
      raise SchemaError, "#{Quote.member(scope, name)}#{e.path}: the default does not fit: #{e.message}", cause: nil
    rescue SystemStackError
      raise SchemaError, "#{Quote.member(scope, name)}: the default is nested too deeply"
    end

    # A default does not fit its type.
    class Mismatch < StandardError; end

    # A default has too many objects. The native core counts those that are frozen, too, when the class is first used.
    class TooLarge < StandardError; end

    def convert(value, type)
      case type.kind
      when :list then elements(value, type, Array).map { |v| convert(v, type.element) }
      when :set then elements(value, type, Array, Set).to_set { |v| convert(v, type.element) }
      when :map then elements(value, type, Hash).to_h { |k, v| [convert(k, type.key), convert(v, type.element)] }
      when :enum then number(value, type)
      when :struct, :union then value.is_a?(type.target) ? value : mismatch(value, type)
      else scalar(value, type)
      end
    end
    private_class_method :convert

    # Checks that every struct, union and exception in the value has the fields of the class that is expected there, because
    # Marshal can give an object another class. If the type of a nested field is not resolved yet, the object's own class is
    # expected.
    def check_objects(value, type, seen)
      return if seen[value]

      case value
      when Array, Set
        seen[value] = true
        value.each { |element| check_objects(element, type&.element, seen) }
      when Hash
        seen[value] = true
        value.each_key { |key| check_objects(key, type&.key, seen) }
        value.each_value { |element| check_objects(element, type&.element, seen) }
      when Value
        seen[value] = true
        check_object(value, type, seen)
      end
    end
    private_class_method :check_objects

    def check_object(object, type, seen)
      owner = Native.fields_of(object)
      expected = type&.target || object.class
      unless object.is_a?(expected) && owner.equal?(Declared.owner(expected))
        raise Mismatch, "#{Quote.plain(expected)}, found #{found_object(object, owner)}"
      end

      Declared.fields(owner).each do |field|
        check_objects(Native.get(object, field.name), (field.type if field.type.resolved?), seen)
      end
    end
    private_class_method :check_object

    def found_object(object, owner)
      found = Quote.plain(object.class)
      owner.equal?(Declared.owner(object.class)) ? found : "a #{found} with the fields of #{Quote.plain(owner)}"
    end
    private_class_method :found_object

    def scalar(value, type) = scalar?(value, type.kind) ? value : mismatch(value, type)
    private_class_method :scalar

    def scalar?(value, kind)
      case kind
      when :bool then [true, false].include?(value)
      when :double then value.is_a?(Float) || value.is_a?(Integer)
      when :string then value.is_a?(String) || value.is_a?(Symbol)
      when :binary then value.is_a?(String)
      when :uuid then value.is_a?(String) && value.ascii_only? && value.match?(/\A\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\z/)
      else value.is_a?(Integer) && Type::RANGES.fetch(kind).cover?(value)
      end
    end
    private_class_method :scalar?

    # Accepts names, which become numbers later.
    def number(value, type)
      return value if value.is_a?(Symbol) || value.is_a?(String)

      value.is_a?(Integer) && Type::RANGES[:enum].cover?(value) ? value : mismatch(value, type)
    end
    private_class_method :number

    def elements(value, type, *classes) = classes.any? { |c| value.is_a?(c) } ? value : mismatch(value, type)
    private_class_method :elements

    def mismatch(value, type)
      found = value.is_a?(Integer) || value.is_a?(Symbol) ? Quote.value(value) : Quote.plain(value.class)
      raise Mismatch, "#{Quote.plain(type)}, found #{found}"
    end
    private_class_method :mismatch
  end
end
