# frozen_string_literal: true

require_relative "package"
require_relative "build"

# Makes a fresh clone ready to run: installs the gems of some Bundler groups, and compiles the native part, if necessary.
#
#     require_relative "lib/setup"                  # from bin/
#     Setup.run(groups: [:bench])                   # the gems of a group; then `require "sparpack"` works
#     Setup.run                                     # without gems, not even Bundler
#     Setup.run(groups: [:test], mode: :sanitize)   # another build: see Build::MODES
#
# Child processes find the same gems and the same build, even if they call Setup themselves.
module Setup
  ROOT   = File.expand_path("../..", __dir__)
  GROUPS = %i[development test bench fuzz].freeze

  # What nobody measures need not be fast. Optimizing these takes 60 of the 130 s of CPU time of all gems.
  QUICKLY = %w[bigdecimal numo-narray-alt prism rbs].freeze

  module_function

  # @return [Build] what was built
  def run(groups: [], mode: ENV.fetch("SPARPACK_MODE", "release").to_sym)
    [["make", "make"], ["g++", RbConfig::CONFIG["CXX"]]].each { |package, command| Package.command(package, command) }
    Package.file("ruby-dev", File.join(RbConfig::CONFIG["rubyhdrdir"], "ruby.h"))
    installing = Thread.new { gems(groups) } # while the native part is compiled
    build = Build.new(mode).tap(&:run)
    installing.join
    Bundler.setup(:default, *groups) unless groups.empty?
    $LOAD_PATH.unshift(*build.load_path)
    ENV["SPARPACK_MODE"] = mode.to_s
    ENV["RUBYLIB"] = [*build.load_path, ENV.fetch("RUBYLIB", nil)].compact.join(File::PATH_SEPARATOR)
    build
  end

  # Bundler is frozen: if the lockfile does not fit the Gemfile, it fails instead of changing the lockfile.
  def gems(groups)
    return if groups.empty?

    Package.command("ruby-bundler", "bundle")
    ENV["BUNDLE_GEMFILE"] = File.join(ROOT, "Gemfile")
    ENV["BUNDLE_FROZEN"]  = "true"
    ENV["BUNDLE_WITH"]    = groups.join(":")
    ENV["BUNDLE_WITHOUT"] = (GROUPS - groups).join(":")
    require "bundler"
    install unless installed?
  end

  def installed? = bundle("check", out: File::NULL, err: File::NULL)

  # Installs the gems into the clone, where an ordinary user may write and `bundle exec` finds them.
  def install
    Bundler.settings.set_local(:path, "vendor/bundle") unless Bundler.settings[:path]
    QUICKLY.map { |name| "build.#{name}" }.reject { |name| Bundler.settings[name] }.each do |name|
      Bundler.settings.set_local(name, "--with-cflags=-O0")
    end
    bundle("install", "--quiet", "--jobs", "2") or abort "The gems could not be installed. Run bundle install to see why."
  end

  def bundle(*arguments, **options) = system("bundle", *arguments, chdir: ROOT, **options)

  private_class_method :gems, :installed?, :install, :bundle
end
