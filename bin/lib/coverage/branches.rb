# frozen_string_literal: true

class Coverage
  # One side of a branch.
  #
  # @!attribute path [String] relative to ext/sparpack/
  # @!attribute condition [String] as the source has it; of several lines the first
  # @!attribute side [String] "true" or "false"
  # @!attribute times [Integer] how often it was reached
  Side = Struct.new(:path, :line, :condition, :side, :times) do
    def to_s = "#{path}:#{line}: #{condition} [#{side}]"

    # @return [String] what does not change when other lines do
    def key = "#{path}: #{condition} [#{side}]"

    def reached? = times.positive?
  end

  # The branches of the native sources, according to LLVM. A template has them once for each set of arguments; here they are
  # one branch.
  class Branches
    SIDES = %w[true false].freeze

    # A line of llvm-cov show, such as "  |  Branch (133:44): [Folded - Ignored]". The name of the file comes before.
    SHOWN = /\A[ |]+Branch \((\d+):(\d+)\): \[(Folded|True)/
    FILE  = %r{\A/.*ext/sparpack/(.*):$}

    # @param text [String] the output of llvm-cov show
    # @return [Hash{String => Array}] the lines and columns of the branches in each file that have no counters, because the
    #   compiler has decided them: constants, and what depends on the arguments of a template
    def self.decided(text)
      path = nil
      places = Hash.new { |hash, name| hash[name] = { "Folded" => [], "True" => [] } }
      text.each_line do |line|
        if (file = line[FILE, 1])
          path = file
        elsif (found = SHOWN.match(line))
          places[path][found[3]] << [found[1].to_i, found[2].to_i]
        end
      end
      places.transform_values { |kinds| (kinds["Folded"] - kinds["True"]).uniq }
    end

    # @param path [String] relative to ext/sparpack/
    # @param branches [Array<Array<Integer>>] the beginning, the end and the counts of each, as llvm-cov exports them
    # @param decided [Array<Array<Integer>>] which of them to leave out
    # @param lines [Array<String>] the source
    # @return [Array<Side>]
    def self.sides(path, branches, decided, lines)
      found = branches.group_by { |branch| branch.first(4) }.reject { |place, _| decided.include?(place.first(2)) }
      found.sort.flat_map do |(line, column, end_line, end_column), copies|
        last = end_line == line ? end_column - 2 : -1
        condition = lines[line - 1][(column - 1)..last].strip
        SIDES.each_with_index.map do |side, index|
          Side.new(path, line, condition, side, copies.sum { |copy| copy[4 + index] })
        end
      end
    end
  end
end
