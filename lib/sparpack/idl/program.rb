# frozen_string_literal: true

module Sparpack
  module IDL
    # A .thrift file and what it includes, with all names looked up.
    #
    # @example
    #   program = Sparpack::IDL.link("listing.thrift", include: ["idl"])
    #   program.records.map(&:name) # => ["Neighborhood", "Listing"]
    class Program
      # What a language is called, too.
      ALIASES = { "rb" => "ruby" }.freeze
      private_constant :ALIASES

      # @return [AST::Document]
      attr_reader :document

      # @return [Array<Program>] those that the file names, in order
      attr_reader :includes

      # @return [Array<String>] `file:line` of the includes that led here, the nearest first; of many, the first
      attr_reader :chain

      # @return [Array<Object>] all that it declares, in order: {Model::Typedef}, {Model::Enum}, {Model::Record},
      #   {Model::Const}, {Model::Service}
      attr_reader :definitions

      # @param path [String]
      # @return [String] of the file, without folder and suffix: what others write before a dot
      # @api private
      def self.name_of(path) = File.basename(path).scrub("_").sub(/(?<=.)\.thrift\z/, "")

      # @param document [AST::Document]
      # @param chain [Array<String>]
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

      # @return [Source]
      def source = document.source

      # @return [String] as it was named
      def path = source.path

      # @return [String] of the file, without folder and suffix
      def name = Program.name_of(path)

      # @return [String, nil] the doc comment of the whole
      def doc = document.doc

      # @param scope [String] a language: `rb` is Ruby's name in IDL, `ruby` is read as the same where `rb` is not given
      # @return [String, nil] the namespace for it, else that for all
      def namespace(scope) = [scope, ALIASES[scope], "*"].compact.filter_map { |name| namespace_header(name) }.first&.name

      # @param scope [String] a language or `*`
      # @return [AST::Namespace, nil] the last one for just this
      # @api private
      def namespace_header(scope) = @namespaces[scope]

      # @return [Array<Model::Typedef>]
      def typedefs = definitions.grep(Model::Typedef)

      # @return [Array<Model::Enum>]
      def enums = definitions.grep(Model::Enum)

      # @return [Array<Model::Record>] structs, unions and exceptions
      def records = definitions.grep(Model::Record)

      # @return [Array<Model::Const>]
      def constants = definitions.grep(Model::Const)

      # @return [Array<Model::Service>]
      def services = definitions.grep(Model::Service)

      # Programs that this one includes, and those that they do; this one is the last. A cycle ends where it began.
      #
      # @return [Array<Program>] each once, what is included before what includes it where there is no cycle
      def all = Order.of([self], &:includes).first

      # @param name [String] `Point` or `shared.Point`
      # @return [Model::Typedef, Model::Enum, Model::Record, nil]
      def type(name) = look_up(name) { |program, own| program.own_type(own) }

      # @param name [String] as for {#type}
      # @return [Model::Const, nil]
      def constant(name) = look_up(name) { |program, own| program.own_constant(own) }

      # @param name [String] as for {#type}
      # @return [Model::Service, nil]
      def service(name) = look_up(name) { |program, own| program.own_service(own) }

      # @return [Array<String>] all that may be written where a type is wanted
      def type_names = names(:own_types)

      # @return [Array<String>] the same for constants
      def constant_names = names(:own_constants)

      # @return [Array<String>] the same for services
      def service_names = names(:own_services)

      # @param name [String] `shared.Point`
      # @return [Array<Program>] the included files that declare it, where several have the name before the dot
      # @api private
      def rivals(name)
        prefix, _, own = name.rpartition(".")
        @included_as.fetch(prefix, []).size > 1 ? declaring(prefix, own) : []
      end

      # @param name [String] of a file, as names begin with it
      # @return [Boolean] whether it is that of this file, or of one that it includes
      # @api private
      def file?(name) = name == self.name || @included_as.key?(name)

      # @param program [Program] which the file includes
      # @param name [String] by which it does, without suffix: links may give a file several names
      # @return [void]
      # @api private
      def add_include(program, name)
        @includes << program unless @included[program]
        @included[program] = true
        (@included_as[name] ||= {}.compare_by_identity)[program] = true
      end

      # @param definition [Object]
      # @return [Object, nil] what had its name before
      # @api private
      def declare(definition)
        @definitions << definition
        table, rival = tables(definition)
        taken = table[definition.name] || rival[definition.name]
        table[definition.name] ||= definition
        taken
      end

      # @return [self] with all that it holds
      def freeze
        @included_as.each { |name, programs| declared_by(name) if programs.size > 1 }
        [@namespaces, @includes, @included, @included_as, *@included_as.values, @declaring, *@declaring.values, @definitions,
         @types, @constants, @services, @chain].each(&:freeze)
        super
      end

      # @return [String]
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

      # Types and services share their names; constants are apart.
      def tables(definition)
        case definition
        when Model::Const then [@constants, {}]
        when Model::Service then [@services, @types]
        else [@types, @services]
        end
      end

      def look_up(name)
        prefix, dot, own = name.rpartition(".")
        return yield(self, name) if dot.empty?

        declaring(prefix, own).each do |program|
          found = yield(program, own)
          return found if found
        end
        nil
      end

      # The included files that may be meant by what stands before a dot, for what stands after it.
      def declaring(prefix, own)
        programs = @included_as.fetch(prefix, {})
        programs.size > 1 ? declared_by(prefix).fetch(own, []) : programs.keys
      end

      # Which files of one name declare what. Nothing is looked up before all is declared.
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
