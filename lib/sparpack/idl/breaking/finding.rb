# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # A breaking change. Its members are:
      #
      # - `rule`: the name of the rule that found it, a Symbol;
      # - `severity`: `:error` or `:warning`;
      # - `level`: the level of the rule, one of {Rule::LEVELS};
      # - `file`, `line` and `column`: the place of the change; lines and columns count from 1;
      # - `side`: the version that the place is in: `:new`, or `:old` if the new version has no such file any more;
      # - `at`: the name of the definition or part that changed, for example `Listing.title`;
      # - `message`: a sentence that says what changed and why it breaks.
      Finding = ::Struct.new(:rule, :severity, :level, :file, :line, :column, :at, :side, :message, keyword_init: true) do
        # @return [Boolean] whether the severity is `:error`
        def error? = severity == :error

        # @return [String] one line in the format of compiler messages: `file:line:column: severity: [rule] message`
        def to_s = "#{place}: #{severity}: #{explanation}"

        # @return [String] `file:line:column`
        def place = "#{Quote.path(file)}:#{line}:#{column}"

        # @return [String] the rule and the message
        def explanation = "[#{rule}] #{message}#{" (in OLD)" if side == :old}"
      end
    end
  end
end
