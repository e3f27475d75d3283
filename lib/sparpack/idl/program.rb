# frozen_string_literal: true

module Sparpack
  module IDL
    # A .thrift file with the files that it includes. After {IDL.link}, all names are resolved and the object is frozen.
    #
    # @example
    #   program = Sparpack::IDL.link("listing.thrift", include: ["idl"])
    #   program.records.map(&:name) # => ["Neighborhood", "Listing"]
    class Program
      # Other names of a language.
      ALIASES = { "rb" => "ruby" }.freeze
      NONE = [].freeze
      private_constant :ALIASES, :NONE

      # @return [AST::Document] the syntax tree of the file
      attr_reader :document

      # @return [Array<Program>] the files that this file includes itself, in order
      attr_reader :includes

      # @return [Array<String>] the includes that led to this file, each as `file:line`, the nearest first. A long chain is
      #   cut.
      attr_reader :chain

      # @return [Array<Model::Typedef, Model::Enum, Model::Record, Model::Const, Model::Service>] the definitions of this
      #   file, in order
      attr_reader :definitions

      # @param path [String]
      # @return [String] the name of the file without folder and suffix, which other files write before a dot
      # @api private
      def self.name_of(path) = File.basename(path).scrub("_").sub(/(?<=.)\.thrift\z/, "")

      # Makes a program from the syntax tree of a file. {Linker} resolves its names.
      #
      # @param document [AST::Document]
      # @param chain [Array<String>] the includes that led to the file, as {#chain} returns them
      def initialize(document, chain = [])
        @document = document
        @chain = chain
        @namespaces = document.headers.grep(AST::Namespace).to_h { |node| [node.scope, node] }
        @includes = []
        @included = {}.compare_by_identity
        @included_as = {}
        @declaring = {}
        @definitions = []
        @types = {}
        @constants = {}
        @services = {}
      end

      # @return [Source] the text of the file
      def source = document.source

      # @return [String] the path of the file, as it was given
      def path = source.path

      # @return [String] the name of the file without folder and suffix
      def name = Program.name_of(path)

      # @return [String, nil] the doc comment of the whole file
      def doc = document.doc

      # Returns the namespace for a language.
      #
      # @param scope [String] the language. For `rb`, a namespace for `ruby` counts if there is none for `rb`.
      # @return [String, nil] the namespace, or the one for all languages (`*`) if there is none for this language
      # @example
      #   Sparpack::IDL.link("listing.thrift").namespace("rb") # => "Listings"
      def namespace(scope) = namespace_node(scope)&.name

      # @param scope [String] as for {#namespace}
      # @return [AST::Namespace, nil] the namespace header that counts
      # @api private
      def namespace_node(scope) = [scope, ALIASES[scope], "*"].compact.filter_map { |name| namespace_header(name) }.first

      # @param scope [String] a language or `*`
      # @return [AST::Namespace, nil] the last namespace header for exactly this scope
      # @api private
      def namespace_header(scope) = @namespaces[scope]

      # @return [Array<Model::Typedef>] the typedefs of this file
      def typedefs = definitions.grep(Model::Typedef)

      # @return [Array<Model::Enum>] the enums of this file
      def enums = definitions.grep(Model::Enum)

      # @return [Array<Model::Record>] the structs, unions and exceptions of this file
      def records = definitions.grep(Model::Record)

      # @return [Array<Model::Const>] the constants of this file
      def constants = definitions.grep(Model::Const)

      # @return [Array<Model::Service>] the services of this file
      def services = definitions.grep(Model::Service)

      # Returns this program and all programs that it includes, directly or indirectly.
      #
      # @return [Array<Program>] each program once. This one is the last. Unless there is a cycle, each comes after those
      #   that it includes.
      def all = Order.of([self], &:includes).first

      # Finds a type by its name.
      #
      # @param name [String] a name as this file writes it: `Point`, or `shared.Point` for one of an included file
      # @return [Model::Typedef, Model::Enum, Model::Record, nil]
      # @example
      #   Sparpack::IDL.link("listing.thrift").type("Listing").fields.first.name # => "listing_id"
      def type(name) = look_up(name) { |program, own| program.own_type(own) }

      # Finds a constant by its name.
      #
      # @param name [String] a name as for {#type}
      # @return [Model::Const, nil]
      def constant(name) = look_up(name) { |program, own| program.own_constant(own) }

      # Finds a service by its name.
      #
      # @param name [String] a name as for {#type}
      # @return [Model::Service, nil]
      def service(name) = look_up(name) { |program, own| program.own_service(own) }

      # @return [Array<String>] the names of all types that this file can refer to
      def type_names = names(:own_types)

      # @return [Array<String>] the names of all constants that this file can refer to
      def constant_names = names(:own_constants)

      # @return [Array<String>] the names of all services that this file can refer to
      def service_names = names(:own_services)

      # @param name [String] a name with a dot, such as `shared.Point`
      # @return [Array<Program>] the included files that declare it, if several files have the name before the dot
      # @api private
      def rivals(name)
        return NONE unless name.include?(".")

        prefix, _, own = name.rpartition(".")
        @included_as.fetch(prefix, []).size > 1 ? declaring(prefix, own) : []
      end

      # @param name [String] the name of a file, without folder and suffix
      # @return [Boolean] whether it is the name of this file or of one that it includes
      # @api private
      def file?(name) = name == self.name || @included_as.key?(name)

      # @param program [Program] a program that this file includes
      # @param name [String] the name in the include, without folder and suffix. Links may give a file several names.
      # @return [void]
      # @api private
      def add_include(program, name)
        @includes << program unless @included[program]
        @included[program] = true
        (@included_as[name] ||= {}.compare_by_identity)[program] = true
      end

      # @param definition [Object]
      # @return [Object, nil] the definition that has the same name already
      # @api private
      def declare(definition)
        @definitions << definition
        table, rival = tables(definition)
        taken = table[definition.name] || rival[definition.name]
        table[definition.name] ||= definition
        taken
      end

      # Freezes the program and everything in it.
      #
      # @return [self]
      def freeze
        @included_as.each { |name, programs| declared_by(name) if programs.size > 1 }
        [@namespaces, @includes, @included, @included_as, *@included_as.values, @declaring, *@declaring.values, @definitions,
         @types, @constants, @services, @chain].each(&:freeze)
        super
      end

      # @return [String] a short text, without the definitions
      def inspect = "#<#{self.class} #{path}>"

      protected

      def own_names = @types.keys | @constants.keys | @services.keys
      def own_type(name) = @types[name]
      def own_constant(name) = @constants[name]
      def own_service(name) = @services[name]
      def own_types = @types.keys
      def own_constants = @constants.keys
      def own_services = @services.keys

      private

      # Types and services share one set of names. Constants have their own.
      def tables(definition)
        case definition
        when Model::Const then [@constants, {}]
        when Model::Service then [@services, @types]
        else [@types, @services]
        end
      end

      def look_up(name)
        return yield(self, name) unless name.include?(".")

        prefix, _, own = name.rpartition(".")
        declaring(prefix, own).each do |program|
          found = yield(program, own)
          return found if found
        end
        nil
      end

      # The included files that a name may refer to: `prefix` is the part before the dot, `own` the part after it.
      def declaring(prefix, own)
        programs = @included_as.fetch(prefix, {})
        programs.size > 1 ? declared_by(prefix).fetch(own, []) : programs.keys
      end

      # The files that declare a name, if several included files have the same `prefix`. All definitions are declared before
      # the first one is looked up.
      def declared_by(prefix)
        @declaring[prefix] ||= @included_as.fetch(prefix).each_key.with_object({}) do |program, found|
          program.own_names.each { |own| (found[own] ||= []) << program }
        end
      end

      def names(list)
        others = @included_as.flat_map do |name, programs|
          programs.keys.flat_map { |program| program.send(list) }.map { |own| "#{name}.#{own}" }
        end
        send(list) + others
      end
    end
  end
end
