# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/public_names"
require "support/released_names"
require_relative "../../bin/lib/release/release"

# No public name vanishes before a release has deprecated it (docs/compatibility.md). UPDATE=1 writes the list of a version
# that is not released yet.
class ReleasedNamesTest < Minitest::Test
  ROOT    = File.expand_path("../..", __dir__)
  VERSION = Gem::Version.new(Sparpack::VERSION)

  def test_no_name_vanishes
    update if ENV["UPDATE"]

    assert_empty ReleasedNames.missing(ReleasedNames.all, VERSION, names.keys),
                 "public in the last release, and never deprecated. Before a release: UPDATE=1"
  end

  # The next versions are compared with it.
  def test_the_list_of_a_release_is_complete
    assert_equal ReleasedNames.all[VERSION], names if Release.new.date
    refute_empty ReleasedNames.all
  end

  def test_what_may_vanish
    old = { "Sparpack::A" => false, "Sparpack::B" => true, "Sparpack::C" => false }
    lists = versions("0.1.0" => old, "0.1.2" => old, "0.9.0" => { "Sparpack::C" => true, "Sparpack::A" => false })

    assert_equal %w[Sparpack::B Sparpack::C], missing(lists, "0.1.3", ["Sparpack::A"]), "a patch drops nothing"
    assert_equal %w[Sparpack::C], missing(lists, "0.2.0", ["Sparpack::A"])
    assert_equal %w[Sparpack::C], missing(lists, "0.9.1", ["Sparpack::A"])
    assert_empty missing(lists, "0.10.0", ["Sparpack::A"])
    assert_equal %w[Sparpack::A], missing(lists, "1.0.0", [])
  end

  def test_what_may_vanish_from_1_0_0_on
    lists = versions("1.4.0" => { "Sparpack::A" => true })

    assert_equal %w[Sparpack::A], missing(lists, "1.5.0", [])
    assert_empty missing(lists, "2.0.0", [])
  end

  private

  # The signatures have all public names: see signatures_test.rb.
  #
  # @return [Hash{String => Boolean}] the names, and whether they are deprecated
  def names
    deprecated = PublicNames.deprecated
    PublicNames.of_rbs(Dir["#{ROOT}/sig/**/*.rbs"]).keys.sort.to_h { |name| [name, deprecated.include?(name)] }
  end

  def update
    refute Release.new.date, "the list of a release does not change"
    ReleasedNames.write(VERSION, names)
  end

  def versions(lists) = lists.transform_keys { |text| Gem::Version.new(text) }

  def missing(lists, version, names) = ReleasedNames.missing(lists, Gem::Version.new(version), names)
end
