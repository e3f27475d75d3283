# frozen_string_literal: true

module Sparpack
  module Generate
    # RBI signatures, which Sorbet reads.
    class RBI < Signature
      # No names of constants or parameters.
      KEYWORDS = %w[BEGIN END].freeze
      private_constant :KEYWORDS

      private

      def top = ["# typed: true", ""]

      # What cannot be assigned to has no signature.
      def constant(name, type) = KEYWORDS.include?(name) ? nil : "#{name} = T.let(T.unsafe(nil), #{type})"

      def boolean = "T::Boolean"

      def optional(type) = "T.nilable(#{type})"

      def generic(name, *types) = "T::#{name}[#{types.map { |type| type(type) }.join(", ")}]"

      def in_class(name, base, body) = ["class #{name} < #{base}", *Text.indent(body), "end"]

      def members(parts, kind = :struct)
        blocks = [initializer(parts, kind)]
        blocks.concat(constructed(parts).map { |part| constructor(part) }) if kind == :union
        blocks.concat(parts.flat_map { |part| accessors(part) })
        Text.separated(blocks)
      end

      def constructor(part)
        ["sig { params(value: #{type(part.type)}).returns(T.attached_class) }", "def self.#{part.name}(value); end"]
      end

      def accessors(part)
        type = nilable(part)
        [[*Text.comment(part.doc), "sig { returns(#{type}) }", "def #{part.reader}; end"],
         ["sig { params(value: #{type}).returns(#{type}) }", "def #{part.reader}=(value); end"]]
      end

      # A parameter has a small letter first; fields that have none are passed untyped.
      def initializer(parts, kind)
        named, others = parts.partition { |part| plain?(part.name.name) }
        list = named.map { |part| [part.name, nilable(part), "#{part.name}: #{part.required ? "T.unsafe(nil)" : "nil"}"] }
        list.unshift(["text", "T.untyped", "text = nil"]) if kind == :exception && named.none? { |part| part.name == :text }
        list << ["others_", "T.untyped", "**others_"] if others.any?
        return ["sig { void }", "def initialize; end"] if list.empty?

        sig = "sig { params(#{list.map { |name, type| "#{name}: #{type}" }.join(", ")}).void }"
        definition = "def initialize(#{list.map(&:last).join(", ")}); end"
        sig.size <= Text::WIDTH - 8 ? [sig, definition] : [*wrapped(list), definition]
      end

      def wrapped(list)
        params = list.map { |name, type| "    #{name}: #{type}" }.join(",\n")
        "sig do\n  params(\n#{params}\n  ).void\nend".lines(chomp: true)
      end
    end
  end
end
