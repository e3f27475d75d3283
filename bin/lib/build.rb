# frozen_string_literal: true

require "etc"
require "fileutils"
require "pathname"
require "rbconfig"

# Compiles the native part. Each mode and each Ruby version has a folder of its own. Only a release build goes to lib/.
class Build
  ROOT   = File.expand_path("../..", __dir__)
  SOURCE = File.join(ROOT, "ext/sparpack")

  # Options of extconf.rb.
  MODES = { release: [], debug: ["--enable-debug"], sanitize: ["--enable-sanitize"],
            ablation: ["--enable-ablation"] }.freeze

  # Ruby frees little when it exits, so leaks are not checked. The GC scans the machine stack, and fake frames would hide
  # objects from it. Each of Ruby's threads has a signal stack, which the sanitizer would take for its own.
  SANITIZERS = {
    "ASAN_OPTIONS"  => "detect_leaks=0:detect_stack_use_after_return=0:use_sigaltstack=0",
    "UBSAN_OPTIONS" => "print_stacktrace=1"
  }.freeze

  attr_reader :mode

  # @param patience [Integer] the seconds to wait for another process that compiles the same build
  def initialize(mode = :release, patience: 900)
    @mode = mode
    @options = MODES.fetch(mode)
    @patience = patience
  end

  # Compiles what has changed. If several processes call this at once, the first one compiles and the others wait.
  def run
    FileUtils.mkdir_p([folder, File.dirname(library)])
    File.open(File.join(folder, "lock"), File::CREAT | File::RDWR) do |lock|
      wait_for(lock)
      configure if stale?
      compile unless made?
      publish
    end
  end

  # @return [Boolean] whether the library exists and is up to date
  def current? = File.exist?(library) && !stale? && made?

  def folder = File.join(ROOT, "tmp/build", "#{RUBY_VERSION}-#{RUBY_PLATFORM}", mode.to_s)

  # The folders in which `require "sparpack/native"` finds this build.
  def load_path = [(File.join(folder, "lib") unless mode == :release), File.join(ROOT, "lib")].compact

  def library = File.join(load_path.first, "sparpack/native.#{RbConfig::CONFIG["DLEXT"]}")

  # The environment that a process needs to load the library. The sanitizers' runtimes must be loaded first.
  def environment
    return {} unless mode == :sanitize

    runtimes = %w[libasan.so libubsan.so].map { |name| IO.popen(["gcc", "-print-file-name=#{name}"], &:read).chomp }
    SANITIZERS.merge("LD_PRELOAD" => runtimes.join(" "))
  end

  private

  def wait_for(lock)
    waited = 0
    until lock.flock(File::LOCK_EX | File::LOCK_NB) || waited == @patience
      warn "Waiting for another process that compiles the native part (#{mode})" if waited == 3
      sleep(1)
      waited += 1
    end
    return if waited < @patience

    abort "Another process has held #{lock.path} for #{@patience} seconds. End it and try again."
  end

  def makefile = File.join(folder, "Makefile")

  # The Makefile lists the objects and includes the file depend.
  def stale?
    return true unless File.exist?(makefile)

    written = File.mtime(makefile)
    read = %w[extconf.rb depend ../../lib/sparpack/version.rb].map { |name| File.join(SOURCE, name) }
    return true if read.any? { |path| File.exist?(path) && File.mtime(path) > written }

    objects = Dir.glob("**/*.cpp", base: SOURCE).map { |path| path.sub(/cpp\z/, RbConfig::CONFIG["OBJEXT"]) }
    File.read(makefile)[/^OBJS = (.*)/, 1].split.sort != objects.sort
  end

  def made? = system("make", "--question", chdir: folder, out: File::NULL, err: File::NULL)

  # In CI, where nobody would read them, warnings stop the build. The path is relative because make cannot handle the
  # spaces that an absolute path may have.
  def configure
    FileUtils.rm_f(makefile)
    extconf = Pathname(SOURCE).relative_path_from(folder).join("extconf.rb").to_s
    command(RbConfig.ruby, extconf, *@options, *("--enable-werror" if ENV["CI"]))
  end

  def compile
    warn "Compiling the native part (#{mode})"
    command("make", "-j#{Etc.nprocessors}")
  end

  # Moves the library into place in one step, so that a process that has loaded the old one keeps it.
  def publish
    built = File.join(folder, File.basename(library))
    # What was compiled from changed comments is the same, and up to date (see lib/sparpack/loading.rb).
    return FileUtils.touch(library) if File.exist?(library) && FileUtils.identical?(built, library)

    FileUtils.cp(built, "#{library}.new")
    File.rename("#{library}.new", library)
  end

  # Shows the output of a command only if it fails. Warnings go to stderr anyway.
  def command(*line)
    output = IO.popen(line, chdir: folder, &:read)
    return if $?.success?

    abort "#{output}The native part could not be compiled: #{line.join(" ")}"
  end
end
