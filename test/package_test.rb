# frozen_string_literal: true

# bin/test: not sanitized, for it compiles a build of its own

require_relative "test_helper"
require "fileutils"
require "rbconfig"
require "tmpdir"
require_relative "support/command"

# What a user gets: the gem, or a clone that a Gemfile names by `path:`.
class PackageTest < Minitest::Test
  ROOT = File.expand_path("..", __dir__)

  # An environment in which only Ruby is installed.
  BARE = { **ENV.keys.grep(/\A(BUNDLE|GEM_|RUBY)/).to_h { |name| [name, nil] }, "MAKEFLAGS" => "-j2",
           "PATH" => ENV.fetch("BUNDLER_ORIG_PATH", ENV.fetch("PATH")) }.freeze

  PROGRAM = <<~RUBY
    require "sparpack"
    require "sparpack/message_pack"
    class Point < Sparpack::Struct
      field 1, :x, :i32
    end
    print Point.decode(Point.new(x: 7).encode).x, Sparpack::MessagePack.unpack(Sparpack::MessagePack.pack([1]))
  RUBY

  def setup
    @above = File.realpath(Dir.mktmpdir)
    @folder = "#{@above}/a folder"
    FileUtils.mkdir(@folder)
  end

  def teardown = FileUtils.rm_rf(@above)

  # --strict makes warnings errors.
  def test_the_gem
    home = { "GEM_HOME" => "#{@folder}/home", "GEM_PATH" => "#{@folder}/home" }
    gem = "#{@folder}/sparpack.gem"

    refute_match(/WARNING|ERROR/, bare(home, "-S", "gem", "build", "--strict", "sparpack.gemspec", "-o", gem, chdir: clone))
    bare(home, "-S", "gem", "install", "--local", "--no-document", gem, within: 500) # this compiles

    assert_equal "7[1]", bare(home, "-e", PROGRAM)
    assert_match(/\Asparpack \d+\.\d+\.\d+\n\z/, bare(home, "#{@folder}/home/bin/sparpack", "--version"))
  end

  def test_a_clone_that_is_not_compiled_says_what_to_do
    assert_equal "run `rake compile` in #{clone}", remedy
    File.write("#{clone}/lib/sparpack/native.#{RbConfig::CONFIG["DLEXT"]}", "of another Ruby, or none")

    assert_equal "run `rake compile` in #{clone}", remedy
    FileUtils.rm("#{clone}/Rakefile") # a gem has none

    assert_equal "run `gem pristine sparpack`", remedy
  end

  # Only Rake is needed, which comes with Ruby.
  def test_a_clone_is_compiled_without_bundler
    said = bare({ "GEM_HOME" => @folder }, "-S", "rake", "--dry-run", "compile", chdir: clone)

    assert_includes said, "Execute (dry run) compile\n"
    assert_includes File.read("#{ROOT}/README.md"), "run `rake compile` in that clone"
  end

  # For make, a space ends a name.
  def test_a_clone_whose_path_has_a_space
    script = "build = Build.new; FileUtils.mkdir_p(build.folder); build.send(:configure); " \
             "print File.read(File.join(build.folder, 'Makefile'))[/^srcdir = .*/]"
    said = bare({}, "-I#{clone}/bin/lib", "-rbuild", "-e", script, chdir: clone)

    assert_includes clone, " "
    assert_equal "srcdir = ../../../../ext/sparpack", said
  end

  private

  # @return [String] a folder with nothing but the sources
  def clone
    @clone ||= "#{@folder}/clone".tap do |folder|
      FileUtils.mkdir(folder)
      left_out = %w[. .. .git .bundle tmp vendor]
      FileUtils.cp_r((Dir.entries(ROOT) - left_out).map { |name| "#{ROOT}/#{name}" }, folder)
      FileUtils.rm_f(Dir["#{folder}/lib/sparpack/native.*"])
    end
  end

  # @return [String] what the error tells the user to do
  def remedy
    said, status = Command.capture2e(BARE, RbConfig.ruby, "-I#{clone}/lib", "-e", "require 'sparpack'")

    refute_predicate status, :success?
    said[/: the native part of Sparpack is not compiled for this Ruby: (.*?) \(/, 1] || said
  end

  # @return [String] what Ruby printed; Ruby must succeed
  def bare(environment, *arguments, **options)
    said, status = Command.capture2e({ **BARE, **environment }, RbConfig.ruby, *arguments, **options)

    assert_predicate status, :success?, said
    said
  end
end
