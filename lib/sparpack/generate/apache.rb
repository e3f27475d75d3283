# frozen_string_literal: true

module Sparpack
  module Generate
    # Names and values as Apache's generator for Ruby writes them. `sparsam-gen` builds on that generator, so both styles of
    # foreign classes share them.
    #
    # @api private
    module Apache
      module_function

      # @param name [String] a name of the IDL
      # @return [String] the name of a constant
      def capitalized(name) = Names.constant(name)

      # @param program [IDL::Program]
      # @return [Array<String>] the modules around its definitions
      def modules(program) = parts(program).map { |name| capitalized(name) }

      # @param program [IDL::Program]
      # @return [Array<String>] the parts of its namespace, as the IDL has them
      def parts(program) = program.namespace("rb").to_s.split(".")

      # @param definition [IDL::Model::Record, IDL::Model::Enum, IDL::Model::Service]
      # @return [String] its constant, written from the top
      def constant(definition) = "::#{[*modules(definition.program), capitalized(definition.name)].join("::")}"

      # @param program [IDL::Program]
      # @param body [Array<String>]
      # @return [Array<String>] the body inside the modules
      def in_modules(program, body)
        modules = modules(program)
        modules.empty? ? body : Text.in_modules(modules, body)
      end

      # A class must exist before another one refers to it, so files that include one another could not be loaded.
      #
      # @param programs [Array<IDL::Program>]
      # @param style [Symbol]
      # @raise [ArgumentError] if there are such files
      def check_circles(programs, style)
        circle = IDL::Order.of(programs, &:includes).last.first or return
        raise ArgumentError, "#{Quote.path(circle.path)} and a file that it includes include one another, which the style " \
                             "#{style} does not allow"
      end

      # @param value [Object] the value of a constant or a default
      # @param type [IDL::Model::Type]
      # @yieldparam record [IDL::Model::Record] a struct, union or exception
      # @yieldparam parts [Hash{String => String}] expressions by the names of its fields
      # @yieldreturn [String] the arguments of `new`
      # @return [String] an expression. All names in it are written from the top.
      def value(value, type, &)
        case value
        when Array then "[#{values(value, type.element, &)}]"
        when Set then "::Set.new([#{values(value, type.element, &)}])"
        when Hash then hash(value.to_h { |key, part| [value(key, type.key, &), value(part, type.element, &)] })
        when IDL::Model::EnumValue then value.number.to_s
        when IDL::Model::StructValue
          parts = value.fields.to_h { |field, part| [field.name, value(part, field.type, &)] }
          "#{constant(value.record)}.new#{arguments(yield(value.record, parts))}"
        when String then Text.literal(value)
        else (type.kind == :double ? Float(value) : value).inspect # the gems do not take every Integer for a double
        end
      end

      # @param name [String] the constant of an enum's value, which may be a keyword
      # @param number [Integer]
      # @return [String] a line that defines it
      def assignment(name, number)
        IDL::RubyGrammar.module?(name) ? "#{name} = #{number}" : "const_set(:#{name}, #{number})"
      end

      # @param name [String] the constant of an enum's value, which may be a keyword
      # @param number [Integer]
      # @return [String] an expression that returns its number
      def reference(name, number) = IDL::RubyGrammar.module?(name) ? name : number.to_s

      # @param pairs [Hash{String => String}] expressions
      # @return [String] a Hash of them
      def hash(pairs)
        pairs.empty? ? "{}" : "{ #{pairs.map { |pair| pair.join(" => ") }.join(", ")} }"
      end

      def values(values, type, &) = values.map { |each| value(each, type, &) }.join(", ")
      private_class_method :values

      def arguments(list) = list.empty? ? "" : "(#{list})"
      private_class_method :arguments
    end
  end
end
