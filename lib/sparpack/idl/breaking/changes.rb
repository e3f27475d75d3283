# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Collects what is found, unless it is allowed or not looked for.
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

        # @return [Integer] how many were allowed
        def allowed = @allowed.size

        # @param level [Symbol]
        # @param matching [Matching]
        # @param allowance [Allowance]
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
        end

        # @return [Array<Finding>] by place; each once, though a function may be reached from several services
        def findings
          @findings.values.sort_by { |found| [found.file, found.line, found.column, found.rule, found.at] }.freeze
        end

        # Notes something.
        #
        # @param name [Symbol] the rule's
        # @param place [Place] where it is said
        # @param at [String] what it is about
        # @param old [Place, nil] what it was: annotations there allow, too
        # @param side [Symbol] the version in which the place is
        # @yieldreturn [String] why it breaks; its subject is what it is about
        # @return [void]
        def add(name, place, at: place.name, old: nil, side: :new)
          rule = Rule::ALL.fetch(name)
          return unless rule.at?(@level)

          finding = Finding.new(rule: name, severity: rule.severity, level: rule.level, **place.to_location, at:, side:,
                                message: "#{Quote.plain(at)} #{yield}").freeze
          allowed = @allowance.annotated?(name, place, old) || @allowance.listed?(finding)
          (allowed ? @allowed : @findings)[finding] = finding
        end

        # Notes that something of one name in the IDL has another one in Ruby.
        #
        # @param old [Model::Definition, Model::Field, Model::EnumValue, Model::Function]
        # @param new [Model::Definition, Model::Field, Model::EnumValue, Model::Function]
        # @param place [Place] of the new one
        # @param old_place [Place]
        # @return [void]
        def name_in_ruby(old, new, place, old_place)
          return unless old.name == new.name && [old, new].any? { |part| RubyNames.given(part.node) }

          was, is = [old, new].map { |part| in_ruby(part) }
          return if was == is

          add(:ruby_name_changed, place, old: old_place) do
            "was #{Quote.plain(was)} in Ruby and is #{Quote.plain(is)}: code that names it breaks"
          end
        end

        # @param verdict [Types::Verdict]
        # @return [Symbol] `:same`, `:renamed` (the same of another name), `:reinterpreted`, `:json` (the same but in JSON
        #   and its like) or `:changed`
        def outcome(verdict)
          return :changed if verdict.kind == :changed || @kinships[:wire].different?(verdict.pairs)
          return verdict.kind == :same && verdict.pairs.any? ? :renamed : verdict.kind if @level == :wire
          return :json if verdict.kind == :reinterpreted || @kinships[:names].different?(verdict.pairs)

          verdict.pairs.any? ? :renamed : :same
        end

        private

        # The modules that a definition is in are told by another rule.
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
