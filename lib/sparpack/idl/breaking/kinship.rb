# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Whether two structs or enums of different names are written and read the same. They are unless something in them, or
      # in what they lead to, says otherwise; each pair is looked at once.
      #
      # @api private
      class Kinship
        # Structs that lead to each other in circles of different lengths make many pairs. After so many, the rest counts as
        # different.
        PAIRS = 50_000
        private_constant :PAIRS

        # Collects what differs, without telling.
        class Trial
          # @return [Array<Array(Model::Definition, Model::Definition)>] what must be alike, too
          attr_reader :pairs

          # @param level [Symbol]
          # @param changes [Changes]
          def initialize(level, changes)
            @level = level
            @changes = changes
            @pairs = []
            @different = false
          end

          # @return [Boolean] whether an error was found
          def different? = @different

          # @return [Types]
          def types = @changes.types

          # @return [Values]
          def values = @changes.values

          # As {Changes#add}.
          #
          # @return [void]
          def add(name, place, old: nil, **)
            rule = Rule::ALL.fetch(name)
            return if @different || !rule.at?(@level) || rule.severity == :warning

            @different = !@changes.allowance.annotated?(name, place, old)
          end

          # As {Changes#name_in_ruby}: what is alike may have any name.
          #
          # @return [void]
          def name_in_ruby(*) = nil

          # As {Changes#outcome}; pairs are for later.
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
        end

        # @param pairs [Array<Array(Model::Definition, Model::Definition)>]
        # @return [Boolean] whether the two of one pair are not alike
        def different?(pairs)
          pairs.any? do |pair|
            settle(pair) unless @different.key?(pair)
            @different[pair]
          end
        end

        private

        # Without recursion: chains may be long.
        def settle(first)
          needed_by = { first => [] }
          pending = [first]
          wrong = []
          until pending.empty?
            pair = pending.pop
            needs = needs(pair, needed_by.size)
            next wrong << pair if needs.nil? || needs.any? { |other| @different[other] }

            needs.each do |other|
              next if @different.key?(other)

              pending << other unless needed_by.key?(other)
              (needed_by[other] ||= []) << pair
            end
          end
          spread(wrong, needed_by)
        end

        # @return [Array, nil] pairs that must be alike; nil where this one is not
        def needs(pair, seen)
          return if @different.size + seen > PAIRS

          trial = Trial.new(@level, @changes)
          Bodies.compare(*pair, trial)
          trial.pairs.uniq unless trial.different?
        end

        # What needs something different is different.
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
