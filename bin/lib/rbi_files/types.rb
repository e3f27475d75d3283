# frozen_string_literal: true

module RBIFiles
  # Translates types. The rbi gem does it, after this class has replaced what Sorbet cannot express:
  #
  # - An alias becomes the type that it stands for, because a constant for the alias would not exist at run time.
  # - An interface becomes untyped. The rbi gem makes a union or an optional type with an untyped part untyped, too.
  # - A literal becomes its class. `:compact | :binary` becomes Symbol.
  # - The gem's own classes are not generic in Sorbet, because they have no method `[]` at run time. A type parameter of such
  #   a class becomes its upper bound in what a method takes, and its default in what a method gives.
  # - `self` becomes untyped inside another type and in a block, because Sorbet allows it only as the whole type of a result.
  # - `Class` becomes the class of anything, and an Enumerator has only the type of its elements.
  class Types
    UNTYPED = RBS::Types::Bases::Any.new(location: nil)
    BOOLEAN = RBS::Types::Bases::Bool.new(location: nil)
    TOP     = RBS::Types::Bases::Top.new(location: nil)

    # Classes of the gem.
    OWN = /\A::Sparpack\b/

    # @param aliases [Hash{RBS::TypeName => RBS::Types::t}]
    # @param parameters [Array<RBS::AST::TypeParam>] those of the class whose members have the types
    def initialize(aliases, parameters = [])
      @aliases = aliases
      @taken = parameters.to_h { |found| [found.name, found.upper_bound_type || UNTYPED] }
      @given = parameters.to_h { |found| [found.name, found.default_type || UNTYPED] }
    end

    # @return [Types] for the members of a class with these type parameters
    def inside(parameters) = Types.new(@aliases, parameters)

    # @return [RBS::Types::t] a type that Sorbet can express, for what a method takes
    def taken(type) = replaced(type, @taken)

    # @return [RBS::Types::t] a type that Sorbet can express, for what a method passes to a block
    def given(type) = replaced(type, @given)

    # @return [RBS::Types::t] a type that Sorbet can express, for what a method returns
    def result(type) = type.is_a?(RBS::Types::Bases::Self) ? type : given(type)

    # @param type [RBS::Types::t] one that Sorbet can express
    # @return [String] what Sorbet calls it
    def text(type) = short(RBI::RBS::TypeTranslator.translate(type))

    # @param type [RBI::Type]
    # @return [String] the type, without the `::` before `T`. The gem has no T of its own.
    def short(type) = type.to_s.gsub(/(?<!\w)::T(?=\.|::)/, "T")

    private

    def replaced(type, parameters)
      case type
      when RBS::Types::Alias then replaced(@aliases.fetch(type.name), parameters)
      when RBS::Types::Interface, RBS::Types::Bases::Self then UNTYPED
      when RBS::Types::Literal then literal(type.literal)
      when RBS::Types::Variable then parameters.key?(type.name) ? replaced(parameters[type.name], parameters) : type
      when RBS::Types::ClassInstance then instance(type, parameters)
      else type.map_type { |part| replaced(part, parameters) }
      end
    end

    def literal(value)
      return BOOLEAN if [true, false].include?(value)

      RBS::Types::ClassInstance.new(name: RBS::TypeName.parse("::#{value.class}"), args: [], location: nil)
    end

    def instance(type, parameters)
      arguments = type.args.map { |argument| replaced(argument, parameters) }
      arguments =
        case type.name.to_s
        when OWN then []
        when "::Class" then [TOP]
        when "::Enumerator" then arguments.first(1)
        else arguments
        end
      RBS::Types::ClassInstance.new(name: type.name, args: arguments, location: nil)
    end
  end
end
