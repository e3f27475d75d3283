# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # A path that a user has typed, and what it leads to in a class.
      class Place
        # Ruby's names in a hint of the library.
        HINT = / \((?:did you mean|known:) .*\)\z/m
        private_constant :HINT

        # @return [String] as it was typed
        attr_reader :text

        # @return [Array<Object>] the steps, as {Codec#columns} takes them
        attr_reader :steps

        # @return [Type] of the values at the end
        attr_reader :type

        # @param text [String]
        # @param struct_class [Class]
        # @param column [Integer] where the path begins in what was typed, for messages
        # @raise [ArgumentError] if the class does not have the path
        def initialize(text, struct_class, column = 1)
          @text = text
          @steps = Path.steps(text, struct_class)
          raise ArgumentError, "expected a path, such as id or items[].name" if @steps.empty?

          @type = @steps.reduce(Type.new(:struct, target: struct_class)) { |type, step| Place.below(type, step) }
        rescue ArgumentError => e
          message = e.message.sub(/(?<=\Awrong path at column )\d+/) { |at| at.to_i + column - 1 }
          message = message.sub(HINT) { |hint| hint.gsub(/(?<=[ (]):(\w+)/, '"\1"') }
          raise ArgumentError, message, cause: nil
        end

        # @return [Integer] at how many steps the path goes on to every element
        def any = @steps.count(Steps::ANY)

        # @param places [Array<Place>]
        # @return [Array<Object>, nil] the steps to the elements that are the rows of these columns; nil if payloads are
        def self.rows(places)
          first = places.first.steps
          shared = first.first(first.index(Steps::ANY)&.succ || return)
          shared if places.all? { |place| place.steps.first(shared.size) == shared }
        end

        # Finds a value that every object of a class may have, and that is cheap to read.
        #
        # @param struct_class [Class]
        # @param apart [Array<Object>] steps that must not lead to it
        # @return [Array<Object>, nil] its steps; nil if the class has no fields
        def self.anchor(struct_class, apart)
          fields = Declared.schema(struct_class).fields
          field = fields.min_by { |each| CHEAP.index(each.type.kind) || (CHEAP.size + (each.name == apart.first ? 1 : 0)) }
          return unless field

          steps = [field.name]
          steps << 0 if steps == apart.first(1) && field.type.kind == :list
          steps
        end

        # @param type [Type]
        # @param step [Object]
        # @return [Type] of what the step leads to
        def self.below(type, step)
          return type if type.kind == :any
          return type.element if type.element

          Declared.schema(type.target).fields.find { |field| field.name == step }.type
        end

        CHEAP = %i[bool i8 i16 i32 i64 double enum uuid binary string].freeze
        private_constant :CHEAP
      end
    end
  end
end
