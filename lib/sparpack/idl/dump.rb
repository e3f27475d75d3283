# frozen_string_literal: true

module Sparpack
  module IDL
    # Classes as .thrift texts: the inverse of {IDL.load}.
    #
    # - {Reach} finds what the classes name, {Places} says where each is, {Typedefs} by which names types are called,
    # - {Graph} connects the {Definition}s, {Files} spreads them over files that can include one another,
    # - {Writer} writes them, {Literal} their defaults.
    #
    # What was written is read and linked again: so what IDL cannot say is told at once.
    #
    # @api private
    class Dump
      autoload :Definition, "sparpack/idl/dump/definition"
      autoload :Files, "sparpack/idl/dump/files"
      autoload :Graph, "sparpack/idl/dump/graph"
      autoload :Literal, "sparpack/idl/dump/literal"
      autoload :Places, "sparpack/idl/dump/places"
      autoload :Reach, "sparpack/idl/dump/reach"
      autoload :Typedefs, "sparpack/idl/dump/typedefs"
      autoload :Writer, "sparpack/idl/dump/writer"

      # Files in memory, for the {Loader}.
      Memory = ::Struct.new(:texts) do
        def file?(path) = texts.key?(path)
        def read(path) = texts.fetch(path)
        def identity(path) = path
      end
      private_constant :Memory

      # @param roots [Array<Module>] structs, unions, exceptions, enums, services, or modules of these
      # @param names [Symbol] `:idl` or `:ruby`: the names by which the texts will be loaded
      # @raise [SchemaError] if they name what does not exist, or have no names
      # @raise [ArgumentError] if there are none, if something else is given, or for an unknown style of names
      def initialize(roots, names: :idl)
        @names = RubyNames.new(names)
        reach = Reach.new(roots)
        @graph = Graph.new(reach, @names)
        @definitions = @graph.definitions
        only = @graph.of(reach.roots.first) if reach.roots.size == 1
        only = nil unless only&.home&.empty?
        @files = Files.new(@definitions, only, @names).list
      end

      # @return [Hash{String => String}] texts by path, in UTF-8 unless a binary default is not
      # @raise [SchemaError] if something cannot be said in IDL
      def files
        texts = @files.to_h { |file| [file.path, IDL.format(writer(file).text, file.path)] }
        check(texts)
        texts
      rescue Error => e
        raise SchemaError, "IDL cannot say this: #{e.message}"
      end

      # @param object [Module] one of the roots
      # @return [String] its definition
      # @raise [SchemaError] if something cannot be said in IDL
      def definition(object)
        files
        found = @graph.of(Reach.owner(object))
        IDL.format(writer(found.file).definition(found))
      end

      private

      def writer(file) = Writer.new(file, @graph, @names)

      def check(texts)
        programs = Loader.new(files: Memory.new(texts)).run(texts.keys)
        Linker.new(Order.of(programs, &:includes).first, allow_neg_keys: true).run
        Collisions.new(@names).check(programs)
      end
    end
  end
end
