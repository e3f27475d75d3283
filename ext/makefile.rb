# frozen_string_literal: true

require "etc"
require "pathname"

# What both native libraries do with the Makefile that mkmf has written.
module Makefile
  # Compilers need a few hundred megabytes each.
  MOST_JOBS = 8

  module_function

  # What an all.cpp includes is compiled with it: Ruby's headers take longer than most files.
  #
  # @param folder [String]
  # @return [Array<String>] the sources that are compiled by themselves, relative to the folder
  def units(folder)
    sources = Dir.glob("**/*.{c,cpp}", base: folder).reject { |path| path.start_with?("vendor/") }.sort
    sources - sources.select { |path| File.basename(path) == "all.cpp" }.flat_map { |path| parts(folder, path) }
  end

  # @return [Boolean] whether the sources are those of a clone, and not of an installed gem
  def clone? = File.exist?(File.expand_path("../.git", __dir__))

  # @return [String] the compiler's flag with which a clone's backtraces name functions and lines, and an installed gem is
  #   small
  def symbols = clone? ? " -g1" : " -g0"

  # @param always [Boolean] whether a clone needs it, too
  # @return [String] the linker's flag that leaves all other symbols out of an installed gem, if the linker has it
  def strip(always: false)
    flag = " -Wl,--strip-all"
    (always || !clone?) && try_link("int main(void) { return 0; }", flag) ? flag : ""
  end

  # Ruby has loaded its own symbols, whether they are in a library or not. A library that names Ruby's would load only where
  # that has the same name. This must follow all checks that link.
  def without_libruby
    $LIBRUBYARG = ""
    $DLDFLAGS << " -Wl,-undefined,dynamic_lookup" if RbConfig::CONFIG["host_os"].include?("darwin")
  end

  # Objects are compiled and linked in the order given. Each is announced with its number, all processors compile, and an
  # installation leaves no objects behind.
  #
  # @param objects [Array<String>]
  # @param compiled [Array<String>] without those that another build has compiled
  def finish(objects, path = "Makefile", compiled: objects)
    text = ordered(numbered(File.read(path), compiled), objects)
    text << jobs
    text << <<~MAKE

      install: tidy
      tidy: install-so install-rb
      \t-$(Q)$(RM) $(OBJS) $(TARGET_SO)
    MAKE
    File.write(path, text)
  end

  def parts(folder, all)
    paths = File.read(File.join(folder, all)).scan(/^#include "(.+\.cpp)"/).flatten
    paths.map { |path| Pathname(all).dirname.join(path).to_s }
  end

  def numbered(text, objects)
    steps = objects.each_with_index.map { |object, index| "STEP_#{object} = #{index + 1}/#{objects.size}\n" }
    name  = "$(@:.#{RbConfig::CONFIG["OBJEXT"]}=)"
    text.gsub("$(ECHO) compiling $(<)", "$(ECHO) \"[$(STEP_$@)] compiling #{name}\"") << steps.join
  end

  # mkmf sorts them.
  def ordered(text, objects) = text.sub(/^OBJS = .*/) { "OBJS = #{objects.join(" ")}" }

  # RubyGems compiles one file at a time unless MAKEFLAGS says otherwise. Only GNU make takes the number from a Makefile.
  def jobs
    count = [Etc.nprocessors, MOST_JOBS].min
    return "" if count == 1 || ENV["MAKEFLAGS"].to_s.match?(/(?:\A|\s|-)j/)

    version = IO.popen([ENV.fetch("MAKE", "make"), "--version"], err: File::NULL, &:read)
    version.start_with?("GNU Make") ? "MAKEFLAGS += -j#{count}\n" : ""
  rescue SystemCallError
    ""
  end

  private_class_method :parts, :numbered, :ordered, :jobs
end
