# frozen_string_literal: true

require_relative "types"

module RBIFiles
  # Makes methods of RBI from those of RBS. These are the rules for overloads:
  #
  # - Overloads with a block and overloads without one become two signatures. Sorbet chooses by the block.
  # - Overloads that differ only in types become one signature. Each parameter, and the result, may have the type that it has
  #   in any of them. If these were several signatures, Sorbet would refuse an argument that may have either type.
  # - Sorbet allows no overloads with keywords if the type of a parameter contains a type parameter. They become one
  #   signature with an optional block and the result of a call without a block. A comment says so.
  class Methods
    # Parameters that are untyped only for Sorbet, with the reason, which becomes a comment.
    LOOSE = {
      "::Sparpack::Exception#initialize" => {
        text: "The text is untyped, because Sorbet takes the keywords of `raise Gone, message: \"…\"` for it."
      }
    }.freeze

    JOINED = "With a block, it returns the block's result. Sorbet cannot express this here."

    # @param types [Types]
    def initialize(types)
      @types = types
    end

    # @param scope [String] the full name of the class or module
    # @param member [RBS::AST::Members::MethodDefinition]
    # @param name [Symbol] another name if the method is an alias
    # @return [RBI::Method]
    def method(scope, member, name: member.name)
      loose = LOOSE.fetch("#{scope}##{name}", {})
      notes, overloads = overloads(member).partition { |found| found.is_a?(String) }
      overloads = overloads.map { |overload| replaced(overload, loose.keys) }
      made = RBI::Method.new(name.to_s, params: parameters(overloads), comments: comments(member, *notes, *loose.values))
      made.sigs = overloads.map { |overload| sig(made, overload) }
      made
    rescue StandardError => e
      raise e.class, "#{scope}##{name}: #{e.message}"
    end

    # @param type [RBS::Types::t] the type of an attribute or constant
    # @return [String]
    def type(type) = @types.text(@types.given(type))

    # @param member [RBS::AST::Members::Base, RBS::AST::Declarations::Base]
    # @return [Array<RBI::Comment>] its comment and others
    def comments(member, *others) = [*member.comment&.string, *others].map { |text| RBI::Comment.new(text) }

    private

    # Returns the overloads that Sorbet can have, and then what the comment should add, if anything.
    def overloads(member)
      types = member.overloads.map(&:method_type)
      shapes = types.map { |type| type.type.map_type { Types::UNTYPED } }
      raise ArgumentError, "the overloads have different parameters" unless shapes.uniq.one?
      raise ArgumentError, "a parameter has no name" unless positional(shapes.first).all?(&:name)

      made = types.group_by { |type| !type.block.nil? }.transform_values { |same| merged(same) }
      return made.values unless made.size == 2 && made.each_value.any? { |type| inseparable?(type) }

      [joined(*made.values_at(false, true)), JOINED]
    end

    def positional(function)
      [*function.required_positionals, *function.optional_positionals, *function.rest_positionals,
       *function.trailing_positionals]
    end

    def merged(types)
      return types.first if types.one?

      parts = types.map { |type| type.type.each_type.to_a }.transpose
      type = types.first.type.map_type { RBS::Types::Union.new(types: parts.shift, location: nil) }
      types.first.update(type_params: types.flat_map(&:type_params).uniq, type:)
    end

    def inseparable?(overload)
      function = overload.type
      keywords = [*function.required_keywords, *function.optional_keywords, *function.rest_keywords]
      names = overload.type_params.to_set(&:name)
      keywords.any? && function.each_param.any? { |found| found.type.free_variables.intersect?(names) }
    end

    def joined(without, with)
      type = with.block.type.update(return_type: Types::UNTYPED)
      without.update(block: RBS::Types::Block.new(type:, required: false, self_type: with.block.self_type))
    end

    def replaced(overload, loose)
      function = overload.type
      optional = function.optional_positionals.map do |found|
        loose.include?(found.name) ? found.map_type { Types::UNTYPED } : found
      end
      taken = function.update(optional_positionals: optional).map_type { |type| @types.taken(type) }
      overload.update(type: taken.update(return_type: @types.result(function.return_type)),
                      block: overload.block&.map_type { |type| @types.given(type) })
    end

    def sig(method, overload)
      sig = RBI::RBS::MethodTypeTranslator.translate(method, overload)
      sig.params.map! { |found| RBI::SigParam.new(found.name, @types.short(found.type)) }
      sig.return_type = @types.short(sig.return_type)
      sig
    end

    def parameters(overloads)
      function = overloads.first.type
      [
        *function.required_positionals.map { |found| RBI::ReqParam.new(found.name.to_s) },
        *function.optional_positionals.map { |found| RBI::OptParam.new(found.name.to_s, default(found)) },
        *function.rest_positionals&.then { |found| RBI::RestParam.new(found.name.to_s) },
        *function.trailing_positionals.map { |found| RBI::ReqParam.new(found.name.to_s) },
        *function.required_keywords.keys.map { |name| RBI::KwParam.new(name.to_s) },
        *function.optional_keywords.map { |name, found| RBI::KwOptParam.new(name.to_s, default(found)) },
        *function.rest_keywords&.then { |found| RBI::KwRestParam.new(found.name.to_s) },
        *(RBI::BlockParam.new("block") if overloads.any?(&:block))
      ]
    end

    # RBS does not know the value of a default.
    def default(parameter) = @types.text(parameter.type).start_with?("T.nilable") ? "nil" : "T.unsafe(nil)"
  end
end
