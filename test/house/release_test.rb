# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "fileutils"
require "tmpdir"
require_relative "../../bin/lib/release/release"
require "support/command"
require "support/fresh_ruby"

# What `rake release` checks and does, in a small repository.
class ReleaseTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  FILES = {
    "lib/sparpack/version.rb" => "module Sparpack\n  VERSION = \"1.2.3\"\nend\n",
    "CHANGELOG.md" => "# Changelog\n\n## 1.2.3 - unreleased\n\nNew.\n\n## 1.2.2 - 2026-01-31\n\nOld.\n",
    "sparpack.gemspec" => <<~RUBY
      Gem::Specification.new do |spec|
        spec.name, spec.version, spec.authors, spec.summary = "sparpack", "1.2.3", ["A"], "Small"
        spec.description, spec.homepage, spec.licenses = "A small gem", "https://example.org/sparpack", ["MIT"]
        spec.metadata = %w[source_code_uri changelog_uri bug_tracker_uri].to_h { |link| [link, spec.homepage] }
        spec.required_ruby_version = ">= 3.1"
        spec.files = ["CHANGELOG.md"]
      end
    RUBY
  }.freeze

  def setup
    @above  = File.realpath(Dir.mktmpdir)
    @folder = "#{@above}/clone"
    FileUtils.mkdir_p("#{@folder}/lib/sparpack")
    FILES.each { |name, text| File.write("#{@folder}/#{name}", text) }
    File.write("#{@folder}/.gitignore", "/pkg/\n")
    git("init", "--quiet", "--initial-branch=main")
    { "user.name" => "A", "user.email" => "a@example.org", "commit.gpgsign" => "false", "tag.gpgsign" => "false" }
      .each { |name, value| git("config", name, value) }
    commit("First")
    @release = Release.new(@folder)
  end

  def teardown = FileUtils.rm_rf(@above)

  def test_a_date_is_needed
    assert_equal ["the changelog has no date for 1.2.3: rake release:prepare"], @release.faults
    @release.prepare(Date.new(2026, 12, 24))

    assert_includes File.read("#{@folder}/CHANGELOG.md"), "## 1.2.3 - 2026-12-24\n\nNew.\n\n## 1.2.2 - 2026-01-31\n"
    assert_equal Date.new(2026, 12, 24), @release.date
    assert_equal ["there are changes that are not committed"], @release.faults
    commit("Release 1.2.3")

    assert_empty @release.faults
    _, told = capture_io { assert_raises(SystemExit) { @release.prepare(Date.new(2026, 12, 25)) } }

    assert_equal "The changelog has no line \"## 1.2.3 - unreleased\"\n", told
  end

  def test_a_homepage_that_is_not_the_repository
    @release.prepare(Date.new(2026, 12, 24))
    File.write("#{@folder}/sparpack.gemspec", FILES["sparpack.gemspec"].sub("example.org", "rubygems.org"))
    commit("Release 1.2.3")

    assert_equal ["the homepage in sparpack.gemspec is not the repository: see docs/releasing.md"], @release.faults
  end

  def test_links_of_the_page_of_the_gem
    @release.prepare(Date.new(2026, 12, 24))
    File.write("#{@folder}/sparpack.gemspec", FILES["sparpack.gemspec"].sub("source_code_uri", "wiki_uri"))
    commit("Release 1.2.3")

    assert_equal ["sparpack.gemspec has no source_code_uri: see docs/releasing.md"], @release.faults
  end

  def test_dates
    assert_equal [Date.new(2026, 12, 24), Date.today], [Release.date("2026-12-24"), Release.date(nil)]
    %w[2026-13-01 tomorrow 2026-12-24x].each do |text|
      _, told = capture_io { assert_raises(SystemExit) { Release.date(text) } }

      assert_equal "#{text} is not a date such as 2026-12-24\n", told
    end
  end

  { "release[psh]" => "After release comes push, or nothing",
    "native:try" => "Name the gems, as in rake 'native:try[pkg/*.gem]'" }.each do |task, message|
    define_method("test_rake_#{task}") do
      said, status = Command.capture2e(FreshRuby.environment, RbConfig.ruby, "-S", "rake", task, chdir: ROOT)

      refute_predicate status, :success?
      assert_equal message, said.chomp
    end
  end

  def test_a_date_of_another_version
    File.write("#{@folder}/lib/sparpack/version.rb", "VERSION = \"1.2.4\"")

    assert_nil @release.date
  end

  def test_another_branch
    prepare
    git("switch", "--quiet", "--create", "topic")

    assert_equal ["this is the branch topic, not main"], @release.faults
  end

  def test_a_release
    prepare
    gem = @release.make

    assert_equal "#{@folder}/pkg/sparpack-1.2.3.gem", gem
    assert_path_exists gem
    assert_equal "tag Sparpack 1.2.3", git("for-each-ref", "--format=%(objecttype) %(contents:subject)", "refs/tags/v1.2.3")
    assert_equal ["there is a tag v1.2.3 already"], @release.faults
    _, told = capture_io { assert_raises(SystemExit) { @release.make } }

    assert_equal "Not released: there is a tag v1.2.3 already\n", told
  end

  def test_only_a_request_pushes
    git("init", "--quiet", "--bare", "#{@above}/origin")
    git("remote", "add", "origin", "#{@above}/origin")
    prepare
    @release.make

    assert_empty git("ls-remote", "origin")
    @release.push

    pushed = git("ls-remote", "--refs", "origin").lines.map { |line| line.split.last }

    assert_equal %w[refs/heads/main refs/tags/v1.2.3], pushed
  end

  def test_the_changelog_can_be_released
    text = File.read("#{ROOT}/CHANGELOG.md", encoding: Encoding::UTF_8)

    assert_equal Sparpack::VERSION, text[Release::HEADING, :version]
    assert_equal 1, text.scan("## #{Sparpack::VERSION} ").size
  end

  private

  def prepare
    @release.prepare(Date.new(2026, 12, 24))
    commit("Release 1.2.3")
  end

  def commit(subject)
    git("add", "--all")
    git("commit", "--quiet", "--message", subject)
  end

  def git(*arguments)
    said, status = Command.capture2e("git", *arguments, chdir: @folder)

    assert_predicate status, :success?, said
    said.chomp
  end
end
