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

  # Compiling copies of these libraries takes minutes.
  SYSTEM_LIBRARIES =
    if RUBY_PLATFORM.include?("linux")
      { "BUNDLE_BUILD__NOKOGIRI" => "--use-system-libraries", "BUNDLE_BUILD__SQLITE3" => "--enable-system-libraries" }.freeze
    end

  # They read Ruby files and signatures, and nobody measures them. Optimizing them takes 50 s of CPU time.
  QUICKLY = { "BUNDLE_BUILD__PRISM" => "--with-cflags=-O0", "BUNDLE_BUILD__RBS" => "--with-cflags=-O0" }.freeze

  # No benchmark runs in CI, so none of the gems is optimized there. That saves another 30 s.
  UNOPTIMIZED = ENV["CI"] && RUBY_PLATFORM.include?("linux") ? { "MAKEFLAGS" => "-- ARCH_FLAG=-O0\\ -g0" }.freeze : {}.freeze
  private_constant :SYSTEM_LIBRARIES, :QUICKLY, :UNOPTIMIZED

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

    # Defines a test for each file of cases, which runs it in a process with these gems. The process must run tests, and
    # none may fail or be skipped.
    #
    # @param tests [Class] the test case
    # @param files [Array<String>]
    # @yieldparam file [String] in the test
    # @yieldreturn [Array(String, Process::Status)] what {capture} returned
    # @return [void]
    def define_cases(tests, files, &run)
      files.each do |file|
        tests.define_method("test_#{File.basename(file, ".rb")}") do
          output, status = instance_exec(file, &run)

          assert_predicate status, :success?, output
          assert_match(/ 0 failures, 0 errors, 0 skips/, output)
        end
      end
    end

    # @param file [String]
    # @return [Boolean] whether a file of a folder of cases has tests, and does not only help others
    def cases?(file) = File.read(file).match?(/^  def test_/)

    # @param name [String]
    # @param gems [Hash{String => String}]
    # @return [Hash{String => String, nil}] the environment of a command that uses these gems, which are installed
    def environment_of(name, gems) = environment(install(name, gems) { |reason| abort reason })

    private

    def install(name, gems)
      folder = File.join(HOME, name)
      FileUtils.mkdir_p(folder)
      File.open(File.join(folder, "lock"), File::CREAT | File::RDWR) do |lock|
        lock.flock(File::LOCK_EX)
        return folder if written?(folder, gems)

        variables = environment(folder).merge("RUBYOPT" => nil, **UNOPTIMIZED)
        output, status = Command.capture2e(variables, "bundle", "install", chdir: folder, within: SECONDS)
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
        "BUNDLE_PATH" => File.join(HOME, "gems"), "RUBYOPT" => "-rbundler/setup", **SYSTEM_LIBRARIES.to_h, **QUICKLY }
    end
  end
end
