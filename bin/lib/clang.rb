# frozen_string_literal: true

require_relative "package"

# The compiler for fuzzing, whose versions have names of their own on Debian.
module Clang
  VERSIONS = ["", *19.downto(14).map { |version| "-#{version}" }].freeze

  # The packages of Debian 12.
  PACKAGES = %w[clang-14 libclang-rt-14-dev llvm-14].freeze

  module_function

  # @param name [String] a command of LLVM, such as "clang++"
  # @return [String] the command with its version
  def command(name)
    found = VERSIONS.map { |version| "#{name}#{version}" }
    found.find { |command| Package.found?(command) } || Package.command(PACKAGES.first, "#{name}-14") || "#{name}-14"
  end
end
