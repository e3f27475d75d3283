# frozen_string_literal: true

module Sparpack
  module Generate
    # Checks every name that becomes source code, or the path of a file, against Ruby's grammar. It runs before anything is
    # written, for all styles, and does not rely on what the parser accepts as a name. A namespace, for example, may be any
    # text in quotes.
    #
    # @api private
    class NameCheck
      Grammar = IDL::RubyGrammar
      NAMESPACE = "a namespace of names of constants, with dots between them"
      private_constant :Grammar, :NAMESPACE

      # @param names [IDL::RubyNames, nil] the style of names; nil for names as Apache's generator makes them
      # @param ascii [Boolean] whether only ASCII is allowed, because RBS has no other names
      def initialize(names, ascii: false)
        @names = names
        @ascii = ascii
        @faults = []
      end

      # @param programs [Array<IDL::Program>]
      # @return [void]
      # @raise [IDL::Error] if there are names that cannot be written as Ruby, with a fault for each
      def check(programs)
        programs.each do |program|
          namespace(program)
          program.definitions.each { |definition| definition(program, definition) }
        end
        IDL::Error.check(@faults)
      end

      private

      def namespace(program)
        return if @names ? modules?(@names.namespace(program)) : Apache.parts(program).all? { |part| part?(part) }

        header = program.namespace_node("rb")
        return fault(program, header, NAMESPACE, header.name) if header

        raise ArgumentError, "#{Quote.path(program.path)}: expected a file whose name can be that of a module"
      end

      def definition(program, found)
        path(program, found)
        case found
        when IDL::Model::Enum then found.enum_values.each { |value| constant(program, value) }
        when IDL::Model::Record then members(program, found.fields)
        when IDL::Model::Service
          members(program, found.functions)
          found.functions.each { |function| members(program, function.arguments + function.throws) }
        end
      end

      def path(program, found)
        name = @names ? @names.constant(found) : Apache.capitalized(found.name)
        fine = @names ? Grammar.path?(name) : Grammar.constant?(name)
        wrong(program, found, "the name of a constant", name) unless fine && allowed?(name)
      end

      def constant(program, value)
        name = @names ? @names.value(value) : Apache.capitalized(value.name)
        wrong(program, value, "the name of a constant", name) unless allowed?(name) && Grammar.constant?(name)
      end

      def members(program, parts)
        parts.each do |part|
          name = @names ? @names.member(part).name : part.name
          wrong(program, part, "a name of letters, digits and _", name) unless allowed?(name) && Grammar.member?(name)
        end
      end

      def modules?(names) = names.all? { |name| allowed?(name) && Grammar.module?(name) }

      # A part is the name of a folder, too. {Clashes} reports keywords.
      def part?(name) = Grammar.member?(name) && Grammar.constant?(Apache.capitalized(name))

      def allowed?(name) = !@ascii || name.ascii_only?

      def wrong(program, found, expected, name)
        expected = "#{expected} in ASCII, because RBS has no others" if @ascii
        fault(program, found.node, expected, name)
      end

      def fault(program, node, expected, name)
        @faults << IDL::Fault.new(program.source, node.offset, expected, Quote.value(name), name, program.chain)
      end
    end
  end
end
