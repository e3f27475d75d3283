# frozen_string_literal: true

require "tmpdir"

# .thrift texts as programs, as files, and as two versions with the findings between them.
module IDLVersions
  # Files in memory, for the loader.
  Memory = Struct.new(:texts) do
    def file?(path) = texts.key?(path)
    def read(path) = texts.fetch(path)
    def identity(path) = path
  end

  module_function

  # @param texts [String, Hash{String => String}] one file, or a folder of them
  # @return [Sparpack::IDL::Breaking::Version]
  def version(texts)
    folder = texts.is_a?(Hash)
    texts = { "a.thrift" => texts } unless folder
    programs = Sparpack::IDL::Loader.new(files: Memory.new(texts)).run(texts.keys)
    version = Sparpack::IDL::Breaking::Version.new(programs, folder:)
    Sparpack::IDL::Linker.new(version.programs, allow_neg_keys: true).run
    version
  end

  # @yieldparam path [String] a file that holds the text, for calls that take paths
  # @return [Object] the block's result
  def in_file(text)
    Dir.mktmpdir do |folder|
      File.binwrite("#{folder}/a.thrift", text)
      yield "#{folder}/a.thrift"
    end
  end

  # @return [Sparpack::IDL::Breaking]
  def breaking(old, new, **options) = Sparpack::IDL::Breaking.new(version(old), version(new), **options)

  # @return [Array<Sparpack::IDL::Breaking::Finding>]
  def findings(old, new, **options) = breaking(old, new, **options).findings
end
