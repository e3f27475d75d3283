# frozen_string_literal: true

module Sparpack
  module Generate
    # Writes types and values as Ruby expressions, for code inside one namespace.
    #
    # @api private
    class Expression
      # A service defines constants with such names for its functions. So a definition with such a name is always written
      # from the top.
      OWN = /_(args|result)\z/
      private_constant :OWN

      # @param names [IDL::RubyNames]
      # @param namespace [Array<String>, nil] the modules around the expression; nil if all names are written from the top
      # @param outside [Boolean] whether the expression is outside of a class. There, methods such as `list` do not exist,
      #   and a name is resolved wherever the type is used.
      # @yieldparam definition [Object]
      # @yieldreturn [Boolean] whether the constant of the definition exists when the expression runs
      def initialize(names, namespace, outside: false, &known)
        @names = names
        @namespace = namespace
        @outside = outside
        @prefix = "::Sparpack::Type." if outside
        @known = known
      end

      # @param definition [Object]
      # @return [String] the constant that names it
      def constant(definition)
        name = @names.constant(definition)
        local = @names.namespace(definition.program) == @namespace && !name.match?(OWN) && !name.start_with?("::")
        local ? name : "::#{@names.qualified(definition)}"
      end

      # @param type [IDL::Model::Type]
      # @return [String] an expression that {Declaration#field} accepts as a type
      def type(type)
        plain = plain_type(type)
        return plain if type.annotations.empty?

        plain = "::Sparpack::Type.of(#{plain})" unless type_object?(type)
        "#{plain}.annotate(#{hash(IDL::RubyTypes.annotations(type))})"
      end

      # @param type [IDL::Model::Type]
      # @return [String] the same, without the annotations of the type itself
      def plain_type(type)
        return reference(type.typedef) if type.typedef

        case type.kind
        when :list, :set then "#{@prefix}#{type.kind}(#{type(type.element)})"
        when :map then "#{@prefix}map(#{type(type.key)}, #{type(type.element)})"
        else type.target ? reference(type.target) : type.kind.inspect
        end
      end

      # @param value [Object] a value of an {IDL::Model::Const}
      # @param width [Integer] the number of columns for a line
      # @return [String] the expression, on several lines if it is too long for one
      def value(value, width = Text::WIDTH)
        line = on_one_line(value)
        line.size <= width ? line : broken(value, width)
      end

      # @param annotations [Hash{String => String, Array<String>}]
      # @return [String] the pairs of a Hash literal, without braces
      def hash(annotations) = pairs(annotations).join(", ")

      private

      # Whether the expression returns a {Type}. Symbols, Strings, classes and enums only stand for one.
      def type_object?(type) = type.typedef ? @known.call(type.typedef) : %i[list set map].include?(type.kind)

      # The constant, or a String with its name if it does not exist yet.
      def reference(definition)
        return constant(definition) if @known.call(definition)

        (@outside || @namespace.nil? ? "::#{@names.qualified(definition)}" : constant(definition)).inspect
      end

      def on_one_line(value)
        case value
        when Array then "[#{value.map { |element| on_one_line(element) }.join(", ")}]"
        when Set then "::Set[#{value.map { |element| on_one_line(element) }.join(", ")}]"
        when Hash then braces(pairs(value))
        when IDL::Model::EnumValue then "#{constant(value.enum)}::#{@names.value(value)}"
        when IDL::Model::StructValue then "#{constant(value.record)}.new#{parentheses(keywords(value))}"
        else scalar(value)
        end
      end

      def pairs(hash) = hash.map { |key, value| "#{on_one_line(key)} => #{on_one_line(value)}" }

      def keywords(struct) = struct.fields.map { |field, value| "#{@names.member(field)}: #{on_one_line(value)}" }

      def braces(parts) = parts.empty? ? "{}" : "{ #{parts.join(", ")} }"

      def parentheses(parts) = parts.empty? ? "" : "(#{parts.join(", ")})"

      def scalar(value)
        case value
        when String then Text.literal(value)
        else value.inspect
        end
      end

      # One element per line.
      def broken(value, width)
        case value
        when Array then lines("[", value.map { |element| value(element, width - 2) }, "]")
        when Set then lines("::Set[", value.map { |element| value(element, width - 2) }, "]")
        when Hash
          lines("{", value.map { |key, element| "#{on_one_line(key)} => #{value(element, width - 2)}" }, "}")
        when IDL::Model::StructValue
          parts = value.fields.map { |field, part| "#{@names.member(field)}: #{value(part, width - 2)}" }
          lines("#{constant(value.record)}.new(", parts, ")")
        else on_one_line(value)
        end
      end

      def lines(open, parts, close)
        return "#{open}#{close}" if parts.empty?

        "#{open}\n#{parts.map { |part| part.gsub(/^/, "  ") }.join(",\n")}\n#{close}"
      end
    end
  end
end
