# frozen_string_literal: true

require "fileutils"
require "json"
require_relative "clang"
require_relative "coverage/branches"
require_relative "judged"

# Which lines and branches of the native code were reached by processes that loaded a build of the mode :coverage.
class Coverage
  ROOT   = File.expand_path("../..", __dir__)
  FOLDER = File.join(ROOT, "tmp/coverage")

  # Where the branches are listed that nothing has reached, and that nobody has judged.
  LIST = File.join(FOLDER, "unreached.txt")

  # @param room [String] a folder of ext/sparpack
  # @return [Judged] its branches that no test reaches, and why
  def self.judged(room) = Judged.load("bin/lib/coverage/judged/#{room}.txt")

  # @param library [String] the native library
  def initialize(library)
    @library = library
    FileUtils.rm_rf(FOLDER)
    FileUtils.mkdir_p(FOLDER)
  end

  # The variables of such processes. They count in the same files, whose numbers are mapped into their memory.
  def environment = { "LLVM_PROFILE_FILE" => File.join(FOLDER, "%8m%c.profraw") }

  # Prints what was reached of each room, and lists the rest.
  def report
    merge
    files = measured
    sides = branches(files)
    rooms = files.keys.group_by { |path| room(path) }.sort.to_h
    left = rooms.flat_map { |name, paths| room_report(name, files.values_at(*paths), sides.values_at(*paths).flatten) }
    puts row("all", files.values, sides.values.flatten, nil)
    File.write(LIST, left.join("\n"))
    puts "#{left.size} sides of branches were not reached, and nobody has judged them: #{LIST.delete_prefix("#{ROOT}/")}"
  end

  private

  def counts = File.join(FOLDER, "all.profdata")

  def merge
    counted = Dir["#{FOLDER}/*.profraw"]
    system(Clang.command("llvm-profdata"), "merge", "-o", counts, *counted) or abort "Nothing was counted."
  end

  def llvm_cov(*line)
    IO.popen([Clang.command("llvm-cov"), *line, @library, "-instr-profile=#{counts}"], err: File::NULL, &:read)
  end

  # @return [Hash{String => Hash}] what LLVM says of each source, by its path in ext/sparpack
  def measured
    files = JSON.parse(llvm_cov("export")).fetch("data")[0].fetch("files")
    files.to_h { |file| [file["filename"][%r{ext/sparpack/(.*)}, 1], file] }.except(nil)
  end

  # @return [Hash{String => Array<Side>}]
  def branches(files)
    decided = Branches.decided(llvm_cov("show", "-show-branches=count", "-show-instantiations=false"))
    files.to_h do |path, file|
      lines = File.readlines(File.join(ROOT, "ext/sparpack", path), chomp: true)
      [path, Branches.sides(path, file["branches"], decided.fetch(path, []), lines)]
    end
  end

  def room(path) = path.include?("/") ? path[%r{\A[^/]+}] : "(top)"

  # @return [Array<Side>] those that were not reached, and that nobody has judged
  def room_report(name, files, sides)
    unreached = sides.reject(&:reached?)
    judged = Coverage.judged(name)
    left = judged.without(unreached)
    puts row(name, files, sides, unreached.size - left.size)
    reached = judged.missing(unreached)
    puts "  In #{judged.path}, but tests reach it by now:", *reached.map { |key| "    #{key}" } unless reached.empty?
    left
  end

  def row(name, files, sides, judged)
    format("%-14s lines %6s  branches %6s of %6d%s", name, percent(sum(files, "covered"), sum(files, "count")),
           percent(sides.count(&:reached?), sides.size), sides.size, (format("  judged %4d", judged) if judged))
  end

  def percent(part, all) = format("%.1f%%", 100.0 * part / [all, 1].max)

  def sum(files, number) = files.sum { |file| file["summary"]["lines"][number] }
end
