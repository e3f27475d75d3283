# frozen_string_literal: true

require "fileutils"
require_relative "command"
require_relative "fresh_ruby"

# Versions of the thrift gem, and gems that use it, which are not in the bundle. They are installed into tmp/, once.
#
#     THRIFT_VERSIONS=all bin/test test/drop_in/thrift/versions_test.rb    # or rake thrift:versions
module ThriftGems
  HOME = File.expand_path("../../tmp/thrift_gems/#{RbConfig::CONFIG["ruby_version"]}", __dir__)

  # All that the registry has since 0.14. The bundle has 0.25.
  VERSIONS = %w[0.14.0 0.14.1 0.14.2 0.15.0 0.16.0 0.17.0 0.18.0 0.18.1 0.19.0 0.20.0 0.21.0 0.22.0 0.23.0 0.24.0].freeze

  # Installing and testing one takes half a minute. These differ most from 0.25 and from each other.
  FEW = %w[0.14.0 0.24.0].freeze

  # What RubyGems prints when it does not reach the registry.
  UNREACHABLE = /
    Unable\ to\ (download|resolve) | SocketError | Could\ not\ find\ a\ valid\ gem | execution\ expired |
    Failed\ to\ open\ TCP | timed?\ ?out
  /xi

  SECONDS = 180

  class << self
    # @return [Array<String>] the versions to test
    def versions = ENV["THRIFT_VERSIONS"] == "all" ? VERSIONS : FEW

    # @yieldparam reason [String] why the gem cannot be installed: the registry was not reached
    # @return [String] the folder to look for gems in
    def install(name, version)
      return HOME if File.exist?("#{HOME}/specifications/#{name}-#{version}.gemspec")

      # Many processes may install at once. A gem that was interrupted must not look complete.
      folder = "#{HOME}.#{name}-#{version}.#{Process.pid}"
      output, status = Command.capture2e(environment, RbConfig.ruby, "-S", "gem", "install", name, "--version", version,
                                         "--install-dir", folder, "--no-document", "--ignore-dependencies", within: SECONDS)
      return move(folder) if status.success?
      return yield(output.lines.last.to_s.strip) if output.match?(UNREACHABLE)

      raise Minitest::Assertion, "gem install #{name} #{version}:\n#{output}"
    ensure
      FileUtils.rm_rf(folder) if folder
    end

    private

    def environment
      FreshRuby.environment.merge("GEM_HOME" => nil, "GEM_PATH" => nil, "RUBYLIB" => nil)
    end

    # A gem's specification comes last, because RubyGems looks for that. Another process may have moved the same gem.
    def move(folder)
      %w[extensions/* extensions/*/* gems specifications].each { |path| merge(folder, path) }
      HOME
    end

    def merge(folder, path)
      Dir["#{folder}/#{path}/*"].each do |source|
        target = File.join(HOME, source.delete_prefix(folder))
        FileUtils.mkdir_p(File.dirname(target))
        File.rename(source, target)
      rescue Errno::ENOTEMPTY, Errno::EEXIST
        next
      end
    end
  end
end
