# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "tmpdir"

# Installs a precompiled gem into an empty folder, without a compiler in PATH, and tries it. Prints what a user would want to
# know, and fails if something is not as it should be.
class Trial
  MOST_BYTES   = 5 << 20
  MOST_SECONDS = 3.0 # of CPU time, which does not depend on what else the machine does

  # What the libraries may need of glibc: all Linux distributions of the last ten years have it.
  NEWEST_GLIBC = "2.17"

  SERIES = RUBY_VERSION[/\A\d+\.\d+/]

  # Libraries that are on every machine where Ruby is: on Linux, and on macOS.
  SYSTEM = /\A(?:libc|libm|ld-linux[-\w]*|libc\.musl-\w+|libgcc_s)\.so(?:\.\d+)?\z/
  SYSTEM_OF_MACOS = %r{\A/(?:usr/lib|System)/}

  PROGRAM = <<~'RUBY'
    require "sparpack"
    class Point < Sparpack::Struct
      field 1, :x, :i32
      field 2, :name, :string
    end
    point = Point.new(x: 7, name: "Mitte " * 100)
    %i[compact binary json thrift_json message_pack].each { |wire| Point.decode(point.encode(wire), wire) == point or abort wire.to_s }
    packed = point.encode(:message_pack, compression: :lz4)
    Point.decode(packed, :message_pack) == point or abort "compression"
    Sparpack::MessagePack.unpack(Sparpack::MessagePack.pack([1, "a"])) == [1, "a"] or abort "MessagePack"
    Sparpack::LZ4.inflate(Sparpack::LZ4.deflate("a" * 999)) == "a" * 999 or abort "LZ4"
    puts $LOADED_FEATURES.grep(%r{/lib/sparpack/\d[^/]*/(?:lz4/)?native\.})
  RUBY

  # @param gem [String] the path of a gem
  def initialize(gem)
    @gem = File.expand_path(gem)
  end

  # @return [Boolean] whether everything is as it should be
  def run
    @faults = []
    Dir.mktmpdir do |folder|
      @home = File.join(folder, "home")
      @empty = File.join(folder, "empty").tap { |path| Dir.mkdir(path) }
      report(install)
    end
    @faults.each { |fault| warn "Fault: #{fault}" }
    @faults.empty?
  end

  private

  # @return [Array<Float>] the seconds it took, and those of CPU time
  def install
    before = times
    ruby(File.join(RbConfig::CONFIG["bindir"], "gem"), "install", "--local", "--no-document", @gem)
    times.zip(before).map { |after, earlier| after - earlier }
  end

  def times = [Process.clock_gettime(Process::CLOCK_MONOTONIC), Process.times.cutime + Process.times.cstime]

  def report((seconds, of_cpu))
    loaded = ruby("-e", PROGRAM).lines(chomp: true)
    root   = Dir[File.join(@home, "gems/*")].first
    sizes  = bytes_of_files(root)
    others = sizes.keys.grep(%r{\Alib/sparpack/\d+\.\d+/}).reject { |path| path.start_with?("lib/sparpack/#{SERIES}/") }
    needed = sizes.except(*others).sum(&:last)

    puts File.basename(@gem)
    puts "  #{File.size(@gem)} bytes, installed in #{seconds.round(2)} s (#{of_cpu.round(2)} s of CPU time)"
    puts "  #{sizes.sum(&:last)} bytes installed, of these #{needed} for Ruby #{SERIES}"
    @faults << "the program loaded #{loaded.size} libraries of the gem, not 2" unless loaded.size == 2
    @faults << "installing took more than #{MOST_SECONDS} s of CPU time" if of_cpu > MOST_SECONDS
    @faults << "it has more than #{MOST_BYTES} bytes for Ruby #{SERIES}" if needed > MOST_BYTES
    loaded.each { |path| inspect_library(path, path.delete_prefix("#{root}/")) }
  end

  # @return [Hash{String => Integer}] the bytes of each file
  def bytes_of_files(folder)
    files = Dir.glob("**/*", File::FNM_DOTMATCH, base: folder).select { |path| File.file?("#{folder}/#{path}") }
    files.to_h { |path| [path, File.size("#{folder}/#{path}")] }
  end

  def inspect_library(path, name)
    puts "  #{name}: #{File.size(path)} bytes"
    if path.end_with?(".bundle")
      return check_needed(name, said("otool", "-L", path).scan(/^\t(\S+)/).flatten, SYSTEM_OF_MACOS)
    end

    needed  = said("readelf", "--dynamic", path).scan(/\(NEEDED\).*\[(.+)\]/).flatten
    symbols = said("readelf", "--version-info", path).scan(/\bName: GLIBC_([\d.]+)/).flatten.uniq
    symbols.sort_by! { |text| Gem::Version.new(text) }
    check_needed(name, needed, SYSTEM)
    puts "    glibc #{symbols.join(", ")}" unless symbols.empty?
    new = symbols.select { |text| Gem::Version.new(text) > Gem::Version.new(NEWEST_GLIBC) }
    @faults << "#{name} needs symbols of glibc #{new.join(", ")}" unless new.empty?
  end

  def check_needed(name, needed, system)
    puts "    needs #{needed.join(", ")}"
    strange = needed.grep_v(system)
    @faults << "#{name} needs #{strange.join(", ")}" unless strange.empty?
  end

  # @return [String] what Ruby printed
  def ruby(*arguments)
    ours = ENV.keys.grep(/\A(?:BUNDLE|GEM_|RUBY)/).to_h { |name| [name, nil] }
    said({ **ours, "PATH" => @empty, "GEM_HOME" => @home, "GEM_PATH" => @home }, RbConfig.ruby, *arguments)
  end

  def said(*command)
    output = IO.popen([*command, { err: %i[child out] }], &:read)
    $?.success? or abort "#{output}\n#{command.grep(String).first(4).join(" ")} failed"
    output
  end
end
