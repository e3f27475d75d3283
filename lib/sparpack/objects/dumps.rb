# frozen_string_literal: true

module Sparpack
  # What Marshal and YAML store of an object, and how an object gets it back.
  #
  # @api private
  module Dumps
    module_function

    # Sets fields of an object that is loaded. A name that the enum does not have was stored by another version of the class.
    # The object holds it, and `errors` finds it.
    def fill(object, fields)
      Native.fill(object, fields)
    rescue ConversionError
      schema = Declared.schema(object.class)
      odd, fine = fields.partition { |name, value| unknown_name?(schema[name].type, value) }
      Native.fill(object, fine.to_h)
      odd.each { |name, value| Native.set_as_is(object, name, value) }
    end

    def unknown_name?(type, value)
      type.kind == :enum && (value.is_a?(Symbol) || value.is_a?(String)) && type.target.value_of(value).nil?
    end

    # --- Marshal ----------------------------------------------------------------------------------------------------------

    # Stores nil only in a field with a default. A field that is absent gets the default of the class that loads it.
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
      fill(object, by_id.filter_map { |id, value| [schema[id].name, value] if schema[id] }.to_h)
      Native.set_unknown(object, unknown)
      return unless exception

      ExceptionText.set_plain(object, exception[0]) if exception[0]
      object.set_backtrace(exception[1]) if exception[1]
    end

    # --- YAML -----------------------------------------------------------------------------------------------------------

    # The keys of everything but fields. No field can have these names.
    UNKNOWN = "(unknown)"
    MESSAGE = "(message)"
    BACKTRACE = "(backtrace)"
    private_constant :UNKNOWN, :MESSAGE, :BACKTRACE

    # Stores the same as for Marshal, with fields by name.
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

    # Ignores unknown names, which are fields of another version.
    def yaml_load(object, map)
      schema = Declared.schema(object.class)
      fill(object, map.filter_map { |name, value| [schema[name].name, value] if schema[name] }.to_h)
      Native.set_unknown(object, map[UNKNOWN])
      return unless object.is_a?(::Exception)

      ExceptionText.set_plain(object, map[MESSAGE])
      object.set_backtrace(map[BACKTRACE]) if map[BACKTRACE]
    end
  end
end
