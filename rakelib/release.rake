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

  desc "Install precompiled gems into empty folders, and try them: rake 'native:try[pkg/*-x86_64-linux-gnu.gem]'"
  task :try, [:pattern] do |_, arguments|
    require_relative "../bin/lib/release/trial"
    arguments[:pattern] or abort "Name the gems, as in rake 'native:try[pkg/*.gem]'"
    gems = Dir[arguments[:pattern]]
    abort "There is no #{arguments[:pattern]}" if gems.empty?
    exit 1 unless gems.map { |gem| Trial.new(gem).run }.all?
  end
end

desc "Check the clone, build the source gem and make the tag; with push, push both branch and tag: rake 'release[push]'"
task :release, [:push] do |_, arguments|
  require_relative "../bin/lib/release/release"
  abort "After release comes push, or nothing" unless [nil, "push"].include?(arguments[:push])
  release = Release.new
  puts release.make
  next release.push if arguments[:push] == "push"

  puts "The tag #{release.tag} is made. If CI is green, push it: git push --atomic origin #{Release::BRANCH} #{release.tag}",
       "To take it back: git tag --delete #{release.tag}"
end

namespace :release do
  desc "Write the date and the public names of the release: rake 'release:prepare[2026-12-24]' (default: today)"
  task :prepare, [:date] do |_, arguments|
    require_relative "../bin/lib/release/release"
    date = Release.date(arguments[:date])
    sh({ "UPDATE" => "1" }, "bin/test", "test/house/released_names_test.rb")
    Release.new.prepare(date)
    puts "Look at the changes and commit them, then: rake release"
  end

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
