# frozen_string_literal: true

module Sparpack
  module Generate
    # The part that RBS and RBI have in common: the Ruby type for each type of an IDL.
    #
    # @api private
    class Signature
      SCALARS = { i8: "::Integer", i16: "::Integer", i32: "::Integer", i64: "::Integer", double: "::Float",
                  string: "::String", binary: "::String", uuid: "::String", enum: "::Integer" }.freeze
      BASES   = { struct: "::Sparpack::Struct", union: "::Sparpack::Union", exception: "::Sparpack::Exception" }.freeze
      private_constant :SCALARS, :BASES

      # @param names [IDL::RubyNames]
      # @param surroundings [Surroundings]
      def initialize(names, surroundings)
        @names = names
        @surroundings = surroundings
      end

      # @param program [IDL::Program]
      # @return [Array<String>] the lines of the signature file
      def program(program)
        blocks = Text.blocks(program.definitions) { |found| Text.comment(found.doc) + definition(found) }
        body = Text.separated([@surroundings.modules(program.definitions), blocks])
        [*top, Text.header(program), "", *Text.in_modules(@names.namespace(program), body)]
      end

      private

      def definition(definition)
        case definition
        when IDL::Model::Typedef then [constant(@names.constant(definition), typedef(definition.type))]
        when IDL::Model::Const then [constant(@names.constant(definition), type(definition.type))]
        when IDL::Model::Enum then enum(definition)
        when IDL::Model::Record
          name = @names.constant(definition)
          in_class(name, BASES.fetch(definition.kind), record(name, definition.fields, definition.kind))
        when IDL::Model::Service then service(definition)
        end
      end

      # The constant is a {Type::Name} if the type it refers to is defined later. Whether it is depends on the layout.
      def typedef(type)
        type.target || type.typedef ? either("::Sparpack::Type", "::Sparpack::Type::Name") : "::Sparpack::Type"
      end

      def enum(definition)
        name = @names.constant(definition)
        inside, outside = definition.enum_values.partition { |value| assignable?(@names.value(value)) }
        body = Text.separated([["extend ::Sparpack::Enum"], values(inside)])
        ["module #{name}", *Text.indent(body), "end", *values(outside, "#{name}::")]
      end

      def values(values, prefix = "")
        values.flat_map { |value| [*Text.comment(value.doc), constant("#{prefix}#{@names.value(value)}", "::Integer")] }
      end

      def service(definition)
        parent = definition.parent ? "::#{@names.qualified(definition.parent)}" : "::Sparpack::Service"
        structs = definition.functions.flat_map do |function|
          name = Names.constant(@names.member(function).name)
          arguments = "#{name}_args"
          made = in_class(arguments, "::Sparpack::Struct", record(arguments, function.arguments, :struct))
          [made, *result(name, function)]
        end
        in_class(@names.constant(definition), parent, Text.separated(structs))
      end

      # The struct that {Service} declares for the result of a function.
      def result(name, function)
        return [] if function.oneway

        parts = function.throws.map { |field| part(field, :struct, required: false) }
        success = Names.success(parts.map(&:name))
        parts.unshift(Part.new(success, success, function.type, false)) if function.type
        result = "#{name}_result"
        [in_class(result, "::Sparpack::Struct", members(result, parts, :struct))]
      end

      # What the accessors and the keyword of a field need.
      Part = ::Struct.new(:name, :reader, :type, :required, :doc)
      private_constant :Part

      def part(field, kind, required: field.requiredness == :required)
        name = @names.member(field)
        Part.new(name, Names.reader(name, exception: kind == :exception), field.type, required, field.doc)
      end

      def record(name, fields, kind) = members(name, fields.map { |field| part(field, kind) }, kind)

      # Tells whether a field is the message of an exception, whose reader always returns a String.
      def message?(part, kind) = kind == :exception && part.reader == :message

      def nilable(part) = part.required ? type(part.type) : optional(type(part.type))

      def type(type)
        case type.kind
        when :bool then boolean
        when :list then generic("Array", type.element)
        when :set then generic("Set", type.element)
        when :map then generic("Hash", type.key, type.element)
        when :struct, :union then target(type)
        else SCALARS.fetch(type.kind)
        end
      end

      def target(type) = "::#{@names.qualified(type.target)}"

      # The constructors of a union: their names and the variants that they take. If the name of a variant and that of
      # another variant's constructor are the same, the variant with that name wins.
      def constructed(parts)
        names = parts.map(&:name)
        parts.filter_map do |part|
          name = Names.constructor(part.name)
          [name, part] if name == part.name || !names.include?(name)
        end
      end
    end
  end
end
