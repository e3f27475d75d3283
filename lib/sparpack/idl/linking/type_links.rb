# frozen_string_literal: true

module Sparpack
  module IDL
    # The part of the linker that resolves types.
    #
    # @api private
    class TypeLinks
      # The most levels of containers and typedefs.
      DEPTH = 64
      # The most types that a type consists of, without typedefs. With typedefs of maps, each level could double them.
      PARTS = 200
      BASES = Sparpack::Type::SCALARS.to_h { |kind| [kind.name, kind] }.merge("byte" => :i8).freeze

      # Names of types in other languages and in older versions of IDL, and the types that are probably meant.
      MEANT = { "int" => "i32", "integer" => "i32", "int8" => "i8", "int16" => "i16", "int32" => "i32", "int64" => "i64",
                "short" => "i16", "long" => "i64", "float" => "double", "boolean" => "bool", "str" => "string",
                "slist" => "string", "bytes" => "binary", "array" => "list", "vector" => "list", "hash" => "map" }.freeze
      private_constant :DEPTH, :PARTS, :BASES, :MEANT

      # @param linker [Linker]
      def initialize(linker)
        @linker = linker
        @bases = {}
      end

      # Resolves a typedef once and keeps the result, which is false if the type could not be resolved.
      #
      # @param typedef [Model::Typedef]
      # @param depth [Integer] the number of levels that led to it
      # @return [Model::Type, nil] the type that it stands for; nil if there was a fault
      def typedef(typedef, depth = 0)
        typedef.type = type(typedef.program, typedef.node.type, depth) || false if typedef.type.nil?
        typedef.type || nil
      end

      # @param program [Program]
      # @param node [AST::TypeName, AST::Container]
      # @param depth [Integer] the number of levels that led to it
      # @return [Model::Type, nil] the type; nil if there was a fault
      def type(program, node, depth = 0)
        too_deep = depth > DEPTH
        found = send(node.is_a?(AST::Container) ? :container : :named, program, node, depth + 1) unless too_deep
        return found unless too_deep || (found && found.depth > DEPTH)

        @linker.fault(program, node, "at most #{DEPTH} levels of containers and typedefs", "more, or a cycle")
      end

      private

      def container(program, node, depth)
        key = type(program, node.key, depth) if node.key
        element = type(program, node.element, depth)
        return if element.nil? || (node.key && key.nil?)

        annotations = Linker.annotations(node.annotations)
        annotations = { "cpp.type" => node.cpp_type }.merge(annotations).freeze if node.cpp_type
        inner = [key, element].compact
        parts = 1 + inner.sum(&:parts)
        return @linker.fault(program, node, "a type of at most #{PARTS} parts, without typedefs", "more") if parts > PARTS

        Model::Type.new(kind: node.kind, key:, element:, annotations:, depth: inner.map(&:depth).max + 1, parts:).freeze
      end

      def named(program, node, depth)
        annotations = Linker.annotations(node.annotations)
        base = BASES[node.name]
        return base(base, annotations) if base
        return unless @linker.clear?(program, node, node.name)

        case target = program.type(node.name)
        when Model::Typedef
          found = typedef(target, depth) or return
          Model::Type.new(**found.to_h, typedef: target, annotations:, depth: found.depth + 1).freeze
        when Model::Enum then Model::Type.new(kind: :enum, target:, annotations:, depth: 0, parts: 1).freeze
        when Model::Record
          Model::Type.new(kind: target.kind == :union ? :union : :struct, target:, annotations:, depth: 0, parts: 1).freeze
        else unknown_type(program, node)
        end
      end

      # Most fields have one of a few types.
      def base(kind, annotations)
        return Model::Type.new(kind:, annotations:, depth: 0, parts: 1).freeze unless annotations.empty?

        @bases[kind] ||= Model::Type.new(kind:, annotations:, depth: 0, parts: 1).freeze
      end

      # A type of an included file needs that file's name before its own.
      def similar_type(names, name)
        included = names.find { |each| each.end_with?(".#{name}") }
        included ? " (did you mean #{Quote.value(included)}?)" : Names.close(name, names + BASES.keys)
      end

      def unknown_type(program, node)
        meant = MEANT[node.name]
        hint = " (did you mean #{Quote.value(meant)}?)" if meant
        hint ||= @linker.hint { similar_type(program.type_names, node.name) }
        what = program.service(node.name) ? "is a service" : "is not defined"
        @linker.fault(program, node, "a type", "#{Quote.value(node.name)}, which #{what}#{hint}")
      end
    end
  end
end
