# frozen_string_literal: true

module Sparpack
  module Generate
    # Writes RBS signatures.
    #
    # @api private
    class RBS < Signature
      # Names of methods that RBS requires to be quoted.
      QUOTED = %w[self].freeze
      private_constant :QUOTED

      private

      def top = []

      def constant(name, type) = "#{name}: #{type}"

      def assignable?(_name) = true

      def boolean = "bool"

      def optional(type) = "#{type}?"

      def either(*types) = types.join(" | ")

      def generic(name, *types) = "::#{name}[#{types.map { |type| type(type) }.join(", ")}]"

      def in_class(name, base, body) = ["class #{name} < #{base}", *Text.indent(body), "end"]

      def members(_name, parts, kind)
        blocks = ["def initialize: #{keywords(parts, kind)} ?{ (self object) -> void } -> void".lines(chomp: true)]
        blocks << constructors(parts) if kind == :union
        blocks.concat(parts.map { |part| accessors(part, kind) })
        Text.separated(blocks)
      end

      def constructors(parts)
        constructed(parts).map { |name, part| "def self.#{method(name)}: (#{type(part.type)}) -> instance" }
      end

      def accessors(part, kind)
        type = nilable(part)
        read = message?(part, kind) ? "::String" : type
        lines = ["def #{method(part.reader)}: () -> #{read}", "def #{part.reader}=: (#{type}) -> #{type}"]
        lines << "alias #{part.name}= #{part.reader}=" unless part.name == part.reader
        Text.comment(part.doc) + lines
      end

      # The text of an exception may come first, without a keyword.
      def keywords(parts, kind)
        list = parts.map { |part| "?#{part.name}: #{nilable(part)}" }
        list.unshift("?(::String | ::Hash[::Symbol, untyped])? text") if kind == :exception
        line = "(#{list.join(", ")})"
        line.size <= Text::WIDTH - 51 ? line : "(\n#{list.map { |keyword| "  #{keyword}" }.join(",\n")}\n)"
      end

      def method(name) = QUOTED.include?(name.name) ? "`#{name}`" : name.name
    end
  end
end
