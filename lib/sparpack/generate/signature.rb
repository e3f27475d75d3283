# frozen_string_literal: true

module Sparpack
  module Generate
    # What RBS and RBI say alike: which type Ruby has for each type of an IDL.
    class Signature
      SCALARS = { i8: "::Integer", i16: "::Integer", i32: "::Integer", i64: "::Integer", double: "::Float",
                  string: "::String", binary: "::String", uuid: "::String", enum: "::Integer" }.freeze
      BASES   = { struct: "::Sparpack::Struct", union: "::Sparpack::Union", exception: "::Sparpack::Exception" }.freeze
      private_constant :SCALARS, :BASES

      # @param names [IDL::RubyNames]
      def initialize(names)
        @names = names
      end

      # @param program [IDL::Program]
      # @return [Array<String>] lines of a file
      def program(program)
        body = Text.blocks(program.definitions) { |definition| described(definition) }
        [*top, Text.header(program), "", *Text.in_modules(@names.namespace(program), body)]
      end

      private

      # What cannot be told needs no comment.
      def described(found)
        lines = definition(found)
        lines.empty? ? lines : Text.comment(found.doc) + lines
      end

      def definition(definition)
        case definition
        when IDL::Model::Typedef then [constant(@names.constant(definition), "::Sparpack::Type")].compact
        when IDL::Model::Const then [constant(@names.constant(definition), type(definition.type))].compact
        when IDL::Model::Enum then enum(definition)
        when IDL::Model::Record
          name = @names.constant(definition)
          in_class(name, BASES.fetch(definition.kind), record(definition.fields, definition.kind))
        when IDL::Model::Service then service(definition)
        end
      end

      def enum(definition)
        values = definition.enum_values.flat_map do |value|
          line = constant(@names.value(value), "::Integer")
          line ? [*Text.comment(value.doc), line] : []
        end
        ["module #{@names.constant(definition)}", *Text.indent(["extend ::Sparpack::Enum", "", *values]), "end"]
      end

      def service(definition)
        parent = definition.parent ? "::#{@names.qualified(definition.parent)}" : "::Sparpack::Service"
        structs = definition.functions.flat_map do |function|
          name = Names.constant(@names.member(function).name)
          [in_class("#{name}_args", "::Sparpack::Struct", record(function.arguments, :struct)), *result(name, function)]
        end
        in_class(@names.constant(definition), parent, Text.separated(structs))
      end

      # As {Service} declares it.
      def result(name, function)
        return [] if function.oneway

        parts = function.throws.map { |field| part(field, :struct, required: false) }
        success = parts.any? { |part| part.name == :success } ? :success_ : :success
        parts.unshift(Part.new(success, success, function.type, false)) if function.type
        [in_class("#{name}_result", "::Sparpack::Struct", members(parts))]
      end

      # A field as its accessors and keyword have it.
      Part = ::Struct.new(:name, :reader, :type, :required, :doc)
      private_constant :Part

      def part(field, kind, required: field.requiredness == :required)
        name = @names.member(field)
        Part.new(name, Names.reader(name, exception: kind == :exception), field.type, required, field.doc)
      end

      def record(fields, kind) = members(fields.map { |field| part(field, kind) }, kind)

      def nilable(part) = part.required ? type(part.type) : optional(type(part.type))

      def type(type)
        case type.kind
        when :bool then boolean
        when :list then generic("Array", type.element)
        when :set then generic("Set", type.element)
        when :map then generic("Hash", type.key, type.element)
        when :struct, :union then "::#{@names.qualified(type.target)}"
        else SCALARS.fetch(type.kind)
        end
      end

      # Of a union: what has a constructor.
      def constructed(parts) = parts.reject { |part| Union.class_method?(part.name) }

      # Names that keywords and methods cannot have as they are.
      def plain?(name) = name.match?(/\A[a-z_]\w*\z/)
    end
  end
end
