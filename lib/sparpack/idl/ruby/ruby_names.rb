# frozen_string_literal: true

module Sparpack
  module IDL
    # Turns the names of an IDL into names in Ruby. There are two styles:
    #
    # - `:idl` does what Apache's generator does: it keeps the names, except that constants begin with a capital.
    # - `:ruby` follows the conventions of Ruby: types are CamelCase, fields and functions snake_case, constants and enum
    #   values SCREAMING_SNAKE_CASE.
    #
    # @api private
    class RubyNames
      # The styles of names.
      STYLES = %i[idl ruby].freeze

      # The annotation that gives the name in Ruby, in any style. A path such as `Order::Item` starts at the namespace,
      # `::Billing::Invoice` at the top level. For a field, a function or an enum value it is just a name. {Dump} writes the
      # annotation if the name in the IDL does not lead to the name in Ruby.
      ANNOTATION = "sparpack.ruby"

      # The namespace that stands for the top level.
      TOP_LEVEL = "Object"

      # Constants of Ruby, its standard library and this gem. No module at the top level gets such a name. The list does not
      # depend on the version of Ruby, so generated code does not either.
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

      # @return [Symbol] one of {STYLES}
      attr_reader :style

      # @param style [Symbol] one of {STYLES}
      # @raise [ArgumentError] if the style is unknown
      def initialize(style = :idl)
        unless STYLES.include?(style)
          raise ArgumentError, "unknown style of names #{Quote.value(style)}#{Names.hint(style, STYLES)}"
        end

        @style = style
        @namespaces = {}.compare_by_identity
        @qualified = {}.compare_by_identity
        @members = {}.compare_by_identity
      end

      # @param node [AST::Typedef, AST::EnumValue, Object] a node with annotations
      # @return [String, nil] the name in Ruby that its annotation gives
      def self.given(node)
        return if node.annotations.empty?

        node.annotations.find { |annotation| annotation.name == ANNOTATION }&.value
      end

      # @param node [Object] a node with annotations
      # @return [String, nil] the value that its annotation should have; nil if its value is right
      def self.expected(node)
        given = given(node) or return
        case node
        when AST::EnumValue then "the name of a constant" unless RubyGrammar.constant?(given)
        when AST::Field, AST::Function then "a name of letters, digits and _" unless RubyGrammar.member?(given)
        else "the name of a constant, such as A::B" unless RubyGrammar.path?(given)
        end
      end

      # @param program [Program]
      # @return [Array<String>] the names of the modules around its definitions, from its namespace for `rb` or else from the
      #   name of its file
      def namespace(program) = @namespaces[program] ||= modules(program.namespace("rb")) || [top(camel(program.name))]

      # @param namespace [String, nil] a namespace of an IDL
      # @return [Array<String>, nil] the names of its modules; nil if it has none
      def modules(namespace)
        return [] if namespace == TOP_LEVEL

        first, *others = namespace&.split(/\.|::/)&.map { |part| part.gsub(/\W/, "_") }&.reject(&:empty?)
        [top(type_name(first)), *others.map { |name| free(type_name(name)) }] if first
      end

      # @param definition [Model::Typedef, Model::Enum, Model::Record, Model::Const, Model::Service]
      # @return [String] its constant, or a path of constants. It starts at the namespace, or at the top level if it begins
      #   with `::`.
      def constant(definition)
        RubyNames.given(definition.node) ||
          free(definition.is_a?(Model::Const) ? value_name(definition.name) : type_name(definition.name))
      end

      # @param value [Model::EnumValue]
      # @return [String] its constant
      def value(value) = RubyNames.given(value.node) || value_name(value.name)

      # @param named [Model::Field, Model::Function]
      # @return [Symbol] the name of the field, argument or function
      def member(named) = @members[named] ||= (RubyNames.given(named.node) || member_name(named.name)).to_sym

      # @param definition [Object] a definition, as for {#constant}
      # @return [String] its constant with the modules around it
      def qualified(definition) = @qualified[definition] ||= path(definition)

      # @param name [String] the name of a type or a service in the IDL
      # @return [String] the name of its constant
      def type_name(name) = style == :ruby ? camel(name) : Names.constant(name)

      # @param name [String] the name of a constant or an enum value in the IDL
      # @return [String] the name of its constant
      def value_name(name) = Names.constant(style == :ruby ? snake(name).upcase : name)

      # @param name [String] the name of a field or a function in the IDL
      # @return [String] its name in Ruby
      def member_name(name) = style == :ruby ? snake(name) : name

      # @param name [String] the name of a constant
      # @return [String] the name, with `_` appended if it is a keyword of Ruby
      def free(name) = RubyGrammar::CONSTANT_KEYWORDS.include?(name) ? "#{name}_" : name

      # @param name [String]
      # @return [String] the name in snake_case: `HTTPStatus` becomes `http_status`
      def snake(name)
        name.gsub(/([A-Z]+)([A-Z][a-z])/, '\1_\2').gsub(/([a-z\d])([A-Z])/, '\1_\2').tr("-", "_").downcase
      end

      # @param name [String]
      # @return [String] the name in CamelCase: `HTTP_status` becomes `HTTPStatus`, `LIST_VIEW` becomes `ListView`
      def camel(name)
        name = name.downcase if name.match?(/\A[A-Z\d]+(_[A-Z\d]+)+\z/)
        Names.constant(name.split(/[^A-Za-z0-9]+/).reject(&:empty?).map { |part| part[0].upcase + part[1..] }.join)
      end

      private

      def path(definition)
        constant = constant(definition)
        return constant.delete_prefix("::").freeze if constant.start_with?("::")

        [*namespace(definition.program), constant].join("::").freeze
      end

      def top(name) = TOP.include?(name) ? "#{name}_" : free(name)
    end
  end
end
