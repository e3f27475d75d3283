# frozen_string_literal: true

module Sparpack
  module IDL
    # The syntax tree of a .thrift text. Its names are not resolved yet. Each node has the byte offsets of its beginning
    # (`offset`) and its end (`finish`). `doc` is the text of the doc comment before the node, or nil. `annotations` is an
    # Array of {Annotation}s.
    #
    # Two nodes are equal if they have the same content, even if they are in different places.
    module AST
      # Members that describe the place of a node and not its content.
      PLACES = %i[offset finish parent_offset source comments].freeze
      private_constant :PLACES

      # @param members [Array<Symbol>]
      # @return [Class] a class of nodes with these members
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

      # @param part [Object] a node or one of its members
      # @return [Object] its content without doc comments; the results for two nodes are equal if their declarations are
      # @api private
      def self.undocumented(part)
        case part
        when ::Struct then [part.class, *(part.members - PLACES - [:doc]).map { |member| undocumented(part[member]) }]
        when Array then part.map { |element| undocumented(element) }
        when Hash then part.transform_values { |element| undocumented(element) }
        else part
        end
      end

      # A whole text. `doc` is the doc comment of the program.
      Document = node(:source, :doc, :headers, :definitions, :comments)

      # --- headers ---

      Include    = node(:offset, :finish, :path)

      # A C++ header. It has no effect in Ruby.
      CppInclude = node(:offset, :finish, :path)

      # `scope` is a language or `*`.
      Namespace  = node(:offset, :finish, :scope, :name, :annotations)

      # --- definitions ---

      Const   = node(:offset, :finish, :doc, :name, :type, :value, :annotations)

      # Another name for a type.
      Typedef = node(:offset, :finish, :doc, :name, :type, :annotations)

      # `enum_values` are {EnumValue}s in order.
      Enum    = node(:offset, :finish, :doc, :name, :enum_values, :annotations)

      # A struct, union or exception, depending on its `kind`.
      Record = node(:offset, :finish, :doc, :kind, :name, :fields, :annotations, :xsd_all)

      # `parent` is the name after `extends`, or nil.
      Service = node(:offset, :finish, :doc, :name, :parent, :functions, :annotations, :parent_offset)

      # --- their parts ---

      # `number` is nil if the IDL does not give one.
      EnumValue = node(:offset, :finish, :doc, :name, :number, :annotations)

      # `id` is nil if the IDL does not give one. `requiredness` is :required, :optional or nil. `reference` tells whether
      # the type is followed by `&`. `xsd` holds the options for XML Schema, by name.
      Field = node(:offset, :finish, :doc, :id, :requiredness, :type, :reference, :name, :default, :xsd,
                   :annotations)

      # `type` is nil for void.
      Function = node(:offset, :finish, :doc, :oneway, :type, :name, :arguments, :throws, :annotations)

      # `value` is "1" if the IDL gives none.
      Annotation = node(:offset, :finish, :name, :value)

      # --- types and constants ---

      # A base type or the name of a definition.
      TypeName = node(:offset, :finish, :name, :annotations)

      # `kind` is :list, :set or :map. `key` is nil unless it is a map.
      Container = node(:offset, :finish, :kind, :key, :element, :cpp_type, :annotations)

      # `kind` is :integer, :double, :string or :name. A name is true, false, another constant or an enum value.
      Literal = node(:offset, :finish, :kind, :value)

      # `[…]`, a constant list or set.
      List    = node(:offset, :finish, :elements)

      # `{…}`, a constant map or struct. `pairs` are pairs of nodes.
      Map     = node(:offset, :finish, :pairs)
    end
  end
end
