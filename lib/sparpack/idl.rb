# frozen_string_literal: true

module Sparpack
  # Thrift's interface definition language, read in Ruby.
  module IDL
    autoload :AST, "sparpack/idl/ast"
    autoload :Constants, "sparpack/idl/types"
    autoload :Defaults, "sparpack/idl/defaults"
    autoload :Doc, "sparpack/idl/tokens"
    autoload :Error, "sparpack/idl/error"
    autoload :Fault, "sparpack/idl/error"
    autoload :Lexer, "sparpack/idl/lexer"
    autoload :Linker, "sparpack/idl/linker"
    autoload :Loader, "sparpack/idl/loader"
    autoload :Model, "sparpack/idl/model"
    autoload :Order, "sparpack/idl/order"
    autoload :Parser, "sparpack/idl/parser"
    autoload :Program, "sparpack/idl/program"
    autoload :Source, "sparpack/idl/source"
    autoload :Tokens, "sparpack/idl/tokens"
    autoload :Types, "sparpack/idl/types"
    autoload :Values, "sparpack/idl/values"

    # @param text [String] IDL
    # @param path [String] how messages name it
    # @return [AST::Document] what it says; names are not looked up yet
    # @raise [Error] with all faults that were found
    # @example
    #   Sparpack::IDL.parse("struct Point { 1: i32 x }").definitions.first.name # => "Point"
    def self.parse(text, path = "(text)") = Parser.new(Source.new(text, path)).run

    # Reads a file and all that it includes, looks all names up and checks what they mean.
    #
    # @param path [String]
    # @param include [Array<String>] folders that are searched for included files, after that of the file which includes
    # @param allow_neg_keys [Boolean] whether ids may be written that are not positive, as old files have them
    # @return [Program] what it declares
    # @raise [Error] with all faults of all files
    # @raise [Errno::ENOENT] if there is no such file
    # @example
    #   Sparpack::IDL.link("listing.thrift", include: ["idl"]).records.map(&:name)
    def self.link(path, include: [], allow_neg_keys: false)
      program, = Loader.new(include:).run([path])
      Linker.new(program.all, allow_neg_keys:).run
      program
    end
  end
end
