# frozen_string_literal: true

module Sparpack
  module Generate
    # Writes definitions as Ruby code that declares the classes.
    #
    # @api private
    class Ruby
      # The base class of each kind.
      BASES = { struct: "::Sparpack::Struct", union: "::Sparpack::Union", exception: "::Sparpack::Exception" }.freeze

      # @param names [IDL::RubyNames]
      # @param namespace [Array<String>] the modules around the definitions
      # @yieldparam definition [Object]
      # @yieldreturn [Boolean] whether its constant exists already; otherwise a String names it
      def initialize(names, namespace, &known)
        @names = names
        @local = Expression.new(names, namespace, &known)
        @foreign = Expression.new(names, nil, &known) # writes all names from the top
        @outside = Expression.new(names, namespace, outside: true, &known)
      end

      # @param definition [Object] a definition of an {IDL::Program}
      # @return [Array<String>] the lines of its code
      def definition(definition)
        @inside = @names.constant(definition).start_with?("::") ? @foreign : @local
        lines = case definition
                when IDL::Model::Typedef then typedef(definition)
                when IDL::Model::Enum then enum(definition)
                when IDL::Model::Record then record(definition)
                when IDL::Model::Const then const(definition)
                when IDL::Model::Service then service(definition)
                end
        Text.comment(definition.doc) + lines
      end

      private

      def typedef(found)
        annotations = IDL::RubyTypes.annotations(found.type).merge(found.annotations)
        arguments = [found.name.inspect, @outside.plain_type(found.type)]
        arguments << "annotations: #{annotations(annotations)}" unless annotations.empty?
        ["#{@names.constant(found)} = ::Sparpack::Type.typedef(#{arguments.join(", ")})"]
      end

      def const(found)
        name = @names.constant(found)
        value = @outside.value(found.value, Text::WIDTH - name.size - 40)
        "#{name} = #{frozen(found.value, value)}".lines(chomp: true)
      end

      def frozen(value, source)
        case value
        when Array, Set, Hash, IDL::Model::StructValue then "::Ractor.make_shareable(#{source})"
        when String then source.end_with?(".b") ? "#{source}.freeze" : source
        else source
        end
      end

      # --- enums -------------------------------------------------------------------------------------------------------

      def enum(found)
        body = [["extend ::Sparpack::Enum"], idl_of_enum(found), *values(found)]
        ["module #{@names.constant(found)}", *Text.indent(Text.separated(body)), "end"]
      end

      def idl_of_enum(found)
        values = found.enum_values.reject { |value| @names.value(value) == value.name }
        annotated = found.enum_values.reject { |value| value.annotations.empty? }
        parts = annotation_parts(found)
        parts << "values: { #{values.map { |v| "#{@names.value(v)}: #{v.name.inspect}" }.join(", ")} }" unless values.empty?
        parts << value_annotations(annotated) unless annotated.empty?
        idl(found, parts)
      end

      def value_annotations(values)
        pairs = values.map { |value| "#{@names.value(value)}: #{annotations(value.annotations)}" }
        "value_annotations: { #{pairs.join(", ")} }"
      end

      # Values with a comment are in a block of their own.
      def values(found)
        lines = found.enum_values.map { |value| [Text.comment(value.doc), assignment(value)] }
        lines.slice_when { |before, after| before[0].any? || after[0].any? }.map { |block| block.flatten(2) }
      end

      def assignment(value)
        name = @names.value(value)
        IDL::RubyGrammar.module?(name) ? "#{name} = #{value.number}" : "const_set(:#{name}, #{value.number})"
      end

      # --- structs -----------------------------------------------------------------------------------------------------

      def record(found)
        head = "class #{@names.constant(found)} < #{BASES.fetch(found.kind)}"
        fields = found.fields.map { |field| [Text.comment(field.doc), call("field", field, requiredness(field))] }
        blocks = fields.slice_when { |before, after| before[0].any? || after[0].any? }.map { |block| block.flatten(2) }
        body = Text.separated([idl(found, annotation_parts(found)), *blocks])
        body.empty? ? ["#{head}; end"] : [head, *Text.indent(body), "end"]
      end

      def requiredness(field) = field.requiredness == :default ? [] : ["#{field.requiredness}: true"]

      # One line, or one line for each option if that is too long.
      def call(method, field, options)
        first = ["#{method} #{field.id}", Text.symbol(@names.member(field)), @inside.type(field.type)].join(", ")
        options += ["default: #{@inside.value(field.default, Text::WIDTH - 30)}"] unless field.default.nil?
        options += ["idl_name: #{field.name.inspect}"] unless @names.member(field).name == field.name
        options += ["annotations: #{annotations(field.annotations)}"] unless field.annotations.empty?
        options += ["implicit: true"] if field.id.negative?
        wrapped(field.id.negative? ? first.sub(" ", "(") : first, options, method.size, field.id.negative? ? ")" : "")
      end

      def wrapped(first, options, indent, close)
        line = "#{[first, *options].join(", ")}#{close}"
        return [line] if options.empty? || (line.size <= Text::WIDTH - 8 && !line.include?("\n"))

        "#{first},\n#{options.join(",\n").gsub(/^/, " " * (indent + 1))}#{close}".lines(chomp: true)
      end

      # --- services ----------------------------------------------------------------------------------------------------

      def service(found)
        head = "class #{@names.constant(found)} < #{found.parent ? @inside.constant(found.parent) : "::Sparpack::Service"}"
        blocks = found.functions.map { |function| Text.comment(function.doc) + function(function) }
        body = Text.separated([idl(found, annotation_parts(found)), *blocks])
        body.empty? ? ["#{head}; end"] : [head, *Text.indent(body), "end"]
      end

      def function(function)
        head = ["function #{Text.symbol(@names.member(function))}"]
        head << @inside.type(function.type) if function.type
        head << "oneway: true" if function.oneway
        head << "idl_name: #{function.name.inspect}" unless @names.member(function).name == function.name
        head << "annotations: #{annotations(function.annotations)}" unless function.annotations.empty?
        fields = signature(function)
        head = head.join(", ")
        fields.empty? ? [head] : ["#{head} do", *Text.indent(fields), "end"]
      end

      def signature(function)
        arguments = function.arguments.flat_map do |field|
          Text.comment(field.doc) + call("argument", field, requiredness(field))
        end
        arguments + function.throws.flat_map { |field| Text.comment(field.doc) + call("throws", field, []) }
      end

      # --- annotations and names in the IDL ----------------------------------------------------------------------------

      def annotation_parts(found) = found.annotations.empty? ? [] : ["annotations: #{annotations(found.annotations)}"]

      def annotations(annotations) = "{ #{@inside.hash(annotations)} }"

      def idl(found, parts)
        parts = [found.name.inspect, *parts] unless @names.constant(found) == found.name
        return [] if parts.empty?

        line = "idl #{parts.join(", ")}"
        line.size <= Text::WIDTH - 8 ? [line] : "idl #{parts.join(",\n    ")}".lines(chomp: true)
      end
    end
  end
end
