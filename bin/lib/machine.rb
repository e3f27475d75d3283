# frozen_string_literal: true

require "fileutils"
require "open3"
require_relative "package"
require_relative "test_file"

# A Debian in a folder, with another Ruby or for another processor, in which the test suite runs. Root makes it with
# debootstrap (and QEMU), and it stays for the next time.
class Machine
  ROOT   = File.expand_path("../..", __dir__)
  FOLDER = File.join(ROOT, "tmp/machines")

  # The release of Debian that has a version of Ruby, and where to look for packages that it lacks.
  RUBIES = { "3.1" => ["bookworm"], "3.3" => ["trixie"], "3.4" => %w[sid experimental] }.freeze
  ARCHITECTURES = { "amd64" => nil, "arm64" => "aarch64", "s390x" => "s390x" }.freeze

  PACKAGES = %w[ca-certificates g++ git make pkg-config ruby-bundler libyaml-dev liblz4-dev lz4 python3 python3-msgpack
                python3-six python3-thrift thrift-compiler zlib1g-dev libxml2-dev libxslt1-dev libsqlite3-dev libpq-dev
                postgresql redis-server memcached libssl-dev mariadb-server].freeze

  # The repository, seen from inside.
  INSIDE = "/sparpack"

  # What is mounted for it is seen by it alone.
  MOUNTS = 'for place in dev proc sys; do mount --rbind "/$place" "$0/$place"; done; exec chroot "$0" "$@"'

  # What tests are told where QEMU emulates the processor. A broker does not keep up with a producer of 100,000 records
  # there, and consumers get none of them.
  EMULATED = { "SPARPACK_PATIENCE" => "10", "KAFKA_RECORDS" => "5000" }.freeze

  # @param ruby [String] one of RUBIES
  # @param architecture [String] one of ARCHITECTURES
  def initialize(ruby: "3.1", architecture: "amd64")
    RUBIES.key?(ruby) or abort "--ruby takes one of #{RUBIES.keys.join(", ")}"
    ARCHITECTURES.key?(architecture) or abort "--machine takes one of #{ARCHITECTURES.compact.keys.join(", ")}"
    @ruby = ruby
    @suite, @more = RUBIES.fetch(ruby)
    @architecture = architecture
  end

  # Runs bin/test in it, with the files as they are here.
  #
  # @param arguments [Array<String>] of bin/test; if they name no files, all rooms run but those of TestFile::APART
  # @return [Boolean] whether the suite passed
  def test(arguments)
    abort "Only root can make another machine." unless Process.uid.zero?
    make unless File.exist?(done)
    install unless File.read(done) == PACKAGES.join(" ") # more of them may be needed than when it was made
    copy
    paths = Dir.glob("test/*/*_test.rb", base: ROOT).map { |path| File.dirname(path) }.uniq.sort - TestFile::APART
    inside("bin/test", *arguments, *(paths if arguments.grep(/_test\.rb|\Atest/).empty?))
  end

  private

  def folder = File.join(FOLDER, "ruby#{@ruby}-#{@architecture}")
  def done = File.join(folder, "done")

  def make
    Package.command("debootstrap", "debootstrap")
    emulate if emulated?
    FileUtils.mkdir_p(folder)
    run("debootstrap", "--variant=minbase", "--arch=#{@architecture}", "--include=ca-certificates", @suite, folder, mirror)
    certificates
    write("etc/apt/sources.list.d/more.list", "deb #{mirror} #{@more} main\n") if @more
    write("etc/apt/apt.conf.d/old", "Acquire::Check-Valid-Until \"false\";\n") # some mirrors are behind
    FileUtils.touch(done)
  end

  def emulated? = ARCHITECTURES[@architecture] && ARCHITECTURES[@architecture] != RbConfig::CONFIG["host_cpu"]

  # The kernel runs programs of the other processor by QEMU.
  def emulate
    Package.command("qemu-user-static", "qemu-#{ARCHITECTURES[@architecture]}-static")
    Package.command("binfmt-support", "update-binfmts")
    mounted = File.exist?("/proc/sys/fs/binfmt_misc/register")
    run("mount", "-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc") unless mounted
    run("update-binfmts", "--enable", "qemu-#{ARCHITECTURES[@architecture]}")
  end

  # @return [String] where this machine has its own packages from
  def mirror
    lines = Dir["/etc/apt/sources.list{,.d/*}"].flat_map { |path| File.readlines(path) }
    lines.grep_v(/^#/).join[%r{https?://\S+/debian\b}] or abort "There is no mirror of Debian in /etc/apt."
  end

  def write(path, text) = File.write(File.join(folder, path), text)

  # Those that this machine trusts.
  def certificates
    ours = "/etc/ssl/certs/ca-certificates.crt"
    FileUtils.cp(ours, File.join(folder, ours)) if File.exist?(ours)
  end

  def install
    ruby = @more ? "ruby#{@ruby}" : "ruby"
    apt = %w[apt-get -qq install --yes --no-install-recommends]
    inside("apt-get", "-qq", "update", at: "/") or abort "The packages could not be listed."
    inside(*apt, *PACKAGES, at: "/") or abort "The packages could not be installed."
    inside(*apt, *(["-t", @more] if @more), ruby, "#{ruby}-dev", at: "/") or abort "#{ruby} could not be installed."
    name_commands if @more
    File.write(done, PACKAGES.join(" "))
  end

  # Of a Ruby that is not its release's own, the commands have no usual names, and Bundler is a gem.
  def name_commands
    %w[ruby gem].each { |name| FileUtils.ln_sf("/usr/bin/#{name}#{@ruby}", File.join(folder, "usr/local/bin/#{name}")) }
    inside("gem", "install", "--no-document", "bundler", at: "/") or abort "Bundler could not be installed."
  end

  # Git writes only files that differ, so that what was compiled stays current.
  def copy
    target = File.join(folder, INSIDE)
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, target) unless File.exist?(target)
    head = Open3.capture2("git", "rev-parse", "HEAD", chdir: ROOT).first.strip
    run("git", "-C", target, "fetch", "--quiet", ROOT, head)
    run("git", "-C", target, "reset", "--quiet", "--hard", "FETCH_HEAD")
    run("git", "-C", target, "clean", "--quiet", "--force", "-d")
    changed = Open3.capture2("git", "ls-files", "-z", "--modified", "--others", "--exclude-standard", chdir: ROOT).first
    changed.split("\0").select { |path| File.file?(File.join(ROOT, path)) }.each do |path|
      FileUtils.mkdir_p(File.dirname(File.join(target, path)))
      FileUtils.cp(File.join(ROOT, path), File.join(target, path), preserve: true)
    end
  end

  def inside(*command, at: INSIDE)
    environment = { "PATH" => "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME" => "/root",
                    "LANG" => "C.UTF-8", "DEBIAN_FRONTEND" => "noninteractive", "CI" => ENV.fetch("CI", nil),
                    **(emulated? ? EMULATED : {}) }.compact
    system("unshare", "--mount", "sh", "-c", MOUNTS, folder, "env", "-i", "-C", at,
           *environment.map { |name, value| "#{name}=#{value}" }, *command)
  end

  def run(*command)
    system(*command) or abort "#{command.join(" ")} failed."
  end
end
