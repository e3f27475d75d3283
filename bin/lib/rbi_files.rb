# frozen_string_literal: true

require "fileutils"
require "pathname"
require "rbi"
require "rbs"
require_relative "rbi_files/scopes"

# Writes rbi/, the signatures for Sorbet, from sig/, the signatures for RBS. The rbi gem translates the types and prints the
# files. {Types} and {Methods} have the rules for what Sorbet cannot express.
module RBIFiles
  ROOT = File.expand_path("../..", __dir__)

  # The most columns of a line.
  WIDTH = 120

  # A definition that is too long: its beginning, its parameters and its end. No default contains a comma.
  DEFINITION = /^(?<indent> *)(?<start>def .*?\()(?<parameters>.*)(?<end>\); end)$/

  module_function

  # @param root [String] the folder that contains sig/
  # @return [Hash{String => String}] the text of each file in rbi/, by its path from `root`
  def files(root = ROOT)
    environment = environment("#{root}/sig")
    aliases = environment.type_alias_decls.transform_values { |entry| entry.decl.type }
    environment.signatures.to_h do |buffer, (_, declarations)|
      path = buffer.name.to_s.delete_prefix("#{root}/sig/").delete_suffix(".rbs")
      ["rbi/#{path}.rbi", text("sig/#{path}.rbs", declarations, aliases)]
    end
  end

  # @return [Array<String>] the paths of the files in rbi/ that `write` would write or delete
  def stale(root = ROOT, files: files(root))
    found = Dir["rbi/**/*.rbi", base: root].to_h { |path| [path, File.read("#{root}/#{path}", encoding: "UTF-8")] }
    (files.keys | found.keys).reject { |path| files[path] == found[path] }.sort
  end

  # Makes rbi/ say what sig/ says.
  def write(root = ROOT)
    files = files(root)
    stale(root, files:).each do |path|
      target = "#{root}/#{path}"
      next File.delete(target) unless files.key?(path)

      FileUtils.mkdir_p(File.dirname(target))
      File.write(target, files.fetch(path), encoding: "UTF-8")
    end
  end

  # Ruby's own signatures are not loaded, because sig/ writes the names of Ruby's classes with `::`.
  def environment(folder)
    loader = RBS::EnvironmentLoader.new(core_root: nil)
    loader.add(path: Pathname(folder))
    RBS::Environment.from_loader(loader).resolve_type_names
  end

  def text(path, declarations, aliases)
    file = RBI::File.new(strictness: "true")
    file.comments << RBI::Comment.new("Generated from #{path} by `rake rbi`: do not edit.")
    Scopes.new(aliases).fill(file.root, declarations)
    wrapped(file.string(max_line_length: WIDTH + 1)) # the rbi gem counts the newline
  end

  # The rbi gem breaks long signatures, but not long definitions.
  def wrapped(text)
    text.gsub(DEFINITION) do |line|
      next line if line.size <= WIDTH

      parts = Regexp.last_match
      parameters = parts[:parameters].split(", ").map { |parameter| "#{parts[:indent]}  #{parameter}" }
      "#{parts[:indent]}#{parts[:start]}\n#{parameters.join(",\n")}\n#{parts[:indent]}#{parts[:end]}"
    end
  end

  private_class_method :environment, :text, :wrapped
end
