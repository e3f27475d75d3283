# frozen_string_literal: true

module Sparpack
  module Generate
    # Writes RBI signatures for Sorbet. They say `::T` because an IDL may define a `T` of its own.
    #
    # @api private
    class RBI < Signature
      private

      def top = ["# typed: true", ""]

      def constant(name, type) = "#{name} = ::T.let(::T.unsafe(nil), #{type})"

      def assignable?(name) = IDL::RubyGrammar.module?(name)

      def boolean = "::T::Boolean"

      def optional(type) = "::T.nilable(#{type})"

      def either(*types) = "::T.any(#{types.join(", ")})"

      def generic(name, *types) = "::T::#{name}[#{types.map { |type| type(type) }.join(", ")}]"

      def in_class(name, base, body) = ["class #{name} < #{base}", *Text.indent(body), "end"]

      def members(name, parts, kind)
        blocks = [initializer(name, parts, kind)]
        blocks.concat(constructors(parts)) if kind == :union
        blocks.concat(parts.map { |part| message?(part, kind) ? message(part) : accessors(part) })
        Text.separated(blocks)
      end

      def constructors(parts)
        constructed(parts).filter_map do |name, part|
          next if IDL::RubyGrammar.numbered?(name.name)

          ["sig { params(value: #{assigned(part.type)}).returns(::T.attached_class) }", "def self.#{name}(value); end"]
        end
      end

      def accessors(part)
        lines = [*Text.comment(part.doc), "sig { returns(#{nilable(part)}) }", "attr_accessor :#{part.reader}"]
        lines << "alias #{part.name}= #{part.reader}=" unless part.name == part.reader
        lines
      end

      # The type of what may be assigned.
      def accepted(part) = part.required ? assigned(part.type) : optional(assigned(part.type))

      def assigned(type) = type(type)

      # The reader and the writer of an exception's field `message` have different types.
      def message(part)
        [*Text.comment(part.doc), "sig { returns(::String) }", "def message; end", "",
         "sig { params(message: #{accepted(part)}).returns(#{accepted(part)}) }", "def message=(message); end"]
      end

      def initializer(name, parts, kind)
        list = parameters(name, parts, kind)
        sig = "sig { params(#{list.map { |name, type| "#{name}: #{type}" }.join(", ")}).void }"
        definition = "def initialize(#{list.map(&:last).join(", ")}); end"
        sig.size <= Text::WIDTH - 8 ? [sig, definition] : [*wrapped(list), definition]
      end

      # For each parameter: its name, its type and its text in the definition.
      def parameters(name, parts, kind)
        named, others = parts.partition { |part| parameter?(part.name) }
        list = named.map { |part| [part.name, accepted(part), "#{part.name}: #{part.required ? "::T.unsafe(nil)" : "nil"}"] }
        taken = named.map(&:name)
        list.unshift(text(taken)) if kind == :exception
        list << others(taken) if others.any?
        list << block(name, taken)
      end

      # The argument that `raise` passes. It is untyped, because Sorbet takes the keywords of `raise Gone, message: "…"` for
      # this argument.
      def text(taken)
        name = free(:text, taken)
        [name, "::T.untyped", "#{name} = nil"]
      end

      # Fields whose names cannot be names of parameters are passed untyped.
      def others(taken)
        name = free(:others, taken)
        [name, "::T.untyped", "**#{name}"]
      end

      # The block of `new`, which yields the object.
      def block(class_name, taken)
        name = free(:block, taken)
        [name, "::T.nilable(::T.proc.params(object: #{class_name}).void)", "&#{name}"]
      end

      def free(name, taken) = taken.include?(name) ? free(:"#{name}_", taken) : name

      # The name of a parameter begins with a lowercase letter or an underscore.
      def parameter?(name) = IDL::RubyGrammar.local?(name.name)

      def wrapped(list)
        params = list.map { |name, type| "    #{name}: #{type}" }.join(",\n")
        "sig do\n  params(\n#{params}\n  ).void\nend".lines(chomp: true)
      end
    end
  end
end
