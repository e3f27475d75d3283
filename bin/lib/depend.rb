# frozen_string_literal: true

require "pathname"
require_relative "../../ext/makefile"
require_relative "build"

# Writes the file depend of each native library, which lists the headers that each source needs. mkmf does not track them, so
# the compiler does, and the result is part of the repository.
module Depend
  HEAD = <<~MAKE
    # Written by `rake depend`.

    S = $(srcdir)

    $(OBJS): $S/extconf.rb

    native.o: $S/../../lib/sparpack/version.rb
  MAKE

  # The folders of sources that have such a file.
  FOLDERS = Build::PARTS.values.map { |folder, _| File.join(Build::ROOT, folder) }.freeze

  module_function

  # @param folder [String]
  # @return [String] what the file should contain
  def text(folder)
    headers = Makefile.units(folder).to_h { |source| [source, scan(folder, source).sort] }
    common  = headers.values.reduce(:&) || []
    [HEAD, "COMMON =#{list(common)}", *headers.map { |source, all| rule(source, all - common) }].join("\n")
  end

  # @param folder [String]
  # @return [String] the path of the file
  def path(folder) = File.join(folder, "depend")

  def write
    FOLDERS.each do |folder|
      File.write(path(folder), text(folder)) unless File.exist?(path(folder)) && File.read(path(folder)) == text(folder)
    end
  end

  # @param headers [Array<String>] those that some sources do not need
  def rule(source, headers) = "#{source.sub(/c(pp)?\z/, "o")}: $S/#{source} $(COMMON)#{list(headers)}"

  def list(paths) = paths.map { |path| " \\\n $S/#{path}" }.join << "\n"

  # -MM leaves out system headers, and -isystem makes Ruby's headers system headers.
  def scan(folder, source)
    system = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").flat_map { |path| ["-isystem", path] }
    compiler = source.end_with?("cpp") ? [RbConfig::CONFIG["CXX"], "-std=c++17"] : [RbConfig::CONFIG["CC"]]
    line = [*compiler, "-MM", "-I.", *system, source]
    output = IO.popen([{ "LD_PRELOAD" => nil }, *line], chdir: folder, &:read)
    raise "#{line.join(" ")} failed" unless $?.success?

    output.delete("\\").split.drop(2).map { |path| Pathname(path).cleanpath.to_s }.uniq
  end

  private_class_method :rule, :list, :scan
end
