# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Collects the findings of one comparison. It skips rules that the level does not include, and sets aside findings that
      # are allowed.
      #
      # @api private
      class Changes
        # @return [Matching]
        attr_reader :matching

        # @return [Allowance]
        attr_reader :allowance

        # @return [Types]
        attr_reader :types

        # @return [Values]
        attr_reader :values

        # @return [Integer] how many findings were allowed
        def allowed = @allowed.size

        # @param level [Symbol] one of {Rule::LEVELS}
        # @param matching [Matching]
        # @param allowance [Allowance]
        # @raise [ArgumentError] if the level is unknown
        def initialize(level, matching, allowance)
          levels = Rule::LEVELS
          known = levels.include?(level)
          raise ArgumentError, "unknown level #{Quote.value(level)}#{Names.hint(level, levels)}" unless known

          @level = level
          @matching = matching
          @allowance = allowance
          @types = Types.new(matching)
          @values = Values.new
          @names = RubyNames.new
          @kinships = %i[wire names].to_h { |known| [known, Kinship.new(known, self)] }
          @findings = {}
          @allowed = {}
          @replaced = {}
          @to_compare = []
        end

        # @return [Array<Finding>] sorted by place. Each finding appears once, although several services may inherit a
        #   function.
        def findings
          @findings.values.sort_by { |found| [found.file, found.line, found.column, found.rule, found.at] }.freeze
        end

        # Adds a finding.
        #
        # @param name [Symbol] the name of the rule
        # @param place [Place] the place that the finding shows
        # @param at [String] the name of the definition or part that the finding is about
        # @param old [Place, nil] the place in the old version: annotations there can allow the finding, too
        # @param side [Symbol] `:new` or `:old`, the version that `place` is in
        # @yieldreturn [String] the rest of a sentence that begins with `at`: what changed and why it breaks
        # @return [void]
        def add(name, place, at: place.name, old: nil, side: :new)
          rule = Rule::ALL.fetch(name)
          return unless rule.at?(@level)

          finding = Finding.new(rule: name, severity: rule.severity, level: rule.level, **place.to_location, at:, side:,
                                message: "#{Quote.plain(at)} #{yield}#{@where}").freeze
          allowed = @allowance.annotated?(name, place, old) || @allowance.listed?(finding)
          (allowed ? @allowed : @findings)[finding] = finding
        end

        # Adds a finding if the name in the IDL stayed the same but the name in Ruby changed.
        #
        # @param old [Model::Definition, Model::Field, Model::EnumValue, Model::Function]
        # @param new [Model::Definition, Model::Field, Model::EnumValue, Model::Function]
        # @param place [Place] the place of `new`
        # @param old_place [Place] the place of `old`
        # @return [void]
        def name_in_ruby(old, new, place, old_place)
          return unless old.name == new.name && [old, new].any? { |part| RubyNames.given(part.node) }

          was, is = [old, new].map { |part| in_ruby(part) }
          return if was == is

          add(:ruby_name_changed, place, old: old_place) do
            "was called #{Quote.plain(was)} in Ruby and is now called #{Quote.plain(is)}: code that uses the old name breaks"
          end
        end

        # Decides how a type changed, at the level of this comparison.
        #
        # @param verdict [Types::Verdict]
        # @return [Symbol] `:same`, `:renamed` (the same on the wire, under a different name), `:reinterpreted`, `:json`
        #   (different only in formats that carry names) or `:changed`
        def outcome(verdict)
          pairs = verdict.pairs
          return :changed if verdict.kind == :changed || @kinships[:wire].different?(pairs)
          return :json if @level != :wire && @kinships[:names].different?(pairs)

          pairs.each { |pair| replaced(pair) }
          return pairs.any? ? :renamed : :same if verdict.kind == :same

          @level == :wire ? verdict.kind : :json
        end

        # Compares the structs and enums that replace compatible ones of other names, to find what does not make them
        # incompatible: warnings, and changes of names in Ruby. Each pair is compared once, and may lead to others.
        #
        # @return [void]
        def compare_replacements
          while (old, new = @to_compare.pop)
            @where = " (where #{Types.names(old, new).reverse.join(" replaces ")})"
            Bodies.compare(old, new, self)
          end
          @where = nil
        end

        private

        def replaced(pair)
          return if @replaced.key?(pair)

          @replaced[pair] = true
          @to_compare << pair
        end

        # Only the last part of the name: another rule reports a change of the modules around it.
        def in_ruby(part)
          case part
          when Model::EnumValue then @names.value(part)
          when Model::Field, Model::Function then @names.member(part).name
          else @names.constant(part).split("::").last
          end
        end
      end
    end
  end
end
