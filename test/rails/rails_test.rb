# frozen_string_literal: true

# bin/test: not sanitized, for it installs other gems, and other tests run the same native code
# bin/test: first, for it waits for other processes

require "test_helper"
require "support/side_bundle"

# Sparpack::Rails in Rails applications. Rails is not in the bundle, because it needs a library of XML that takes long to
# compile, so each file of cases runs in a process of its own.
class RailsTest < Minitest::Test
  GEMS = { "railties" => "~> 7.2.3", "activerecord" => "~> 7.2.3", "activejob" => "~> 7.2.3", "redis" => "~> 5.4",
           "dalli" => "~> 3.2", "puma" => "~> 7.1", "minitest" => "~> 5.25" }.freeze

  # Debian's packages, and what shows that each is there.
  PACKAGES = { "libxml2-dev" => "/usr/include/libxml2/libxml/parser.h", "libxslt1-dev" => "/usr/include/libxslt/xslt.h",
               "redis-server" => "/usr/bin/redis-server", "memcached" => "/usr/bin/memcached" }.freeze

  def setup
    missing = PACKAGES.reject { |_, file| File.exist?(file) }.keys
    skip "needs Debian's packages #{missing.join(" ")}" unless missing.empty?
  end

  Dir[File.join(__dir__, "cases/*.rb")].each do |file|
    next unless File.read(file).include?("< Minitest::Test")

    define_method("test_#{File.basename(file, ".rb")}") do
      output, status = SideBundle.capture("rails", GEMS, RbConfig.ruby, "-W1", file) { |reason| skip reason }

      assert_predicate status, :success?, output
      assert_match(/ 0 failures, 0 errors, 0 skips/, output)
    end
  end
end
