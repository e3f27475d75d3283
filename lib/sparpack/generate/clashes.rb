# frozen_string_literal: true

module Sparpack
  module Generate
    # Finds names that cannot be written as Ruby constants: two that would be the same, keywords, and classes of Ruby that
    # a definition would reopen.
    #
    # @api private
    class Clashes
      # Constants that exist whenever the thrift gem is loaded.
      TOP = IDL::RubyNames::TOP - %w[Bignum Bundler Fixnum Matrix MonitorMixin OpenStruct Ripper Sparpack Tempfile Vector]
      private_constant :TOP

      # @param programs [Array<IDL::Program>]
      # @param enum [Array<String>] the constants of an enum that are no values
      # @param services [Boolean] whether classes are written for services, too
      def initialize(programs, enum: %w[VALID_VALUES VALUE_MAP], services: true)
        @programs = programs
        @enum = enum
        @services = services
        @taken = {}
      end

      # @return [void]
      # @raise [ArgumentError] if there is such a name
      def check
        @programs.each { |program| namespaces(program) }
        @programs.each do |program|
          written(program).each do |found|
            definition(program, found)
            enum(program, found) if found.is_a?(IDL::Model::Enum)
            functions(program, found) if found.is_a?(IDL::Model::Service)
          end
        end
      end

      private

      def written(program)
        program.definitions.reject do |found|
          found.is_a?(IDL::Model::Typedef) || (found.is_a?(IDL::Model::Service) && !@services)
        end
      end

      def namespaces(program)
        modules = Apache.modules(program)
        modules.each { |name| keyword(program, "the namespace #{Quote.value(program.namespace("rb"))}", name) }
        top(program, "the namespace #{Quote.value(program.namespace("rb"))}", modules.first) unless modules.empty?
        (1..modules.size).each { |size| @taken["::#{modules.first(size).join("::")}"] ||= "a namespace" }
      end

      def definition(program, found)
        name = Apache.constant(found)
        keyword(program, Quote.value(found.name), Apache.capitalized(found.name))
        top(program, Quote.value(found.name), Apache.capitalized(found.name)) if Apache.modules(program).empty?
        taken(program, found, name, @taken)
      end

      def taken(program, found, name, known)
        fault(program, "#{Quote.value(found.name)} would be the constant #{name}, like #{known[name]}") if known[name]

        known[name] = Quote.value(found.name)
      end

      def enum(program, found)
        known = @enum.to_h { |name| [name, "a constant that every enum has"] }
        found.enum_values.each do |value|
          taken(program, value, Apache.capitalized(value.name), known)
        end
      end

      def functions(program, found)
        found.functions.each_with_object({}) do |function, known|
          taken(program, function, "#{Apache.capitalized(function.name)}_args", known)
        end
      end

      def keyword(program, what, name)
        fault(program, "#{what} would be #{name}, which is a keyword of Ruby") if IDL::RubyGrammar::CONSTANT_KEYWORDS.include?(name)
      end

      def top(program, what, name)
        return unless TOP.include?(name)

        fault(program, "#{what} would be ::#{name}, which Ruby itself defines (add a namespace)")
      end

      def fault(program, message) = raise(ArgumentError, "#{Quote.path(program.path)}: #{message}")
    end
  end
end
