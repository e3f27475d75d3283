# frozen_string_literal: true

require "strscan"

module Sparpack
  module CLI
    module Structs
      # A condition of `--where`, such as `status == ACTIVE`: a path, an operator and a value.
      class Condition
        # What each operator does: it finds the rows whose values match.
        COMPARISONS = {
          "==" => ->(values, rows, value) { rows.select { |row| values[row] == value } },
          "!=" => ->(values, rows, value) { rows.reject { |row| values[row] == value } },
          "<"  => ->(values, rows, value) { rows.select { |row| (found = values[row]) && found < value } },
          "<=" => ->(values, rows, value) { rows.select { |row| (found = values[row]) && found <= value } },
          ">"  => ->(values, rows, value) { rows.select { |row| (found = values[row]) && found > value } },
          ">=" => ->(values, rows, value) { rows.select { |row| (found = values[row]) && found >= value } }
        }.freeze
        TEXTUAL = {
          "contains"    => ->(values, rows, value) { rows.select { |row| values[row]&.include?(value) } },
          "starts_with" => ->(values, rows, value) { rows.select { |row| values[row]&.start_with?(value) } },
          "ends_with"   => ->(values, rows, value) { rows.select { |row| values[row]&.end_with?(value) } }
        }.freeze
        OPERATORS = { **COMPARISONS, **TEXTUAL }.freeze

        # Those of other languages.
        MEANT = { "=" => "==", "===" => "==", "eq" => "==", "<>" => "!=", "~=" => "!=", "=<" => "<=", "=>" => ">=",
                  "=~" => "contains", "~" => "contains", "like" => "contains", "in" => "==" }.freeze
        NOTHING = %w[null none nothing].freeze

        # Values that only exist or not.
        WHOLE = { list: "%s[] means any of its elements", set: "%s[] means any of its elements",
                  map: "%s[] means any of its values", struct: "name one of its fields",
                  union: "name one of its fields" }.freeze

        PATH = /(?:"(?:[^"\\]|\\.)*"|[^\s"=!<>~])+/m
        WORD = /[=!<>~&|]+|\w+/
        VALUE = /"(?:[^"\\]|\\.)*"|'[^']*'|[-+]?(?:\d|\.\d)[\w.+-]*|[[:alpha:]_][\w.:]*/m
        private_constant :COMPARISONS, :TEXTUAL, :OPERATORS, :MEANT, :NOTHING, :WHOLE, :PATH, :WORD, :VALUE

        # @return [Place] what the path leads to
        attr_reader :place

        # @param text [String]
        # @param struct_class [Class]
        # @raise [Misuse] if it is no condition, or does not fit the class
        def initialize(text, struct_class)
          @text = text
          @scan = StringScanner.new(text)
          @place = path(struct_class)
          spaces
          is? ? nil_test : test(*operator)
          spaces
          fail("the end", rest, conjunction) unless @scan.eos?
        end

        # @param values [Array<Object>] the rows of the path
        # @param rows [Enumerable<Integer>] those that are asked for
        # @return [Array<Integer>] those of them that match
        def select(values, rows)
          levels = @place.any
          return match(values, rows) if levels.zero?

          rows.select { |row| any?(values[row], levels) }
        end

        private

        # With [], one element is enough.
        def any?(value, levels)
          elements = [value]
          levels.times { elements = elements.flat_map { |each| each || [] } }
          !match(elements, 0...elements.size).empty?
        end

        def match(values, rows) = @operator.call(*fitting(values, rows), @operand)

        # If nobody knows the type, some values cannot be compared.
        def fitting(values, rows)
          return [values, rows] unless @place.type.kind == :any && !@operand.nil?

          [values.map { |value| value if Operand.comparable?(value, @operand) }, rows]
        end

        def spaces = @scan.skip(/\s*/)
        def rest = @scan.eos? ? "the end" : Quote.value(@scan.rest[0, 20])

        def path(struct_class)
          spaces
          at = @scan.charpos
          text = @scan.scan(PATH) || fail("a path", rest)
          Place.new(text, struct_class, at + 1)
        rescue ArgumentError => e
          raise Misuse, "#{shown}: #{e.message}"
        end

        # --- operators ---------------------------------------------------------------------------------------------------

        def is? = @scan.skip(/is\b\s*/)

        # PATH is nil, or is not nil.
        def nil_test
          negated = @scan.skip(/not\b\s*/)
          word = @scan.check(VALUE)
          expected = "nil#{" or not nil" unless negated}"
          fail(expected, rest, (meant("nil") if NOTHING.include?(word))) unless word == "nil"

          @scan.skip(VALUE)
          @operator = OPERATORS.fetch(negated ? "!=" : "==")
        end

        # @return [Array(String, Integer)] the operator, and where it begins
        def operator
          at = @scan.charpos
          word = @scan.scan(WORD)
          return [word, at] if OPERATORS.key?(word)

          known = OPERATORS.keys
          meant = word && (MEANT[word.downcase] || Names.closest(word, [*known, "is"]))
          fail("an operator: #{known.join(", ")}, is nil or is not nil", word ? Quote.value(word) : rest, meant(meant), at)
        end

        def test(operator, at)
          spaces
          start = @scan.charpos
          value = @scan.scan(VALUE) || fail("a value", rest, quotes)
          fail("a value", "nil", nil, start) if value == "nil" && !%w[== !=].include?(operator)

          @operator = OPERATORS.fetch(operator)
          @operand = operand(value, operator, at) { |*fault| fail(*fault, start) } unless value == "nil"
        end

        def operand(value, operator, at, &)
          type = @place.type
          refuse_whole(type.kind, operator, at) if WHOLE.key?(type.kind)
          refuse_operator(type.kind, operator, at)
          Operand.new(value, type, textual: TEXTUAL.key?(operator)).value(&)
        end

        def refuse_whole(kind, operator, at)
          hint = format(WHOLE.fetch(kind), @place.text)
          fail("is nil or is not nil for the type #{@place.type}: #{hint}", Quote.value(operator), nil, at)
        end

        def refuse_operator(kind, operator, at)
          known = OPERATORS.keys
          known = COMPARISONS.keys unless %i[string binary uuid any].include?(kind)
          known = %w[== !=] if kind == :bool
          return if known.include?(operator)

          fail("#{known.join(", ")} for the type #{@place.type}", Quote.value(operator), nil, at)
        end

        # --- messages ----------------------------------------------------------------------------------------------------

        def shown = "--where #{Quote.plain(@text)}"

        def fail(expected, found, hint = nil, at = @scan.charpos)
          raise Misuse, "#{shown}: column #{at + 1}: expected #{expected}, found #{found}#{" (#{hint})" if hint}"
        end

        def meant(word) = word && "did you mean #{word}?"

        # The end of a string is missing.
        def quotes = @scan.check(/["']/) && "its closing quote is missing"

        def conjunction
          case @scan.check(/and\b|or\b|[&|,;]/i)
          when /or|\|/i then "there is no or: select twice"
          when String then "pass --where once for each condition"
          end
        end
      end
    end
  end
end
