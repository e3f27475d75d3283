# frozen_string_literal: true

module Sparpack
  module IDL
    # What a .thrift text says, before names are looked up. Each node knows where it begins (`offset`, in bytes) and ends
    # (`finish`). `doc` is the text of the doc comment before it, or nil; `annotations` an Array of {Annotation}s.
    #
    # Nodes are equal by what they say, wherever that stands.
    module AST
      # Members that tell where a node stands, not what it says.
      PLACES = %i[offset finish parent_offset source comments].freeze
      private_constant :PLACES

      # @param members [Array<Symbol>]
      # @return [Class] of nodes
      # @api private
      def self.node(*members)
        said = members - PLACES
        ::Struct.new(*members) do
          define_method(:said) { said.map { |member| self[member] } }
          protected :said
          def ==(other) = other.class.equal?(self.class) && said == other.said
          alias_method :eql?, :==
          def hash = [self.class, *said].hash
        end
      end

      # @param part [Object] a node, or what one has
      # @return [Object] what it says but for doc comments: equal where what is declared is equal
      # @api private
      def self.undocumented(part)
        case part
        when ::Struct then [part.class, *(part.members - PLACES - [:doc]).map { |member| undocumented(part[member]) }]
        when Array then part.map { |element| undocumented(element) }
        when Hash then part.transform_values { |element| undocumented(element) }
        else part
        end
      end

      # A whole text. `doc` is that of the program.
      Document = node(:source, :doc, :headers, :definitions, :comments)

      # --- headers ---

      Include    = node(:offset, :finish, :path)

      # A header of C++, kept.
      CppInclude = node(:offset, :finish, :path)

      # `scope` is a language or `*`.
      Namespace  = node(:offset, :finish, :scope, :name, :annotations)

      # --- definitions ---

      Const   = node(:offset, :finish, :doc, :name, :type, :value, :annotations)

      # Another name for a type.
      Typedef = node(:offset, :finish, :doc, :name, :type, :annotations)

      # Its `enum_values` in order.
      Enum    = node(:offset, :finish, :doc, :name, :enum_values, :annotations)

      # A struct, union or exception: its `kind`.
      Record = node(:offset, :finish, :doc, :kind, :name, :fields, :annotations, :xsd_all)

      # `parent` is the name after `extends`, or nil.
      Service = node(:offset, :finish, :doc, :name, :parent, :functions, :annotations, :parent_offset)

      # --- their parts ---

      # `number` is nil where it is counted.
      EnumValue = node(:offset, :finish, :doc, :name, :number, :annotations)

      # `id` is nil where it is counted; `requiredness` is :required, :optional or nil; `reference` stands for `&`; `xsd` are
      # the leftovers of XML Schema, by name.
      Field = node(:offset, :finish, :doc, :id, :requiredness, :type, :reference, :name, :default, :xsd,
                   :annotations)

      # `type` is nil for void.
      Function = node(:offset, :finish, :doc, :oneway, :type, :name, :arguments, :throws, :annotations)

      # `value` is "1" where none was given.
      Annotation = node(:offset, :finish, :name, :value)

      # --- types and constants ---

      # A base type or the name of a definition.
      TypeName = node(:offset, :finish, :name, :annotations)

      # `kind` is :list, :set or :map; `key` is nil but for a map.
      Container = node(:offset, :finish, :kind, :key, :element, :cpp_type, :annotations)

      # `kind` is :integer, :double, :string or :name (of another constant, an enum's value, true or false).
      Literal = node(:offset, :finish, :kind, :value)

      # `[…]`, a list's or set's constant.
      List    = node(:offset, :finish, :elements)

      # `{…}`, a map's or struct's constant: pairs of nodes.
      Map     = node(:offset, :finish, :pairs)
    end
  end
end
