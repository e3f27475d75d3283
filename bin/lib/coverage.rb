# frozen_string_literal: true

require "fileutils"
require "json"
require_relative "clang"

# Which lines and branches of the native code were reached by processes that loaded a build of the mode :coverage.
class Coverage
  ROOT   = File.expand_path("../..", __dir__)
  FOLDER = File.join(ROOT, "tmp/coverage")

  # Where the branches are listed that nothing has reached.
  LIST = File.join(FOLDER, "unreached.txt")

  SIDES = %w[true false].freeze

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
    files = measured
    rows = files.group_by { |path, _| room(path) }.sort.to_h.transform_values { |found| found.map(&:last) }
    rows.each { |room, found| puts row(room, found) }
    puts row("all", files.values)
    list = files.flat_map { |path, file| unreached(path, file) }
    File.write(LIST, list.join("\n"))
    puts "#{list.size} sides of branches were not reached: #{LIST.delete_prefix("#{ROOT}/")}"
  end

  private

  # @return [Hash{String => Hash}] what LLVM says of each source, by its path in ext/sparpack
  def measured
    merged = File.join(FOLDER, "all.profdata")
    system(Clang.command("llvm-profdata"), "merge", "-o", merged,
           *Dir["#{FOLDER}/*.profraw"]) or abort "Nothing was counted."
    text = IO.popen([Clang.command("llvm-cov"), "export", @library, "-instr-profile=#{merged}"], err: File::NULL, &:read)
    files = JSON.parse(text).fetch("data")[0].fetch("files")
    files.to_h { |file| [file["filename"][%r{ext/sparpack/(.*)}, 1], file] }.compact.except(nil)
  end

  def room(path) = path.include?("/") ? path[%r{\A[^/]+}] : "(top)"

  def row(name, files)
    format("%-14s lines %6s  branches %6s of %6d", name, part(files, "lines"), part(files, "branches"),
           sum(files, "branches", "count"))
  end

  def part(files, what) = format("%.1f%%", 100.0 * sum(files, what, "covered") / [sum(files, what, "count"), 1].max)

  def sum(files, what, number) = files.sum { |file| file["summary"][what][number] }

  # A branch is in the list for each side that was not reached, with the text of its condition.
  def unreached(path, file)
    lines = nil
    sides = file["branches"].group_by { |branch| branch.first(4) }.transform_values do |branches|
      [branches.sum { |branch| branch[4] }, branches.sum { |branch| branch[5] }]
    end
    sides.flat_map do |(line, column, end_line, end_column), counts|
      lines ||= File.readlines(File.join(ROOT, "ext/sparpack", path), chomp: true)
      last = end_line == line ? end_column - 2 : -1
      text = lines[line - 1][(column - 1)..last].strip
      SIDES.zip(counts).filter_map { |side, count| "#{path}:#{line}: #{text} [#{side}]" if count.zero? }
    end
  end
end
