# frozen_string_literal: true

require "ripper"

# Runs the ```ruby blocks of a page in order, as a reader would type them, and checks what their comments claim:
#
#     Integer("12") # => 12
#     Integer("x")
#     # raises ArgumentError: invalid value for Integer():
#     #   "x"
#
# A claim is behind its statement or below it. This file is also a program, which prints the false claims of a page.
class Examples
  # A statement, its line number, and what a comment claims about it.
  Statement = Struct.new(:source, :line, :claim)

  CLAIM = /\A\s*# (=> .*|raises .*)/
  CONTINUED = /\A#   +(.+)/

  # @return [Array<Statement>]
  attr_reader :statements

  def initialize(path)
    @path = path
    @statements = blocks.flat_map { |lines, first| split(lines, first) }
  end

  # @return [Array<String>] the claims that are false
  def lies = statements.filter_map { |statement| lie(statement) }

  # @return [Integer] how many claims there are
  def size = statements.count(&:claim)

  private

  # @return [Array<Array(Array<String>, Integer)>] the lines of each block, and the number of the first
  def blocks
    found = []
    open = false
    File.readlines(@path, chomp: true, encoding: Encoding::UTF_8).each.with_index(1) do |line, number|
      if line.start_with?("```")
        open = line == "```ruby"
        found << [[], number + 1] if open
      elsif open
        found.last.first << line
      end
    end
    found
  end

  def split(lines, first)
    found = []
    source = []
    lines.each_with_index do |line, index|
      next claim_below(found, line) if source.empty? && line.match?(/\A\s*(#|\z)/)

      source << line
      next unless Ripper.sexp(source.join("\n"))

      found << Statement.new(source.join("\n"), first + index - source.size + 1, line[/ (# (=>|raises) .*)/, 1])
      source = []
    end
    source.empty? ? found : found << Statement.new(source.join("\n"), first + lines.size - source.size)
  end

  # A claim on a line of its own, or a line that continues one.
  def claim_below(found, line)
    case line
    when CLAIM then found.last.claim = [found.last.claim, line].compact.join(" and ")
    when CONTINUED then found.last&.claim&.concat(" ", line[CONTINUED, 1])
    end
  end

  def lie(statement)
    actual = answer(statement)
    claim = statement.claim&.delete_prefix("# ")
    return if claim ? actual == wanted(claim) : !actual.start_with?("raises ")

    "#{@path}:#{statement.line}: #{statement.source.lines.first.chomp}\n  claimed: #{claim}\n  found:   #{actual}"
  end

  # A claim inside a statement would go unchecked, so it is an error.
  def answer(statement)
    hidden = statement.source.lines[..-2].any? { |line| line.match?(/# (=>|raises) /) }
    return "raises nothing, but hides a claim that nobody checks" if hidden

    "=> #{evaluate(statement.source, statement.line).inspect}"
  rescue StandardError, ScriptError => e
    "raises #{e.class}: #{e.message.tr("\n", " ")}"
  end

  # Compares values by what they print here, because Ruby's versions print Hashes and Sets differently.
  def wanted(claim)
    text = claim[/\A=> (.*)/, 1]
    return claim if text.nil? || text.start_with?("#<")

    "=> #{evaluate(text).inspect}"
  rescue StandardError, SyntaxError
    claim
  end

  def evaluate(source, line = 1) = TOPLEVEL_BINDING.eval(source, @path, line)
end

if $PROGRAM_NAME == __FILE__
  examples = Examples.new(ARGV.first)
  lies = examples.lies
  puts lies, "#{examples.size} claims"
  exit lies.empty?
end
