# frozen_string_literal: true

module Sparpack
  module Generate
    # Writes RBI for a class that is there, however it was declared. The Tapioca compiler uses it.
    #
    # Setters, keywords and constructors also take what an assignment converts, which is then read as the declared type. RBI
    # for a .thrift file does not, because one signature is for the reader and the writer there.
    #
    # @api private
    class ClassRBI < RBI
      # What an assignment converts.
      CONVERTED = { enum: %w[::Integer ::String ::Symbol], string: %w[::String ::Symbol] }.freeze
      private_constant :CONVERTED

      def initialize
        super(nil, nil)
      end

      # @param struct_class [Class]
      # @return [Array<String>] the lines of the class, without those of the modules around it
      # @raise [SchemaError] if its fields name a class that does not exist
      def of_class(struct_class)
        schema = Declared.schema(struct_class) # a variant of a union may have the name `schema`
        exception = schema.shape == :exception
        parts = schema.fields.map do |field|
          Part.new(field.name, Names.reader(field.name, exception:), field.type, field.required?, nil)
        end
        name = struct_class.name
        in_class(name, "::#{struct_class.superclass.name}", members("::#{name}", parts, schema.shape))
      end

      # @param enum [Module]
      # @return [Array<String>]
      def of_enum(enum)
        names = enum.names.select { |name| assignable?(name.name) }
        constants = names.map { |name| constant(name, "::Integer") }
        ["module #{enum.name}", *Text.indent(["extend ::Sparpack::Enum", "", *constants]), "end"]
      end

      private

      def target(type)
        klass = type.target.is_a?(Mapping) ? type.target.mapped_class : type.target
        klass.name ? "::#{klass.name}" : "::T.untyped"
      end

      def accessors(part)
        return super if IDL::RubyGrammar.numbered?(part.name.name) # `def` does not take it

        reader = ["sig { returns(#{nilable(part)}) }", "def #{part.reader}; end"]
        value = assignee(part)
        setters = [part.reader, part.name].uniq.map do |name|
          ["sig { params(#{value}: #{accepted(part)}).returns(#{accepted(part)}) }", "def #{name}=(#{value}); end"]
        end
        Text.separated([reader, *setters])
      end

      # The name of a setter's parameter, which Sorbet's messages show.
      def assignee(part)
        parameter?(part.name) && !IDL::RubyGrammar::KEYWORDS.include?(part.name.name) ? part.name : :value
      end

      def assigned(type) = CONVERTED.key?(type.kind) ? either(*CONVERTED[type.kind]) : super
    end
  end
end
