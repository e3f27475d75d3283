# frozen_string_literal: true

require "etc"
require "fileutils"
require "pathname"
require "rbconfig"
require_relative "../../ext/makefile"
require_relative "clang"
require_relative "progress"

# Compiles the native part, and the optional library for LZ4. Each mode and each Ruby version has a folder of its own. Only a
# release build goes to lib/.
class Build
  ROOT   = File.expand_path("../..", __dir__)
  SOURCE = File.join(ROOT, "ext/sparpack")

  # The folder of each library's sources, and what Ruby requires to load it.
  PARTS = { core: ["ext/sparpack", "sparpack/native"], lz4: ["ext/sparpack_lz4", "sparpack/lz4/native"] }.freeze

  # Options of extconf.rb.
  MODES = { release: [], debug: ["--enable-debug"], sanitize: ["--enable-sanitize"],
            ablation: ["--enable-ablation", "--with-objects=../release"], fuzz: ["--enable-fuzz"],
            coverage: ["--enable-coverage"],
            precompiled: ["--enable-precompiled", "--with-objects=../release"] }.freeze

  # These need clang.
  CLANG = %i[fuzz coverage].freeze

  # Ruby frees little when it exits, so leaks are not checked. The GC scans the machine stack, and fake frames would hide
  # objects from it. Each of Ruby's threads has a signal stack, which the sanitizer would take for its own.
  SANITIZERS = {
    "ASAN_OPTIONS"  => "detect_leaks=0:detect_stack_use_after_return=0:use_sigaltstack=0",
    "UBSAN_OPTIONS" => "print_stacktrace=1"
  }.freeze

  attr_reader :mode

  # @param mode [Symbol] one of MODES
  # @param patience [Integer] the seconds to wait for another process that compiles the same build
  # @param part [Symbol] one of PARTS; running the core's build also runs the others
  def initialize(mode = :release, patience: 900, part: :core)
    @mode = mode
    @options = MODES.fetch(mode)
    @patience = patience
    @part = part
    @source, @feature = PARTS.fetch(part)
  end

  # Compiles what has changed. If several processes call this at once, the first one compiles and the others wait.
  def run
    before&.run
    make
    others.each(&:run)
  end

  # @return [Boolean] whether the library exists and is up to date
  def current? = File.exist?(library) && !stale? && made? && (before.nil? || before.current?)

  # @return [String] the folder of the sources
  def source = File.join(ROOT, @source)

  # @return [String] the folder that everything is compiled in
  def folder = File.join(mode_folder, *(@part.to_s unless @part == :core))

  # The folders in which `require "sparpack/native"` finds this build.
  def load_path = [(File.join(mode_folder, "lib") unless mode == :release), File.join(ROOT, "lib")].compact

  def library = File.join(load_path.first, "#{@feature}.#{RbConfig::CONFIG["DLEXT"]}")

  # @return [Array<String>] the paths of the core's library and of those of the other parts
  def libraries = [self, *others].map(&:library)

  # The environment that a process needs to load the library. The sanitizers' runtimes must be loaded first.
  def environment
    return {} unless mode == :sanitize

    runtimes = %w[libasan.so libubsan.so].map { |name| IO.popen(["gcc", "-print-file-name=#{name}"], &:read).chomp }
    SANITIZERS.merge("LD_PRELOAD" => runtimes.join(" "))
  end

  private

  # The build whose objects this one links.
  def before
    Build.new(:release, patience: @patience) if @part == :core && @options.include?("--with-objects=../release")
  end

  # The ablation and the coverage are those of the core alone. The fuzzers of LZ4 need no Ruby.
  def others
    return [] if @part != :core || mode == :ablation
    return [Build.new(:release, patience: @patience, part: :lz4)] if CLANG.include?(mode)

    (PARTS.keys - [:core]).map { |part| Build.new(mode, patience: @patience, part:) }
  end

  def mode_folder = File.join(ROOT, "tmp/build", "#{RUBY_VERSION}-#{RUBY_PLATFORM}", mode.to_s)

  def make
    FileUtils.mkdir_p([folder, File.dirname(library)])
    File.open(File.join(folder, "lock"), File::CREAT | File::RDWR) do |lock|
      wait_for(lock)
      configure if stale?
      compile unless made?
      publish
    end
  end

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
    read = %w[extconf.rb depend ../makefile.rb ../../lib/sparpack/version.rb].map { |name| File.join(source, name) }
    return true if read.any? { |path| File.exist?(path) && File.mtime(path) > written }

    objects = Makefile.units(source).map { |path| path.sub(/c(pp)?\z/, RbConfig::CONFIG["OBJEXT"]) }
    File.read(makefile)[/^OBJS = (.*)/, 1].gsub("../release/", "").split.sort != objects.sort
  end

  def made? = system("make", "--question", chdir: folder, out: File::NULL, err: File::NULL)

  # In CI, where nobody would read them, warnings stop the build. The path is relative because make cannot handle the
  # spaces that an absolute path may have.
  def configure
    FileUtils.rm_f(makefile)
    extconf = Pathname(source).relative_path_from(folder).join("extconf.rb").to_s
    options = [*@options, *("--with-clang=#{Clang.command("clang++")}" if CLANG.include?(mode))]
    command(RbConfig.ruby, extconf, *options, *("--enable-werror" if ENV["CI"]), *("--disable-optimize" if quick?))
  end

  # In CI, nobody measures with the ablation.
  def quick? = mode == :ablation && ENV["CI"]

  def compile
    warn "Compiling the #{@part == :core ? "native part" : "library for #{@part.upcase}"} (#{mode})"
    Progress.show { |progress| command("make", "-j#{Etc.nprocessors}") { |line| progress.line(line) } }
  end

  # Moves the library into place in one step, so that a process that has loaded the old one keeps it.
  def publish
    built = File.join(folder, File.basename(library))
    # What was compiled from changed comments is the same, and up to date (see lib/sparpack/native/loading.rb).
    return FileUtils.touch(library) if File.exist?(library) && FileUtils.identical?(built, library)

    FileUtils.cp(built, "#{library}.new")
    File.rename("#{library}.new", library)
  end

  # Shows the output of a command only if it fails. Warnings go to stderr anyway.
  #
  # @yieldparam line [String] of the output
  def command(*line)
    output = +""
    IO.popen(line, chdir: folder) do |pipe|
      pipe.each_line do |said|
        output << said
        yield said if block_given?
      end
    end
    return if $?.success?

    abort "#{output}#{@source} could not be compiled: #{line.join(" ")}"
  end
end
