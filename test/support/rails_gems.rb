# frozen_string_literal: true

require_relative "side_bundle"

# The gems of Rails that test/rails and bench/records.rb use. They are not in the bundle, because some are compiled with
# libraries that not every machine has.
module RailsGems
  # Rails 8 and sqlite3 2 need newer Rubies than 3.1. SPARPACK_RAILS names another version, such as 7.1.
  RAILS = "~> #{ENV.fetch("SPARPACK_RAILS") { RUBY_VERSION < "3.2" ? "7.2" : "8.1" }}.0".freeze

  # Rails 7.1 uses what json 3 and sqlite3 2 no longer have.
  OLD = RAILS.start_with?("~> 7.1")
  GEMS = { "activejob" => RAILS, "activerecord" => RAILS, "railties" => RAILS, "dalli" => "~> 3.2",
           "json" => OLD ? "~> 2.10" : "~> 3.1", "minitest" => "~> 5.25", "pg" => "~> 1.5", "puma" => "~> 7.1",
           "redis" => "~> 5.4", "sqlite3" => OLD || RUBY_VERSION < "3.2" ? "~> 1.7.3" : "~> 2.9" }.freeze

  # Those of the tests with MariaDB, whose packages nothing else needs.
  MYSQL = { **GEMS.slice("activerecord", "json", "minitest"), "trilogy" => "~> 2.9" }.freeze

  # Files of Debian's packages that they need: the headers that compiling takes, and the programs that the tests start.
  PACKAGES = { "sqlite3.h" => "libsqlite3-dev", "libpq-fe.h" => "libpq-dev", "libxml/tree.h" => "libxml2-dev",
               "libxslt/xslt.h" => "libxslt1-dev", "yaml.h" => "libyaml-dev", "zlib.h" => "zlib1g-dev",
               "pkg-config" => "pkg-config", "redis-server" => "redis-server", "memcached" => "memcached" }.freeze
  MYSQL_PACKAGES = { "openssl/ssl.h" => "libssl-dev", "mariadbd" => "mariadb-server" }.freeze
  FOLDERS = %w[/usr/include /usr/include/postgresql /usr/include/libxml2 /usr/local/include /usr/bin /usr/sbin].freeze

  # @param packages [Hash{String => String}] by their files
  # @return [String, nil] why the gems cannot be installed
  def self.missing(packages = PACKAGES)
    unless RUBY_PLATFORM.include?("linux")
      return Command.success?("pg_config") ? nil : "missing: pg_config of PostgreSQL"
    end

    packages = packages.reject { |file, _| FOLDERS.any? { |folder| File.exist?("#{folder}/#{file}") } }.values
    "missing: apt-get install #{packages.join(" ")}" unless packages.empty?
  end
end
