# frozen_string_literal: true

# bin/test: first, for it takes long
# bin/test: not sanitized, for it compiles a build of its own

require "test_helper"
require "fileutils"
require "rbconfig"
require "shellwords"
require "tmpdir"
require_relative "../../bin/lib/build"
require "support/command"

# What a user gets: the gem, or a clone that a Gemfile names by `path:`.
class PackageTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  # An environment in which only Ruby is installed.
  BARE = { **ENV.keys.grep(/\A(BUNDLE|GEM_|RUBY|MAKEFLAGS)/).to_h { |name| [name, nil] },
    "PATH" => ENV.fetch("BUNDLER_ORIG_PATH", ENV.fetch("PATH")) }.freeze

  # An installation makes the same objects as this build, if it is current.
  BUILD = Build.new(:release)

  # Stands for the compiler. For a file of the core, it reads all that compiling would read, and copies the object of BUILD.
  COMPILER = <<~SH
    #!/bin/sh
    PATH=%<path>s # without this one
    for word; do
      case $previous in -o) object=$word ;; -c) source=$word ;; esac
      previous=$word
    done
    made=%<objects>s/$object
    if [ "${PWD##*/}" != sparpack ] || [ ! -f "$made" ]; then exec %<real>s "$@"; fi
    cmp "$source" "%<sources>s/${object%%.o}.cpp" && %<real>s "$@" -M -MF /dev/null && cp "$made" "$object"
  SH

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
    # This compiles.
    said = bare({ **home, **compiler }, "-S", "gem", "install", "--verbose", "--local", "--no-document", gem, "--",
                *("--disable-optimize" unless BUILD.current?), within: 500)

    assert_equal "7[1]", bare(home, "-e", PROGRAM)
    assert_match(/\Asparpack \d+\.\d+\.\d+\n\z/, bare(home, "#{@folder}/home/bin/sparpack", "--version"))
    assert_progress said
    installed = "#{@folder}/home/gems/sparpack-#{Sparpack::VERSION}"
    assert_same_flags installed if BUILD.current?
    assert_small installed
    assert_equal ["Init_native"], exported("#{installed}/lib/sparpack/native.#{RbConfig::CONFIG["DLEXT"]}")
  end

  # Whatever a user reads or runs, and nothing else.
  def test_the_contents
    folders = %w[docs exe ext lib rbi sig]
    pages   = %w[.yardopts CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md]
    native  = /\.(so|bundle|o)\z/
    sources = folders.flat_map { |folder| Dir.glob("#{folder}/**/*", File::FNM_DOTMATCH, base: clone) }
                     .select { |path| File.file?("#{clone}/#{path}") }.grep_v(native)
    sources -= %w[ext/sparpack/depend ext/sparpack_lz4/depend] # for who compiles again after changes

    assert_equal (sources + pages).sort, contents.sort
    assert_empty sources.grep_v(%r{\.(rb|c|h|cpp|hpp|md|svg|css|js|yml|rbi|rbs|tt)\z|/USAGE\z}) -
                 %w[exe/sparpack ext/sparpack_lz4/vendor/LICENSE]
  end

  # The pages of the gem are read without the repository.
  def test_links_of_the_contents
    broken = contents.grep(/\.md\z/).flat_map do |page|
      links = File.read("#{clone}/#{page}", encoding: "UTF-8").gsub(/^```.*?^```/m, "").scan(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/)
      links.map { |link,| File.join(File.dirname(page), link) }.map { |path| File.expand_path(path, "/").delete_prefix("/") }
    end

    assert_empty broken.uniq - contents
  end

  def test_a_clone_that_is_not_compiled_says_what_to_do
    assert_equal "run `rake compile` in #{clone}", remedy
    File.write("#{clone}/lib/sparpack/native.#{RbConfig::CONFIG["DLEXT"]}", "of another Ruby, or none")

    assert_equal "run `rake compile` in #{clone}", remedy
    FileUtils.rm("#{clone}/Rakefile") # a gem has none

    assert_equal "run `gem pristine sparpack`", remedy
  end

  # Without a word of mkmf about libraries and headers.
  def test_a_machine_without_a_compiler
    bare = BARE.merge("PATH" => @folder)
    said, status = Command.capture2e(bare, RbConfig.ruby, "#{clone}/ext/sparpack/extconf.rb", chdir: @folder)

    refute_predicate status, :success?
    assert_match(/^A C\+\+17 compiler is missing \(tried .+\)\. Install one: apt-get install g\+\+$/, said)
    refute_match(/RuntimeError/, said)
  end

  # Its cause would repeat it, with a backtrace that leads nowhere.
  def test_the_error_is_shown_once
    said, = Command.capture2e(BARE, RbConfig.ruby, "-I#{clone}/lib", "-e", "require 'sparpack'")

    assert_equal 1, said.scan("is not compiled").size, said
    assert_equal 1, said.scan("(LoadError)").size, said
    %w[--version --help generate].each do |argument|
      said, status = Command.capture2e(BARE, RbConfig.ruby, "-I#{clone}/lib", "#{clone}/exe/sparpack", argument)

      assert_equal 2, status.exitstatus
      assert_match(/\Asparpack: the native part of Sparpack is not compiled .* run `rake compile` in .*\n\z/, said)
      assert_equal 1, said.lines.size
    end
  end

  # A library of another version is not even initialized, because it may need what this version does not have.
  def test_a_library_of_another_version
    compiled
    File.write("#{clone}/lib/sparpack/version.rb", "module Sparpack; VERSION = '99.0.0' end")
    said, status = Command.capture2e(BARE, RbConfig.ruby, "-I#{clone}/lib", "-e", <<~'RUBY')
      2.times do
        require "sparpack"
      rescue LoadError => e
        puts "#{e.class}: #{e.message}"
      end
      p Sparpack::Native.respond_to?(:seal), Sparpack::Native.respond_to?(:compile)
    RUBY

    assert_predicate status, :success?, said
    message = "LoadError: the native part of Sparpack was compiled for #{Sparpack::VERSION}, and this is 99.0.0: " \
              "run `rake compile` in #{clone}"

    assert_equal [message, message, "true", "false"], said.lines.map(&:chomp)
  end

  def test_a_library_that_is_older_than_its_sources
    compiled
    FileUtils.mkdir("#{clone}/.git") # only a clone is checked

    assert_empty load_clone
    source = Dir["#{clone}/ext/sparpack/wire/*.hpp"].first
    FileUtils.touch(source, mtime: Time.now + 60)

    assert_equal "sparpack: the native part is older than its sources: run `rake compile` in #{clone}\n", load_clone
    assert_equal load_clone, load_clone(code: "Ractor.new { Sparpack::Limits.new }"), "once"
    assert_empty load_clone("SPARPACK_MODE" => "release"), "bin/test compiles"
    assert_empty load_clone(option: "-W0"), "no warnings are wanted"
    FileUtils.rmdir("#{clone}/.git")

    assert_empty load_clone
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

  # @return [Hash] an environment in which COMPILER is found before the compiler
  def compiler
    return {} unless BUILD.current?

    name = RbConfig::CONFIG["CXX"].split.first
    real = BARE["PATH"].split(File::PATH_SEPARATOR).map { |folder| "#{folder}/#{name}" }.find { |path| File.executable?(path) }
    words = { objects: BUILD.folder, sources: BUILD.source, path: BARE["PATH"], real: }
    FileUtils.mkdir("#{@folder}/bin")
    File.write("#{@folder}/bin/#{name}", format(COMPILER, **words.transform_values(&:shellescape)), perm: 0o755)
    { "PATH" => "#{@folder}/bin#{File::PATH_SEPARATOR}#{BARE["PATH"]}" }
  end

  # The objects of BUILD are those of the gem, except for the names of functions and lines. In CI, warnings are errors.
  def assert_same_flags(folder)
    ours, theirs = [BUILD.folder, "#{folder}/ext/sparpack"].map do |place|
      File.readlines("#{place}/Makefile").grep(/^(CXX|CXXFLAGS|CPPFLAGS|DEFS) *=/)
    end

    assert_equal 4, ours.size
    assert_equal ours.map { |line| line.sub(" -g1", " -g0").sub(" -Werror ", " ") }, theirs
  end

  # @return [Array<String>] what other libraries could find in this one, or put theirs in its place
  def exported(library)
    Command.capture2("nm", "--dynamic", "--defined-only", library).first.lines.map { |line| line.split.last }
  end

  # @param said [String] what an installation printed
  def assert_progress(said)
    steps = said.scan(%r{^\[(\d+)/(\d+)\] compiling \S+$}).group_by(&:last)

    assert_equal 2, steps.size, "of two libraries"
    steps.each { |all, list| assert_equal (1..Integer(all)).to_a, list.map { |number, _| Integer(number) }.sort }
  end

  # @param folder [String] that of the installed gem
  def assert_small(folder)
    files = Dir.glob("**/*", File::FNM_DOTMATCH, base: folder).select { |path| File.file?("#{folder}/#{path}") }
    made = files - contents

    assert_empty made.grep_v(%r{\Alib/sparpack/(lz4/)?native\.|/(Makefile|mkmf\.log|gem_make\.out|\.sitearchdir\S*\.time)\z})
    natives, others = files.partition { |path| path.end_with?(".#{RbConfig::CONFIG["DLEXT"]}") }

    assert_operator others.sum { |path| File.size("#{folder}/#{path}") }, :<, 4 << 20
    assert_equal 2, natives.size
    natives.each { |path| assert_match(/no symbols/, Command.capture2e("nm", "#{folder}/#{path}").first) }
  end

  # @return [Array<String>] the files that the gem contains
  def contents = bare({}, "-e", "puts Gem::Specification.load('sparpack.gemspec').files", chdir: clone).lines(chomp: true)

  # @return [String] a folder with nothing but the sources
  def clone
    @clone ||= "#{@folder}/clone".tap do |folder|
      FileUtils.mkdir(folder)
      left_out = %w[. .. .git .bundle tmp vendor]
      FileUtils.cp_r((Dir.entries(ROOT) - left_out).map { |name| "#{ROOT}/#{name}" }, folder)
      FileUtils.rm_f(Dir["#{folder}/lib/sparpack/native.*"])
    end
  end

  # Puts the library that is tested into the clone.
  def compiled
    FileUtils.cp(ENV.fetch("SPARPACK_NATIVE"), "#{clone}/lib/sparpack")
  end

  # @return [String] what Ruby printed while it loaded the clone
  def load_clone(code: "", option: "-w", **environment)
    bare({ "SPARPACK_MODE" => nil, **environment }, option, "-W:no-experimental", "-I#{clone}/lib", "-rsparpack", "-e", code)
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
