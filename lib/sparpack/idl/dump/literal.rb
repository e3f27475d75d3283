# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Writes values as constants of an IDL.
      #
      # @api private
      class Literal
        ESCAPES = { "\r" => "\\r", "\n" => "\\n", "\t" => "\\t", "\"" => "\\\"", "\\" => "\\\\" }.freeze
        ESCAPED = /[\r\n\t"\\]/
        private_constant :ESCAPES, :ESCAPED

        # @param string [String] text in UTF-8, or bytes
        # @return [String] the string in quotes
        def self.quoted(string) = "\"#{string.b.gsub(ESCAPED, ESCAPES)}\"".force_encoding(Encoding::UTF_8)

        # @param where [String] the path of the field with the default, for messages
        # @yieldparam enum [Module]
        # @yieldreturn [String] the name of the enum in the IDL
        def initialize(where, &enum)
          @where = where
          @enum = enum
        end

        # @param value [Object]
        # @param type [Type]
        # @return [String] the value as IDL writes it
        # @raise [SchemaError] if IDL cannot express it
        def text(value, type)
          case type.kind
          when :list, :set then list(value, type)
          when :map then map(value, type)
          when :struct, :union then struct(value, type)
          when :enum then enum(value, type)
          when :bool then [true, false].include?(value) ? value.inspect : fail(value, type)
          when :double then double(value, type)
          when :string, :binary, :uuid then string(value, type)
          else Type::RANGES.fetch(type.kind).cover?(value) ? value.to_s : fail(value, type)
          end
        end

        private

        def fail(value, type, reason = "it is not of the type #{type}")
          shown = value.is_a?(Numeric) || value.is_a?(Symbol)
          default = shown ? "the default #{value.inspect}" : "a default of the class #{value.class}"
          raise SchemaError, "#{@where}: IDL cannot express #{default}, because #{reason}"
        end

        def double(value, type)
          fail(value, type) unless value.is_a?(Float) || value.is_a?(Integer)
          fail(value, type, "IDL has no literal for it") unless value.to_f.finite?

          value.to_f.inspect
        end

        def string(value, type)
          value = value.name if value.is_a?(Symbol) && type.kind == :string
          fail(value, type) unless value.is_a?(String)
          return Literal.quoted(value) unless type.kind == :string

          utf8 = value.encoding == Encoding::BINARY ? value.dup.force_encoding(Encoding::UTF_8) : value.encode(Encoding::UTF_8)
          fail(value, type, "it is not UTF-8") unless utf8.valid_encoding?

          Literal.quoted(utf8)
        rescue EncodingError
          fail(value, type, "it cannot be converted to UTF-8")
        end

        # Writes an enum value by its name. A number without a name cannot be written.
        def enum(value, type)
          number = value.is_a?(Symbol) ? type.target.value_of(value) : value
          name = type.target.idl_name_of(number) if number.is_a?(Integer)
          name ? "#{@enum.call(type.target)}.#{name}" : fail(value, type, "it has no name in #{type}")
        end

        def list(value, type)
          fail(value, type) unless value.is_a?(Array) || (value.is_a?(Set) && type.kind == :set)

          "[#{value.map { |element| text(element, type.element) }.join(", ")}]"
        end

        def map(value, type)
          fail(value, type) unless value.is_a?(Hash)

          "{#{value.map { |key, element| "#{text(key, type.key)}: #{text(element, type.element)}" }.join(", ")}}"
        end

        # Leaves out the fields that a new object has anyway.
        def struct(value, type)
          fail(value, type) unless value.is_a?(type.target)
          fail(value, type, "it has unknown fields") if Native.unknown(value)

          fields = Native.fields(value)
          parts = Declared.schema(type.target).fields.filter_map do |field|
            inner = fields[field.name]
            fail(value, type, "its #{field.name} is nil although it has a default") if inner.nil? && !field.default.nil?

            field(field, inner) unless inner.nil?
          end
          "{#{parts.join(", ")}}"
        end

        def field(field, value)
          said = text(value, field.type)
          "#{Literal.quoted(field.idl_name)}: #{said}" unless !field.default.nil? && said == text(field.default, field.type)
        end
      end
    end
  end
end
