# frozen_string_literal: true

module Sparpack
  module IDL
    # The part of the parser that reads types.
    #
    # @api private
    module Types
      CONTAINERS = { "map" => :map, "list" => :list, "set" => :set }.freeze
      NO_TYPES = %w[void const typedef enum struct union exception service].freeze

      # The most levels of containers inside containers.
      DEPTH = 64
      private_constant :CONTAINERS, :NO_TYPES

      private

      # A type with its annotations.
      def type
        offset = @tokens.offset
        name = @tokens.value
        @tokens.fail("a type") if @tokens.kind != :name || NO_TYPES.include?(name)
        return nested { container(offset, CONTAINERS[name]) } if CONTAINERS.key?(name)

        @tokens.take
        ended(AST::TypeName.new(offset, nil, name, annotations))
      end

      def container(offset, kind)
        @tokens.take
        cpp_type = cpp_type()
        @tokens.expect(:<)
        key = map_key if kind == :map
        element = type
        @tokens.expect(:>)
        cpp_type ||= cpp_type() # the deprecated position
        ended(AST::Container.new(offset, nil, kind, key, element, cpp_type, annotations))
      end

      def map_key = type.tap { @tokens.expect(:",") }

      def cpp_type
        @tokens.expect_kind(:string, "the name of a C++ type, in quotes") if @tokens.accept_keyword("cpp_type")
      end

      def nested
        @tokens.fail("at most #{DEPTH} levels of nesting", "more") if @depth == DEPTH
        @depth += 1
        begin
          yield
        ensure
          @depth -= 1
        end
      end
    end

    # The part of the parser that reads constants.
    #
    # @api private
    module Constants
      private

      # A literal, the name of another constant, a list or a map.
      def constant
        offset = @tokens.offset
        case kind = @tokens.kind
        when :integer, :double, :string, :name then ended(AST::Literal.new(offset, nil, kind, @tokens.take))
        when :"[" then nested { list_constant(offset) }
        when :"{" then nested { map_constant(offset) }
        else @tokens.fail("a value")
        end
      end

      def list_constant(offset)
        elements = between(:"[", :"]") { constant.tap { @tokens.separator } }
        AST::List.new(offset, @tokens.finish, elements)
      end

      # A uuid may be in braces. It looks like a map with one string and no value.
      def map_constant(offset)
        pairs = between(:"{", :"}") { map_pair }
        return AST::Literal.new(offset, @tokens.finish, :string, pairs[0][0].value) if pairs.size == 1 && pairs[0].size == 1

        AST::Map.new(offset, @tokens.finish, pairs)
      end

      def map_pair
        key = constant
        return [key] if @tokens.kind == :"}" && key.is_a?(AST::Literal) && key.kind == :string

        @tokens.expect(:":")
        [key, constant].tap { @tokens.separator }
      end
    end
  end
end
