# frozen_string_literal: true

# bin/test: not sanitized, for it installs other gems, and other tests run the same native code
# bin/test: first, for it waits for other processes

require "test_helper"
require "support/rails_gems"

# Sparpack::Rails with the real Rails, SQLite, PostgreSQL, MariaDB, Redis and Memcached. Rails is not in the bundle, so each
# file of cases runs in a process of its own.
class RailsTest < Minitest::Test
  SideBundle.define_cases(self, Dir[File.join(__dir__, "cases/*.rb")].select { |file| SideBundle.cases?(file) }) do |file|
    output, status = file.end_with?("/mysql.rb") ? mysql("-W1", file) : ruby("-W1", file)
    skip output[/missing: .*/] if status.success? && output.include?("missing: apt-get")
    [output, status]
  end

  def test_a_missing_framework
    output, status = SideBundle.capture("nothing", { "minitest" => "~> 5.25" }, RbConfig.ruby, "-e",
                                        'require "sparpack/rails"') { |reason| skip reason }

    refute_predicate status, :success?
    assert_match(%r{sparpack/rails needs Rails 7\.1 or newer, or Active Model or Active Support alone: write}, output)
  end

  # It says nothing about how fast anything is.
  def test_the_benchmark
    output, status = ruby("-W0", "-rbundler/setup", "-ractive_record", File.join(FreshRuby::ROOT, "bench/records.rb"),
                          "--rounds", "1", "--time", "0.01")

    assert_predicate status, :success?, output
    assert_equal 10, output.lines.grep(/at least [\d.]+ +[\d.]+ +(met|MISSED)$/).size, output
  end

  def ruby(*arguments) = run_with("rails", RailsGems::GEMS, RailsGems.missing, *arguments)

  def mysql(*arguments)
    run_with("mysql", RailsGems::MYSQL, RailsGems.missing(RailsGems::MYSQL_PACKAGES), *arguments)
  end

  def run_with(name, gems, missing, *arguments)
    skip missing if missing
    SideBundle.capture(name, gems, RbConfig.ruby, *arguments) { |reason| skip reason }
  end
end
