# typed: true

# Generated from sig/sparpack/idl/ast.rbs by `rake rbi`: do not edit.

module Sparpack
  module IDL
    # The syntax tree of a .thrift text, without resolved names. Nodes are Structs. They are equal if they say the same.
    module AST
      # A whole text.
      class Document < ::Struct
        sig { returns(::Sparpack::IDL::Source) }
        attr_reader :source

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig do
          returns(T::Array[T.any(::Sparpack::IDL::AST::Include, ::Sparpack::IDL::AST::CppInclude, ::Sparpack::IDL::AST::Namespace)])
        end
        attr_reader :headers

        sig do
          returns(T::Array[T.any(::Sparpack::IDL::AST::Const, ::Sparpack::IDL::AST::Typedef, ::Sparpack::IDL::AST::Enum, ::Sparpack::IDL::AST::Record, ::Sparpack::IDL::AST::Service)])
        end
        attr_reader :definitions

        sig { returns(T::Array[[::Integer, ::Integer]]) }
        attr_reader :comments
      end

      class Include < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::String) }
        attr_reader :path
      end

      class CppInclude < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::String) }
        attr_reader :path
      end

      class Namespace < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::String) }
        attr_reader :scope

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Const < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.any(::Sparpack::IDL::AST::TypeName, ::Sparpack::IDL::AST::Container)) }
        attr_reader :type

        sig { returns(T.any(::Sparpack::IDL::AST::Literal, ::Sparpack::IDL::AST::List, ::Sparpack::IDL::AST::Map)) }
        attr_reader :value

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Typedef < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.any(::Sparpack::IDL::AST::TypeName, ::Sparpack::IDL::AST::Container)) }
        attr_reader :type

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Enum < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T::Array[::Sparpack::IDL::AST::EnumValue]) }
        attr_reader :enum_values

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      # A struct, union or exception, as `kind` says.
      class Record < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(::Symbol) }
        attr_reader :kind

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T::Array[::Sparpack::IDL::AST::Field]) }
        attr_reader :fields

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations

        sig { returns(T::Boolean) }
        attr_reader :xsd_all
      end

      class Service < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :parent

        sig { returns(T::Array[::Sparpack::IDL::AST::Function]) }
        attr_reader :functions

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations

        sig { returns(T.nilable(::Integer)) }
        attr_reader :parent_offset
      end

      class EnumValue < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::Integer)) }
        attr_reader :number

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Field < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T.nilable(::Integer)) }
        attr_reader :id

        sig { returns(T.nilable(::Symbol)) }
        attr_reader :requiredness

        sig { returns(T.any(::Sparpack::IDL::AST::TypeName, ::Sparpack::IDL::AST::Container)) }
        attr_reader :type

        sig { returns(T::Boolean) }
        attr_reader :reference

        sig { returns(::String) }
        attr_reader :name

        sig do
          returns(T.nilable(T.any(::Sparpack::IDL::AST::Literal, ::Sparpack::IDL::AST::List, ::Sparpack::IDL::AST::Map)))
        end
        attr_reader :default

        sig { returns(T::Hash[::Symbol, T.untyped]) }
        attr_reader :xsd

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Function < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Boolean) }
        attr_reader :oneway

        sig { returns(T.nilable(T.any(::Sparpack::IDL::AST::TypeName, ::Sparpack::IDL::AST::Container))) }
        attr_reader :type

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T::Array[::Sparpack::IDL::AST::Field]) }
        attr_reader :arguments

        sig { returns(T::Array[::Sparpack::IDL::AST::Field]) }
        attr_reader :throws

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Annotation < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::String) }
        attr_reader :name

        sig { returns(::String) }
        attr_reader :value
      end

      # A base type or the name of a definition.
      class TypeName < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      # A list, set or map, as `kind` says.
      class Container < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::Symbol) }
        attr_reader :kind

        sig { returns(T.nilable(T.any(::Sparpack::IDL::AST::TypeName, ::Sparpack::IDL::AST::Container))) }
        attr_reader :key

        sig { returns(T.any(::Sparpack::IDL::AST::TypeName, ::Sparpack::IDL::AST::Container)) }
        attr_reader :element

        sig { returns(T.nilable(::String)) }
        attr_reader :cpp_type

        sig { returns(T::Array[::Sparpack::IDL::AST::Annotation]) }
        attr_reader :annotations
      end

      class Literal < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig { returns(::Symbol) }
        attr_reader :kind

        sig { returns(T.any(::Integer, ::Float, ::String)) }
        attr_reader :value
      end

      class List < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig do
          returns(T::Array[T.any(::Sparpack::IDL::AST::Literal, ::Sparpack::IDL::AST::List, ::Sparpack::IDL::AST::Map)])
        end
        attr_reader :elements
      end

      class Map < ::Struct
        sig { returns(::Integer) }
        attr_reader :offset

        sig { returns(::Integer) }
        attr_reader :finish

        sig do
          returns(T::Array[[T.any(::Sparpack::IDL::AST::Literal, ::Sparpack::IDL::AST::List, ::Sparpack::IDL::AST::Map), T.any(::Sparpack::IDL::AST::Literal, ::Sparpack::IDL::AST::List, ::Sparpack::IDL::AST::Map)]])
        end
        attr_reader :pairs
      end
    end
  end
end
