# frozen_string_literal: true

module Mutation
  # Writes a copy of some C++ sources in which each place that may be wrong asks whether its mutant is active.
  #
  # It reads no C++ grammar. It relies on clang-format, which puts spaces around binary operators and none inside of template
  # brackets, and it leaves out what must be a constant.
  class Sources
    # A change of one place. `line` is the text of its line, and `kind` says what changes.
    Mutant = Struct.new(:number, :path, :line_number, :line, :kind) do
      # Stays the same while lines move.
      def key = "#{path}: #{kind}: #{line.strip}"
      def to_s = "#{path}:#{line_number} #{kind}: #{line.strip}"
    end

    OPERATORS = { "<" => "Less", "<=" => "LessOrEqual", ">" => "Greater", ">=" => "GreaterOrEqual", "==" => "Equal",
                  "!=" => "NotEqual", "+" => "Plus", "-" => "Minus" }.freeze

    NAMESPACE = "::sparpack::mutation"

    # Lines that have constants, declarations or types only.
    CONSTANT = Regexp.union(
      /\A\s*(?:#|static_assert|template|case |(?:static |inline )*constexpr|using |enum |struct |X\(|friend )/,
      /if constexpr|alignas|noexcept\(|debug_check|writer_check|operator/
    ).freeze

    # Statements that may be left out: calls and assignments. Functions that never return are no such calls.
    KEPT       = /return|if|for|while|switch|else|do|delete|case|default|fault_\w+|__builtin_\w+|RB_GC_GUARD/
    CALL       = /\A\s+(?!(?:#{KEPT})\b)[\w:.>-]+(?:<[\w:, ]+>)?\(.*\);\z/
    ASSIGNMENT = /\A\s+\*?[\w.>\[\]-]+ (?:[-+|&^]|<<|>>)?= [^{].*;\z/

    # What ends an operand at its right, also at the end of a line.
    ENDS = /\G (?:\?|:|&&|\|\|)(?= |\z)/

    attr_reader :mutants

    def initialize
      @mutants = []
    end

    # @param text [String] a source
    # @param path [String] its name in reports
    # @return [String] the same source with mutants
    def mutate(text, path)
      @path = path
      in_macro = in_comment = false
      lines = text.lines(chomp: true)
      balanced = 0
      last = ""
      lines.each_with_index.map do |line, index|
        macro    = in_macro || line.match?(/\A\s*#/)
        in_macro = macro && line.end_with?("\\")
        @number  = index + 1
        @line    = line
        whole    = balanced.zero?
        code     = mask(line)
        begins = last.match?(/[;{}):]\z|\Aelse\z/) # a statement, not the rest of one
        last = code.strip unless macro || code.strip.empty?
        balanced += code.count("(") - code.count(")")
        balanced = 0 if balanced.negative?
        next line if macro || in_comment || code.strip.empty? || line.match?(CONSTANT)

        rewrite(line, code, whole && balanced.zero?, begins)
      end.join("\n") << "\n"
    end

    private

    # The line without what stands in strings, characters and comments, at the same places.
    def mask(line)
      line.gsub(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'/) { |quoted| "#{quoted[0]}#{"_" * (quoted.size - 2)}#{quoted[0]}" }
          .sub(%r{//.*}) { |comment| " " * comment.size }
    end

    def number(kind)
      @mutants << Mutant.new(@mutants.size + 1, @path, @number, @line, kind)
      @mutants.size
    end

    def active(kind) = "#{NAMESPACE}::active(#{number(kind)})"

    # Inserts at offsets of the line; [offset, length, text]. Those further right come first.
    def rewrite(line, code, whole, begins)
      edits = []
      operators(code, edits)
      negations(code, edits)
      logic(code, edits) if whole
      conditions(code, edits)
      result = apply(line, edits)
      whole && begins ? statement(result, line, code) : result
    end

    def apply(line, edits)
      result = line.dup
      ordered = edits.each_with_index.sort_by { |(at, size, _), order| [-at, size.zero? ? 1 : 0, -order] }
      ordered.map(&:first).each { |at, size, text| result[at, size] = text }
      result
    end

    def operators(code, edits)
      code.scan(/ (<=|>=|==|!=|<|>|\+|-) (?=\S)/) do
        match    = Regexp.last_match
        operator = match[1]
        next if code[0...match.begin(0)].match?(/\boperator\z|(?:return|case|[(,=?:&|<>])\z/)

        edits << [match.begin(1), operator.size,
                  "#{operator} #{NAMESPACE}::#{OPERATORS.fetch(operator)}{#{number(operator)}} #{operator}"]
      end
    end

    def negations(code, edits)
      code.scan(/(?<=[ (])!(?=[\w(*])/) do
        edits << [Regexp.last_match.begin(0), 1, "#{NAMESPACE}::Not{#{number("without !")}}->*"]
      end
    end

    # Each operand of && and || is dropped once.
    def logic(code, edits)
      code.scan(/ (&&|\|\|) (?=\S)/) do
        match = Regexp.last_match
        operator = match[1]
        [[left(code, match.begin(0)), match.begin(0)], [match.end(0), right(code, match.end(0))]].each do |from, to|
          next if from >= to || edits.any? { |offset, length, text| length.zero? && offset == from && text.include?("|| (") }
          next if code[from...to].match?(/\A\s*\z|[{}]/)

          text = operator == "&&" ? "(#{active("without operand of &&")} || (" : "(!#{active("without operand of ||")} && ("
          edits << [from, 0, text]
          edits << [to, 0, "))"]
        end
      end
    end

    def left(code, at)
      depth = 0
      (at - 1).downto(0) do |i|
        case code[i]
        when ")", "]" then depth += 1
        when "(", "["
          return i + 1 if depth.zero?

          depth -= 1
        when ",", ";", "?", "{", "}" then return skip(code, i + 1) if depth.zero?
        end
        next unless depth.zero?
        return skip(code, i + 1) if code[i, 2] == "= " && !code[i - 2, 2].match?(/ [<>=!]/)
        return skip(code, i + 1) if code[i] == ":" && code[i - 1] == " " && code[i + 1] == " "
        return skip(code, i + 2) if ["&&", "||"].include?(code[i, 2]) && code[i - 1] == " "
        return i + 7 if code[i, 7] == "return " && (i.zero? || code[i - 1] == " ")
      end
      skip(code, 0)
    end

    def right(code, at)
      depth = 0
      (at...code.size).each do |i|
        case code[i]
        when "(", "[" then depth += 1
        when ")", "]"
          return i if depth.zero?

          depth -= 1
        when ",", ";", "{" then return i if depth.zero?
        end
        next unless depth.zero?
        return i if code.match?(ENDS, i)
      end
      code.size
    end

    def skip(code, at)
      at += 1 while code[at] == " "
      at
    end

    # Conditions that always or never hold.
    def conditions(code, edits)
      match = code.match(/\A(?<before>\s*(?:\} else )?)(?<word>if|while) \(/) or return
      from = match.end(0)
      to = right(code, from)
      return if to >= code.size || code[to] != ")"

      condition = code[from...to]
      return if condition.match?(/;|\A(?:const )?[\w:]+ \*?\w+ = /) || condition == "true"

      if match[:word] == "if"
        edits << [from, 0, "#{active("always")} || (!#{active("never")} && ("]
        edits << [to, 0, "))"]
      else
        edits << [from, 0, "!#{active("never")} && ("]
        edits << [to, 0, ")"]
      end
    end

    # Statements that do nothing, and answers that are the opposite.
    def statement(result, line, code)
      case code.rstrip
      when /\A\s*(?:if \(.*\) )?return (true|false);\z/ then opposite(result, Regexp.last_match(1))
      when CALL, ASSIGNMENT then left_out(result, line[code.rstrip.size..])
      else result
      end
    end

    def opposite(line, answer)
      mutant = active("the opposite of #{answer}")
      line.sub("return #{answer};") { "return #{"!" if answer == "true"}#{mutant};" }
    end

    def left_out(line, comment)
      code = line.delete_suffix(comment).rstrip.delete_suffix(";")
      "#{code[/\A\s*/]}(void)(#{active("without the statement")} || (#{code.strip}, true));#{comment}"
    end
  end
end
