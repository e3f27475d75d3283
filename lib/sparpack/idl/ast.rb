# frozen_string_literal: true

module Sparpack
  module IDL
    # What a .thrift text says, before names are looked up. Each node knows where it begins (`offset`, in bytes) and ends
    # (`finish`). `doc` is the text of the doc comment before it, or nil; `annotations` an Array of {Annotation}s.
    module AST
      # A whole text. `doc` is that of the program.
      Document = ::Struct.new(:source, :doc, :headers, :definitions, :comments)

      # --- headers ---

      Include    = ::Struct.new(:offset, :finish, :path)

      # A header of C++, kept.
      CppInclude = ::Struct.new(:offset, :finish, :path)

      # `scope` is a language or `*`.
      Namespace  = ::Struct.new(:offset, :finish, :scope, :name, :annotations)

      # --- definitions ---

      Const   = ::Struct.new(:offset, :finish, :doc, :name, :type, :value, :annotations)

      # Another name for a type.
      Typedef = ::Struct.new(:offset, :finish, :doc, :name, :type, :annotations)

      # Its `enum_values` in order.
      Enum    = ::Struct.new(:offset, :finish, :doc, :name, :enum_values, :annotations)

      # A struct, union or exception: its `kind`.
      Record = ::Struct.new(:offset, :finish, :doc, :kind, :name, :fields, :annotations, :xsd_all)

      # `parent` is the name after `extends`, or nil.
      Service = ::Struct.new(:offset, :finish, :doc, :name, :parent, :functions, :annotations)

      # --- their parts ---

      # `number` is nil where it is counted.
      EnumValue = ::Struct.new(:offset, :finish, :doc, :name, :number, :annotations)

      # `id` is nil where it is counted; `requiredness` is :required, :optional or nil; `reference` stands for `&`; `xsd` are
      # the leftovers of XML Schema, by name.
      Field = ::Struct.new(:offset, :finish, :doc, :id, :requiredness, :type, :reference, :name, :default, :xsd,
                           :annotations)

      # `type` is nil for void.
      Function = ::Struct.new(:offset, :finish, :doc, :oneway, :type, :name, :arguments, :throws, :annotations)

      # `value` is "1" where none was given.
      Annotation = ::Struct.new(:offset, :finish, :name, :value)

      # --- types and constants ---

      # A base type or the name of a definition.
      TypeName = ::Struct.new(:offset, :finish, :name, :annotations)

      # `kind` is :list, :set or :map; `key` is nil but for a map.
      Container = ::Struct.new(:offset, :finish, :kind, :key, :element, :cpp_type, :annotations)

      # `kind` is :integer, :double, :string or :name (of another constant, an enum's value, true or false).
      Literal = ::Struct.new(:offset, :finish, :kind, :value)

      # `[…]`, a list's or set's constant.
      List    = ::Struct.new(:offset, :finish, :elements)

      # `{…}`, a map's or struct's constant: pairs of nodes.
      Map     = ::Struct.new(:offset, :finish, :pairs)
    end
  end
end
