# frozen_string_literal: true

module Sparpack
  module IDL
    # What the things of an IDL are called in Ruby.
    #
    # - `:idl`: as Apache's generator names them: as they are, constants with a capital.
    # - `:ruby`: as Ruby programmers do: types in CamelCase, fields and functions in snake_case, constants and enums' values
    #   in SCREAMING_SNAKE_CASE.
    #
    # @api private
    class RubyNames
      # The ways to name things.
      STYLES = %i[idl ruby].freeze

      # The annotation that says what something is called in Ruby, whatever the style: `Order::Item` seen from the
      # namespace, `::Billing::Invoice` from the top; of a field, a function or an enum's value just its name. {Dump} writes
      # it where the name in the IDL cannot tell.
      ANNOTATION = "sparpack.ruby"

      # The namespace of what is defined outside of all modules.
      TOP_LEVEL = "Object"

      # What the annotation may say.
      CONSTANT = /\A[[:upper:]][[:alnum:]_]*\z/
      PATH = /\A(::)?[[:upper:]][[:alnum:]_]*(::[[:upper:]][[:alnum:]_]*)*\z/

      # No names of constants: they begin and end programs.
      TAKEN = %w[BEGIN END].freeze

      # No names of modules at the top level: what Ruby has there, the classes of its standard library, and this gem. The
      # list is the same for each version of Ruby, as generated code is.
      TOP = %w[
        ARGF ArgumentError ARGV Array BasicObject Bignum Binding Bundler Class ClosedQueueError Comparable
        Complex ConditionVariable Data Date DateTime DidYouMean Dir Encoding EncodingError Enumerable
        Enumerator ENV EOFError Errno ErrorHighlight Exception FalseClass Fiber FiberError File FileTest
        Fixnum Float FloatDomainError FrozenError GC Gem Hash IndexError Integer Interrupt IO IOError Kernel
        KeyError LoadError LocalJumpError Logger Marshal MatchData Math Matrix Method Module Monitor
        MonitorMixin Mutex NameError NilClass NoMatchingPatternError NoMatchingPatternKeyError NoMemoryError
        NoMethodError NotImplementedError Numeric Object ObjectSpace OpenStruct Pathname Proc Process Queue
        Ractor Random Range RangeError Rational RbConfig Refinement Regexp RegexpError Ripper Ruby RubyVM
        RuntimeError ScriptError SecurityError Set Signal SignalException SizedQueue Socket Sparpack
        StandardError STDERR STDIN STDOUT StopIteration String StringIO StringScanner Struct Symbol
        SyntaxError SyntaxSuggest SystemCallError SystemExit SystemStackError Tempfile Thread ThreadError
        ThreadGroup Time TracePoint TrueClass TypeError UnboundMethod UncaughtThrowError UnicodeNormalize
        Vector Warning ZeroDivisionError
      ].freeze
      private_constant :TAKEN, :TOP

      # @return [Symbol] one of {STYLES}
      attr_reader :style

      # @param style [Symbol] one of {STYLES}
      # @raise [ArgumentError] for another
      def initialize(style = :idl)
        raise ArgumentError, "unknown names #{Quote.value(style)}#{Names.hint(style, STYLES)}" unless STYLES.include?(style)

        @style = style
        @namespaces = {}.compare_by_identity
      end

      # @param node [AST::Typedef, AST::EnumValue, Object] whatever has annotations
      # @return [String, nil] what it is called in Ruby, if the IDL says so
      def self.given(node) = node.annotations.find { |annotation| annotation.name == ANNOTATION }&.value

      # @param node [Object] as {.given} takes it
      # @return [String, nil] what the annotation should be, where it is not
      def self.expected(node)
        given = given(node) or return
        case node
        when AST::EnumValue then "the name of a constant" unless given.match?(CONSTANT)
        when AST::Field, AST::Function then "a name of letters, digits and _" unless Names.member?(given.to_sym)
        else "the name of a constant, as in A::B" unless given.match?(PATH) && !given.split("::").intersect?(TAKEN)
        end
      end

      # @param program [Program]
      # @return [Array<String>] the modules that its definitions are in: those of its namespace for rb, else the file's name
      def namespace(program) = @namespaces[program] ||= modules(program.namespace("rb")) || [top(camel(program.name))]

      # @param namespace [String, nil] as IDL has it
      # @return [Array<String>, nil] the modules that it names; nil if it names none
      def modules(namespace)
        return [] if namespace == TOP_LEVEL

        first, *others = namespace&.split(/\.|::/)&.map { |part| part.gsub(/\W/, "_") }&.reject(&:empty?)
        [top(type_name(first)), *others.map { |name| free(type_name(name)) }] if first
      end

      # @param definition [Model::Typedef, Model::Enum, Model::Record, Model::Const, Model::Service]
      # @return [String] a constant, or a path of constants, seen from the namespace or, with `::` before it, from the top
      def constant(definition)
        RubyNames.given(definition.node) ||
          free(definition.is_a?(Model::Const) ? value_name(definition.name) : type_name(definition.name))
      end

      # @param value [Model::EnumValue]
      # @return [String] a constant
      def value(value) = RubyNames.given(value.node) || value_name(value.name)

      # @param named [Model::Field, Model::Function]
      # @return [Symbol] of a field, an argument or a function
      def member(named) = (RubyNames.given(named.node) || member_name(named.name)).to_sym

      # @param definition [Object] as {#constant} takes it
      # @return [String] with the modules around it
      def qualified(definition)
        constant = constant(definition)
        return constant.delete_prefix("::") if constant.start_with?("::")

        [*namespace(definition.program), constant].join("::")
      end

      # @param name [String] of a type or a service in the IDL
      # @return [String] a constant
      def type_name(name) = style == :ruby ? camel(name) : Names.constant(name)

      # @param name [String] of a constant or an enum's value in the IDL
      # @return [String] a constant
      def value_name(name) = Names.constant(style == :ruby ? snake(name).upcase : name)

      # @param name [String] of a field or a function in the IDL
      # @return [String]
      def member_name(name) = style == :ruby ? snake(name) : name

      # @param name [String] of a constant
      # @return [String] the same, or another one where that is Ruby's
      def free(name) = TAKEN.include?(name) ? "#{name}_" : name

      # @param name [String]
      # @return [String] `http_status` of `HTTPStatus`
      def snake(name)
        name.gsub(/([A-Z]+)([A-Z][a-z])/, '\1_\2').gsub(/([a-z\d])([A-Z])/, '\1_\2').tr("-", "_").downcase
      end

      # @param name [String]
      # @return [String] `HTTPStatus` of `HTTP_status`, `ListView` of `LIST_VIEW`
      def camel(name)
        name = name.downcase if name.match?(/\A[A-Z\d]+(_[A-Z\d]+)+\z/)
        Names.constant(name.split(/[^A-Za-z0-9]+/).reject(&:empty?).map { |part| part[0].upcase + part[1..] }.join)
      end

      private

      def top(name) = TOP.include?(name) ? "#{name}_" : free(name)
    end

    # Names that are one in Ruby though they are two in an IDL, or that something else has.
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
      # @raise [Error] with all of them
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
      end

      # A module's name is no class's.
      def namespaces(programs)
        programs.flat_map { |program| (1..@names.namespace(program).size).map { |n| [program, n] } }.to_h do |program, n|
          [@names.namespace(program).first(n).join("::"), program]
        end
      end

      def described(other)
        return "that of a namespace (#{Quote.path(other.path)})" if other.is_a?(Program)

        source = other.program.source
        "that of #{Quote.value(other.name)} (#{Quote.path(source.path)}:#{source.line(other.node.offset)})"
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
                "that of #{Quote.value(found.inherited.name)} of #{Quote.plain(found.owner.name)}")
        end
      end

      # Readers are told apart, and they and the fields.
      def check_fields(program, fields, kind)
        unique(program, fields) { |field| Names.reader(@names.member(field), exception: kind == :exception).name }
      end

      def unique(program, parts, &)
        parts.group_by(&).each do |name, same|
          same.drop(1).each { |part| fault(program, part.node, name, "that of #{Quote.value(same.first.name)}") }
        end
      end

      def fault(program, node, name, found)
        advice = " (names as in the IDL, :idl, keep more apart)" if @names.style == :ruby
        found = "#{Quote.plain(name)}, #{found} already#{advice}"
        @faults << Fault.new(program.source, node.offset, "a name of its own in Ruby", found, node.name, program.chain)
      end
    end
  end
end
