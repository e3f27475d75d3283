# frozen_string_literal: true

require "sparpack/cli"
require "stringio"

# Runs the command `sparpack` as users type it, but in this process.
module CLI
  # @param arguments [Array<String>]
  # @param input [String] what the command reads from its standard input
  # @param output [StringIO] its standard output
  # @return [Array(Integer, String, String)] the exit status, and what was printed to the standard output and error
  def run_cli(*arguments, input: "", output: StringIO.new)
    errors = StringIO.new
    status = Sparpack::CLI.run(arguments, input: StringIO.new(input.b), output:, errors:)
    [status, output.string, errors.string]
  end
end
