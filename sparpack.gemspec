# frozen_string_literal: true

require_relative "lib/sparpack/version"

Gem::Specification.new do |spec|
  spec.name        = "sparpack"
  spec.version     = Sparpack::VERSION
  spec.authors     = ["the Sparpack authors"]
  spec.summary     = "The fastest way to turn Ruby objects into bytes and back."
  spec.description = "Structs with a schema, written and read over Thrift's wires from one small native core."
  spec.license     = "MIT"

  spec.required_ruby_version = ">= 3.1"

  spec.files = Dir.chdir(__dir__) do
    Dir["exe/*", "lib/**/*.rb", "ext/**/*.{cpp,hpp,rb}", "ext/**/depend", "sig/**/*.rbs", "rbi/**/*.rbi", "docs/*.md",
        "docs/images/*.svg", "*.md", "LICENSE", ".yardopts"]
  end
  spec.bindir      = "exe"
  spec.executables = ["sparpack"]
  spec.extensions  = ["ext/sparpack/extconf.rb"]
  spec.metadata    = { "rubygems_mfa_required" => "true" }
end
