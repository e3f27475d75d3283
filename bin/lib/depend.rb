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
    [HEAD, *Makefile.units(folder).map { |source| rule(folder, source) }].join("\n")
  end

  # @param folder [String]
  # @return [String] the path of the file
  def path(folder) = File.join(folder, "depend")

  def write
    FOLDERS.each do |folder|
      File.write(path(folder), text(folder)) unless File.exist?(path(folder)) && File.read(path(folder)) == text(folder)
    end
  end

  def rule(folder, source)
    object  = source.sub(/c(pp)?\z/, "o")
    headers = scan(folder, source).sort.map { |path| " \\\n $S/#{path}" }
    "#{object}: $S/#{source}#{headers.join}\n"
  end

  # -MM leaves out system headers, and -isystem makes Ruby's headers system headers.
  def scan(folder, source)
    system = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").flat_map { |path| ["-isystem", path] }
    compiler = source.end_with?("cpp") ? [RbConfig::CONFIG["CXX"], "-std=c++17"] : [RbConfig::CONFIG["CC"]]
    line = [*compiler, "-MM", "-I.", *system, source]
    output = IO.popen([{ "LD_PRELOAD" => nil }, *line], chdir: folder, &:read)
    raise "#{line.join(" ")} failed" unless $?.success?

    output.delete("\\").split.drop(2).map { |path| Pathname(path).cleanpath.to_s }.uniq
  end

  private_class_method :rule, :scan
end
