# typed: true

# Generated from sig/sparpack/idl/breaking.rbs by `rake rbi`: do not edit.

module Sparpack
  module IDL
    # Finds changes between two versions of an IDL that break readers, writers or generated code.
    class Breaking
      sig { returns(T::Array[::Sparpack::IDL::Breaking::Finding]) }
      attr_reader :findings

      sig { returns(::Integer) }
      attr_reader :allowed

      sig do
        params(
          old: ::Sparpack::IDL::Breaking::Version,
          new: ::Sparpack::IDL::Breaking::Version,
          level: ::Symbol,
          allow: T::Array[::Sparpack::IDL::Breaking::Allowance::Entry]
        ).void
      end
      def initialize(old, new, level: T.unsafe(nil), allow: T.unsafe(nil)); end

      sig { returns(T::Boolean) }
      def errors?; end

      # One version: files and everything that they include.
      class Version
        sig do
          params(
            name: ::String,
            include: T::Array[::String],
            allow_neg_keys: T::Boolean
          ).returns(::Sparpack::IDL::Breaking::Version)
        end
        def self.at(name, include: T.unsafe(nil), allow_neg_keys: T.unsafe(nil)); end

        sig { returns(T::Array[::Sparpack::IDL::Program]) }
        attr_reader :programs

        sig { params(programs: T::Array[::Sparpack::IDL::Program], bases: T::Array[::String], folder: T::Boolean).void }
        def initialize(programs, bases: T.unsafe(nil), folder: T.unsafe(nil)); end

        sig { params(program: ::Sparpack::IDL::Program).returns(T.nilable(::String)) }
        def namespace(program); end

        sig { returns(T::Boolean) }
        def folder?; end

        sig { params(program: ::Sparpack::IDL::Program).returns(T::Boolean) }
        def root?(program); end

        sig { params(program: ::Sparpack::IDL::Program).returns(T::Array[T.untyped]) }
        def key(program); end

        sig { params(key: T::Array[T.untyped]).returns(T.nilable(::Sparpack::IDL::Program)) }
        def program(key); end
      end

      # A change that breaks something.
      class Finding < ::Struct
        sig { returns(::Symbol) }
        attr_reader :rule

        sig { returns(::Symbol) }
        attr_reader :severity

        sig { returns(::Symbol) }
        attr_reader :level

        sig { returns(::String) }
        attr_reader :file

        sig { returns(::Integer) }
        attr_reader :line

        sig { returns(::Integer) }
        attr_reader :column

        sig { returns(::String) }
        attr_reader :at

        sig { returns(::Symbol) }
        attr_reader :side

        sig { returns(::String) }
        attr_reader :message

        sig { returns(T::Boolean) }
        def error?; end

        sig { returns(::String) }
        def to_s; end

        sig { returns(::String) }
        def place; end

        sig { returns(::String) }
        def explanation; end
      end

      # A kind of change that breaks something.
      class Rule < ::Struct
        LEVELS = T.let(T.unsafe(nil), T::Array[::Symbol])

        # Stands for all rules, wherever the name of a rule may be given.
        ANY = T.let(T.unsafe(nil), ::String)

        ALL = T.let(T.unsafe(nil), T::Hash[::Symbol, ::Sparpack::IDL::Breaking::Rule])

        sig { params(name: ::String).returns(T::Boolean) }
        def self.known?(name); end

        sig { params(name: ::String).returns(::String) }
        def self.hint(name); end

        sig { returns(::Symbol) }
        attr_reader :name

        sig { returns(::Symbol) }
        attr_reader :level

        sig { returns(::Symbol) }
        attr_reader :severity

        sig { returns(::String) }
        attr_reader :about

        sig { returns(T::Boolean) }
        attr_reader :only

        sig { params(level: ::Symbol).returns(T::Boolean) }
        def at?(level); end

        sig { returns(::String) }
        def level_name; end
      end

      # The changes that are allowed.
      class Allowance
        # The name of the annotation.
        ANNOTATION = T.let(T.unsafe(nil), ::String)

        class Entry < ::Struct
          sig { returns(T.any(::String, ::Symbol)) }
          attr_reader :rule

          sig { returns(T.nilable(::String)) }
          attr_reader :at

          sig { returns(T.nilable(::String)) }
          attr_reader :file

          sig { returns(T.nilable(::String)) }
          attr_reader :folder

          sig { params(finding: ::Sparpack::IDL::Breaking::Finding).returns(T::Boolean) }
          def allows?(finding); end
        end
      end
    end
  end
end
