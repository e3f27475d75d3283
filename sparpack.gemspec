# frozen_string_literal: true

require_relative "lib/sparpack/version"

Gem::Specification.new do |spec|
  spec.name        = "sparpack"
  spec.version     = Sparpack::VERSION
  spec.authors     = ["the Sparpack authors"]
  spec.summary     = "Fast serialization with one native core: Thrift structs, and MessagePack without a schema."
  spec.description = <<~TEXT
    Sparpack encodes and decodes structs in Apache Thrift's compact, binary and JSON protocols, in plain JSON and in
    MessagePack. It compiles .thrift files in Ruby. It also reads and writes MessagePack without a schema, with the API of the
    msgpack gem. Limits protect you from bytes of strangers, and errors say where a fault is. In the project's benchmark, it
    encodes a typical struct more than 100 times as fast as Apache's thrift gem. With Ruby 3.1, it decodes the struct more than
    20 times as fast (see docs/performance.md).
  TEXT
  spec.licenses = ["MIT", "BSD-2-Clause"] # ext/sparpack_lz4/vendor has the second one
  spec.homepage = "https://rubygems.org/gems/sparpack" # the gem has no other page

  spec.required_ruby_version = ">= 3.1"

  spec.files = Dir.chdir(__dir__) do
    Dir["exe/*", "lib/**/*.{rb,css,js,tt,yml}", "lib/generators/**/USAGE", "ext/**/*.{c,h,cpp,hpp,rb,md}",
        "ext/**/LICENSE", "sig/**/*.rbs", "rbi/**/*.rbi", "docs/**/*.md", "docs/images/*.svg", "*.md", "LICENSE",
        ".yardopts"]
  end
  spec.bindir      = "exe"
  spec.executables = ["sparpack"]
  spec.extensions  = ["ext/sparpack/extconf.rb", "ext/sparpack_lz4/extconf.rb"]
  spec.metadata    = { "rubygems_mfa_required" => "true" }
end
