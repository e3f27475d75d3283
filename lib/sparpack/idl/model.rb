# frozen_string_literal: true

module Sparpack
  module IDL
    # What .thrift files declare, with all names looked up. All is frozen. Whatever was declared has the `name` that it has
    # in the IDL, its `doc` comment or nil, its `annotations` ({String => String}, an Array of Strings where one was
    # repeated) and its `node` in the AST; a definition also the `program` that it belongs to.
    module Model
      # A type, as something has it. `kind` is one of {Sparpack::Type::SCALARS}, `:list`, `:set`, `:map`, `:struct`, `:union`
      # or `:enum` (exceptions are structs). `key` is a map's, `element` a container's, `target` the {Record} or {Enum} that
      # is named. `typedef` is the {Typedef} by which it was named, or nil: it has the same kind as what it stands for.
      # `depth` counts its levels of containers and typedefs.
      Type = ::Struct.new(:kind, :key, :element, :target, :typedef, :annotations, :depth, keyword_init: true) do
        # @return [String] as IDL has it, typedefs looked through
        def to_s
          return target.name if target

          parts = [key, element].compact
          parts.empty? ? kind.name : "#{kind}<#{parts.join(", ")}>"
        end
      end

      # What is declared is itself, not what it says.
      module Identity
        # @param other [Object]
        # @return [Boolean]
        def ==(other) = equal?(other)

        # @param other [Object]
        # @return [Boolean]
        def eql?(other) = equal?(other)

        # @return [Integer]
        def hash = __id__.hash
      end

      # What definitions have in common.
      module Definition
        include Identity

        # @return [String] with the name of its file where another one speaks of it: `shared.Point`
        def qualified_name = "#{program.name}.#{name}"

        # @return [String] never the whole of what it reaches
        def inspect = "#<#{self.class} #{qualified_name}>"
      end

      # `type` is what it stands for.
      Typedef = ::Struct.new(:program, :name, :doc, :annotations, :node, :type) { include Definition }

      # `enum_values` are {EnumValue}s in order.
      Enum = ::Struct.new(:program, :name, :doc, :annotations, :node, :enum_values, :by_name, :by_number) do
        include Definition

        # @param values [Array<EnumValue>]
        # @api private
        def complete(values)
          self[:enum_values] = values.freeze
          self.by_name = values.reverse.to_h { |value| [value.name, value] }.freeze
          self.by_number = values.reverse.to_h { |value| [value.number, value] }.freeze
        end

        # @param number [Integer]
        # @return [EnumValue, nil] the first of that number
        def value_of_number(number) = by_number[number]

        # @param name [String]
        # @return [EnumValue, nil]
        def value_of_name(name) = by_name[name]
      end

      # One value of an `enum`.
      EnumValue = ::Struct.new(:name, :doc, :annotations, :node, :number, :enum) do
        include Identity

        # @return [String] never the whole of what it reaches
        def inspect = "#<#{self.class} #{enum.name}.#{name} #{number}>"
      end

      # A struct, union or exception: its `kind`. `fields` are {Field}s in order.
      Record = ::Struct.new(:program, :name, :doc, :annotations, :node, :kind, :fields, :by_name) do
        include Definition

        # @param fields [Array<Field>]
        # @api private
        def complete(fields)
          self[:fields] = fields.freeze
          self.by_name = fields.reverse.to_h { |field| [field.name, field] }.freeze
        end

        # @param name [String]
        # @return [Field, nil]
        def field(name) = by_name[name]
      end

      # A field, argument, or exception that a function throws. `requiredness` is `:required`, `:optional` or `:default`.
      # `default` is a value, see {Const}. `implicit` tells that its id was counted, not written.
      Field = ::Struct.new(:name, :doc, :annotations, :node, :id, :type, :requiredness, :default, :implicit) do
        include Identity
      end

      # A constant. `value` is an Integer, Float, String, true or false, Array, Set or Hash of these, a {StructValue}, or an
      # {EnumValue}.
      Const = ::Struct.new(:program, :name, :doc, :annotations, :node, :type, :value) { include Definition }

      # A constant struct: `fields` is {Field} => value.
      StructValue = ::Struct.new(:record, :fields)

      # A service. `parent` is the {Service} that it extends, or nil; `functions` are its own.
      Service = ::Struct.new(:program, :name, :doc, :annotations, :node, :parent, :functions) { include Definition }

      # A function. `type` is nil for void; `arguments` and `throws` are {Field}s.
      Function = ::Struct.new(:name, :doc, :annotations, :node, :oneway, :type, :arguments, :throws)
    end
  end
end
