# frozen_string_literal: true

module Sparpack
  # Reads Thrift's interface definition language (IDL) in Ruby. It also defines classes from .thrift files, formats them and
  # writes them.
  module IDL
    autoload :AST, "sparpack/idl/ast"
    autoload :Breaking, "sparpack/idl/breaking"
    autoload :Collisions, "sparpack/idl/linking/collisions"
    autoload :Constants, "sparpack/idl/syntax/constants"
    autoload :Defaults, "sparpack/idl/defaults"
    autoload :Components, "sparpack/idl/components"
    autoload :Definer, "sparpack/idl/ruby/definer"
    autoload :Doc, "sparpack/idl/syntax/doc"
    autoload :Dump, "sparpack/idl/dump"
    autoload :Error, "sparpack/idl/error"
    autoload :Fault, "sparpack/idl/fault"
    autoload :Footprint, "sparpack/idl/linking/footprint"
    autoload :Formatter, "sparpack/idl/formatter"
    autoload :Inheritance, "sparpack/idl/linking/inheritance"
    autoload :Lexer, "sparpack/idl/syntax/lexer"
    autoload :Linker, "sparpack/idl/linking/linker"
    autoload :Loader, "sparpack/idl/files/loader"
    autoload :Model, "sparpack/idl/model"
    autoload :Order, "sparpack/idl/order"
    autoload :Parser, "sparpack/idl/syntax/parser"
    autoload :Paths, "sparpack/idl/files/paths"
    autoload :Program, "sparpack/idl/program"
    autoload :Revision, "sparpack/idl/files/revision"
    autoload :RubyGrammar, "sparpack/idl/ruby/ruby_grammar"
    autoload :RubyNames, "sparpack/idl/ruby/ruby_names"
    autoload :RubyTypes, "sparpack/idl/ruby/ruby_types"
    autoload :Source, "sparpack/idl/source"
    autoload :Taken, "sparpack/idl/ruby/taken"
    autoload :Tokens, "sparpack/idl/syntax/tokens"
    autoload :TypeLinks, "sparpack/idl/linking/type_links"
    autoload :Types, "sparpack/idl/syntax/types"
    autoload :Unloader, "sparpack/idl/ruby/unloader"
    autoload :Unreadable, "sparpack/idl/files/unreadable"
    autoload :Values, "sparpack/idl/linking/values"

    # Parses a .thrift text. It does not resolve names and does not read included files: {link} does.
    #
    # @param text [String] the IDL
    # @param path [String] the path that error messages show
    # @return [AST::Document] the syntax tree
    # @raise [Error] if the text is not valid, with all faults that were found
    # @raise [TypeError] if the text is not a String
    # @raise [EncodingError] if the text cannot be converted to UTF-8
    # @example
    #   Sparpack::IDL.parse("struct Point { 1: i32 x }").definitions.first.name # => "Point"
    def self.parse(text, path = "(text)") = Parser.new(Source.new(text, path)).run

    # Formats a .thrift text in the layout that {Formatter} describes. All comments stay.
    #
    # @param text [String] the IDL
    # @param path [String] the path that error messages show
    # @return [String] the formatted text, in UTF-8
    # @raise [Error] if the text is not valid, with all faults that were found
    # @raise [TypeError] if the text is not a String
    # @raise [EncodingError] if the text cannot be converted to UTF-8
    # @example
    #   Sparpack::IDL.format("struct Point{1:i32 x}") # => "struct Point {\n  1: i32 x,\n}\n"
    def self.format(text, path = "(text)") = Formatter.new(Source.new(text, path)).run

    # Reads a .thrift file and everything that it includes. It resolves all names and checks their meaning, but defines no
    # classes: {load} does.
    #
    # @param path [String] the path of the file
    # @param include [Array<String>] folders to search for included files, after the folder of the including file
    # @param allow_neg_keys [Boolean] whether to accept field ids of 0 and below, which some old files have
    # @yieldparam warning [String] something valid that is probably a mistake, with its place
    # @return [Program] the declarations of the file
    # @raise [Error] if a file is not valid or an included file cannot be read, with all faults of all files
    # @raise [SystemCallError] if the file does not exist (Errno::ENOENT), is a folder, or cannot be read
    # @raise [ArgumentError] if an option is unknown
    # @example
    #   program = Sparpack::IDL.link("listing.thrift", include: ["idl"])
    #   program.records.map(&:name) # => ["Neighborhood", "Listing"]
    def self.link(path, include: [], allow_neg_keys: false, **unknown)
      Options.refuse(unknown, method(:link)) unless unknown.empty?
      program, = Loader.new(include:).run([path])
      linker = Linker.new(program.all, allow_neg_keys:).run
      linker.warnings.each { |warning| yield warning.message } if block_given?
      program
    end

    # Defines the classes of a .thrift file and of everything that it includes. It defines structs, unions, exceptions,
    # enums, typedefs (as {Type}s), constants, and services (as {Service}s). They are in the modules of the namespace for
    # `rb` or `*`. A file without such a namespace has a module named after the file. Loading a file again returns the same
    # module. It defines classes again only if their constants were removed.
    #
    # @param path [String] the path of the file
    # @param include [Array<String>] folders to search for included files, after the folder of the including file
    # @param into [Module] the module in which to define the namespaces
    # @param names [Symbol] `:idl` keeps the names of the IDL, except that constants begin with a capital. `:ruby` makes
    #   types CamelCase, fields and functions snake_case, and constants SCREAMING_SNAKE_CASE.
    # @param allow_neg_keys [Boolean] whether to accept field ids of 0 and below, which some old files have
    # @yieldparam warning [String] something valid that is probably a mistake, with its place
    # @return [Module] the module with the definitions of the file itself
    # @raise [Error] if a file is not valid, if an included file cannot be read, or if two names of the IDL are the same in
    #   Ruby, with all faults of all files
    # @raise [SchemaError] if a constant exists already, if a file has changed since it was loaded, or if this is not the
    #   main Ractor
    # @raise [TypeError] if `into` is not a Module
    # @raise [SystemCallError] if the file does not exist (Errno::ENOENT), is a folder, or cannot be read
    # @raise [ArgumentError] if an option or the style of names is unknown
    # @example
    #   Sparpack::IDL.load("listing.thrift", include: ["idl"]) { |warning| logger.warn(warning) }
    #   Listings::Listing.new(listing_id: 1).encode
    def self.load(path, include: [], into: Object, names: :idl, allow_neg_keys: false, **unknown, &warn)
      Options.refuse(unknown, method(:load)) unless unknown.empty?
      names = RubyNames.new(names)
      program = link(path, include:, allow_neg_keys:, &warn)
      define(program, names, into).namespace(program)
    end

    # Makes the modules and classes that a file declares, and those of the files that it includes, as {load} does.
    #
    # @param program [Program] the file
    # @param names [RubyNames]
    # @param into [Module] the module in which to define the namespaces
    # @return [Definer] which knows what was defined
    # @raise [Error] if two names of the IDL are the same in Ruby
    # @raise [TypeError] if `into` is not a Module
    # @raise [SchemaError] as {load}
    # @api private
    def self.define(program, names, into)
      Collisions.new(names).check(program.all)
      Definer.new(names, into).tap { |definer| definer.run(program.all) }
    end

    # Removes the constants that {load} has defined for a file, so that it can be loaded again after a change. Other
    # constants of its namespace stay, and so do those of the files that it includes. Objects of the removed classes stay as
    # they are.
    #
    # @param path [String] the path of the file, which may be gone by now
    # @param into [Module] as for {load}
    # @return [Array<String>] the names of the removed constants; empty if the file was not loaded
    # @raise [TypeError] if `into` is not a Module
    # @raise [SchemaError] if this is not the main Ractor
    # @raise [ArgumentError] if an option is unknown
    # @example
    #   contracts = Module.new
    #   Sparpack::IDL.load("listing.thrift", into: contracts)
    #   Sparpack::IDL.unload("listing.thrift", into: contracts).size # => 2
    def self.unload(path, into: Object, **unknown)
      Options.refuse(unknown, method(:unload)) unless unknown.empty?
      Unloader.new(into).run(path)
    end

    # Writes the texts of .thrift files for classes and everything that they refer to. The classes may be declared by hand,
    # by {load} or by generated code. Loading the files gives classes with the same schemas. Each namespace has its own file.
    # Nothing is written to the disk.
    #
    # @param classes [Array<Module>] structs, unions, exceptions, enums and services, or modules that contain them
    # @param names [Symbol] `:idl` or `:ruby`, the style of names with which the files will be loaded. If the name in the IDL
    #   does not lead to the name in Ruby, the annotation `sparpack.ruby` gives the latter.
    # @return [Hash{String => String}] the texts by path; the same classes always give the same texts
    # @raise [SchemaError] if IDL cannot express something, for example a class without a name, a name that is not ASCII, or
    #   a default that is NaN
    # @raise [ArgumentError] if no classes are given, if an argument is something else, or if an option is unknown
    # @example
    #   Sparpack::IDL.dump(Shop::Order)
    #   # => { "shop.thrift" => "namespace rb Shop\n\nstruct Order {\n  1: required i64 id,\n}\n" }
    def self.dump(*classes, names: :idl, **unknown)
      Options.refuse(unknown, method(:dump)) unless unknown.empty?
      Dump.new(classes, names:).files
    end
  end
end
