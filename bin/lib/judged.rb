# frozen_string_literal: true

# What a tool finds, but somebody has looked at, and may stay: mutants that no test can or need notice, branches that no test
# reaches. The file has a paragraph for each reason: the reason as a comment, and the keys of what it is about. A key stands
# there as often as what it names exists.
class Judged
  ROOT = File.expand_path("../..", __dir__)

  # @return [String] the file, below the root of the project
  attr_reader :path

  # @param path [String] the file, below the root of the project
  # @return [Judged] empty if there is no such file
  def self.load(path)
    file = File.join(ROOT, path)
    new(path, File.exist?(file) ? File.read(file, encoding: Encoding::UTF_8) : "")
  end

  # @param text [String] what is in the file
  def initialize(path, text)
    @path = path
    @counts = text.lines(chomp: true).reject { |line| line.empty? || line.start_with?("#") }.tally
  end

  # @return [Array<String>] each key once
  def keys = @counts.keys

  # @param found [Array<#key>] mutants that survived, sides of branches that were not reached
  # @return [Array<#key>] those that are not in the file
  def without(found)
    left = @counts.dup
    found.reject { |each| left.fetch(each.key, 0).positive? && (left[each.key] -= 1) }
  end

  # @return [Array<String>] the keys of which fewer were found than the file has
  def missing(found)
    counts = found.map(&:key).tally
    @counts.filter_map { |key, count| key if counts.fetch(key, 0) < count }
  end
end
