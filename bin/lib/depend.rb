# frozen_string_literal: true

require "pathname"
require_relative "build"

# Writes ext/sparpack/depend, which lists the headers that each source needs. mkmf does not track them, so the compiler does,
# and the result is part of the repository.
module Depend
  PATH = File.join(Build::SOURCE, "depend")

  HEAD = <<~MAKE
    # Written by `rake depend`.

    $(OBJS): $(srcdir)/extconf.rb

    native.o: $(srcdir)/../../lib/sparpack/version.rb
  MAKE

  module_function

  # @return [String] what the file should contain
  def text
    sources = Dir.glob("**/*.cpp", base: Build::SOURCE).sort
    [HEAD, *sources.map { |source| rule(source) }].join("\n")
  end

  def write
    File.write(PATH, text) unless File.exist?(PATH) && File.read(PATH) == text
  end

  def rule(source)
    object  = source.sub(/cpp\z/, "o")
    headers = scan(source).sort.map { |path| " \\\n  $(srcdir)/#{path}" }
    "#{object}: $(srcdir)/#{source}#{headers.join}\n"
  end

  # -MM leaves out system headers, and -isystem makes Ruby's headers system headers.
  def scan(source)
    system = RbConfig::CONFIG.values_at("rubyhdrdir", "rubyarchhdrdir").flat_map { |folder| ["-isystem", folder] }
    line = [RbConfig::CONFIG["CXX"], "-std=c++17", "-MM", "-I.", *system, source]
    output = IO.popen([{ "LD_PRELOAD" => nil }, *line], chdir: Build::SOURCE, &:read)
    raise "#{line.join(" ")} failed" unless $?.success?

    output.delete("\\").split.drop(2).map { |path| Pathname(path).cleanpath.to_s }.uniq
  end

  private_class_method :rule, :scan
end
