# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Writes a file or one definition in it. The {Formatter} breaks the lines afterwards.
      #
      # @api private
      class Writer
        IDS = "// Some field ids are not positive. To read this file, set allow_neg_keys or --allow-neg-keys."
        private_constant :IDS

        # @param file [Files::File]
        # @param graph [Graph]
        # @param names [RubyNames]
        def initialize(file, graph, names)
          @file = file
          @graph = graph
          @names = names
        end

        # @return [String] the text of the whole file
        # @raise [SchemaError] if IDL cannot express something in it
        def text
          definitions = once(@file.definitions).map { |definition| definition(definition) }
          includes = @file.includes.map { |file| "include #{Literal.quoted(file.path)}" }
          [*(IDS if @unusual), "namespace rb #{namespace}", "", *includes, "", *definitions].join("\n")
        end

        # @param definition [Definition] a definition in the file
        # @return [String] its text
        # @raise [SchemaError] if IDL cannot express something in it
        def definition(definition)
          annotations = annotations(definition.annotations, definition.path, name_in_ruby(definition))
          "#{send(definition.kind, definition)}#{annotations}\n"
        end

        private

        # A typedef without a constant is defined once per namespace. This file may hold several namespaces, but needs it
        # only once.
        def once(definitions)
          definitions.uniq do |definition|
            typedef = definition.kind == :typedef
            typedef ? [definition.name, definition.object, definition.annotations] : definition
          end
        end

        def namespace
          parts = @file.home
          wrong = parts.find { |part| !part.ascii_only? }
          if wrong
            raise SchemaError, "#{parts.join("::")}: #{wrong} cannot be a namespace in IDL, because names there are ASCII " \
                               "(rename the module)"
          end

          parts.empty? ? RubyNames::TOP_LEVEL : parts.join(".")
        end

        # The name in Ruby, if the name in the IDL does not lead to it.
        def name_in_ruby(definition)
          return "::#{definition.path}" unless definition.home == @names.modules(namespace)

          definition.constant unless definition.constant == @names.free(@names.type_name(definition.name))
        end

        # --- definitions -------------------------------------------------------------------------------------------------

        def typedef(definition) = "typedef #{type(definition.object, definition)} #{definition.name}"

        def enum(definition)
          enum = definition.object
          values = enum.names.map { |name| value(enum, name, "#{definition.path}::#{name}") }
          "enum #{definition.name} {#{values.join(", ")}}"
        end

        def value(enum, name, where)
          remedy = "write in the enum: idl values: { #{name}: \"ANOTHER\" }"
          idl_name = Definition.check(enum.idl_name_of(name), where, remedy, [])
          ruby = name.name unless @names.value_name(idl_name) == name.name
          "#{idl_name} = #{enum.value_of(name)}#{annotations(enum.annotations(name), where, ruby)}"
        end

        def struct(definition)
          fields = fields(Declared.schema(definition.object).fields, definition.path, definition)
          "#{definition.kind} #{definition.name} {#{fields.join(", ")}}"
        end
        alias union struct
        alias exception struct

        def service(definition)
          parent = definition.object.superclass
          parent = " extends #{reference(@graph.of(parent))}" unless parent.equal?(Service)
          functions = definition.object.own_functions.map { |function| function(function, definition) }
          "service #{definition.name}#{parent if parent.is_a?(String)} {#{functions.join(", ")}}"
        end

        def function(function, definition)
          where = "#{definition.path}.#{function.name}"
          name = Definition.check(function.idl_name, where, "give it an idl_name", Parser::KEYWORDS)
          arguments = fields(function.arguments.schema.fields, where, definition)
          thrown = fields(function.throws, where, definition) { nil }
          throws = " throws (#{thrown.join(", ")})" if thrown.any?
          ruby = function.name.name unless @names.member_name(name) == function.name.name
          "#{"oneway " if function.oneway?}#{function.type ? type(function.type, definition) : "void"} #{name}" \
            "(#{arguments.join(", ")})#{throws}#{annotations(function.annotations, where, ruby)}"
        end

        # --- fields ------------------------------------------------------------------------------------------------------

        # Leaves out the ids that IDL assigns by counting down from -1.
        def fields(fields, where, definition)
          counted = -1
          fields.map do |field|
            implicit = field.id == counted
            counted = field.id - 1 if field.id < 1
            @unusual = true if field.id < 1 && !implicit
            requiredness = block_given? ? yield(field) : field.requiredness
            parts = [*("#{field.id}:" unless implicit), *(requiredness unless requiredness == :default)]
            [*parts.compact, field(field, "#{where}.#{field.name}", definition)].join(" ")
          end
        end

        def field(field, where, definition)
          name = Definition.check(field.idl_name, where, "give it an idl_name", Parser::NO_FIELD)
          ruby = field.name.name unless @names.member_name(name) == field.name.name
          default = " = #{literal(where).text(field.default, field.type)}" unless field.default.nil?
          "#{type(field.type, definition)} #{name}#{default}#{annotations(field.annotations, where, ruby)}"
        end

        def literal(where) = Literal.new(where) { |enum| reference(@graph.of(enum)) }

        # --- types -------------------------------------------------------------------------------------------------------

        def type(type, user)
          named = @graph.named(type, user)
          own = type.annotations.to_a - (named && type.typedef ? named.annotations.to_a : [])
          "#{named ? reference(named) : plain(type, user)}#{annotations(own.to_h, user.path)}"
        end

        def plain(type, user)
          parts = [type.key, type.element].compact.map { |part| type(part, user) }
          parts.empty? ? type.kind.name : "#{type.kind}<#{parts.join(", ")}>"
        end

        def reference(definition)
          definition.file.equal?(@file) ? definition.name : "#{definition.file.name}.#{definition.name}"
        end

        # --- annotations -------------------------------------------------------------------------------------------------

        def annotations(annotations, where, ruby = nil)
          pairs = annotations.flat_map { |name, values| annotation(name, values, where) }
          pairs << "#{RubyNames::ANNOTATION} = #{Literal.quoted(ruby)}" if ruby
          pairs.empty? ? "" : " (#{pairs.join(", ")})"
        end

        def annotation(name, values, where)
          values = [values] unless values.is_a?(Array)
          unless name.is_a?(String) && name.match?(/\A[A-Za-z_][A-Za-z0-9_.]*\z/) && name != RubyNames::ANNOTATION
            raise SchemaError, "#{where}: #{Quote.value(name)} cannot be the name of an annotation in IDL"
          end

          values.map do |value|
            unless value.is_a?(String)
              raise SchemaError, "#{where}: the value of the annotation #{name} must be a String, not #{Quote.value(value)}"
            end

            "#{name} = #{Literal.quoted(value)}"
          end
        end
      end
    end
  end
end
