# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack help`.
    class Help < Verb
      describe usage: "[VERB]",
               about: "Shows the help of a verb, or lists all verbs.",
               example: "sparpack help generate"

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "expected one verb" if arguments.size > 1
        return overview(@output) || 0 if arguments.empty?

        @output.puts(CLI.verb(arguments.first).help)
        0
      end

      # @param output [#puts]
      # @return [nil]
      def overview(output)
        verbs = VERBS.map { |name, (_, about)| "    #{name.ljust(12)}#{about}" }
        output.puts("Usage: sparpack VERB [options] …", "", "Verbs:", *verbs, "",
                    "    sparpack VERB --help shows a verb's options and an example. sparpack --version prints the version.",
                    "", "Example:", "    sparpack generate listing.thrift --out lib/gen")
      end
    end
  end
end
