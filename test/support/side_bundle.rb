# frozen_string_literal: true

require "fileutils"
require_relative "command"
require_relative "fresh_ruby"

# Gems that are not in the bundle, because it would choose a build of them for another platform. They are installed into
# tmp/, once.
module SideBundle
  HOME = File.expand_path("../../tmp/bundles/#{RbConfig::CONFIG["ruby_version"]}", __dir__)

  # What Bundler prints when it does not reach the registry.
  UNREACHABLE = /Could not reach host|Could not fetch specs|SocketError|Network error|timed? ?out/i

  SECONDS = 300

  class << self
    # Runs a command with these gems alone, and with Sparpack.
    #
    # @param name [String]
    # @param gems [Hash{String => String}] their versions by their names
    # @yieldparam reason [String] why they cannot be installed: the registry was not reached
    # @return [Array(String, Process::Status)]
    def capture(name, gems, *command, &unreachable)
      folder = install(name, gems, &unreachable)
      Command.capture2e(environment(folder), *command, chdir: folder)
    end

    private

    def install(name, gems)
      folder = File.join(HOME, name)
      FileUtils.mkdir_p(folder)
      File.open(File.join(folder, "lock"), File::CREAT | File::RDWR) do |lock|
        lock.flock(File::LOCK_EX)
        return folder if written?(folder, gems)

        output, status = Command.capture2e(environment(folder).merge("RUBYOPT" => nil), "bundle", "install", chdir: folder,
                                                                                                             within: SECONDS)
        next File.write(File.join(folder, "done"), content(gems)) if status.success?

        yield(output.lines.last.to_s.strip) if output.match?(UNREACHABLE) && !ENV["CI"]
        raise Minitest::Assertion, "bundle install:\n#{output}"
      end
      folder
    end

    # @return [Boolean] whether they are installed already; otherwise the Gemfile is written
    def written?(folder, gems)
      done = File.join(folder, "done")
      return true if File.exist?(done) && File.read(done) == content(gems)

      FileUtils.rm_f([done, File.join(folder, "Gemfile.lock")])
      File.write(File.join(folder, "Gemfile"), content(gems))
      false
    end

    def content(gems)
      source = File.readlines(File.join(FreshRuby::ROOT, "Gemfile")).grep(/\Asource/)
      [*source, *gems.map { |name, version| "gem \"#{name}\", \"#{version}\"\n" }].join
    end

    def environment(folder)
      { **FreshRuby.environment, "GEM_HOME" => nil, "GEM_PATH" => nil, "BUNDLE_GEMFILE" => File.join(folder, "Gemfile"),
        "BUNDLE_PATH" => File.join(HOME, "gems"), "RUBYOPT" => "-rbundler/setup",
        "BUNDLE_BUILD__NOKOGIRI" => "--use-system-libraries" } # its own ones take minutes to compile
    end
  end
end
