# frozen_string_literal: true

require_relative "sparpack/version"
require_relative "sparpack/errors"
require_relative "sparpack/limits"
require_relative "sparpack/words/quote"
require_relative "sparpack/declare/names"
require_relative "sparpack/words/options"
require_relative "sparpack/declare/type"
require_relative "sparpack/declare/field"
require_relative "sparpack/declare/schema"
require_relative "sparpack/declare/accessors"
require_relative "sparpack/declare/field_chain"
require_relative "sparpack/declare/draft"
require_relative "sparpack/declare/declared"
require_relative "sparpack/declare/declaration"
require_relative "sparpack/value"
require_relative "sparpack/objects/ractor_copy"
require_relative "sparpack/struct"
require_relative "sparpack/union"
require_relative "sparpack/declare/exception"
require_relative "sparpack/render/native_text"
require_relative "sparpack/codec"
require_relative "sparpack/declare/default_codec"
require_relative "sparpack/converter"
require_relative "sparpack/native/calls"
require_relative "sparpack/native/loading"
require_relative "sparpack/objects/conveniences"

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
  # What a program may do without until it has a class or a mapping, which loads it all: see {Native.load_parts}.
  #
  # @api private
  PARTS = {
    ActiveSupportText: "render/active_support_text", Adopted: "declare/adopted", Advice: "words/advice",
    Ahead: "io/ahead", Canonical: "objects/canonical", Coercion: "objects/coercion", Column: "io/column",
    Columns: "io/columns", Compression: "io/compression", Copy: "objects/copy",
    Default: "declare/default", Dumps: "objects/dumps", Enum: "declare/enum", ExactBuffer: "io/exact_buffer",
    ExactInput: "io/exact_input", ExceptionText: "objects/exception_text", Forks: "io/forks", Frame: "io/frame",
    Guess: "guess", Input: "io/input", JsonElements: "io/json_elements", KeyText: "objects/key_text",
    Levels: "objects/levels", Mapping: "mapping", Observed: "io/observed", Output: "io/output", Path: "words/path",
    Peek: "io/peek", Processes: "io/processes", Ranges: "io/ranges", Reach: "declare/reach", ReadBuffer: "io/read_buffer",
    Rendering: "render/rendering", RenderingOptions: "render/rendering_options", Selection: "render/selection",
    Steps: "words/steps"
  }.freeze
  private_constant :PARTS
  PARTS.each { |name, file| autoload name, "sparpack/#{file}" }

  autoload :Assembly, "sparpack/assembly"
  autoload :CLI, "sparpack/cli"
  autoload :Convert, "sparpack/convert"
  autoload :Generate, "sparpack/generate"
  autoload :IDL, "sparpack/idl"
  autoload :Inspector, "sparpack/inspector"
  autoload :Keeping, "sparpack/objects/keeping"
  autoload :LZ4, "sparpack/lz4"
  autoload :Media, "sparpack/media"
  autoload :MessagePack, "sparpack/message_pack"
  autoload :RakeTask, "sparpack/rake_task"
  autoload :Service, "sparpack/declare/service"

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

  # Tells what some bytes look like: a wire of Sparpack, a compressed or encoded payload, or another format. It looks only at
  # the beginning of the bytes, so it takes less than a millisecond, whatever their size.
  #
  # Several payloads may follow one another, with or without frames. {Guess#count} says how many were found, and the last one
  # may be cut off.
  #
  # With a class the guess is much surer, because the fields of the bytes are compared with those of the class. Without one,
  # short payloads may look like several formats, or like none. A guess is for people who look for a mistake. A program
  # should know which format it reads.
  #
  # @param bytes [String]
  # @param struct_class [Class, Mapping, nil] the class of the object that the bytes should hold, or a mapping of it
  # @return [Guess] with the format nil if the bytes look like nothing that is known
  # @raise [TypeError] if `bytes` is not a String, or `struct_class` neither a mapping nor a subclass of {Struct}, {Union} or
  #   {Exception}
  # @example
  #   Sparpack.guess("\x1F\x8B\x08\x00\x00".b).to_s # => "these bytes are gzip data: Zlib.gunzip(bytes)"
  def self.guess(bytes, struct_class = nil)
    raise TypeError, "expected a String of bytes, got #{Quote.plain(bytes.class)}" unless bytes.is_a?(String)
    unless struct_class.nil? || struct_class.is_a?(Mapping) || (struct_class.is_a?(Class) && Declared.shape(struct_class))
      raise TypeError, "expected a subclass of Sparpack::Struct, Union or Exception, got #{Quote.value(struct_class)}"
    end

    Guess.beginning(bytes, struct_class, whole: true)
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
