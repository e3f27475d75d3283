# frozen_string_literal: true

require_relative "package"

# The compiler for fuzzing, whose versions have names of their own on Debian.
module Clang
  VERSIONS = ["", *19.downto(14).map { |version| "-#{version}" }].freeze

  # The packages of Debian 12, and a file that comes with each: the compiler, the sanitizers, and the reports on coverage.
  # The first package does not depend on the others.
  PACKAGES = {
    "clang-14"           => "/usr/bin/clang-14",
    "libclang-rt-14-dev" => "/usr/lib/clang/14/lib/linux",
    "llvm-14"            => "/usr/bin/llvm-cov-14"
  }.freeze

  module_function

  # @param name [String] a command of LLVM, such as "clang++"
  # @return [String] the command with its version
  def command(name)
    found = VERSIONS.map { |version| "#{name}#{version}" }
    found.find { |command| Package.found?(command) } || begin
      PACKAGES.each { |package, path| Package.file(package, path) }
      "#{name}-14"
    end
  end
end
