# frozen_string_literal: true

require "date"
require "fileutils"
require "open3"
require_relative "../build"

# A release, as a person makes it (docs/releasing.md). CI builds and publishes the gems when the tag arrives.
class Release
  BRANCH = "main"

  # What the gem's page on rubygems.org must link to.
  LINKS = %w[source_code_uri changelog_uri bug_tracker_uri].freeze

  # The first section of the changelog.
  HEADING = /^## (?<version>\d+\.\d+\.\d+) - (?<date>unreleased|\d{4}-\d\d-\d\d)$/

  # @param text [String, nil] a date, or today
  # @return [Date]
  def self.date(text)
    text ? Date.iso8601(text) : Date.today
  rescue Date::Error
    abort "#{text} is not a date such as 2026-12-24"
  end

  # @param root [String] the folder of a clone
  def initialize(root = Build::ROOT)
    @root = root
  end

  # @return [String] the version in lib/sparpack/version.rb
  def version = File.read(path("lib/sparpack/version.rb"))[/VERSION = "(.+)"/, 1]

  def tag = "v#{version}"

  # @return [Date, nil] the date that the changelog has for the version, if it has one
  def date
    heading = changelog.match(HEADING) or return
    heading[:version] == version && heading[:date] != "unreleased" ? Date.iso8601(heading[:date]) : nil
  end

  # Writes the date of the release into the changelog.
  #
  # @param date [Date]
  def prepare(date)
    unreleased = "## #{version} - unreleased\n"
    changelog.include?(unreleased) or abort "The changelog has no line \"#{unreleased.chomp}\""

    File.write(path("CHANGELOG.md"), changelog.sub(unreleased, "## #{version} - #{date.iso8601}\n"))
  end

  # @return [Array<String>] why this must not be released
  def faults
    branch = git("rev-parse", "--abbrev-ref", "HEAD")
    [
      ("this is the branch #{branch}, not #{BRANCH}" unless branch == BRANCH),
      ("there are changes that are not committed" unless git("status", "--porcelain").empty?),
      ("the changelog has no date for #{version}: rake release:prepare" unless date),
      ("there is a tag #{tag} already" unless git("tag", "--list", tag).empty?),
      ("the homepage in sparpack.gemspec is not the repository: see docs/releasing.md" unless repository?),
      *LINKS.reject { |link| gemspec.include?(link) }.map { |link| "sparpack.gemspec has no #{link}: see docs/releasing.md" }
    ].compact
  end

  # Builds the source gem and makes the tag.
  #
  # @return [String] the path of the gem
  def make
    abort faults.map { |fault| "Not released: #{fault}\n" }.join unless faults.empty?

    FileUtils.mkdir_p(path("pkg"))
    gem = path("pkg/sparpack-#{version}.gem")
    run(RbConfig.ruby, "-S", "gem", "build", "--strict", "sparpack.gemspec", "--output", gem)
    git("tag", "--annotate", "--message", "Sparpack #{version}", tag)
    gem
  end

  # The workflow for releases starts when the tag arrives.
  def push = git("push", "--atomic", "origin", BRANCH, tag)

  private

  def path(name) = File.join(@root, name)

  # A published gem cannot be changed. From this one, nobody would find the source or where to report a vulnerability.
  def repository? = !gemspec.match?(%r{homepage.*//rubygems\.org/})

  def gemspec = File.read(path("sparpack.gemspec"))

  def changelog = File.read(path("CHANGELOG.md"), encoding: Encoding::UTF_8)

  def git(*arguments) = run("git", *arguments)

  # @return [String] what the command printed
  def run(*command)
    output, status = Open3.capture2e(*command, chdir: @root)
    status.success? or abort "#{output}#{command.join(" ")} failed"
    output.chomp
  end
end
