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
  # @return [String] the command with its version, which is the newest whose sanitizers are installed, too
  def command(name)
    found = VERSIONS.find { |version| Package.found?("#{name}#{version}") && sanitizers?("clang#{version}") }
    return "#{name}#{found}" if found

    PACKAGES.each { |package, path| Package.file(package, path) }
    "#{name}-14"
  end

  def sanitizers?(clang)
    Package.found?(clang) && File.directory?(IO.popen([clang, "-print-runtime-dir"], err: File::NULL, &:read).chomp)
  end
  private_class_method :sanitizers?
end
