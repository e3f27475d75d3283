# frozen_string_literal: true

require_relative "lib/sparpack/version"

Gem::Specification.new do |spec|
  spec.name        = "sparpack"
  spec.version     = Sparpack::VERSION
  spec.authors     = ["the Sparpack authors"]
  spec.summary     = "Ruby objects to bytes and back, fast: Thrift structs and MessagePack, from one native core."
  spec.description = <<~TEXT
    Structs with a schema over Apache Thrift's compact and binary protocols, a compiler for .thrift files in Ruby, and
    MessagePack without a schema, with the API of the msgpack gem. Bytes from strangers are read within limits, and errors
    say where. In the project's benchmark, a typical struct is encoded more than 100 times and decoded more than 20 times
    as fast as by Apache's thrift gem: docs/performance.md says how this was measured.
  TEXT
  spec.license = "MIT"
  spec.homepage = "https://rubygems.org/gems/sparpack" # its page there is the only one that it has

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
