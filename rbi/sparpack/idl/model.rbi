# typed: true

# Generated from sig/sparpack/idl/model.rbs by `rake rbi`: do not edit.

module Sparpack
  module IDL
    # The definitions of .thrift files, with all names resolved. They are frozen Structs.
    module Model
      # Definitions are equal only if they are the same object.
      module Identity
        sig { params(other: T.untyped).returns(T::Boolean) }
        def ==(other); end

        sig { params(other: T.untyped).returns(T::Boolean) }
        def eql?(other); end

        sig { returns(::Integer) }
        def hash; end
      end

      # The methods that all definitions have.
      module Definition
        include ::Sparpack::IDL::Model::Identity

        sig { returns(::String) }
        def qualified_name; end

        sig { returns(::String) }
        def inspect; end
      end

      class Type < ::Struct
        sig { returns(::Symbol) }
        attr_reader :kind

        sig { returns(T.nilable(::Sparpack::IDL::Model::Type)) }
        attr_reader :key

        sig { returns(T.nilable(::Sparpack::IDL::Model::Type)) }
        attr_reader :element

        sig { returns(T.nilable(T.any(::Sparpack::IDL::Model::Record, ::Sparpack::IDL::Model::Enum))) }
        attr_reader :target

        sig { returns(T.nilable(::Sparpack::IDL::Model::Typedef)) }
        attr_reader :typedef

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Integer) }
        attr_reader :depth

        sig { returns(::Integer) }
        attr_reader :parts

        sig { returns(::String) }
        def to_s; end
      end

      class Typedef < ::Struct
        include ::Sparpack::IDL::Model::Definition

        sig { returns(::Sparpack::IDL::Program) }
        attr_reader :program

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Typedef) }
        attr_reader :node

        sig { returns(::Sparpack::IDL::Model::Type) }
        attr_reader :type
      end

      class Enum < ::Struct
        include ::Sparpack::IDL::Model::Definition

        sig { returns(::Sparpack::IDL::Program) }
        attr_reader :program

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Enum) }
        attr_reader :node

        sig { returns(T::Array[::Sparpack::IDL::Model::EnumValue]) }
        attr_reader :enum_values

        sig { returns(T::Hash[::String, ::Sparpack::IDL::Model::EnumValue]) }
        attr_reader :by_name

        sig { returns(T::Hash[::Integer, ::Sparpack::IDL::Model::EnumValue]) }
        attr_reader :by_number

        sig { params(number: ::Integer).returns(T.nilable(::Sparpack::IDL::Model::EnumValue)) }
        def value_of_number(number); end

        sig { params(name: ::String).returns(T.nilable(::Sparpack::IDL::Model::EnumValue)) }
        def value_of_name(name); end
      end

      class EnumValue < ::Struct
        include ::Sparpack::IDL::Model::Identity

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::EnumValue) }
        attr_reader :node

        sig { returns(::Integer) }
        attr_reader :number

        sig { returns(::Sparpack::IDL::Model::Enum) }
        attr_reader :enum

        sig { returns(::String) }
        def inspect; end
      end

      # A struct, union or exception, as `kind` says.
      class Record < ::Struct
        include ::Sparpack::IDL::Model::Definition

        sig { returns(::Sparpack::IDL::Program) }
        attr_reader :program

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Record) }
        attr_reader :node

        sig { returns(::Symbol) }
        attr_reader :kind

        sig { returns(T::Array[::Sparpack::IDL::Model::Field]) }
        attr_reader :fields

        sig { returns(T::Hash[::String, ::Sparpack::IDL::Model::Field]) }
        attr_reader :by_name

        sig { params(name: ::String).returns(T.nilable(::Sparpack::IDL::Model::Field)) }
        def field(name); end
      end

      class Field < ::Struct
        include ::Sparpack::IDL::Model::Identity

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Field) }
        attr_reader :node

        sig { returns(::Integer) }
        attr_reader :id

        sig { returns(::Sparpack::IDL::Model::Type) }
        attr_reader :type

        sig { returns(::Symbol) }
        attr_reader :requiredness

        sig do
          returns(T.nilable(T.any(::Integer, ::Float, ::String, T::Array[T.untyped], T::Set[T.untyped], T::Hash[T.untyped, T.untyped], ::Sparpack::IDL::Model::StructValue, ::Sparpack::IDL::Model::EnumValue, T::Boolean)))
        end
        attr_reader :default

        sig { returns(T::Boolean) }
        attr_reader :implicit
      end

      class Const < ::Struct
        include ::Sparpack::IDL::Model::Definition

        sig { returns(::Sparpack::IDL::Program) }
        attr_reader :program

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Const) }
        attr_reader :node

        sig { returns(::Sparpack::IDL::Model::Type) }
        attr_reader :type

        sig do
          returns(T.any(::Integer, ::Float, ::String, T::Array[T.untyped], T::Set[T.untyped], T::Hash[T.untyped, T.untyped], ::Sparpack::IDL::Model::StructValue, ::Sparpack::IDL::Model::EnumValue, T::Boolean))
        end
        attr_reader :value
      end

      class StructValue < ::Struct
        sig { returns(::Sparpack::IDL::Model::Record) }
        attr_reader :record

        sig do
          returns(T::Hash[::Sparpack::IDL::Model::Field, T.any(::Integer, ::Float, ::String, T::Array[T.untyped], T::Set[T.untyped], T::Hash[T.untyped, T.untyped], ::Sparpack::IDL::Model::StructValue, ::Sparpack::IDL::Model::EnumValue, T::Boolean)])
        end
        attr_reader :fields
      end

      class Service < ::Struct
        include ::Sparpack::IDL::Model::Definition

        sig { returns(::Sparpack::IDL::Program) }
        attr_reader :program

        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Service) }
        attr_reader :node

        sig { returns(T.nilable(::Sparpack::IDL::Model::Service)) }
        attr_reader :parent

        sig { returns(T::Array[::Sparpack::IDL::Model::Function]) }
        attr_reader :functions
      end

      class Function < ::Struct
        sig { returns(::String) }
        attr_reader :name

        sig { returns(T.nilable(::String)) }
        attr_reader :doc

        sig { returns(T::Hash[::String, T.any(::String, T::Array[::String])]) }
        attr_reader :annotations

        sig { returns(::Sparpack::IDL::AST::Function) }
        attr_reader :node

        sig { returns(T::Boolean) }
        attr_reader :oneway

        sig { returns(T.nilable(::Sparpack::IDL::Model::Type)) }
        attr_reader :type

        sig { returns(T::Array[::Sparpack::IDL::Model::Field]) }
        attr_reader :arguments

        sig { returns(T::Array[::Sparpack::IDL::Model::Field]) }
        attr_reader :throws
      end
    end
  end
end
