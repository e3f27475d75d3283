# frozen_string_literal: true

module Sparpack
  # Thrift's interface definition language, read in Ruby.
  module IDL
    autoload :AST, "sparpack/idl/ast"
    autoload :Constants, "sparpack/idl/types"
    autoload :Doc, "sparpack/idl/tokens"
    autoload :Error, "sparpack/idl/error"
    autoload :Fault, "sparpack/idl/error"
    autoload :Lexer, "sparpack/idl/lexer"
    autoload :Parser, "sparpack/idl/parser"
    autoload :Source, "sparpack/idl/source"
    autoload :Tokens, "sparpack/idl/tokens"
    autoload :Types, "sparpack/idl/types"

    # @param text [String] IDL
    # @param path [String] how messages name it
    # @return [AST::Document] what it says; names are not looked up yet
    # @raise [Error] with all faults that were found
    # @example
    #   Sparpack::IDL.parse("struct Point { 1: i32 x }").definitions.first.name # => "Point"
    def self.parse(text, path = "(text)") = Parser.new(Source.new(text, path)).run
  end
end
