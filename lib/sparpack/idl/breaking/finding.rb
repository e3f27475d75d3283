# frozen_string_literal: true

require "pathname"

module Sparpack
  module IDL
    class Breaking
      # The place of a declaration. `parts` leads from a definition to a part of it, such as a field. Without parts, the
      # place is the whole file, or the `header` in it.
      #
      # @api private
      Place = ::Struct.new(:program, :parts, :header) do
        # @param definition [Model::Definition]
        # @return [Place] its place
        def self.of(definition) = new(definition.program, [definition])

        # @param other [#name, #node] a part of what is at this place
        # @return [Place] the place of that part
        def +(other) = self.class.new(program, [*parts, other])

        # @return [String] the name of what is there, for example `Listing.title`
        def name = parts.empty? ? File.basename(program.path) : parts.map(&:name).join(".")

        # @return [Hash{Symbol => String, Integer}] the file, the line and the column
        def to_location
          offset = (parts.last&.node || header)&.offset || 0
          source = program.source
          { file: Pathname.new(source.path).cleanpath.to_s, line: source.line(offset), column: source.column(offset) }
        end

        # @param node [Object] a node of the {AST}
        # @return [String, nil] its text in the file; nil if that is too long to show
        def text(node)
          written = program.source.text.byteslice(node.offset, node.finish - node.offset).scrub("?").gsub(/\s+/, " ")
          written if written.size <= 40
        end
      end

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
