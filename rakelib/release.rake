# frozen_string_literal: true

require_relative "../bin/lib/release/native_gem"

namespace :native do
  desc "Compile the libraries of the precompiled gem for this Ruby into pkg/native"
  task(:compile) { NativeGem.new.compile }

  desc "Build the precompiled gem from the libraries in pkg/native: rake 'native:gem[x86_64-linux-gnu]'"
  task :gem, [:platform] do |_, arguments|
    gem = NativeGem.new(arguments[:platform] || NativeGem.platform)
    gem.named? or abort "RubyGems #{Gem::VERSION} is too old: it takes #{NativeGem::KNOWS_LIBC} to tell C libraries apart"

    puts "for Ruby #{gem.rubies.join(", ")}: #{gem.build("pkg")}"
  end

  desc "Install a precompiled gem into an empty folder, and try it: rake 'native:try[pkg/sparpack-0.1.0-arm64-darwin.gem]'"
  task :try, [:gem] do |_, arguments|
    require_relative "../bin/lib/release/trial"
    exit 1 unless Trial.new(arguments.fetch(:gem)).run
  end
end

namespace :release do
  desc "Build the precompiled gem for this machine and this Ruby alone, install it without a compiler, and try it"
  task :check do
    require_relative "../bin/lib/release/trial"
    Dir.mktmpdir do |folder|
      gem = NativeGem.new(stage: "#{folder}/stage")
      gem.compile
      exit 1 unless Trial.new(gem.build(folder)).run
    end
  end
end
