# frozen_string_literal: true

module Sparpack
  module IDL
    # Finds names that are different in the IDL but the same in Ruby.
    #
    # @api private
    class Collisions
      # @param names [RubyNames]
      def initialize(names)
        @names = names
        @faults = []
      end

      # @param programs [Array<Program>]
      # @return [void]
      # @raise [Error] if there are such names, with a fault for each
      def check(programs)
        check_constants(programs)
        programs.each { |program| program.definitions.each { |definition| check_parts(program, definition) } }
        check_inherited(programs)
        Error.check(@faults)
      end

      private

      def check_constants(programs)
        taken = namespaces(programs)
        programs.flat_map(&:definitions).each do |definition|
          name = @names.qualified(definition)
          other = taken[name]
          taken[name] ||= definition
          fault(definition.program, definition.node, name, described(other)) if other
        end
        check_around(programs, taken)
      end

      # Typedefs and constants are no modules, so nothing can be defined inside them.
      def check_around(programs, taken)
        programs.flat_map(&:definitions).each do |definition|
          next unless @names.constant(definition).include?("::")

          *around, _name = @names.qualified(definition).split("::")
          paths = (1..around.size).map { |size| around.first(size).join("::") }
          path = paths.find { |each| taken[each].is_a?(Model::Typedef) || taken[each].is_a?(Model::Const) } or next
          found = "#{Quote.plain(@names.qualified(definition))}, in which #{Quote.plain(path)} is #{described(taken[path])}"
          @faults << Fault.new(definition.program.source, definition.node.offset, "a path of modules and classes", found,
                               definition.node.name, definition.program.chain)
        end
      end

      # A class cannot have the name of a module.
      def namespaces(programs)
        programs.flat_map { |program| (1..@names.namespace(program).size).map { |n| [program, n] } }.to_h do |program, n|
          [@names.namespace(program).first(n).join("::"), program]
        end
      end

      def described(other)
        return "a namespace (#{Quote.path(other.path)})" if other.is_a?(Program)

        source = other.program.source
        "#{Quote.value(other.name)} (#{Quote.path(source.path)}:#{source.line(other.node.offset)})"
      end

      def check_parts(program, definition)
        case definition
        when Model::Enum then unique(program, definition.enum_values) { |value| @names.value(value) }
        when Model::Record then check_fields(program, definition.fields, definition.kind)
        when Model::Service
          unique(program, definition.functions) { |function| Names.constant(@names.member(function).name) }
          definition.functions.each do |function|
            [function.arguments, function.throws].each { |fields| check_fields(program, fields, :struct) }
          end
        end
      end

      def check_inherited(programs)
        Inheritance.new(programs.flat_map(&:services)) { |function| @names.member(function) }.repeated.each do |found|
          fault(found.service.program, found.function.node, @names.member(found.function).name,
                "#{Quote.value(found.inherited.name)} of #{Quote.plain(found.owner.name)}")
        end
      end

      # The readers of fields must have different names.
      def check_fields(program, fields, kind)
        unique(program, fields) { |field| Names.reader(@names.member(field), exception: kind == :exception) }
      end

      def unique(program, parts, &)
        return if parts.size < 2 || parts.uniq(&).size == parts.size

        parts.group_by(&).each do |name, same|
          same.drop(1).each { |part| fault(program, part.node, name, Quote.value(same.first.name)) }
        end
      end

      def fault(program, node, name, owner)
        advice = " (more names stay different with names: :idl)" if @names.style == :ruby
        found = "#{Quote.plain(name)}, which is already the name of #{owner}#{advice}"
        @faults << Fault.new(program.source, node.offset, "a unique name in Ruby", found, node.name, program.chain)
      end
    end
  end
end
