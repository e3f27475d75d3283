# frozen_string_literal: true

# bin/test: not sanitized, for it links a build of its own

require "test_helper"
require "fileutils"
require "rbconfig"
require "rubygems/package"
require "tmpdir"
require_relative "../../bin/lib/release/native_gem"
require_relative "../../bin/lib/release/trial"
require "support/command"

# The precompiled gem for this machine, and what it says where it does not fit.
class NativeGemTest < Minitest::Test
  ROOT   = Build::ROOT
  SERIES = NativeGem.series
  DLEXT  = RbConfig::CONFIG["DLEXT"]
  CORE   = "lib/sparpack/#{SERIES}/native.#{DLEXT}".freeze
  LZ4    = "lib/sparpack/#{SERIES}/lz4/native.#{DLEXT}".freeze
  BARE   = ENV.keys.grep(/\A(BUNDLE|GEM_|RUBY)/).to_h { |name| [name, nil] }.freeze

  REMEDY = "run `gem uninstall sparpack`, then `gem install sparpack --platform ruby`; with Bundler 2.3.18 or " \
           "newer, write `gem \"sparpack\", force_ruby_platform: true`"

  def setup
    @folder = File.realpath(Dir.mktmpdir)
    @gem = NativeGem.new(stage: "#{@folder}/stage")
    @gem.compile
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_it_is_installed_without_a_compiler
    fits = nil
    said, faults = capture_io { fits = Trial.new(@gem.build(@folder)).run }

    assert_equal [true, ""], [fits, faults]
    assert_match(/\Asparpack-#{Sparpack::VERSION}-#{NativeGem.platform.delete_suffix("-gnu")}(-gnu)?\.gem\n/, said)
    assert_match(/^  \d+ bytes, installed in [\d.]+ s \([\d.]+ s of CPU time\)$/, said)
    assert_match(/^  \d+ bytes installed, of these \d+ for Ruby #{SERIES}$/o, said)
    assert_includes said, "  #{CORE}: #{File.size("#{@folder}/stage/#{CORE}")} bytes\n"
    assert_includes said, "  #{LZ4}: #{File.size("#{@folder}/stage/#{LZ4}")} bytes\n"
    assert_sizes(said[/of these (\d+)/, 1].to_i)
  end

  # The sources of the libraries stay in the source gem. Whoever passes object code of LZ4 on must pass its license on.
  def test_the_contents
    source = Gem::Specification.load("#{ROOT}/sparpack.gemspec")
    package = Gem::Package.new(@gem.build(@folder))

    assert_equal (source.files.grep_v(%r{\Aext/}) + ["ext/sparpack_lz4/vendor/LICENSE", CORE, LZ4]).sort,
                 package.contents.sort
    assert_equal([source.licenses, source.executables, [], []],
                 %i[licenses executables extensions runtime_dependencies].map { |name| package.spec.public_send(name) })
  end

  def test_which_versions_of_ruby_it_is_for
    FileUtils.mkdir_p(%w[3.10 3.9 4.0 3.1].map { |series| "#{@folder}/other/lib/sparpack/#{series}" })
    gem = NativeGem.new(stage: "#{@folder}/other")

    assert_equal %w[3.1 3.9 3.10 4.0], gem.rubies
    versions = %w[3.0.9 3.1.0 3.9.5 4.0.9 4.1.0.dev 4.1.0]
    accepted = versions.select { |version| gem.specification.required_ruby_version.satisfied_by?(Gem::Version.new(version)) }

    assert_equal %w[3.1.0 3.9.5 4.0.9], accepted
  end

  def test_what_is_released
    lowest = Gem::Specification.load("#{ROOT}/sparpack.gemspec").required_ruby_version

    assert lowest.satisfied_by?(Gem::Version.new(NativeGem::RUBIES.first))
    refute lowest.satisfied_by?(Gem::Version.new("3.0.99")), "NativeGem::RUBIES begins with 3.1"
    assert_equal NativeGem::RUBIES.sort_by { |series| Gem::Version.new(series) }, NativeGem::RUBIES
    assert_includes NativeGem::PLATFORMS, NativeGem.platform
  end

  # They would take it where the C library is glibc.
  def test_old_versions_of_rubygems_do_not_take_the_gem_for_musl
    required = %w[x86_64-linux-musl x86_64-linux-gnu].map do |platform|
      NativeGem.new(platform, stage: "#{@folder}/stage").specification.required_rubygems_version
    end

    assert_equal [Gem::Requirement.new(">= 3.3.22"), Gem::Requirement.default], required
  end

  # As where the library of another C library is missing.
  def test_another_c_library
    library = File.binread("#{unpacked}/#{CORE}")
    name = library[/\blibm\.\S+?(?=\0)/]
    File.binwrite("#{unpacked}/#{CORE}", library.sub(name, name.sub("libm", "libM")))
    said = failure("require 'sparpack'")

    assert_includes said, "the native part of Sparpack was compiled for another system or another C library: #{REMEDY} ("
    assert_includes said, name.sub("libm", "libM")
    assert_equal 1, said.scan("(LoadError)").size, said
    assert_equal 1, failure("load '#{ROOT}/exe/sparpack'").lines.size
  end

  def test_another_ruby
    File.rename("#{unpacked}/lib/sparpack/#{SERIES}", "#{unpacked}/lib/sparpack/9.10")
    Dir.mkdir("#{unpacked}/lib/sparpack/9.9")

    assert_includes failure("require 'sparpack'"),
                    "the native part of Sparpack is compiled for Ruby 9.9, 9.10 in this gem, and this is Ruby #{SERIES}: " \
                    "#{REMEDY} (LoadError)"
  end

  def test_the_library_for_lz4
    assert_equal "3\n", run_unpacked("require 'sparpack'; p Sparpack::LZ4.inflate(Sparpack::LZ4.deflate('abc')).size").first
    File.write("#{unpacked}/#{LZ4}", "of another system")

    assert_includes failure("require 'sparpack'; Sparpack::LZ4"),
                    "the library for LZ4 was compiled for another system or another C library: #{REMEDY} ("
    assert_predicate run_unpacked("require 'sparpack'").last, :success?
  end

  private

  # The sizes in docs/releasing.md, within a tenth: that of a core, and those of gems for one Ruby and for all.
  def assert_sizes(installed)
    page = File.read("#{ROOT}/docs/releasing.md", encoding: "UTF-8")[/^On x86_64 Linux, the native core.*?\n\n/m]
    core, *more = [CORE, LZ4].map { |library| File.size("#{@folder}/stage/#{library}") }
    found = [core, installed, installed + ((NativeGem::RUBIES.size - 1) * [core, *more].sum)]

    found.zip(page.scan(/[\d.]+(?= MB)/)) { |size, told| assert_in_epsilon size, told.to_f * 1_000_000, 0.1, page }
  end

  # @return [String] a folder with the files of the gem
  def unpacked
    @unpacked ||= "#{@folder}/unpacked".tap { |folder| Gem::Package.new(@gem.build(@folder)).extract_files(folder) }
  end

  # @return [Array] what the program printed, and its status
  def run_unpacked(program) = Command.capture2e(BARE, RbConfig.ruby, "-I#{unpacked}/lib", "-e", program)

  def failure(program)
    said, status = run_unpacked(program)

    refute_predicate status, :success?, said
    said
  end
end
