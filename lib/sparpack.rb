# frozen_string_literal: true

require_relative "sparpack/version"
require_relative "sparpack/errors"
require_relative "sparpack/limits"
require_relative "sparpack/words/quote"
require_relative "sparpack/declare/names"
require_relative "sparpack/words/options"
require_relative "sparpack/words/advice"
require_relative "sparpack/type"
require_relative "sparpack/field"
require_relative "sparpack/declare/default"
require_relative "sparpack/schema"
require_relative "sparpack/enum"
require_relative "sparpack/declare/accessors"
require_relative "sparpack/declare/adopted"
require_relative "sparpack/declare/field_chain"
require_relative "sparpack/declare/draft"
require_relative "sparpack/declare/declared"
require_relative "sparpack/declare/declaration"
require_relative "sparpack/mapping"
require_relative "sparpack/value"
require_relative "sparpack/objects/ractor_copy"
require_relative "sparpack/struct"
require_relative "sparpack/union"
require_relative "sparpack/exception"
require_relative "sparpack/objects/exception_text"
require_relative "sparpack/objects/key_text"
require_relative "sparpack/objects/canonical"
require_relative "sparpack/objects/coercion"
require_relative "sparpack/objects/levels"
require_relative "sparpack/declare/reach"
require_relative "sparpack/objects/copy"
require_relative "sparpack/objects/dumps"
require_relative "sparpack/io/input"
require_relative "sparpack/io/output"
require_relative "sparpack/render/selection"
require_relative "sparpack/render/rendering_options"
require_relative "sparpack/render/rendering"
require_relative "sparpack/render/active_support_text"
require_relative "sparpack/render/native_text"
require_relative "sparpack/io/exact_input"
require_relative "sparpack/io/peek"
require_relative "sparpack/io/read_buffer"
require_relative "sparpack/io/exact_buffer"
require_relative "sparpack/io/frame"
require_relative "sparpack/io/json_elements"
require_relative "sparpack/codec"
require_relative "sparpack/declare/default_codec"
require_relative "sparpack/converter"
require_relative "sparpack/guess"
require_relative "sparpack/io/compression"
require_relative "sparpack/native/calls"
require_relative "sparpack/objects/conveniences"

require_relative "sparpack/native/loading"

Sparpack::Loading.run

# Turns Ruby objects into bytes and back. You declare structs, and a small native core writes and reads them over Thrift's
# compact and binary protocols. {MessagePack} packs and unpacks data without a schema.
#
# @example
#   class Neighborhood < Sparpack::Struct
#     field 1, :neighborhood_id, :i64, required: true
#     field 2, :name, :string, required: true
#   end
#
#   bytes = Neighborhood.new(neighborhood_id: 7, name: "Mitte").encode
#   Neighborhood.decode(bytes).name # => "Mitte"
module Sparpack
  autoload :Assembly, "sparpack/assembly"
  autoload :CLI, "sparpack/cli"
  autoload :Convert, "sparpack/convert"
  autoload :Generate, "sparpack/generate"
  autoload :IDL, "sparpack/idl"
  autoload :Inspector, "sparpack/inspector"
  autoload :LZ4, "sparpack/lz4"
  autoload :MessagePack, "sparpack/message_pack"
  autoload :RakeTask, "sparpack/rake_task"
  autoload :Service, "sparpack/service"

  # Turns the text of {Inspector#text} into bytes again. So a payload can be mended by hand: change the text and assemble
  # it. Sizes and counts follow from the values. docs/inspect.md describes the text.
  #
  # @param text [String]
  # @return [String] the bytes, in ASCII-8BIT
  # @raise [AssemblyError] if a line cannot be understood, with its number and the column
  # @raise [TypeError] if the text is not a String
  # @example
  #   text = Sparpack::Inspector.new(bytes, from: :compact).text
  #   Sparpack.assemble(text) == bytes # => true
  def self.assemble(text)
    raise TypeError, "expected a String, got #{Quote.plain(text.class)}" unless text.is_a?(String)

    Assembly.new(text).bytes
  end

  # Writes one definition as IDL. {IDL.dump} writes whole files that also hold the types which the definition uses.
  #
  # @param definition [Module] a struct, union, exception, enum or service
  # @param names [Symbol] `:idl` or `:ruby`, as for {IDL.dump}
  # @return [String] the text of the definition
  # @raise [SchemaError] if IDL cannot express the definition, as {IDL.dump}
  # @raise [ArgumentError] if `definition` is something else, or for an unknown option
  # @example
  #   Sparpack.to_idl(Shop::Order) # => "struct Order {\n  1: required i64 id,\n}\n"
  def self.to_idl(definition, names: :idl, **unknown)
    Options.refuse(unknown, method(:to_idl)) unless unknown.empty?
    IDL::Dump.new([definition], names:).definition(definition)
  end
end
