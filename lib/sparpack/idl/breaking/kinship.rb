# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Decides whether two structs or enums with different names are compatible on the wire. They are compatible unless
      # something in them, or in a type that they refer to, breaks. Each pair is compared once.
      #
      # @api private
      class Kinship
        # The most fields and enum values of pairs that are compared, unless the two versions have more. Structs that refer
        # to one another in cycles of different lengths make many pairs. Pairs beyond this limit count as different.
        MEMBERS = 50_000
        private_constant :MEMBERS

        # Stands in for {Changes} in one comparison: it records whether something breaks, but adds no findings.
        class Trial
          # @return [Array<Array(Model::Definition, Model::Definition)>] pairs that must be compatible, too
          attr_reader :pairs

          # @param level [Symbol]
          # @param changes [Changes]
          def initialize(level, changes)
            @level = level
            @changes = changes
            @pairs = []
            @different = false
          end

          # @return [Boolean] whether something breaks
          def different? = @different

          # @return [Types]
          def types = @changes.types

          # @return [Values]
          def values = @changes.values

          # Takes what {Changes#add} takes.
          #
          # @return [void]
          def add(name, place, old: nil, **)
            rule = Rule::ALL.fetch(name)
            return if @different || !rule.at?(@level) || rule.severity == :warning

            @different = !@changes.allowance.annotated?(name, place, old)
          end

          # Takes what {Changes#name_in_ruby} takes, and ignores it: names do not affect the wire.
          #
          # @return [void]
          def name_in_ruby(*) = nil

          # Does what {Changes#outcome} does, but leaves the pairs for later.
          #
          # @param verdict [Types::Verdict]
          # @return [Symbol]
          def outcome(verdict)
            @pairs.concat(verdict.pairs)
            verdict.kind == :reinterpreted && @level != :wire ? :json : verdict.kind
          end
        end

        # @param level [Symbol]
        # @param changes [Changes]
        def initialize(level, changes)
          @level = level
          @changes = changes
          @different = {}
          @left = [MEMBERS, [changes.matching.old, changes.matching.new].sum { |version| members(version) }].max
        end

        # @param pairs [Array<Array(Model::Definition, Model::Definition)>]
        # @return [Boolean] whether the two definitions of at least one pair are incompatible
        def different?(pairs)
          pairs.any? do |pair|
            settle(pair) unless @different.key?(pair)
            @different[pair]
          end
        end

        private

        # If each definition has another name in the new version, all are compared with one other.
        def members(version)
          version.programs.sum { |program| [*program.records, *program.enums].sum { |definition| size(definition) } }
        end

        def size(definition) = 1 + (definition.is_a?(Model::Enum) ? definition.enum_values : definition.fields).size

        # This is a loop and not a recursion because chains of structs may be long.
        def settle(first)
          needed_by = { first => [] }
          pending = [first]
          wrong = []
          until pending.empty?
            pair = pending.pop
            needs = needs(pair)
            next wrong << pair if needs.nil? || needs.any? { |other| @different[other] }

            needs.each do |other|
              next if @different.key?(other)

              pending << other unless needed_by.key?(other)
              (needed_by[other] ||= []) << pair
            end
          end
          spread(wrong, needed_by)
        end

        # @return [Array, nil] the pairs that must be compatible, too; nil if this pair is incompatible
        def needs(pair)
          @left -= pair.sum { |definition| size(definition) }
          return if @left.negative?

          trial = Trial.new(@level, @changes)
          Bodies.compare(*pair, trial)
          trial.pairs.uniq unless trial.different?
        end

        # A pair that needs an incompatible pair is incompatible itself.
        def spread(wrong, needed_by)
          needed_by.each_key { |pair| @different[pair] = false }
          until wrong.empty?
            pair = wrong.pop
            next if @different[pair]

            @different[pair] = true
            wrong.concat(needed_by[pair])
          end
        end
      end
    end
  end
end
