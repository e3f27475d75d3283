# frozen_string_literal: true

module Sparpack
  # Thrift's interface definition language, read in Ruby.
  module IDL
    autoload :AST, "sparpack/idl/ast"
    autoload :Breaking, "sparpack/idl/breaking"
    autoload :Collisions, "sparpack/idl/ruby_names"
    autoload :Constants, "sparpack/idl/types"
    autoload :Defaults, "sparpack/idl/defaults"
    autoload :Components, "sparpack/idl/components"
    autoload :Definer, "sparpack/idl/definer"
    autoload :Doc, "sparpack/idl/tokens"
    autoload :Dump, "sparpack/idl/dump"
    autoload :Error, "sparpack/idl/error"
    autoload :Fault, "sparpack/idl/error"
    autoload :Formatter, "sparpack/idl/formatter"
    autoload :Inheritance, "sparpack/idl/inheritance"
    autoload :Lexer, "sparpack/idl/lexer"
    autoload :Linker, "sparpack/idl/linker"
    autoload :Loader, "sparpack/idl/loader"
    autoload :Model, "sparpack/idl/model"
    autoload :Order, "sparpack/idl/order"
    autoload :Parser, "sparpack/idl/parser"
    autoload :Program, "sparpack/idl/program"
    autoload :Revision, "sparpack/idl/revision"
    autoload :RubyNames, "sparpack/idl/ruby_names"
    autoload :RubyTypes, "sparpack/idl/definer"
    autoload :Source, "sparpack/idl/source"
    autoload :Tokens, "sparpack/idl/tokens"
    autoload :TypeLinks, "sparpack/idl/type_links"
    autoload :Types, "sparpack/idl/types"
    autoload :Unreadable, "sparpack/idl/unreadable"
    autoload :Values, "sparpack/idl/values"

    # @param text [String] IDL
    # @param path [String] how messages name it
    # @return [AST::Document] what it says; names are not looked up yet
    # @raise [Error] with all faults that were found
    # @example
    #   Sparpack::IDL.parse("struct Point { 1: i32 x }").definitions.first.name # => "Point"
    def self.parse(text, path = "(text)") = Parser.new(Source.new(text, path)).run

    # @param text [String] IDL
    # @param path [String] how messages name it
    # @return [String] the same in the one layout that {Formatter} describes, with all its comments, in UTF-8
    # @raise [Error] with all faults that were found
    # @example
    #   Sparpack::IDL.format("struct Point{1:i32 x}") # => "struct Point {\n  1: i32 x,\n}\n"
    def self.format(text, path = "(text)") = Formatter.new(Source.new(text, path)).run

    # Reads a file and all that it includes, looks all names up and checks what they mean.
    #
    # @param path [String]
    # @param include [Array<String>] folders that are searched for included files, after that of the file which includes
    # @param allow_neg_keys [Boolean] whether ids may be written that are not positive, as old files have them
    # @yieldparam warning [String] what works, but is hardly what was meant, with its place
    # @return [Program] what it declares
    # @raise [Error] with all faults of all files
    # @raise [SystemCallError] if the file is not there (Errno::ENOENT), is a folder, or cannot be read
    # @raise [ArgumentError] for an unknown option
    # @example
    #   Sparpack::IDL.link("listing.thrift", include: ["idl"]).records.map(&:name)
    def self.link(path, include: [], allow_neg_keys: false, **unknown)
      Options.refuse(unknown, method(:link)) unless unknown.empty?
      program, = Loader.new(include:).run([path])
      linker = Linker.new(program.all, allow_neg_keys:).run
      linker.warnings.each { |warning| yield warning.message } if block_given?
      program
    end

    # Defines what a file and its includes declare: structs, unions, exceptions, enums, typedefs (as {Type}s), constants and
    # services (as {Service}s), in the modules that their namespaces for `rb` or `*` name, or else in one named by the file.
    # Loading a file again answers the same classes, and defines those anew that were removed.
    #
    # @param path [String]
    # @param include [Array<String>] as {link}
    # @param into [Module] that the namespaces are in
    # @param names [Symbol] `:idl` for names as the IDL has them, constants with a capital; `:ruby` for types in CamelCase,
    #   fields in snake_case, constants in SCREAMING_SNAKE_CASE
    # @param allow_neg_keys [Boolean] as {link}
    # @yieldparam warning [String] as {link}
    # @return [Module] that the file's own definitions are in
    # @raise [Error] with all faults of all files
    # @raise [SchemaError] if a name is taken by something else, if a file has changed since it was loaded, or in a Ractor
    #   that is not the main one
    # @raise [TypeError] if `into` is no Module
    # @raise [SystemCallError] as {link}
    # @raise [ArgumentError] for an unknown option
    # @example
    #   Sparpack::IDL.load("listing.thrift", include: ["idl"]) { |warning| logger.warn(warning) }
    #   Listings::Listing.new(listing_id: 1).encode
    def self.load(path, include: [], into: Object, names: :idl, allow_neg_keys: false, **unknown, &warn)
      Options.refuse(unknown, method(:load)) unless unknown.empty?
      names = RubyNames.new(names)
      program = link(path, include:, allow_neg_keys:, &warn)
      Collisions.new(names).check(program.all)
      definer = Definer.new(names, into)
      definer.run(program.all)
      definer.namespace(program)
    end

    # Writes .thrift files for classes and all that they name, wherever they come from: declared by hand, by {load} or by
    # generated code. Loading the files gives classes with the same schemas. Each namespace has a file of its own.
    #
    # @param classes [Array<Module>] structs, unions, exceptions, enums and services; or modules, for all that is in them
    # @param names [Symbol] `:idl` or `:ruby`: the names by which the files will be loaded. Where a name in the IDL does not
    #   tell that in Ruby, the annotation `sparpack.ruby` does.
    # @return [Hash{String => String}] texts by path, the same for the same classes
    # @raise [SchemaError] if IDL cannot say something: a class without a name, a name that is not ASCII, a default that is
    #   NaN or has no name in its enum
    # @raise [ArgumentError] if no classes are given, or something else, or for an unknown option
    # @example
    #   Sparpack::IDL.dump(Shop::Order)
    #   # => { "shop.thrift" => "namespace rb Shop\n\nstruct Order {\n  1: required i64 id,\n}\n" }
    def self.dump(*classes, names: :idl, **unknown)
      Options.refuse(unknown, method(:dump)) unless unknown.empty?
      Dump.new(classes, names:).files
    end
  end
end
