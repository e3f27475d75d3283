# frozen_string_literal: true

require "etc"
require "fileutils"
require "pathname"
require "rbconfig"

# The native part, compiled. Each mode and each Ruby has a folder of its own; only a release build goes to lib/.
class Build
  ROOT   = File.expand_path("../..", __dir__)
  SOURCE = File.join(ROOT, "ext/sparpack")

  # Options of extconf.rb.
  MODES = { release: [], debug: ["--enable-debug"], sanitize: ["--enable-sanitize"],
            ablation: ["--enable-ablation"] }.freeze

  # Ruby itself frees little at its end. The machine stack is scanned by the GC: fake frames would hide objects. Each thread
  # of Ruby's has a signal stack that the sanitizer would take for its own.
  SANITIZERS = {
    "ASAN_OPTIONS"  => "detect_leaks=0:detect_stack_use_after_return=0:use_sigaltstack=0",
    "UBSAN_OPTIONS" => "print_stacktrace=1"
  }.freeze

  attr_reader :mode

  # @param patience [Integer] seconds that another process may take to compile the same
  def initialize(mode = :release, patience: 900)
    @mode = mode
    @options = MODES.fetch(mode)
    @patience = patience
  end

  # Compiles what changed. Several processes may ask at once: the first one works, the others wait.
  def run
    FileUtils.mkdir_p([folder, File.dirname(library)])
    File.open(File.join(folder, "lock"), File::CREAT | File::RDWR) do |lock|
      wait_for(lock)
      configure if stale?
      compile unless made?
      publish
    end
  end

  # @return [Boolean] whether it is there, compiled from the sources as they are
  def current? = File.exist?(library) && !stale? && made?

  def folder = File.join(ROOT, "tmp/build", "#{RUBY_VERSION}-#{RUBY_PLATFORM}", mode.to_s)

  # Where `require "sparpack/native"` finds this build, before lib/.
  def load_path = [(File.join(folder, "lib") unless mode == :release), File.join(ROOT, "lib")].compact

  def library = File.join(load_path.first, "sparpack/native.#{RbConfig::CONFIG["DLEXT"]}")

  # What a process that loads the library needs in its environment: the runtimes must come before all else.
  def environment
    return {} unless mode == :sanitize

    runtimes = %w[libasan.so libubsan.so].map { |name| IO.popen(["gcc", "-print-file-name=#{name}"], &:read).chomp }
    SANITIZERS.merge("LD_PRELOAD" => runtimes.join(" "))
  end

  private

  def wait_for(lock)
    waited = 0
    until lock.flock(File::LOCK_EX | File::LOCK_NB) || waited == @patience
      warn "Waiting for another process, which compiles the native part (#{mode})" if waited == 3
      sleep(1)
      waited += 1
    end
    return if waited < @patience

    abort "Another process has held #{lock.path} for #{@patience} seconds. End it and try again."
  end

  def makefile = File.join(folder, "Makefile")

  # The Makefile lists the objects and contains depend.
  def stale?
    return true unless File.exist?(makefile)

    written = File.mtime(makefile)
    return true if %w[extconf.rb depend].map { |name| File.join(SOURCE, name) }
                                        .any? { |path| File.exist?(path) && File.mtime(path) > written }

    objects = Dir.glob("**/*.cpp", base: SOURCE).map { |path| path.sub(/cpp\z/, RbConfig::CONFIG["OBJEXT"]) }
    File.read(makefile)[/^OBJS = (.*)/, 1].split.sort != objects.sort
  end

  def made? = system("make", "--question", chdir: folder, out: File::NULL, err: File::NULL)

  # Warnings stop the build where nobody would read them. The path is relative: a clone's may have spaces, which make
  # does not know.
  def configure
    FileUtils.rm_f(makefile)
    extconf = Pathname(SOURCE).relative_path_from(folder).join("extconf.rb").to_s
    command(RbConfig.ruby, extconf, *@options, *("--enable-werror" if ENV["CI"]))
  end

  def compile
    warn "Compiling the native part (#{mode})"
    command("make", "-j#{Etc.nprocessors}")
  end

  # Moved into place in one step: a process that has the old one loaded keeps it.
  def publish
    built = File.join(folder, File.basename(library))
    return if File.exist?(library) && FileUtils.identical?(built, library)

    FileUtils.cp(built, "#{library}.new")
    File.rename("#{library}.new", library)
  end

  # What a command says is worth reading only when it fails; warnings go to stderr.
  def command(*line)
    output = IO.popen(line, chdir: folder, &:read)
    return if $?.success?

    abort "#{output}The native part could not be compiled: #{line.join(" ")}"
  end
end
