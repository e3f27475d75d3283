# frozen_string_literal: true

module Sparpack
  module IDL
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
