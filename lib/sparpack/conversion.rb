# frozen_string_literal: true

module Sparpack
  # Objects to and from what other libraries take: Hashes, Marshal's dumps, YAML.
  #
  # @api private
  module Conversion
    module_function

    # --- Hashes ---------------------------------------------------------------------------------------------------------

    def to_h(value)
      case value
      when Value then Native.fields(value).transform_values { |v| to_h(v) }
      when Array then value.map { |v| to_h(v) }
      when Set   then value.to_set { |v| to_h(v) }
      when Hash  then value.to_h { |k, v| [to_h(k), to_h(v)] }
      else value
      end
    end

    def from_h(struct_class, hash)
      unless hash.is_a?(Hash)
        raise TypeError, "expected a Hash for #{Quote.plain(struct_class)}, got #{Quote.plain(hash.class)}"
      end

      object = struct_class.allocate
      schema = Declared.schema(struct_class)
      fields = hash.to_h do |name, value|
        field = schema[name]
        [field ? field.name : name, field ? of_type(field.type, value) : value]
      end
      Native.fill(object, fields)
    end

    def of_type(type, value)
      case type.kind
      when :struct, :union then value.is_a?(Hash) ? from_h(type.target, value) : value
      when :list then value.is_a?(Array) ? value.map { |v| of_type(type.element, v) } : value
      when :set  then value.is_a?(Set) || value.is_a?(Array) ? set_of(type, value) : value
      when :map  then value.is_a?(Hash) ? value.to_h { |k, v| [of_type(type.key, k), of_type(type.element, v)] } : value
      else value
      end
    end

    # A NaN never equals, so each of them costs a comparison with all before it: decoding allows as few.
    def set_of(type, value)
      elements = value.map { |element| of_type(type.element, element) }
      raise ArgumentError, "more than 256 elements of a #{type} are NaN" if Native.too_many_nan?(elements)

      elements.to_set
    end

    # --- Marshal ----------------------------------------------------------------------------------------------------------

    # What was nil in spite of a default says so; what is absent gets the default of the class that loads.
    def marshal_dump(object)
      fields = Native.fields(object)
      by_id = Declared.schema(object.class).fields_for(fields).each_with_object({}) do |field, dump|
        value = fields[field.name]
        dump[field.id] = value unless value.nil? && field.default.nil?
      end
      dump = [by_id, Native.unknown(object)]
      dump << [ExceptionText.plain(object), object.backtrace] if object.is_a?(::Exception)
      dump
    end

    def marshal_load(object, dump)
      by_id, unknown, exception = dump
      schema = Declared.schema(object.class)
      Native.fill(object, by_id.filter_map { |id, value| [schema[id].name, value] if schema[id] }.to_h)
      Native.set_unknown(object, unknown)
      return unless exception

      ExceptionText.set_plain(object, exception[0]) if exception[0]
      object.set_backtrace(exception[1]) if exception[1]
    end

    # --- YAML -----------------------------------------------------------------------------------------------------------

    # What is beside the fields stands under names that no field can have.
    UNKNOWN = "(unknown)"
    MESSAGE = "(message)"
    BACKTRACE = "(backtrace)"
    private_constant :UNKNOWN, :MESSAGE, :BACKTRACE

    # The same as in Marshal's dumps, by name.
    def yaml_dump(object, coder)
      raise TypeError, "can't dump anonymous class #{object.class}" unless object.class.name

      fields = Native.fields(object)
      Declared.schema(object.class).fields_for(fields).each do |field|
        value = fields[field.name]
        coder[field.name.name] = value unless value.nil? && field.default.nil?
      end
      more = { UNKNOWN => Native.unknown(object) }
      more.update(MESSAGE => ExceptionText.plain(object), BACKTRACE => object.backtrace) if object.is_a?(::Exception)
      more.each { |name, value| coder[name] = value unless value.nil? }
    end

    # A name that is not known is that of another version's field.
    def yaml_load(object, map)
      schema = Declared.schema(object.class)
      Native.fill(object, map.filter_map { |name, value| [schema[name].name, value] if schema[name] }.to_h)
      Native.set_unknown(object, map[UNKNOWN])
      return unless object.is_a?(::Exception)

      ExceptionText.set_plain(object, map[MESSAGE])
      object.set_backtrace(map[BACKTRACE]) if map[BACKTRACE]
    end
  end
end
