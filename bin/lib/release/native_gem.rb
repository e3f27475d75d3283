# frozen_string_literal: true

require "fileutils"
require "rubygems/package"
require "tmpdir"
require_relative "../build"

# The precompiled gem of a platform. It has the Ruby files and the pages of the source gem, and instead of the sources the
# libraries for some versions of Ruby, in lib/sparpack/X.Y. They are collected in pkg/native, one version after another.
class NativeGem
  PLATFORMS = %w[x86_64-linux-gnu x86_64-linux-musl aarch64-linux-gnu aarch64-linux-musl x86_64-darwin arm64-darwin].freeze

  # The versions of Ruby that a released gem has libraries for.
  RUBIES = %w[3.1 3.2 3.3 3.4 4.0].freeze

  # Before this version, RubyGems takes a gem for musl where the C library is glibc, too, and leaves out "-gnu" in names.
  KNOWS_LIBC = "3.3.22"

  # The license of LZ4 must come with its object code.
  LICENSE = "ext/sparpack_lz4/vendor/LICENSE"

  STAGE = File.join(Build::ROOT, "pkg/native")

  # @return [String] that of this Ruby
  def self.platform
    local = Gem::Platform.local
    libc  = RUBY_PLATFORM.include?("musl") ? "musl" : "gnu"
    [local.cpu, local.os, *(libc if local.os == "linux")].join("-")
  end

  # @return [String] the version of this Ruby, as folders are named
  def self.series = RUBY_VERSION[/\A\d+\.\d+/]

  attr_reader :platform

  # @param stage [String] the folder in which the libraries are collected
  def initialize(platform = NativeGem.platform, stage: File.join(STAGE, platform))
    @platform = platform
    @stage = stage
  end

  # Compiles the libraries for this Ruby, and adds them to the others.
  def compile
    abort "This machine compiles for #{NativeGem.platform}, not for #{platform}" unless platform == NativeGem.platform

    Build.new(:precompiled).run
    Build::PARTS.each_key do |part|
      library = Build.new(:precompiled, part:).library
      path = library[%r{/lib/sparpack/(.+)\z}, 1]
      target = File.join(@stage, "lib/sparpack", NativeGem.series, path)
      FileUtils.mkdir_p(File.dirname(target))
      FileUtils.cp(library, target)
    end
  end

  # @return [Array<String>] the versions of Ruby that there are libraries for
  def rubies
    Dir.children(File.join(@stage, "lib/sparpack")).sort_by { |series| Gem::Version.new(series) }
  rescue Errno::ENOENT
    []
  end

  # @param folder [String] where to put the gem
  # @return [String] its path
  def build(folder)
    abort "There are no libraries for #{platform} in #{@stage}" if rubies.empty?

    FileUtils.mkdir_p(folder)
    path = File.join(File.expand_path(folder), specification.file_name)
    Dir.mktmpdir do |root|
      sources.each { |file| copy(File.join(Build::ROOT, file), File.join(root, file)) }
      libraries.each { |file| copy(File.join(@stage, file), File.join(root, file)) }
      package(root, path)
    end
    path
  end

  # @return [Boolean] whether this RubyGems gives the gem its full name
  def named? = Gem::Platform.new(platform).to_s == platform

  # @return [Gem::Specification]
  def specification
    Gem::Specification.load(File.join(Build::ROOT, "sparpack.gemspec")).dup.tap do |spec|
      spec.platform = platform
      spec.extensions = []
      spec.files = sources + libraries
      spec.required_ruby_version = [">= #{rubies.first}", "< #{Gem::Version.new("#{rubies.last}.0").bump}.dev"]
      spec.required_rubygems_version = ">= #{KNOWS_LIBC}" if platform.end_with?("musl")
    end
  end

  private

  def sources
    files = Gem::Specification.load(File.join(Build::ROOT, "sparpack.gemspec")).files
    files.reject { |file| file.start_with?("ext/") && file != LICENSE }
  end

  def libraries = Dir.glob("lib/**/native.*", base: @stage).sort

  # Warnings are errors.
  def package(root, path)
    Gem::DefaultUserInteraction.use_ui(Gem::SilentUI.new) do
      Dir.chdir(root) { Gem::Package.build(specification, false, true, path) }
    end
  end

  def copy(from, to)
    FileUtils.mkdir_p(File.dirname(to))
    FileUtils.cp(from, to)
  end
end
