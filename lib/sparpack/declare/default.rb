# frozen_string_literal: true

module Sparpack
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
      when :struct, :union then object(value, type)
      else scalar(value, type)
      end
    end
    private_class_method :convert

    # Nobody knows how to copy an object of a plain class.
    def object(value, type)
      raise SchemaError, "a field of a plain class has no default" if type.target.is_a?(Mapping)

      value.is_a?(type.target) ? value : mismatch(value, type)
    end
    private_class_method :object

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
