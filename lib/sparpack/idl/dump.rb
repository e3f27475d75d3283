# frozen_string_literal: true

module Sparpack
  module IDL
    # Writes classes as .thrift texts: the inverse of {IDL.load}.
    #
    # - {Reach} finds everything that the classes refer to. {Places} finds where it is in Ruby, and {Typedefs} finds the
    #   names of types.
    # - {Graph} connects the {Definition}s, and {Files} distributes them over files that include one another.
    # - {Writer} writes the files, and {Literal} writes the defaults.
    #
    # The texts are then read and linked again. This finds everything that IDL cannot express.
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

      # @param roots [Array<Module>] structs, unions, exceptions, enums, services, or modules that contain them
      # @param names [Symbol] `:idl` or `:ruby`, the style of names with which the texts will be loaded
      # @raise [SchemaError] if a class refers to one that does not exist, or has no name
      # @raise [ArgumentError] if there are no roots, if one is something else, or if the style of names is unknown
      def initialize(roots, names: :idl)
        @names = RubyNames.new(names)
        reach = Reach.new(roots)
        @graph = Graph.new(reach, @names)
        @definitions = @graph.definitions
        only = @graph.of(reach.roots.first) if reach.roots.size == 1
        only = nil unless only&.home&.empty?
        @files = Files.new(@definitions, only, @names).list
      end

      # @return [Hash{String => String}] the texts by path. They are in UTF-8, except for binary defaults that are not.
      # @raise [SchemaError] if IDL cannot express something
      def files
        texts = @files.to_h { |file| [file.path, IDL.format(writer(file).text, file.path)] }
        check(texts)
        texts
      rescue Error => e
        raise SchemaError, "IDL cannot express this: #{e.message}"
      end

      # @param object [Module] one of the roots
      # @return [String] the text of its definition
      # @raise [SchemaError] if IDL cannot express something
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
