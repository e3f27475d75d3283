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
  end
end
