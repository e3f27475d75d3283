# frozen_string_literal: true

require "rubygems"

# The public names of each release, in test/fixtures/public_names/VERSION.txt. A name that is deprecated is followed by
# "(deprecated)".
module ReleasedNames
  FOLDER = File.expand_path("../fixtures/public_names", __dir__)
  MARK   = " (deprecated)"

  module_function

  # @return [Hash{Gem::Version => Hash{String => Boolean}}] the names of each version, and whether they are deprecated
  def all
    Dir["*.txt", base: FOLDER].to_h do |file|
      names = File.readlines("#{FOLDER}/#{file}", chomp: true)
      [Gem::Version.new(file.delete_suffix(".txt")), names.to_h { |name| [name.delete_suffix(MARK), name.end_with?(MARK)] }]
    end
  end

  # @param names [Hash{String => Boolean}]
  def write(version, names)
    File.write("#{FOLDER}/#{version}.txt", names.sort.map { |name, deprecated| "#{name}#{MARK if deprecated}\n" }.join)
  end

  # @param lists [Hash] as {all} returns them
  # @param version [Gem::Version] the version that is developed
  # @param names [Array<String>] its names
  # @return [Array<String>] the names of the last release that it must still have
  def missing(lists, version, names)
    _, last = lists.select { |other, _| other <= version }.max_by(&:first)
    lists_before = lists.select { |other, _| may_drop?(other, version) }.values
    last.to_h.keys.reject { |name| names.include?(name) || lists_before.any? { |list| list[name] } }
  end

  # @return [Boolean] whether a version may drop what another one deprecated: before 1.0.0 the next minor version may, and
  #   later the next major version
  def may_drop?(deprecating, version)
    length = deprecating >= Gem::Version.new("1.0.0") ? 1 : 2
    [deprecating, version].map { |each| each.segments.first(length) }.then { |before, now| (before <=> now).negative? }
  end
end
