# frozen_string_literal: true

require "pathname"

module Sparpack
  module IDL
    class Breaking
      # Where something is declared: a definition, and perhaps what is in it, from outer to inner `parts`. Without parts it
      # is the file, or `header` in it.
      #
      # @api private
      Place = ::Struct.new(:program, :parts, :header) do
        # @param definition [Model::Definition]
        # @return [Place]
        def self.of(definition) = new(definition.program, [definition])

        # @param other [#name, #node]
        # @return [Place] that of a part of this one
        def +(other) = self.class.new(program, [*parts, other])

        # @return [String] as in `Listing.title`
        def name = parts.empty? ? File.basename(program.path) : parts.map(&:name).join(".")

        # @return [Hash{Symbol => String, Integer}] file, line and column
        def to_location
          offset = (parts.last&.node || header)&.offset || 0
          source = program.source
          { file: Pathname.new(source.path).cleanpath.to_s, line: source.line(offset), column: source.column(offset) }
        end

        # @param node [AST::Node, nil]
        # @return [String] as it is written, if that is short
        def text(node)
          return "none" if node.nil?

          written = program.source.text.byteslice(node.offset, node.finish - node.offset).scrub("?").gsub(/\s+/, " ")
          written.size > 40 ? "another one" : written
        end
      end

      # Something that breaks. `rule` is a name, `severity` `:error` or `:warning`, `level` that of the rule; `file`, `line`
      # and `column` (both from 1) lie in the version that `side` says, `:new`, or `:old` where nothing is left of it; `at`
      # names what it is about, `message` says why it breaks.
      Finding = ::Struct.new(:rule, :severity, :level, :file, :line, :column, :at, :side, :message, keyword_init: true) do
        # @return [Boolean]
        def error? = severity == :error

        # @return [String] as compilers say it
        def to_s = "#{place}: #{severity}: #{explanation}"

        # @return [String] `file:line:column`
        def place = "#{file}:#{line}:#{column}"

        # @return [String] the rule and the message
        def explanation = "[#{rule}] #{message}#{" (in OLD)" if side == :old}"
      end
    end
  end
end
