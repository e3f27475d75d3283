# frozen_string_literal: true

module Sparpack
  module IDL
    # The declarations of .thrift files, with all names resolved. All objects are frozen. Each declaration has these members:
    #
    # - `name`: its name in the IDL;
    # - `doc`: the text of its doc comment, or nil;
    # - `annotations`: a Hash of Strings; the value of a repeated annotation is an Array of Strings;
    # - `node`: its node in the {AST}.
    #
    # A definition also has the `program` that it belongs to.
    module Model
      # The type of a field, argument, result, constant or typedef.
      #
      # - `kind` is one of {Sparpack::Type::SCALARS}, `:list`, `:set`, `:map`, `:struct`, `:union` or `:enum`. The kind of an
      #   exception is `:struct`.
      # - `key` is the type of a map's keys, and `element` that of a container's elements or values.
      # - `target` is the {Record} or {Enum} that the type refers to.
      # - `typedef` is the {Typedef} that the IDL names, or nil. The other members describe the type that it stands for.
      # - `depth` is the number of levels of containers and typedefs.
      # - `parts` is the number of types that it consists of, if it is written without typedefs.
      Type = ::Struct.new(:kind, :key, :element, :target, :typedef, :annotations, :depth, :parts, keyword_init: true) do
        # @return [String] the type as IDL writes it, without typedefs
        def to_s
          return target.name if target

          parts = [key, element].compact
          parts.empty? ? kind.name : "#{kind}<#{parts.join(", ")}>"
        end
      end

      # Compares declarations by identity. Two declarations with the same content are different.
      module Identity
        # Compares by identity.
        #
        # @param other [Object]
        # @return [Boolean] whether it is the same object
        def ==(other) = equal?(other)

        # Compares by identity.
        #
        # @param other [Object]
        # @return [Boolean] whether it is the same object
        def eql?(other) = equal?(other)

        # @return [Integer] a hash of the object's identity
        def hash = __id__.hash
      end

      # What all definitions have in common.
      module Definition
        include Identity

        # @return [String] the name that other files use for it, for example `shared.Point`
        def qualified_name = "#{program.name}.#{name}"

        # @return [String] a short text, without the definitions that it refers to
        def inspect = "#<#{self.class} #{qualified_name}>"
      end

      # A typedef. `type` is the type that it stands for.
      Typedef = ::Struct.new(:program, :name, :doc, :annotations, :node, :type) { include Definition }

      # An enum. `enum_values` are {EnumValue}s in order.
      Enum = ::Struct.new(:program, :name, :doc, :annotations, :node, :enum_values, :by_name, :by_number) do
        include Definition

        # @param values [Array<EnumValue>]
        # @api private
        def complete(values)
          self[:enum_values] = values.freeze
          self.by_name = values.reverse.to_h { |value| [value.name, value] }.freeze
          self.by_number = values.reverse.to_h { |value| [value.number, value] }.freeze
        end

        # Finds a value by its number.
        #
        # @param number [Integer]
        # @return [EnumValue, nil] the first value with this number
        def value_of_number(number) = by_number[number]

        # Finds a value by its name.
        #
        # @param name [String] the name in the IDL
        # @return [EnumValue, nil] the value with this name
        def value_of_name(name) = by_name[name]
      end

      # A value of an `enum`.
      EnumValue = ::Struct.new(:name, :doc, :annotations, :node, :number, :enum) do
        include Identity

        # @return [String] a short text, without the other values of the enum
        def inspect = "#<#{self.class} #{enum.name}.#{name} #{number}>"
      end

      # A struct, union or exception, depending on its `kind`. `fields` are {Field}s in order.
      Record = ::Struct.new(:program, :name, :doc, :annotations, :node, :kind, :fields, :by_name) do
        include Definition

        # @param fields [Array<Field>]
        # @api private
        def complete(fields)
          self[:fields] = fields.freeze
          self.by_name = fields.reverse.to_h { |field| [field.name, field] }.freeze
        end

        # Finds a field by its name.
        #
        # @param name [String] the name in the IDL
        # @return [Field, nil] the field with this name
        def field(name) = by_name[name]
      end

      # A field, an argument, or an exception that a function throws. `requiredness` is `:required`, `:optional` or
      # `:default`. `default` is a value as in {Const}, or nil. `implicit` is true if the IDL gives no id.
      Field = ::Struct.new(:name, :doc, :annotations, :node, :id, :type, :requiredness, :default, :implicit) do
        include Identity
      end

      # A constant. `value` is an Integer, Float, String, true, false, {EnumValue} or {StructValue}, or an Array, Set or Hash
      # of these.
      Const = ::Struct.new(:program, :name, :doc, :annotations, :node, :type, :value) { include Definition }

      # The value of a constant struct. `fields` is a Hash of values by {Field}.
      StructValue = ::Struct.new(:record, :fields)

      # A service. `parent` is the {Service} that it extends, or nil. `functions` are its own {Function}s, without inherited
      # ones.
      Service = ::Struct.new(:program, :name, :doc, :annotations, :node, :parent, :functions) { include Definition }

      # A function. `type` is nil for void. `arguments` and `throws` are {Field}s.
      Function = ::Struct.new(:name, :doc, :annotations, :node, :oneway, :type, :arguments, :throws)
    end
  end
end
